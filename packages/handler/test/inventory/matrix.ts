/** What the tests over all routes need to know of stock. */
import { below, type Cases, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const holder: Cases = {
  cartId: { kind: "cart", answer: [404, "RESOURCE_NOT_FOUND"] },
  checkoutId: { kind: "checkout", answer: [404, "CHECKOUT_NOT_FOUND"] }
}
const listed = "what is unknown is listed, or has nothing"
const rows = "each row has an answer of its own"

export const matrix: RoomMatrix = {
  bodies: {
    "PUT /api/v1/products/:id/inventory": { total: 1 },
    "POST /api/v1/products/:id/inventory/adjust": { delta: 1, reason: "received" }
  },
  failingBodies: [
    {
      route: "PUT /v1/products/:id/inventory",
      body: () => ({ total: -1, backorderLimit: -1, lowStockThreshold: 0.5, expectedTotal: 0.5 }),
      fields: ["total", "backorderLimit", "lowStockThreshold", "expectedTotal"],
      code: "INVALID_STOCK_VALUE"
    }
  ],
  idCases: {
    "PUT /v1/products/:id/inventory variantId": { body: () => ({ total: 1 }) },
    "POST /v1/products/:id/inventory/adjust variantId": { body: () => ({ delta: 1, reason: "received" }) },
    "POST /v1/inventory/reconcile productIds": { kind: "products" },
    ...below(["POST /vc/:salesChannelId/reservation/extend", "POST /vc/:salesChannelId/reservation/release"], holder)
  },
  allowedIds: {
    "PUT /v1/inventory/bulk items.0.productId": rows,
    "PUT /v1/inventory/bulk items.0.variantId": rows,
    "POST /v1/inventory/bulk productIds": listed,
    "POST /vc/:salesChannelId/inventory/check-availability items.0.productId": listed,
    "POST /vc/:salesChannelId/inventory/check-availability items.0.variantId": listed,
    "POST /vc/:salesChannelId/availability productIds": listed,
    "POST /vc/:salesChannelId/stock-alerts productId": "nobody is told what there is",
    "POST /vc/:salesChannelId/stock-alerts variantId": "nobody is told what there is"
  }
}
