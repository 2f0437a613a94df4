/** What the tests over all routes need to know of draft orders. */
import { line, misfit, modified } from "../cart/matrix.ts"
import { below, type Ids, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const drafted = (ids: Ids) => ({ items: [line(ids)] })
const draftedWith = (ids: Ids) => ({ items: [modified(ids)] })
const wrong = (ids: Ids) => ({
  items: [
    { ...line(ids), price: "1.001" },
    { name: "Thing", quantity: 1, price: "x" }
  ],
  discountAmount: "1.001",
  shippingAmount: "x",
  taxAmount: "y",
  salesChannelId: none
})
const fields = ["salesChannelId", "items.0.price", "items.1.price", "discountAmount", "shippingAmount", "taxAmount"]

export const matrix: RoomMatrix = {
  fill: async ({ admin, ids }) => {
    const draft = await admin("POST", "/v1/orders/draft", {
      items: [{ productId: ids["products"], quantity: 1 }],
      customer: { email: "ada@example.com" }
    })
    return { draft: draft.body.id }
  },
  failingBodies: [
    { route: "POST /v1/orders/draft", body: wrong, fields },
    { route: "PATCH /v1/orders/draft/:id", body: wrong, fields },
    {
      route: "POST /v1/orders/draft",
      body: (ids) => ({
        items: [
          { productId: ids["variable"], quantity: 1 },
          { quantity: 1 },
          { name: "X", price: 1, variantId: none, quantity: 1 }
        ],
        customerId: ids["customers"],
        customer: { email: "ada@example.com" }
      }),
      fields: ["customerId", "items.0.variantId", "items.1.productId", "items.2.variantId"]
    }
  ],
  idCases: {
    ...below(["POST /v1/orders/draft", "PATCH /v1/orders/draft/:id"], {
      "items.0.productId": { body: drafted, kind: "products", answer: [404, "PRODUCT_NOT_FOUND"] },
      "items.0.variantId": { body: drafted, answer: [404, "PRODUCT_NOT_FOUND"] },
      "items.0.modifiers.0.modifierGroupId": { body: draftedWith, answer: misfit },
      "items.0.modifiers.0.modifierId": { body: draftedWith, answer: misfit },
      customerId: { body: drafted, kind: "customers", answer: [404, "CUSTOMER_NOT_FOUND"] },
      salesChannelId: { body: drafted, kind: "sales-channels" }
    }),
    "PATCH /v1/orders/draft/:id items.0.id": { body: drafted }
  }
}
