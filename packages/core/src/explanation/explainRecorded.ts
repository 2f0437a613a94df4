/**
 * The explanation of an order that was placed before explanations were stored: by its lines, adjustments and taxes as
 * they were recorded. Values before rounding are not known, and are shown as the amounts that were charged. Pure.
 */
import { Option, Schema } from "effect"
import { formatMoney } from "../kernel/Money.ts"
import { type TraceEntry, unroundedText } from "../kernel/Trace.ts"
import type { Adjustment } from "../pricing/Adjustment.ts"
import type { ExplanationEntry, ExplanationSource, ExplanationView } from "./Explanation.ts"

interface RecordedLine {
  readonly id: string
  readonly productId: string | null
  readonly variantId: string | null
  readonly name: string
  readonly quantity: number
  readonly unitPrice: bigint
  readonly subtotal: bigint
  readonly tax: bigint
  readonly taxLines: ReadonlyArray<unknown>
}

/** An order, as far as it is explained. Amounts are minor units. */
export interface RecordedOrder {
  readonly id: string
  readonly currency: string
  readonly subtotal: bigint
  readonly discountAmount: bigint
  readonly ruleDiscountAmount: bigint
  readonly shippingAmount: bigint
  readonly surchargeAmount: bigint
  readonly taxAmount: bigint
  readonly totalAmount: bigint
  readonly shippingSelection: Readonly<Record<string, unknown>> | null
  readonly items: ReadonlyArray<RecordedLine>
  readonly adjustments: ReadonlyArray<Adjustment>
}

const readTaxLine = Schema.decodeUnknownOption(
  Schema.Struct({ rateId: Schema.String, name: Schema.String, rate: Schema.String, amount: Schema.String })
)

const recorded = "as recorded with the order"

interface Recorded {
  readonly step: string
  readonly target: ExplanationEntry["target"]
  readonly source: ExplanationSource | null
  readonly formula: string
  readonly amount: bigint
}

const soldBy = ({ id, productId, variantId, name }: RecordedLine): ExplanationSource =>
  variantId !== null
    ? { type: "variant", id: variantId, name }
    : productId !== null
      ? { type: "product", id: productId, name }
      : { type: "custom_item", id, name }

const onLine = (id: string): ExplanationEntry["target"] => ({ type: "line", id })
const onShipping: ExplanationEntry["target"] = { type: "shipping", id: null }
const onOrder: ExplanationEntry["target"] = { type: "order", id: null }

const parts = {
  rule_discount: "rules",
  discount: "coupon",
  shipping_discount: "shipping",
  surcharge: "surcharges"
} as const

const adjustedBy = ({ kind, sourceId, part, target, lineId, amount, reason }: Adjustment): ReadonlyArray<Recorded> => {
  if (part === "shipping" || part === "tax") return []
  const at = target === "line" ? onLine(lineId ?? "") : target === "shipping" ? onShipping : onOrder
  const source = { type: kind, id: sourceId, name: reason ?? kind }
  const signed = part === "surcharge" ? amount : -amount
  return [{ step: parts[part], target: at, source, formula: recorded, amount: signed }]
}

/** The taxes of a line by rate; what its rates do not come to has no source. */
const taxesOf = ({ id, tax, taxLines }: RecordedLine): ReadonlyArray<Recorded> => {
  const rows = taxLines.flatMap((row): ReadonlyArray<Recorded> => {
    const read = readTaxLine(row)
    if (Option.isNone(read) || !/^-?\d+$/.test(read.value.amount)) return []
    const { rateId, name, rate, amount } = read.value
    const source = { type: "tax_rate", id: rateId, name }
    return [{ step: "tax", target: onLine(id), source, formula: `${rate} %, ${recorded}`, amount: BigInt(amount) }]
  })
  const rest = tax - rows.reduce((sum, { amount }) => sum + amount, 0n)
  const unnamed = { step: "tax", target: onLine(id), source: null, formula: recorded, amount: rest }
  return rest === 0n ? rows : [...rows, unnamed]
}

/** The charge before what rules and coupons saved of it. */
const shippingOf = ({ shippingAmount, shippingSelection, adjustments }: RecordedOrder): ReadonlyArray<Recorded> => {
  const saved = adjustments.reduce((sum, { part, amount }) => (part === "shipping_discount" ? sum + amount : sum), 0n)
  const charge = shippingAmount + saved
  if (charge === 0n && shippingSelection === null) return []
  const { shippingRateId: id, methodName: name } = shippingSelection ?? {}
  const source = typeof id === "string" && typeof name === "string" ? { type: "shipping_rate", id, name } : null
  return [{ step: "shipping", target: onShipping, source, formula: recorded, amount: charge }]
}

const entriesOf = (order: RecordedOrder): ReadonlyArray<Recorded> => {
  const { items, adjustments, currency, taxAmount, totalAmount } = order
  const adjusted = adjustments.flatMap(adjustedBy)
  const of = (step: string) => adjusted.filter((entry) => entry.step === step)
  const taxes = items.flatMap(taxesOf)
  const elsewhere = taxAmount - taxes.reduce((sum, { amount }) => sum + amount, 0n)
  const isStated = adjustments.some(({ part }) => part === "tax")
  const other: Recorded = {
    step: "tax",
    target: isStated ? onOrder : onShipping,
    source: null,
    formula: isStated ? "stated by the caller" : recorded,
    amount: elsewhere
  }
  return [
    ...items.map((line) => ({
      step: "prices",
      target: onLine(line.id),
      source: soldBy(line),
      formula: `${line.quantity} x ${formatMoney(line.unitPrice, currency)}`,
      amount: line.subtotal
    })),
    ...of("rules"),
    ...of("coupon"),
    ...shippingOf(order),
    ...of("shipping"),
    ...taxes,
    ...(elsewhere === 0n ? [] : [other]),
    ...of("surcharges"),
    { step: "total", target: onOrder, source: null, formula: recorded, amount: totalAmount }
  ]
}

const toEntry = ({ amount, ...entry }: Recorded, currency: string): ExplanationEntry => {
  const value: Pick<TraceEntry, "numerator" | "denominator"> = { numerator: amount, denominator: 1n }
  return { ...entry, unrounded: unroundedText(value, currency), rounding: null, amount: formatMoney(amount, currency) }
}

export const explainRecorded = (order: RecordedOrder): ExplanationView => {
  const { id, currency, subtotal, ruleDiscountAmount, discountAmount, shippingAmount, surchargeAmount } = order
  const { taxAmount, totalAmount } = order
  const added = totalAmount - (subtotal - ruleDiscountAmount - discountAmount + shippingAmount + surchargeAmount)
  const text = (minor: bigint) => formatMoney(minor, currency)
  return {
    subject: { type: "order", id },
    currency,
    totals: {
      subtotal: text(subtotal),
      ruleDiscountAmount: text(ruleDiscountAmount),
      discountAmount: text(discountAmount),
      shippingAmount: text(shippingAmount),
      surchargeAmount: text(surchargeAmount),
      taxAmount: text(taxAmount),
      includedTaxAmount: text(taxAmount - added),
      total: text(totalAmount),
      amountDue: text(totalAmount)
    },
    entries: entriesOf(order).map((entry) => toEntry(entry, currency)),
    notApplied: [],
    alternatives: []
  }
}
