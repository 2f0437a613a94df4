/**
 * What a room implements to change totals: a kind of discount, a surcharge or a tender.
 *
 * What it decides: which amounts are taken off, added or paid, and why a code or a rule does not apply. When it is
 * called: `load` once for each quote, in the transaction that is open; `evaluate` when the pipeline reaches the step of
 * its part. How it differs from its neighbour: TaxMatcher and ShippingRateCalculator calculate what the law and the
 * carrier charge; a source calculates what the merchant grants or charges. What the default does: the list in
 * AdjustmentSources is empty, and a quote costs nothing for it.
 */
import type { Effect } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import type { AdjustmentPart, AdjustmentTarget, NotApplied } from "./Adjustment.ts"
import type { QuoteLine, QuoteRequest } from "./Quote.ts"

/** A line as it stands when a source is evaluated. */
export interface LineSoFar {
  readonly id: string
  readonly quantity: number
  readonly subtotal: bigint
  /** What is left of the subtotal after the adjustments so far. */
  readonly due: bigint
}

export interface PricingSoFar {
  readonly lines: ReadonlyArray<LineSoFar>
  /** What is left to pay, once taxes are known: for tenders. 0 before. */
  readonly due: bigint
}

/** An amount that a source proposes. It is cut to what its target has left. */
export interface ProposedAdjustment {
  readonly sourceId: string
  /** Discounts target a line or the shipping, surcharges and tenders the order. */
  readonly target: AdjustmentTarget
  /** The line, where the target is one; else null. */
  readonly lineId: string | null
  /** Minor units, not negative. */
  readonly amount: bigint
  readonly reason: string | null
}

export interface Evaluation {
  readonly proposed: ReadonlyArray<ProposedAdjustment>
  readonly notApplied?: ReadonlyArray<NotApplied>
}

/** Pure. */
export interface AdjustmentEvaluator {
  readonly kind: string
  /** Decides the step: rule discounts come before other discounts, surcharges after the taxes, tenders last. */
  readonly part: Exclude<AdjustmentPart, "shipping" | "tax"> | "tender"
  readonly evaluate: (soFar: PricingSoFar) => Evaluation
}

export interface LoadedSource {
  readonly evaluator: AdjustmentEvaluator
  /** Those of the request's codes, as they were entered, that this source knows. */
  readonly codes: ReadonlyArray<string>
}

export interface AdjustmentSource {
  /** Undefined if the source has nothing to do with this request. */
  readonly load: (store: StoreContext, request: QuoteRequest<QuoteLine>) => Effect.Effect<LoadedSource | undefined>
}
