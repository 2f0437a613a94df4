/** What the tests over all routes need to know of shipping. */
import { below, both, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const served = () => ({ name: "Named", countries: ["FR"] })

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const zone = await admin("POST", "/v1/shipping/zones", { name: "Theirs", countries: ["US"] })
    const rate = await admin("POST", `/v1/shipping/zones/${zone.body.id}/rates`, { name: "Theirs", type: "FREE" })
    const shippingClass = await admin("POST", "/v1/shipping/classes", { name: "Theirs" })
    return { zones: zone.body.id, "zones/rates": rate.body.id, "shipping/classes": shippingClass.body.id }
  },
  bodies: {
    "POST /api/v1/shipping/zones/:zoneId/rates": { name: "Mine", type: "FREE" }
  },
  failingBodies: [
    ...both(
      ["POST /v1/shipping/zones", "PATCH /v1/shipping/zones/:zoneId"],
      () => ({ name: " ", countries: ["XX"], regionIds: [none], salesChannelIds: [none] }),
      ["name", "salesChannelIds.0", "regionIds.0", "countries.0"]
    ),
    ...both(
      ["POST /v1/shipping/zones/:zoneId/rates", "PATCH /v1/shipping/zones/:zoneId/rates/:rateId"],
      () => ({
        name: " ",
        type: "BY_WEIGHT",
        rateConfig: { unit: "kg", tires: [], tiers: [{ upTo: "2", amount: "x", ammount: 1 }] },
        minDeliveryDays: 3,
        maxDeliveryDays: 1,
        minOrderAmount: "x",
        maxCost: "y",
        classCosts: { [none]: "1.00", none_2: "1.00" }
      }),
      [
        "name",
        "maxDeliveryDays",
        "rateConfig.tires",
        "rateConfig.tiers.0.ammount",
        "rateConfig.tiers.0.amount",
        "minOrderAmount",
        "maxCost",
        "classCosts.none_1",
        "classCosts.none_2"
      ]
    ),
    ...both(["POST /v1/shipping/classes", "PATCH /v1/shipping/classes/:id"], () => ({ name: " ", slug: "no slug!" }), [
      "name",
      "slug"
    ])
  ],
  idCases: {
    ...below(["POST /v1/shipping/zones", "PATCH /v1/shipping/zones/:zoneId"], {
      regionIds: { body: served, kind: "regions", answer: [400, ["regionIds.0"]] },
      salesChannelIds: { body: served, kind: "sales-channels", answer: [400, ["salesChannelIds.0"]] }
    })
  }
}
