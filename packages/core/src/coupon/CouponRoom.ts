/** Coupons and their conflicts. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { CouponConflicts } from "./CouponConflicts.ts"
import { couponLaws } from "./couponLaws.ts"
import { CouponPricing } from "./CouponPricing.ts"
import { Coupons } from "./Coupons.ts"

export const couponRoom = {
  layer: Layer.mergeAll(Coupons.layer, CouponConflicts.layer, CouponPricing.layer),
  rows: { coupon: { table: "coupon" } },
  laws: couponLaws
} as const satisfies Room
