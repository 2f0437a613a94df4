/** What the tests over all routes need to know of rates of exchange. */
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  bodies: { "PUT /api/v1/fx-rates": { quote: "JPY", rate: "161.5" } },
  failingBodies: [
    {
      route: "PUT /v1/fx-rates",
      body: () => ({ base: "CHF", quote: "XXX", rate: 0, bufferPercent: 101 }),
      fields: ["base", "quote", "rate", "bufferPercent"]
    }
  ]
}
