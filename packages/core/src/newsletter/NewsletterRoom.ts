/** The newsletter: its sign-ups and the coupon for them. Needs `Coupons` and `Customers`. */
import type { Room } from "../database/Room.ts"
import { newsletterLaws } from "./newsletterLaws.ts"
import { Newsletters } from "./Newsletters.ts"

export const newsletterRoom = {
  layer: Newsletters.layer,
  rows: { newsletterBenefit: { table: "newsletter_benefit", single: true, lockFirst: "store" } },
  laws: newsletterLaws
} as const satisfies Room
