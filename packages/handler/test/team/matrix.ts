/** What the tests over all routes need to know of people of the dashboard. */
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"
import { addOwner, tokenOf } from "./desk.ts"

export const matrix: RoomMatrix = {
  fill: async ({ shop, at }) => {
    const email = `owner@${at.storeId.replace("_", "-")}.example`
    await addOwner(shop, at, email)
    const key = await tokenOf(shop, email)
    const sessions = await shop.call("GET", "/auth/sessions", { key })
    const team = await shop.call("GET", `/stores/${at.storeId}/team`, { key })
    return { sessions: sessions.body[0].id, team: team.body.data[0].id }
  },
  bodies: { "PATCH /api/stores/:storeId/team/:id": { role: "staff" } },
  failingBodies: [
    {
      route: "POST /stores/:storeId/team",
      body: () => ({ email: "nobody", role: "boss" }),
      fields: ["email", "role"]
    },
    {
      route: "POST /auth/reset-password",
      body: () => ({ token: "x".repeat(1_001), newPassword: "short" }),
      fields: ["token", "newPassword"]
    },
    {
      route: "POST /auth/invitations/accept",
      body: () => ({ token: "x".repeat(1_001), password: "short", name: "n".repeat(201) }),
      fields: ["token", "password", "name"]
    }
  ]
}
