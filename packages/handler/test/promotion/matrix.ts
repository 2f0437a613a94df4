/** What the tests over all routes need to know of promotions. */
import { below, both, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const percentage = () => ({ name: "Named", type: "PERCENTAGE_OFF", value: 5 })

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const { body } = await admin("POST", "/v1/promotions", { name: "Theirs", type: "PERCENTAGE_OFF", value: 5 })
    return { promotions: body.id }
  },
  failingBodies: [
    ...both(
      ["POST /v1/promotions", "PATCH /v1/promotions/:id"],
      () => ({
        name: "Named",
        type: "AMOUNT_OFF",
        value: -1,
        config: { amount: 1 },
        minimumOrderAmount: "1.234",
        startsAt: "2026-01-02T00:00:00Z",
        endsAt: "2026-01-01T00:00:00Z",
        applicableProducts: [none],
        applicableCategories: [none],
        applicableBrands: [none]
      }),
      [
        "value",
        "config.amount",
        "minimumOrderAmount",
        "endsAt",
        "applicableProducts.0",
        "applicableCategories.0",
        "applicableBrands.0"
      ]
    )
  ],
  idCases: {
    ...below(["POST /v1/promotions", "PATCH /v1/promotions/:id"], {
      applicableProducts: { body: percentage, kind: "products", answer: [400, ["applicableProducts.0"]] },
      applicableCategories: { body: percentage, kind: "categories", answer: [400, ["applicableCategories.0"]] },
      applicableBrands: { body: percentage, kind: "brands", answer: [400, ["applicableBrands.0"]] }
    })
  }
}
