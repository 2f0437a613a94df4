/** What the tests over all routes need to know of gift cards. */
import { both, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin, at, ids, shop }) => {
    const card = await admin("POST", "/v1/gift-cards", { initialBalance: "5.00" })
    const path = `/vc/${at.channelId}/checkout/${ids["checkout"]}/gift-card`
    const entered = await shop.call("POST", path, { body: { code: card.body.code } })
    return { "gift-cards": card.body.id, "gift-card": entered.body.tenders[0].tenderId }
  },
  bodies: {
    "POST /api/v1/gift-cards/:id/adjust": { delta: "1.00", reason: "Mine" }
  },
  failingBodies: [
    {
      route: "POST /v1/gift-cards",
      body: () => ({ initialBalance: "0", currency: "XXY", expiresAt: "soon", customerId: none }),
      fields: ["initialBalance", "currency", "expiresAt", "customerId"]
    },
    ...both(["PATCH /v1/gift-cards/:id"], () => ({ expiresAt: "soon", customerId: none }), ["expiresAt", "customerId"])
  ],
  idCases: {
    "POST /v1/gift-cards customerId": { body: () => ({ initialBalance: "5.00" }), kind: "customers" },
    "PATCH /v1/gift-cards/:id customerId": { kind: "customers" }
  }
}
