/** The errors of coupons and of their conflicts. Those of a code that is entered are in pricing/CodeErrors. */
import { Schema } from "effect"

export class CouponNotFound extends Schema.TaggedError<CouponNotFound>()("CouponNotFound", { id: Schema.String }) {}

/** Another coupon of the store has the code, or is the same coupon of the other system. */
export class CouponTaken extends Schema.TaggedError<CouponTaken>()("CouponTaken", {
  field: Schema.Literals(["code", "sourceExternalId"]),
  value: Schema.String
}) {}

/** Another system sent a coupon whose code a coupon of another source has: the conflict is waiting for a decision. */
export class CouponConflicting extends Schema.TaggedError<CouponConflicting>()("CouponConflicting", {
  code: Schema.String,
  conflictId: Schema.String
}) {}

export class CouponConflictNotFound extends Schema.TaggedError<CouponConflictNotFound>()("CouponConflictNotFound", {
  id: Schema.String
}) {}

/** The conflict was resolved or ignored before. */
export class CouponConflictSettled extends Schema.TaggedError<CouponConflictSettled>()("CouponConflictSettled", {
  id: Schema.String,
  status: Schema.String
}) {}

/** A decision about a conflict that says nothing. */
export class CouponResolutionRequired extends Schema.TaggedError<CouponResolutionRequired>()(
  "CouponResolutionRequired",
  {}
) {}
