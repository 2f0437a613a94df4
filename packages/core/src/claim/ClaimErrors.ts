/** The errors of claims: what an order was priced with is not there any more. */
import { Schema } from "effect"
import { CouponUsedByCustomer, CouponUsedUp } from "../pricing/CodeErrors.ts"

/** A tender of a checkout, such as a gift card, has not enough left: it is spent, or held for another checkout. */
export class TenderShort extends Schema.TaggedError<TenderShort>()("TenderShort", {
  kind: Schema.String,
  sourceId: Schema.String,
  /** The id under which the checkout has it, where that is known. */
  tenderId: Schema.optionalKey(Schema.String),
  /** One of `notAppliedReasons`, where another one than `exhausted` is known. */
  reason: Schema.optionalKey(Schema.String)
}) {}

/** A rule was used as often as it may be since the order was priced. */
export class PromotionUsedUp extends Schema.TaggedError<PromotionUsedUp>()("PromotionUsedUp", {
  id: Schema.String,
  name: Schema.String,
  /** By this customer, where each customer has a limit; else by all. */
  byCustomer: Schema.Boolean
}) {}

/** Every error of a claim. */
export const claimErrors = [TenderShort, PromotionUsedUp, CouponUsedUp, CouponUsedByCustomer] as const
export type ClaimError = InstanceType<(typeof claimErrors)[number]>
