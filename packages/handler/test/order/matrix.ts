/** What the tests over all routes need to know of orders. */
import { line, misfit, modified } from "../cart/matrix.ts"
import { below, none, type Ids, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const priced = (ids: Ids) => ({ ...line(ids), price: "19.99" })
const address = { line1: "1 Main St", city: "Town", country: "US" }
const sold = (ids: Ids) => ({
  items: [priced(ids)],
  customer: { email: "ada@example.com" },
  shippingAddress: { line1: "1 Main St", city: "Town", country: "US" }
})
const soldWith = (ids: Ids) => ({ ...sold(ids), items: [{ ...modified(ids), price: "19.99" }] })
const ordered = (ids: Ids) => ({ items: [modified(ids)] })

export const matrix: RoomMatrix = {
  fill: async ({ admin, ids }) => {
    const order = await admin("POST", "/v1/orders", { items: [{ productId: ids["products"], quantity: 1 }] })
    return { orders: order.body.id }
  },
  bodies: {
    "POST /api/v1/orders/:id/payments": { amount: "1.00", method: "cash" }
  },
  failingBodies: [
    {
      route: "POST /v1/orders",
      body: (ids) => ({
        items: [priced(ids), { ...priced(ids), price: "1.001" }, { name: "Thing", quantity: 1, price: "x" }],
        discountAmount: "1.001",
        shippingAmount: "x",
        taxAmount: "y"
      }),
      fields: ["items.1.price", "items.2.price", "discountAmount", "shippingAmount", "taxAmount"]
    },
    {
      route: "POST /v1/orders",
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
    },
    {
      route: "POST /v1/orders/:id/payments",
      body: () => ({ amount: 0, method: "cash", paidAt: "soon" }),
      fields: ["amount", "paidAt"]
    },
    {
      route: "POST /vc/:salesChannelId/orders",
      body: (ids) => ({
        items: [
          { ...priced(ids), price: "1.001" },
          { ...priced(ids), price: "x" }
        ],
        customer: { email: "ada@example.com" },
        shippingAddress: address
      }),
      fields: ["items.0.price", "items.1.price"]
    },
    {
      route: "POST /vc/:salesChannelId/orders",
      body: (ids) => ({
        items: [
          { ...priced(ids), productId: ids["variable"] },
          { ...priced(ids), productId: ids["variable"] }
        ],
        customer: { email: "ada@example.com" },
        shippingAddress: address
      }),
      fields: ["items.0.variantId", "items.1.variantId"]
    }
  ],
  idCases: {
    ...below(["POST /v1/orders"], {
      "items.0.productId": {
        body: (ids) => ({ items: [line(ids)] }),
        kind: "products",
        answer: [404, "PRODUCT_NOT_FOUND"]
      },
      "items.0.variantId": { body: (ids) => ({ items: [line(ids)] }), answer: [404, "PRODUCT_NOT_FOUND"] },
      "items.0.modifiers.0.modifierGroupId": { body: ordered, answer: misfit },
      "items.0.modifiers.0.modifierId": { body: ordered, answer: misfit },
      customerId: { body: (ids) => ({ items: [line(ids)] }), kind: "customers", answer: [404, "CUSTOMER_NOT_FOUND"] }
    }),
    ...below(["POST /vc/:salesChannelId/orders"], {
      "items.0.productId": { body: sold, kind: "products", answer: [404, "PRODUCT_NOT_FOUND"] },
      "items.0.variantId": { body: sold, answer: [404, "PRODUCT_NOT_FOUND"] },
      "items.0.modifiers.0.modifierGroupId": { body: soldWith, answer: misfit },
      "items.0.modifiers.0.modifierId": { body: soldWith, answer: misfit }
    })
  }
}
