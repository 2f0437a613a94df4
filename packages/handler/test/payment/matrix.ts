/** What the tests over all routes need to know of payment providers. */
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const provider = await admin("POST", "/v1/payment-providers", { type: "manual", name: "Theirs" })
    return { "payment-providers": provider.body.id }
  },
  failingBodies: [
    {
      route: "POST /v1/payment-providers",
      body: () => ({ type: "stripe", credentials: { secretKey: " ", token: "x" } }),
      fields: ["credentials.secretKey", "credentials.token"]
    },
    {
      route: "PATCH /v1/payment-providers/:id",
      body: () => ({ credentials: { iban: "DE1", bic: "X" } }),
      fields: ["credentials.iban", "credentials.bic"]
    }
  ]
}
