/**
 * Adjustments as shoppers and merchants read them: one entry for each source, however many lines it is split over.
 * Every field of a view that lists discounts, rules, surcharges or tenders comes from here.
 */
import { formatMoney } from "../kernel/Money.ts"
import { type Adjustment, type AdjustmentPart, manualKinds, type Tender } from "./Adjustment.ts"

/** How promotions work out what they take off. */
export const promotionTypes = ["PERCENTAGE_OFF", "AMOUNT_OFF", "BUY_X_GET_Y", "TIERED", "FREE_SHIPPING"] as const

/** The sums by source, in the order in which the sources were applied. */
const bySource = (
  adjustments: ReadonlyArray<Adjustment>,
  parts: ReadonlyArray<AdjustmentPart>
): ReadonlyArray<Adjustment> => {
  if (adjustments.length === 0) return []
  const sums = new Map<string, Adjustment>()
  for (const adjustment of adjustments) {
    if (!parts.includes(adjustment.part)) continue
    const key = `${adjustment.kind} ${adjustment.sourceId}`
    const sum = sums.get(key)
    sums.set(key, sum === undefined ? adjustment : { ...sum, amount: sum.amount + adjustment.amount })
  }
  return [...sums.values()]
}

/** What coupons take off, in minor units: without what an admin key has stated. */
export const couponDiscountOf = (adjustments: ReadonlyArray<Adjustment>): bigint =>
  adjustments.reduce(
    (sum, { part, kind, amount }) => (part === "discount" && kind !== manualKinds.discount ? sum + amount : sum),
    0n
  )

/** `appliedDiscounts` of a cart: rules and coupons. */
export const appliedDiscounts = (adjustments: ReadonlyArray<Adjustment>, currency: string) =>
  bySource(adjustments, ["rule_discount", "discount"]).map(({ kind, sourceId, amount, reason }) => ({
    ruleId: sourceId,
    ruleName: reason ?? kind,
    type: kind,
    discountAmount: formatMoney(amount, currency),
    description: reason
  }))

/** `appliedRules` of a checkout and an order. */
export const appliedRules = (adjustments: ReadonlyArray<Adjustment>, currency: string) =>
  bySource(adjustments, ["rule_discount"]).map(({ kind, sourceId, amount, reason }) => ({
    id: sourceId,
    name: reason ?? kind,
    type: kind,
    discountAmount: formatMoney(amount, currency)
  }))

/** `appliedSurcharges` of a checkout and an order. */
export const appliedSurcharges = (adjustments: ReadonlyArray<Adjustment>, currency: string) =>
  bySource(adjustments, ["surcharge"]).map(({ kind, sourceId, amount, reason }) => ({
    key: sourceId,
    name: reason ?? kind,
    value: null,
    amount: formatMoney(amount, currency)
  }))

/** `tenders` of a checkout. */
export const appliedTenders = (tenders: ReadonlyArray<Tender>, currency: string) =>
  tenders.map(({ sourceId, amount }) => ({ tenderId: sourceId, amountApplied: formatMoney(amount, currency) }))
