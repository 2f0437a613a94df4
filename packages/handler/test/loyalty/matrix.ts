/** What the tests over all routes need to know of loyalty points. */
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  bodies: {
    "POST /api/v1/loyalty/customers/:customerId/adjust": { points: 10, reason: "Theirs" },
    "POST /api/vc/:salesChannelId/checkout/:checkoutId/loyalty": { points: 1 }
  },
  failingBodies: [
    {
      route: "PUT /v1/loyalty/program",
      body: () => ({
        pointsPerUnit: 0,
        currencyUnit: "0.00",
        redeemRate: "0.001",
        minRedeem: -1,
        expiryDays: 0,
        tiers: [
          { name: "Gold", threshold: 100, multiplier: 2 },
          { name: " ", threshold: 100, multiplier: 101 }
        ],
        referralPoints: 0.5
      }),
      fields: [
        "pointsPerUnit",
        "currencyUnit",
        "redeemRate",
        "minRedeem",
        "expiryDays",
        "tiers.1.name",
        "tiers.1.threshold",
        "tiers.1.multiplier",
        "referralPoints"
      ]
    },
    {
      route: "POST /v1/loyalty/customers/:customerId/adjust",
      body: () => ({ points: 0.5, reason: " " }),
      fields: ["points", "reason"]
    }
  ]
}
