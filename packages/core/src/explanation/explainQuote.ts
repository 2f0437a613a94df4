/** Makes the explanation of a quote from the trace of its pricing run: nothing is computed anew. Pure. */
import { formatMoney } from "../kernel/Money.ts"
import { type TraceEntry, unroundedText } from "../kernel/Trace.ts"
import type { AdjustedBy, NotApplied } from "../pricing/Adjustment.ts"
import { codesFirst } from "../pricing/NotAppliedView.ts"
import type { PricingResult } from "../pricing/PricingResult.ts"
import type { Quote, QuoteLine } from "../pricing/Quote.ts"
import { lineName } from "../pricing/Sellable.ts"
import {
  type ExplanationEntry,
  type ExplanationSource,
  type ExplanationStep,
  explanationSteps,
  type ExplanationView,
  takingOff
} from "./Explanation.ts"

/** A line of a quote; one without a product may have a name of its own. */
type NamedLine = QuoteLine & { readonly name?: string | null }

/** What is sold, as the row that its price comes from. */
const soldBy = ({ id, sellable, name = null }: NamedLine): ExplanationSource | null => {
  if (sellable === null) return name === null || name === "" ? null : { type: "custom_item", id, name }
  const { productId, variantId } = sellable
  return variantId === null
    ? { type: "product", id: productId, name: name ?? lineName(sellable) }
    : { type: "variant", id: variantId, name: name ?? lineName(sellable) }
}

const targetOf = (target: string): ExplanationEntry["target"] =>
  target === "shipping" || target === "order" ? { type: target, id: null } : { type: "line", id: target }

/** What a rule or a coupon takes off the shipping lowers what shipping costs, and is part of no sum of discounts. */
const stepOf = ({ step, target }: TraceEntry): string =>
  target === "shipping" && (step === "rules" || step === "coupon") ? "shipping" : step

const entryOf = (entry: TraceEntry, line: NamedLine | undefined, currency: string): ExplanationEntry => {
  const isOff = takingOff.has(entry.step)
  const signed = isOff ? { ...entry, numerator: -entry.numerator, amount: -entry.amount } : entry
  const { roundingPoint: point, roundingMode: mode } = entry
  const isPrice = entry.step === "prices" && line !== undefined
  return {
    step: stepOf(entry),
    target: targetOf(entry.target),
    source: isPrice ? soldBy(line) : (entry.source ?? null),
    formula: isPrice ? `${line.quantity} x ${formatMoney(line.unitPrice, currency)}` : entry.formula,
    unrounded: unroundedText(signed, currency),
    rounding: point === "none" ? null : { point, mode },
    amount: formatMoney(signed.amount, currency)
  }
}

const order = new Map<string, number>(explanationSteps.map((step: ExplanationStep, i) => [step, i]))
const placeOf = ({ step }: ExplanationEntry): number => order.get(step) ?? explanationSteps.length

const sourceOf = ({ kind: type, sourceId: id, name }: AdjustedBy): ExplanationSource => ({ type, id, name })

const missOf = (
  { kind, sourceId, name, code, reason, missingAmount, missingQuantity }: NotApplied,
  currency: string
): ExplanationView["notApplied"][number] => ({
  source: sourceId === null ? null : { type: kind, id: sourceId, name: name ?? "" },
  code,
  reason,
  missing:
    missingAmount === undefined && missingQuantity === undefined
      ? null
      : {
          amount: missingAmount === undefined ? null : formatMoney(missingAmount, currency),
          quantity: missingQuantity ?? null
        }
})

/** The most rules and codes that are named of those that do not apply: a store may have thousands. */
const mostMisses = 100

/** The totals of a result; the tax that prices contain is what the total does not add. */
const totalsOf = (result: PricingResult, currency: string): ExplanationView["totals"] => {
  const { subtotal, ruleDiscountAmount, discountAmount, shippingAmount, surchargeAmount, taxAmount, total } = result
  const added = total - (subtotal - ruleDiscountAmount - discountAmount + shippingAmount + surchargeAmount)
  const text = (minor: bigint) => formatMoney(minor, currency)
  return {
    subtotal: text(subtotal),
    ruleDiscountAmount: text(ruleDiscountAmount),
    discountAmount: text(discountAmount),
    shippingAmount: text(shippingAmount),
    surchargeAmount: text(surchargeAmount),
    taxAmount: text(taxAmount),
    includedTaxAmount: text(taxAmount - added),
    total: text(total),
    amountDue: text(result.amountDue)
  }
}

/** The explanation of a pricing run; `lines` are those that were priced. */
export const explainResult = (
  subject: ExplanationView["subject"],
  { currency, lines }: { readonly currency: string; readonly lines: ReadonlyArray<NamedLine> },
  result: PricingResult
): ExplanationView => {
  const byId = new Map(lines.map((line) => [line.id, line]))
  return {
    subject,
    currency,
    totals: totalsOf(result, currency),
    entries: result.trace
      .map((entry) => entryOf(entry, byId.get(entry.target), currency))
      .toSorted((a, b) => placeOf(a) - placeOf(b)),
    notApplied: codesFirst(result.notApplied)
      .slice(0, mostMisses)
      .map((miss) => missOf(miss, currency)),
    alternatives: result.alternatives.map(({ sources, total }) => ({
      sources: sources.map(sourceOf),
      total: formatMoney(total, currency)
    }))
  }
}

/** The explanation of a quote. */
export const explainQuote = <Line extends NamedLine>(
  subject: ExplanationView["subject"],
  quote: Quote<Line>
): ExplanationView => explainResult(subject, quote.request, quote)
