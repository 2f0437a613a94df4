/**
 * What changes the total of a cart, checkout or order besides the prices of its lines: automatic rules, coupons,
 * surcharges, and amounts that a caller states. Each adjustment has one source and one target, so every minor unit of a
 * discount leads to the row that caused it. Adjustments are stored with the order, and the audit compares them with its
 * sums.
 */
import { Effect, Schema } from "effect"

/**
 * The sum of an order that an adjustment belongs to. Discounts are taken off; shipping, tax and surcharges are added.
 * A shipping or tax adjustment is an amount that the caller stated: a chosen rate and computed taxes need none. A
 * shipping discount lowers what shipping costs, and is part of no other sum.
 */
const adjustmentParts = ["rule_discount", "discount", "shipping_discount", "shipping", "tax", "surcharge"] as const
export const AdjustmentPart = Schema.Literals(adjustmentParts)
export type AdjustmentPart = typeof AdjustmentPart.Type

const AdjustmentTarget = Schema.Literals(["line", "shipping", "order"])
export type AdjustmentTarget = typeof AdjustmentTarget.Type

const textOrNull = Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

export const Adjustment = Schema.Struct({
  /** The kind of its source: `promotion`, `coupon`, `checkout_field`, `manual_discount`, ... */
  kind: Schema.String,
  /** The id of the row that caused it; of an amount that the caller stated, the name of the field. */
  sourceId: Schema.String,
  /** How the source works its amount out, as the views call it: PERCENTAGE_OFF, FIXED_AMOUNT, ... */
  type: textOrNull,
  /** What the source states: a percentage or an amount in major units, by its type. */
  value: textOrNull,
  part: AdjustmentPart,
  target: AdjustmentTarget,
  /** The line, where the target is one; else null. */
  lineId: Schema.NullOr(Schema.String),
  /** How many units of its line it concerns; a partial refund takes the others first. 0 where the target is no line. */
  units: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  /** Minor units, always more than 0. */
  amount: Schema.BigInt,
  /** Shown to shoppers: the name of the rule, the title of the coupon. */
  reason: Schema.NullOr(Schema.String)
})
export type Adjustment = typeof Adjustment.Type

/** What causes an amount: a rule, a coupon, a checkout field. */
export interface AdjustedBy {
  readonly kind: string
  readonly sourceId: string
  /** What shoppers read. */
  readonly name: string
}

/** Why a rule or a code takes nothing off, and what would change that. */
export interface Miss {
  /** One of `notAppliedReasons`, or a reason of a host's own source. */
  readonly reason: string
  /** What the subtotal lacks, in minor units, where it is an amount. */
  readonly missingAmount?: bigint
  /** How many more units are needed, where it is units. */
  readonly missingQuantity?: number
}

/** A code or a rule that does not apply, and why. */
export interface NotApplied extends Miss {
  readonly kind: string
  /** The rule or coupon; null for a code that the store does not have. */
  readonly sourceId: string | null
  /** Null for a code that the store does not have. */
  readonly name: string | null
  readonly code: string | null
  /** Of the reason `lost`: what takes more off, and does not combine with it. */
  readonly lostTo: ReadonlyArray<AdjustedBy>
}

/**
 * The reasons of the product's own sources:
 *
 * - `unknown`: the store has no such code. `not_active`, `expired`: the merchant disabled it, or its time has not come
 *   or has passed.
 * - `usage_limit`, `customer_limit`: it was used as often as it may be, by all or by this customer.
 * - `needs_customer`: it is limited for each customer, and nobody is signed in.
 * - `region`, `minimum`, `quantity`, `no_eligible_items`: it is for other regions, or the lines do not qualify.
 * - `delivery`: it is for other shipping zones or rates.
 * - `nothing_off`: other discounts have left nothing of the lines, or its value of them rounds to nothing.
 * - `lost`: other discounts, with which it does not combine, take more off.
 * - `exhausted`: a gift card or an account of points has nothing left.
 */
export const notAppliedReasons = [
  "unknown",
  "not_active",
  "expired",
  "usage_limit",
  "customer_limit",
  "needs_customer",
  "region",
  "delivery",
  "minimum",
  "quantity",
  "no_eligible_items",
  "nothing_off",
  "lost",
  "exhausted"
] as const

/** What pays for a part of the total before a payment provider is asked: a gift card, loyalty points. */
export interface Tender {
  readonly kind: string
  readonly sourceId: string
  /** The id under which the checkout has it. */
  readonly tenderId: string
  /** Minor units. */
  readonly amount: bigint
  readonly reason: string | null
  /** Of what has a code: its last four characters, which may be shown. */
  readonly codeLast4?: string
}

/** Kinds of discounts and of tenders of the product's rooms, as the API document lists them; hosts may add others. */
export const discountKinds = ["promotion", "coupon"] as const
export const tenderKinds = ["gift_card", "loyalty"] as const

/** Kinds of the amounts that a caller states with an order. */
export const manualKinds = {
  discount: "manual_discount",
  shipping: "manual_shipping",
  tax: "manual_tax"
} as const
