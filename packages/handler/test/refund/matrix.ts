/** What the tests over all routes need to know of refunds, captures and voids. */
import { below, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const byAmount = { amount: "1.00" }
const units = { items: [{ itemId: none, quantity: 1 }] }
const allocated = { ...byAmount, tenderAllocations: [{ tenderId: none, amount: "1.00" }] }
const refunds = ["POST /v1/orders/:id/refunds", "POST /v1/orders/:id/refunds/preview", "POST /orders/:id/refunds"]

export const matrix: RoomMatrix = {
  bodies: {
    "POST /api/v1/orders/:id/refunds": byAmount,
    "POST /api/v1/orders/:id/refunds/preview": byAmount,
    "POST /api/orders/:id/refunds": byAmount,
    "POST /api/v1/orders/:id/capture": {},
    "POST /api/v1/orders/:id/void": {}
  },
  failingBodies: refunds.map((route) => ({
    route,
    body: () => ({ ...units, shippingAmount: "1.001", tenderAllocations: [{ tenderId: none, amount: "x" }] }),
    fields: ["shippingAmount", "tenderAllocations.0.amount"]
  })),
  idCases: {
    ...below(refunds, {
      "items.0.itemId": { body: () => units },
      "tenderAllocations.0.tenderId": { body: () => allocated }
    }),
    ...below(["POST /v1/orders/:id/capture", "POST /v1/orders/:id/void"], { paymentId: {} })
  }
}
