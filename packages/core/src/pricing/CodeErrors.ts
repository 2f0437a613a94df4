/**
 * The errors of codes that a buyer enters. A quote never fails for a code: it says in `notApplied` why one takes
 * nothing off, and the use cases decide which of the reasons is an error.
 */
import { Effect, Schema } from "effect"
import type { NotApplied } from "./Adjustment.ts"
import type { Quote } from "./Quote.ts"

/** The store has no coupon with this code. */
export class CouponUnknown extends Schema.TaggedError<CouponUnknown>()("CouponUnknown", { code: Schema.String }) {}

/** The merchant has disabled the coupon, or its time has not come yet. */
export class CouponNotActive extends Schema.TaggedError<CouponNotActive>()("CouponNotActive", {
  code: Schema.String
}) {}

export class CouponExpired extends Schema.TaggedError<CouponExpired>()("CouponExpired", { code: Schema.String }) {}

/** The coupon was used as often as it may be. */
export class CouponUsedUp extends Schema.TaggedError<CouponUsedUp>()("CouponUsedUp", { code: Schema.String }) {}

/** The customer has used the coupon as often as each customer may, or nobody is signed in to count for. */
export class CouponUsedByCustomer extends Schema.TaggedError<CouponUsedByCustomer>()("CouponUsedByCustomer", {
  code: Schema.String,
  needsCustomer: Schema.Boolean
}) {}

/** The coupon is for other lines, another region or a larger cart. Money in minor units of `currency`. */
export class CouponNotApplicable extends Schema.TaggedError<CouponNotApplicable>()("CouponNotApplicable", {
  code: Schema.String,
  reason: Schema.String,
  currency: Schema.String,
  missingAmount: Schema.NullOr(Schema.BigInt)
}) {}

/** Every error of a code that is entered. */
export const codeErrors = [
  CouponUnknown,
  CouponNotActive,
  CouponExpired,
  CouponUsedUp,
  CouponUsedByCustomer,
  CouponNotApplicable
] as const
export type CodeError = InstanceType<(typeof codeErrors)[number]>

/** Errors of a code that was accepted before and can no longer be used; it may come to nothing without being one. */
export const acceptedCodeErrors = [
  CouponUnknown,
  CouponNotActive,
  CouponExpired,
  CouponUsedUp,
  CouponUsedByCustomer
] as const
export type AcceptedCodeError = InstanceType<(typeof acceptedCodeErrors)[number]>

const acceptedError = ({ reason }: NotApplied, code: string): AcceptedCodeError | undefined => {
  switch (reason) {
    case "unknown":
      return new CouponUnknown({ code })
    case "not_active":
      return new CouponNotActive({ code })
    case "expired":
      return new CouponExpired({ code })
    case "usage_limit":
      return new CouponUsedUp({ code })
    case "customer_limit":
    case "needs_customer":
      return new CouponUsedByCustomer({ code, needsCustomer: reason === "needs_customer" })
    default:
      return undefined
  }
}

/** What is accepted all the same: the shopper may sign in later, and another discount may end. */
const acceptable = new Set(["lost", "needs_customer", "nothing_off"])
const enteredError = (miss: NotApplied, code: string, currency: string): CodeError | undefined => {
  if (acceptable.has(miss.reason)) return undefined
  const { reason, missingAmount = null } = miss
  return acceptedError(miss, code) ?? new CouponNotApplicable({ code, reason, currency, missingAmount })
}

const firstError = <E>(
  { request, notApplied }: Quote,
  errorOf: (miss: NotApplied, code: string) => E | undefined
): Effect.Effect<void, E> => {
  for (const code of request.codes) {
    const miss = notApplied.find((each) => each.code === code)
    const error = miss === undefined ? undefined : errorOf(miss, code)
    if (error !== undefined) return Effect.fail(error)
  }
  return Effect.void
}

/** For codes that are entered now: fails unless they apply, or lose to a better discount. */
export const checkCodes = (quote: Quote): Effect.Effect<void, CodeError> =>
  firstError(quote, (miss, code) => enteredError(miss, code, quote.request.currency))

/**
 * For codes that were entered before, when an order is placed: one that no longer qualifies stays and takes nothing
 * off; one that can no longer be used is an error, so that nobody pays more than was shown without a word.
 */
export const checkAcceptedCodes = (quote: Quote): Effect.Effect<void, AcceptedCodeError> =>
  firstError(quote, acceptedError)
