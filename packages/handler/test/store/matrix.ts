/** What the tests over all routes need to know of the store and its channels and regions. */
import { below, both, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin, at }) => {
    const region = await admin("POST", "/v1/regions", { name: "Theirs", currency: "USD", countries: ["US"] })
    return { regions: region.body.id, "sales-channels": at.channelId }
  },
  failingBodies: [
    {
      route: "PATCH /v1/store",
      body: () => ({ name: " ", currency: "ABC", country: "XX", languages: [], timezone: "Mars/Base" }),
      fields: ["name", "currency", "country", "languages", "timezone"]
    },
    ...both(["POST /v1/sales-channels", "PATCH /v1/sales-channels/:id"], () => ({ name: " ", domain: "no domain" }), [
      "name",
      "domain"
    ]),
    ...both(
      ["POST /v1/regions", "PATCH /v1/regions/:id"],
      () => ({
        name: "",
        currency: "EUR",
        countries: ["DE", "XX", "YY"],
        priceRounding: "0.001",
        providerInstallationIds: [none],
        isDefault: true,
        isActive: false
      }),
      ["name", "countries.1", "countries.2", "priceRounding", "providerInstallationIds.0", "isActive"]
    )
  ],
  idCases: {
    ...below(["POST /v1/regions", "PATCH /v1/regions/:id"], {
      providerInstallationIds: {
        kind: "payment-providers",
        body: () => ({ name: "Named", currency: "USD", countries: [] }),
        answer: [400, ["providerInstallationIds.0"]]
      }
    })
  }
}
