/** What the tests over all routes need to know of admin keys. */
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const key = await admin("POST", "/v1/api-keys", { name: "theirs", scopes: ["store:read"] })
    return { "api-keys": key.body.id }
  },
  failingBodies: [
    {
      route: "POST /v1/api-keys",
      body: () => ({ name: "erp", scopes: ["orders:all"], expiresAt: "2001-01-01T00:00:00Z" }),
      fields: ["scopes", "expiresAt"]
    }
  ]
}
