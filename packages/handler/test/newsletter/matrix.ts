/** What the tests over all routes need to know of the newsletter. */
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"

const benefit = { isEnabled: true, type: "PERCENTAGE", value: "10", expiresInDays: 30 }

export const matrix: RoomMatrix = {
  bodies: {
    "PUT /api/v1/newsletter-benefit": benefit
  },
  failingBodies: [
    {
      route: "PUT /v1/newsletter-benefit",
      body: () => ({ ...benefit, value: "101", minimumOrderAmount: "1.005" }),
      fields: ["value", "minimumOrderAmount"]
    }
  ]
}
