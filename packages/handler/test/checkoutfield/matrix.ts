/** What the tests over all routes need to know of checkout fields. */
import { both, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const twice = { value: "a", label: "A" }

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const field = await admin("POST", "/v1/checkout-fields", { key: "theirs", name: "Theirs", type: "text" })
    return { "checkout-fields": field.body.id }
  },
  failingBodies: both(
    ["POST /v1/checkout-fields", "PATCH /v1/checkout-fields/:id"],
    () => ({
      key: "1st!",
      name: " ",
      type: "select",
      options: [twice, { ...twice, label: " ", surcharge: { type: "FIXED", amount: -1 } }],
      surcharge: { type: "PERCENTAGE", amount: "2.505" }
    }),
    ["key", "name", "options.1.value", "options.1.label", "options.1.surcharge.amount", "surcharge.amount"]
  ),
  allowedIds: {
    "POST /v1/checkout-fields key": "the merchant's own name of the field",
    "PATCH /v1/checkout-fields/:id key": "the merchant's own name of the field",
    "POST /v1/tax/quote lines.0.id": "the caller's own name of the line"
  }
}
