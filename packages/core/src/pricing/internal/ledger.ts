/** What the steps of one pricing run write; private to the pipeline. */
import type { TraceEntry } from "../../kernel/Trace.ts"
import type { TaxMatch } from "../../tax/TaxMatch.ts"
import type { Adjustment, NotApplied, Tender } from "../Adjustment.ts"
import type { AdjustmentEvaluator, ProposedAdjustment } from "../AdjustmentSource.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"

export interface LedgerLine {
  readonly id: string
  readonly subtotal: bigint
  ruleDiscount: bigint
  couponDiscount: bigint
  /** null = not taxed. */
  match: TaxMatch | null
  /** One amount per rate of the match. */
  taxes: ReadonlyArray<bigint>
}

/** A discount on shipping waits until shipping is charged. */
export interface ShippingDiscount {
  readonly evaluator: AdjustmentEvaluator
  readonly proposed: ProposedAdjustment
}

export interface Ledger {
  readonly lines: Array<LedgerLine>
  /** Shipping as one more line, or null while no rate is chosen. */
  shipping: LedgerLine | null
  readonly shippingDiscounts: Array<ShippingDiscount>
  /** The tax that the caller stated; null where taxes are computed. */
  statedTax: bigint | null
  surcharge: bigint
  readonly adjustments: Array<Adjustment>
  readonly notApplied: Array<NotApplied>
  readonly tenders: Array<Tender>
  readonly trace: Array<TraceEntry>
}

/** One step of the pipeline: reads the snapshot, writes the ledger. */
export interface PricingStep {
  readonly name: string
  readonly apply: (snapshot: PricingSnapshot, ledger: Ledger) => void
}

export const openLedger = (): Ledger => ({
  lines: [],
  shipping: null,
  shippingDiscounts: [],
  statedTax: null,
  surcharge: 0n,
  adjustments: [],
  notApplied: [],
  tenders: [],
  trace: []
})

export const ledgerLine = (id: string, subtotal: bigint): LedgerLine => ({
  id,
  subtotal,
  ruleDiscount: 0n,
  couponDiscount: 0n,
  match: null,
  taxes: []
})

/** What is left of a line after the discounts so far. */
export const amountDue = ({ subtotal, ruleDiscount, couponDiscount }: LedgerLine): bigint =>
  ruleDiscount === 0n && couponDiscount === 0n ? subtotal : subtotal - ruleDiscount - couponDiscount

/** A trace entry whose value needed no rounding. */
export const exactEntry = (step: string, target: string, formula: string, amount: bigint): TraceEntry => ({
  step,
  target,
  sources: [],
  formula,
  numerator: amount,
  denominator: 1n,
  roundingPoint: "none",
  roundingMode: null,
  amount
})

/** Records an adjustment, unless its amount is 0. */
export const adjust = (ledger: Ledger, adjustment: Adjustment): void => {
  if (adjustment.amount > 0n) ledger.adjustments.push(adjustment)
}
