/** What the tests over all routes need to know of the care of orders: changes, parcels, cancelling, labels. */
import { none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const label = await admin("POST", "/v1/order-status-labels", { name: "Theirs", canonicalStatus: "PENDING" })
    return { "order-status-labels": label.body.id }
  },
  bodies: {
    "PATCH /api/v1/orders/:id/status": { status: "PROCESSING" },
    "POST /api/v1/orders/:id/notes": { text: "noted" }
  },
  idCases: {
    "PATCH /v1/orders/:id statusLabelId": { kind: "order-status-labels" },
    "POST /v1/orders/:id/fulfill items.0.itemId": {
      body: () => ({ items: [{ itemId: none, quantity: 1 }] }),
      answer: [409, "ORDER_INVALID_STATE"]
    }
  }
}
