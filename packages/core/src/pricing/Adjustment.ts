/**
 * What changes the total of a cart, checkout or order besides the prices of its lines: automatic rules, coupons,
 * surcharges, and amounts that a caller states. Each adjustment has one source and one target, so every minor unit of a
 * discount leads to the row that caused it. Adjustments are stored with the order, and the audit compares them with its
 * sums.
 */
import { Schema } from "effect"

/**
 * The sum of an order that an adjustment belongs to. Discounts are taken off; shipping, tax and surcharges are added.
 * A shipping or tax adjustment is an amount that the caller stated: a chosen rate and computed taxes need none.
 */
const adjustmentParts = ["rule_discount", "discount", "shipping", "tax", "surcharge"] as const
export const AdjustmentPart = Schema.Literals(adjustmentParts)
export type AdjustmentPart = typeof AdjustmentPart.Type

export const AdjustmentTarget = Schema.Literals(["line", "shipping", "order"])
export type AdjustmentTarget = typeof AdjustmentTarget.Type

export const Adjustment = Schema.Struct({
  /**
   * The kind of its source: `rule`, `coupon`, `manual_discount`, ... Each source of the list in AdjustmentSources has
   * its own.
   */
  kind: Schema.String,
  /** The id of the row that caused it; of an amount that the caller stated, the name of the field. */
  sourceId: Schema.String,
  part: AdjustmentPart,
  target: AdjustmentTarget,
  /** The line, where the target is one; else null. */
  lineId: Schema.NullOr(Schema.String),
  /** Minor units, always more than 0. */
  amount: Schema.BigInt,
  /** Shown to shoppers: the name of the rule, the title of the coupon. */
  reason: Schema.NullOr(Schema.String)
})
export type Adjustment = typeof Adjustment.Type

/** A code or a rule that does not apply, and why. */
export interface NotApplied {
  readonly kind: string
  /** The rule or coupon; null for a code that the store does not have. */
  readonly sourceId: string | null
  readonly code: string | null
  readonly reason: string
}

/** What pays for a part of the total before a payment provider is asked: a gift card, loyalty points. */
export type Tender = Pick<Adjustment, "kind" | "sourceId" | "amount" | "reason">

/** Kinds of the amounts that a caller states with an order. */
export const manualKinds = {
  discount: "manual_discount",
  shipping: "manual_shipping",
  tax: "manual_tax"
} as const
