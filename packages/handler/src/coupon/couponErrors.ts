import type {
  CouponConflicting,
  CouponConflictNotFound,
  CouponConflictSettled,
  CouponNotFound,
  CouponResolutionRequired,
  CouponTaken
} from "@effect-commerce/core/coupon/CouponErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const couponErrors: ErrorRows<
  | CouponNotFound
  | CouponTaken
  | CouponConflicting
  | CouponConflictNotFound
  | CouponConflictSettled
  | CouponResolutionRequired
> = {
  CouponNotFound: missing("coupon", "COUPON_NOT_FOUND"),
  CouponTaken: {
    code: "CONFLICT",
    message: (e) => `Another coupon has the ${e.field} ${e.value}`,
    details: (e) => ({ [e.field]: e.value })
  },
  CouponConflicting: {
    code: "CONFLICT",
    message: (e) => `A coupon of another source has the code ${e.code}: decide about the conflict`,
    details: (e) => ({ code: e.code, conflictId: e.conflictId })
  },
  CouponConflictNotFound: missing("coupon conflict"),
  CouponConflictSettled: {
    code: "CONFLICT",
    message: (e) => `This conflict is ${e.status} already`,
    details: (e) => ({ status: e.status })
  },
  CouponResolutionRequired: {
    code: "RESOLUTION_REQUIRED",
    message: () => "Say what shall be: a resolution of keep_existing, use_source or rename"
  }
}
