/** What the tests over all routes need to know of bundle offers. */
import { below, both, none, type Ids, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const offer = ({ products }: Ids) => ({
  name: "Set",
  triggerProductId: "prod_other",
  productIds: [products],
  discountType: "PERCENTAGE",
  discountValue: 5
})
const routes = ["POST /v1/bundle-offers", "PATCH /v1/bundle-offers/:id"]

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const [trigger, offered] = [
      await admin("POST", "/v1/products", { name: "Brings up", basePrice: 4 }),
      await admin("POST", "/v1/products", { name: "Offered", basePrice: 3 })
    ]
    const made = await admin("POST", "/v1/bundle-offers", {
      ...offer({ products: offered.body.id }),
      triggerProductId: trigger.body.id
    })
    return { "bundle-offers": made.body.id }
  },
  failingBodies: [
    ...both(routes, (ids) => ({ ...offer(ids), name: " ", triggerProductId: none, discountValue: 101 }), [
      "name",
      "triggerProductId",
      "discountValue"
    ])
  ],
  idCases: {
    ...below(["POST /v1/bundle-offers"], {
      triggerProductId: { body: offer, kind: "products" },
      productIds: { body: offer, kind: "products", answer: [400, ["triggerProductId", "productIds.0"]] }
    }),
    ...below(["PATCH /v1/bundle-offers/:id"], {
      triggerProductId: { kind: "products" },
      productIds: { kind: "products", answer: [400, ["productIds.0"]] }
    })
  }
}
