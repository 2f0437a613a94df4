/** What the tests over all routes need to know of customers. */
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin, ids }) => {
    const address = await admin("POST", `/v1/customers/${ids["customers"]}/addresses`, {
      line1: "1 Main St",
      city: "Town",
      country: "US"
    })
    return { addresses: address.body.id }
  },
  bodies: {
    "POST /api/v1/customers/:id/addresses": { line1: "1 Main St", city: "Town", country: "US" }
  }
}
