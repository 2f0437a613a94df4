/**
 * Adjustments as shoppers and merchants read them: one entry for each source, however many lines it is split over.
 * Every field of a view that lists discounts, rules, surcharges or tenders comes from here.
 */
import type { Schema } from "effect"
import { formatMoney } from "../kernel/Money.ts"
import { type Adjustment, type AdjustmentPart, manualKinds, type NotApplied, type Tender } from "./Adjustment.ts"
import type { PricingResult } from "./PricingResult.ts"
import { discountTypes } from "./BundleOffer.ts"

/** How promotions work out what they take off: the types that a merchant can create. */
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

/** How each entry of `appliedRules` is worked out. The type of a rule that is no promotion is added here. */
export const appliedRuleTypes = [...promotionTypes] as const

/** How each entry of `appliedDiscounts` is worked out: a rule's type, or a coupon's. */
export const appliedDiscountTypes = [...appliedRuleTypes, ...discountTypes] as const

const ruleParts = ["rule_discount", "shipping_discount"] as const

/** What a discount was better than: five names at most. */
const beatenBy = (sourceId: string, notApplied: ReadonlyArray<NotApplied>): string => {
  const beaten = notApplied.filter(({ lostTo }) => lostTo.some((winner) => winner.sourceId === sourceId)).slice(0, 5)
  return beaten.length === 0 ? "" : `: takes more off than ${beaten.map(({ name, code }) => name ?? code).join(", ")}`
}

/** `appliedDiscounts` of a cart: rules and coupons. The description says which others they were better than. */
export const appliedDiscounts = (
  { adjustments, notApplied }: Pick<PricingResult, "adjustments" | "notApplied">,
  currency: string
) =>
  bySource(adjustments, [...ruleParts, "discount"]).map(({ kind, sourceId, type, amount, reason }) => ({
    ruleId: sourceId,
    ruleName: reason ?? kind,
    type: type ?? kind,
    discountAmount: formatMoney(amount, currency),
    description: reason === null ? null : `${reason}${beatenBy(sourceId, notApplied)}`
  }))

/** `appliedRules` of a checkout and an order; a rule for free shipping shows what it saves. */
export const appliedRules = (adjustments: ReadonlyArray<Adjustment>, currency: string) =>
  bySource(adjustments, ruleParts).map(({ kind, sourceId, type, amount, reason }) => ({
    id: sourceId,
    name: reason ?? kind,
    type: type ?? kind,
    discountAmount: formatMoney(amount, currency)
  }))

/** `appliedSurcharges` of a checkout and an order; `values` are those of its checkout fields. */
export const appliedSurcharges = (
  adjustments: ReadonlyArray<Adjustment>,
  currency: string,
  values: Readonly<Record<string, unknown>>
) =>
  bySource(adjustments, ["surcharge"]).map(({ kind, sourceId, amount, reason }) => ({
    key: sourceId,
    name: reason ?? kind,
    value: (values[sourceId] ?? null) as Schema.Json,
    amount: formatMoney(amount, currency)
  }))

/** `coupon` of an order: what its coupon was when it was placed; null without one. */
export const appliedCoupon = (adjustments: ReadonlyArray<Adjustment>) => {
  const found = adjustments.find(({ part, kind }) => part === "discount" && kind !== manualKinds.discount)
  return found === undefined
    ? null
    : { title: found.reason ?? found.kind, type: found.type ?? found.kind, value: found.value ?? "" }
}

/** `tenders` of a checkout. */
export const appliedTenders = (tenders: ReadonlyArray<Tender>, currency: string) =>
  tenders.map(({ tenderId, amount }) => ({ tenderId, amountApplied: formatMoney(amount, currency) }))
