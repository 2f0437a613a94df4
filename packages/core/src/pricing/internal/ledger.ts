/** What the steps of one pricing run write; private to the pipeline. */
import type { TraceEntry } from "../../kernel/Trace.ts"
import type { ChargedRate } from "../../tax/TaxCalculator.ts"
import type { Adjustment, NotApplied, Tender } from "../Adjustment.ts"
import type { Discount } from "../AdjustmentSource.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"

export interface LedgerLine {
  readonly id: string
  readonly subtotal: bigint
  ruleDiscount: bigint
  couponDiscount: bigint
  /** The rates that it is taxed at; null = not taxed. */
  rates: ReadonlyArray<ChargedRate> | null
  /** One amount per rate. */
  taxes: ReadonlyArray<bigint>
}

export interface Ledger {
  readonly lines: Array<LedgerLine>
  /** Shipping as one more line at what it costs after discounts, or null while no rate is chosen. */
  shipping: LedgerLine | null
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
  /** `discounts` are those of the snapshot that apply together. */
  readonly apply: (snapshot: PricingSnapshot, ledger: Ledger, discounts: ReadonlyArray<Discount>) => void
}

export const openLedger = (): Ledger => ({
  lines: [],
  shipping: null,
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
  rates: null,
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

/** The fields of an adjustment that is on no line, and whose source states neither type nor value. */
export const notOnALine = { type: null, value: null, lineId: null, units: 0 } as const

/** Records an adjustment, unless its amount is 0. */
export const adjust = (ledger: Ledger, adjustment: Adjustment): void => {
  if (adjustment.amount > 0n) ledger.adjustments.push(adjustment)
}
