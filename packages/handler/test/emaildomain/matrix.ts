/** What the tests over all routes need to know of e-mail domains. */
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const domain = await admin("POST", "/v1/email/domains", { domain: "theirs.example" })
    return { domains: domain.body.id }
  }
}
