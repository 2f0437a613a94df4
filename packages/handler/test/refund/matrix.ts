/** What the tests over all routes need to know of refunds, captures and voids. */
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"

const byAmount = { amount: "1.00" }

export const matrix: RoomMatrix = {
  bodies: {
    "POST /api/v1/orders/:id/refunds": byAmount,
    "POST /api/v1/orders/:id/refunds/preview": byAmount,
    "POST /api/orders/:id/refunds": byAmount,
    "POST /api/v1/orders/:id/capture": {},
    "POST /api/v1/orders/:id/void": {}
  }
}
