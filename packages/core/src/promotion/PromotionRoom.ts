/** The services of the promotion room. */
import type { Room } from "../database/Room.ts"
import { promotionBound } from "./Promotion.ts"
import { Promotions } from "./Promotions.ts"

export const promotionRoom = {
  layer: Promotions.layer,
  rows: { promotion: { table: "promotion", lockFirst: "store" } },
  bounds: [promotionBound]
} as const satisfies Room
