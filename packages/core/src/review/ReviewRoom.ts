/** The service of the review room. */
import type { Room } from "../database/Room.ts"
import { Reviews } from "./Reviews.ts"
import { reviewLaws } from "./reviewLaws.ts"

export const reviewRoom = {
  layer: Reviews.layer,
  rows: { review: { table: "review" } },
  laws: reviewLaws
} as const satisfies Room
