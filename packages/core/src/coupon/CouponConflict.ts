/**
 * A coupon conflict: another system sent a coupon whose code a coupon of another source has. Nothing changes until
 * somebody decides.
 */
import { Schema } from "effect"
import { json, nullable, nullableTimestamp, oneOf, optional, string, timestamp } from "../kernel/Fields.ts"
import type { CouponInput } from "./Coupon.ts"
import { CouponView } from "./CouponView.ts"

export const couponConflictStatuses = ["PENDING", "RESOLVED", "IGNORED"] as const
export type CouponConflictStatus = (typeof couponConflictStatuses)[number]
const resolutions = ["keep_existing", "use_source", "rename"] as const
export type CouponResolution = (typeof resolutions)[number]

export const CouponConflictView = Schema.Struct({
  id: string("Id of the conflict.", "cpnconf_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  matchType: oneOf(["code"], "What both coupons have: the code."),
  sourcePlatform: string("The system that sent the other coupon.", "shopify"),
  sourceExternalId: string("Id of the other coupon in that system.", "gid-1057"),
  sourceData: json("The coupon as that system sent it."),
  existingCouponId: string("The coupon of the store that has the code."),
  existingCoupon: nullable(CouponView, "The coupon of the store as it is now; null where it was deleted."),
  status: oneOf(couponConflictStatuses, "PENDING until it is resolved or ignored."),
  resolution: nullable(Schema.Literals(resolutions), "What was decided; null while it is open or where it is ignored."),
  resolvedAt: nullableTimestamp("When it was resolved or ignored; null while it is open."),
  createdAt: timestamp("When the system first sent its coupon."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}).annotate({
  identifier: "CouponConflict",
  description: "A coupon of another system whose code a coupon of the store has."
})
export type CouponConflictView = typeof CouponConflictView.Type

type Times = "resolvedAt" | "createdAt" | "updatedAt"

export interface CouponConflictState
  extends Omit<CouponConflictView, "matchType" | "existingCoupon" | "sourceData" | Times> {
  readonly sourceData: CouponInput
  readonly resolvedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const ResolveCouponConflict = Schema.Struct({
  resolution: Schema.optionalKey(
    nullable(
      Schema.Literals(resolutions),
      "`keep_existing` leaves the store's coupon, `use_source` gives it what the other system sent, `rename` creates " +
        "the other coupon with `code`. Needed."
    )
  ),
  code: optional(Schema.String, "With `rename`: the code of the other coupon.", "WELCOME10-2")
}).annotate({ identifier: "ResolveCouponConflict", description: "The decision about two coupons with one code." })
export type ResolveCouponConflict = typeof ResolveCouponConflict.Type

export const toCouponConflict = (
  { createdAt, updatedAt, resolvedAt, sourceData, ...state }: CouponConflictState,
  existingCoupon: CouponView | null
): CouponConflictView => ({
  ...state,
  matchType: "code",
  sourceData: { ...sourceData },
  existingCoupon,
  resolvedAt: resolvedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})
