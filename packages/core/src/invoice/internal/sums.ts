/**
 * The rows of an invoice below its lines, in minor units. Pure. Every list of rows adds up to the sum beneath it, for
 * any order: what a row of its own cannot say is in one that holds the rest.
 */
import { currencyExponent } from "../../kernel/Currency.ts"
import { parseMoney } from "../../kernel/Money.ts"
import type { OrderState } from "../../order/Order.ts"
import type { AdjustmentPart } from "../../pricing/Adjustment.ts"
import type { Words } from "./words.ts"

export interface SumRow {
  readonly label: string
  readonly amount: bigint
}

const sumOf = (rows: ReadonlyArray<SumRow>): bigint => rows.reduce((sum, { amount }) => sum + amount, 0n)

/** One row for each source of this part; where they do not come to `whole`, one row for all. */
const rowsOf = (order: OrderState, part: AdjustmentPart, whole: bigint, label: string, sign: 1n | -1n) => {
  if (whole === 0n) return []
  const bySource = new Map<string, SumRow>()
  for (const { part: of, kind, sourceId, reason, amount } of order.adjustments) {
    if (of !== part) continue
    const key = `${kind} ${sourceId}`
    const told = reason === null || reason === "" ? label : `${label}: ${reason}`
    bySource.set(key, { label: told, amount: (bySource.get(key)?.amount ?? 0n) + sign * amount })
  }
  const rows = [...bySource.values()]
  return sumOf(rows) === sign * whole ? rows : [{ label, amount: sign * whole }]
}

const shippingLabel = ({ deliveryType, shippingSelection }: OrderState, words: Words): string => {
  if (deliveryType === "pickup") return words.pickup
  const method = shippingSelection?.["methodName"]
  return typeof method === "string" ? `${words.shipping}: ${method}` : words.shipping
}

/** The tax that is added to prices; the rest of the order's tax is contained in them. */
export const addedTax = (order: OrderState): bigint =>
  order.totalAmount -
  (order.subtotal - order.ruleDiscountAmount - order.discountAmount + order.shippingAmount + order.surchargeAmount)

/** From the subtotal to the total: discounts, shipping, surcharges, and the tax that is added to prices. */
export const totalRows = (order: OrderState, words: Words): ReadonlyArray<SumRow> => {
  const added = addedTax(order)
  return [
    { label: words.subtotal, amount: order.subtotal },
    ...rowsOf(order, "rule_discount", order.ruleDiscountAmount, words.discount, -1n),
    ...rowsOf(order, "discount", order.discountAmount, words.discount, -1n),
    ...(order.shippingAmount === 0n && order.shippingSelection === null
      ? []
      : [{ label: shippingLabel(order, words), amount: order.shippingAmount }]),
    ...rowsOf(order, "surcharge", order.surchargeAmount, words.surcharge, 1n),
    ...(added === 0n ? [] : [{ label: words.addedTax, amount: added }])
  ]
}

export interface TaxRow extends SumRow {
  /** A percentage as text; null for tax that no rate explains. */
  readonly rate: string | null
}

/** One row for each rate; they add up to the order's tax. */
export const taxRows = ({ taxBreakdown, taxAmount, currency }: OrderState, words: Words): ReadonlyArray<TaxRow> => {
  const rows = taxBreakdown.breakdown.map(({ name, rate, amount }): TaxRow => {
    const minor = parseMoney(amount.toFixed(currencyExponent(currency)), currency)
    return { label: name, rate: String(rate), amount: typeof minor === "bigint" ? minor : 0n }
  })
  const rest = taxAmount - sumOf(rows)
  return rest === 0n ? rows : [...rows, { label: words.statedTax, rate: null, amount: rest }]
}

export interface PaymentRow extends SumRow {
  /** ISO 8601; null where it is not known. */
  readonly at: string | null
}

/** What has been paid, one row for each payment; with what is outstanding they add up to the total. */
export const paymentRows = (order: OrderState, words: Words): ReadonlyArray<PaymentRow> =>
  order.payments
    .filter(({ captured }) => captured > 0n)
    .map(({ method, captured, paidAt, codeLast4 = null }) => {
      const label = words.methods[method] ?? method
      return { label: codeLast4 === null ? label : `${label} …${codeLast4}`, amount: captured, at: paidAt }
    })

export const refundRows = (order: OrderState, words: Words): ReadonlyArray<PaymentRow> =>
  order.refunds
    .filter(({ status }) => status === "succeeded")
    .map(({ amount, reason, succeededAt, createdAt }) => ({
      label: reason === null || reason === "" ? words.refund : `${words.refund}: ${reason}`,
      amount: -amount,
      at: succeededAt ?? createdAt
    }))
