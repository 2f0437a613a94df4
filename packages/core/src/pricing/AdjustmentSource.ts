/**
 * What a room implements to change totals: kinds of discounts, surcharges or tenders.
 *
 * What it decides: which amounts are taken off, added or paid, and why a code or a rule does not apply. When it is
 * called: `load` once for each quote, in the transaction that is open; what it returns is evaluated when the pipeline
 * reaches the step of its part. How it differs from its neighbour: TaxMatcher and ShippingRateCalculator calculate what
 * the law and the carrier charge; a source calculates what the merchant grants or charges. What the default does: the
 * root lists the sources of the product (CommerceAdjustments), and a host may add its own (`FurtherAdjustmentSources`).
 */
import { Context, Effect } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import type { AdjustedBy, Miss, NotApplied, Tender } from "./Adjustment.ts"
import type { QuoteLine, QuoteRequest } from "./Quote.ts"
import type { ProductGroups } from "./Sellable.ts"

/** A line as it stands when a source is evaluated. */
export interface LineSoFar {
  readonly id: string
  /** Null for a line that the catalogue does not know. */
  readonly productId: string | null
  /** Null where no rule or coupon of the store names categories, brands or tags. */
  readonly groups: ProductGroups | null
  readonly quantity: number
  readonly unitPrice: bigint
  /** Quantity times unit price. */
  readonly subtotal: bigint
  /** What is left of the subtotal after the discounts so far. */
  readonly due: bigint
}

export interface PricingSoFar {
  /** In the order of the lines of the request. */
  readonly lines: ReadonlyArray<LineSoFar>
  /** What shipping costs after the discounts so far; null while no method is chosen. */
  readonly shipping: { readonly due: bigint; readonly rateId: string | null; readonly zoneId: string | null } | null
}

/** What a discount takes off one line. It is cut to what the line has left. */
export interface LineShare {
  readonly lineId: string
  /** Minor units, not negative. */
  readonly amount: bigint
  /** How many units of the line it concerns. */
  readonly units: number
  /** For the explanation: the share before it was rounded, in minor units, where it is known. */
  readonly exact?: Fraction
}

/** `numerator / denominator`, which is positive. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** What one rule or coupon takes off. */
export interface DiscountEvaluation {
  readonly lines: ReadonlyArray<LineShare>
  /** Minor units off the shipping, cut to what it costs. */
  readonly shipping?: bigint
  /** For the explanation: how the amounts were found, such as `10 % of 39.98`. */
  readonly formula: string
  /** Why it takes nothing off; of no matter where it does. */
  readonly miss?: Miss
}

/** One rule or one coupon. Pure. */
export interface Discount extends AdjustedBy {
  /** The code that brought it in; null for a rule. */
  readonly code: string | null
  readonly type: string
  readonly value: string | null
  /**
   * Decides the step, rules before coupons, and how it is shown: `rule_discount` applies by itself, `discount` is
   * brought in by a code and is the order's coupon.
   */
  readonly part: "rule_discount" | "discount"
  /**
   * Whether it adds up with the others that do. Of those that do not, each is compared alone with all that do, and the
   * lowest total wins.
   */
  readonly combines: boolean
  readonly evaluate: (soFar: PricingSoFar) => DiscountEvaluation
}

/** An amount on top of the order, which is not taxed. Pure. */
export interface Surcharge extends AdjustedBy {
  readonly type: string | null
  readonly value: string | null
  /** `due` is the sum of the lines after discounts. Returns minor units, not negative, and how they were found. */
  readonly evaluate: (due: bigint) => { readonly amount: bigint; readonly formula: string }
}

/** Something that pays for a part of the total. Pure. */
export interface OfferedTender extends Omit<Tender, "amount"> {
  /** What it pays of `due`: minor units, from 0 to `due`. */
  readonly pay: (due: bigint) => bigint
}

export interface LoadedSource {
  /** In the order in which they are applied within one step. */
  readonly discounts?: ReadonlyArray<Discount>
  readonly surcharges?: ReadonlyArray<Surcharge>
  /** In the order in which they pay. */
  readonly tenders?: ReadonlyArray<OfferedTender>
  /** Those of the request's codes, as they were entered, that this source knows. */
  readonly codes?: ReadonlyArray<string>
  /** How the store writes those of them that were entered otherwise, such as in lower case. */
  readonly spellings?: ReadonlyMap<string, string>
  /** What cannot be evaluated at all: a code that has expired, a card that is empty. */
  readonly notApplied?: ReadonlyArray<NotApplied>
}

export interface AdjustmentSource {
  /**
   * Undefined if the source has nothing to do with this request. All sources load at the same time, on one connection
   * where a transaction is open: a source locks nothing.
   */
  readonly load: (store: StoreContext, request: QuoteRequest<QuoteLine>) => Effect.Effect<LoadedSource | undefined>
}

/** For a source that has nothing to do with a request. */
export const nothingLoaded: Effect.Effect<undefined> = Effect.undefined

/** The sources of the product, in the order in which they are applied within a step. The root provides them. */
export class AdjustmentSources extends Context.Service<AdjustmentSources, ReadonlyArray<AdjustmentSource>>()(
  "@effect-commerce/core/pricing/AdjustmentSources"
) {}

const none: ReadonlyArray<Effect.Effect<AdjustmentSource>> = []

/** Sources of a host's own, which follow those of the product. Read once, when the service Quotes is built. */
export const FurtherAdjustmentSources: Context.Reference<typeof none> = Context.Reference(
  "@effect-commerce/core/pricing/FurtherAdjustmentSources",
  { defaultValue: () => none }
)
