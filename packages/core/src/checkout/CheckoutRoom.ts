/**
 * The use cases of checkouts before their completion. They need carts and orders, and check a checkout's version
 * themselves.
 */
import type { Room } from "../database/Room.ts"
import { checkoutLaws } from "./checkoutLaws.ts"
import { Checkouts } from "./Checkouts.ts"

export const checkoutRoom = {
  layer: Checkouts.layer,
  laws: checkoutLaws
} as const satisfies Room
