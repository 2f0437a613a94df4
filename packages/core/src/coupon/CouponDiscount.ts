/** What a coupon takes off. Pure. */
import { formatMoney, least } from "../kernel/Money.ts"
import { parseRate, percentOf, type Rate } from "../kernel/Rate.ts"
import type { DiscountEvaluation, PricingSoFar } from "../pricing/AdjustmentSource.ts"
import { dueOf, eligibleLines, lineScope, spread } from "../pricing/LineScope.ts"
import type { CouponFields } from "./Coupon.ts"

export type PricedCoupon = Pick<
  CouponFields,
  | "percentage"
  | "amount"
  | "minimumOrderAmount"
  | "maximumDiscount"
  | "applicableProducts"
  | "excludedProducts"
  | "applicableCategories"
  | "excludedCategories"
>

const rateOf = (percentage: string): Rate => {
  const rate = parseRate(percentage)
  if ("_tag" in rate) throw new RangeError(`${percentage} is not a percentage: ${rate.message}`)
  return rate
}

/** What is taken off `due`, and how it was found. */
const takenOff = (
  { percentage, amount, maximumDiscount }: PricedCoupon,
  due: bigint,
  currency: string
): { readonly amount: bigint; readonly formula: string } => {
  const of = formatMoney(due, currency)
  if (percentage === null)
    return { amount: least(amount ?? 0n, due), formula: `${formatMoney(amount ?? 0n, currency)} off ${of}` }
  const share = percentOf(rateOf(percentage), due)
  const formula = `${percentage} % of ${of}`
  if (maximumDiscount === null || share <= maximumDiscount) return { amount: share, formula }
  return { amount: maximumDiscount, formula: `${formula}, at most ${formatMoney(maximumDiscount, currency)}` }
}

/**
 * How a coupon is evaluated: the minimum of the subtotal before any discount, then the eligible lines, then its value
 * of what rules have left of these, split in proportion.
 */
export const evaluateCoupon = (
  coupon: PricedCoupon,
  currency: string
): ((soFar: PricingSoFar) => DiscountEvaluation) => {
  const scope = lineScope({
    products: coupon.applicableProducts,
    categories: coupon.applicableCategories,
    excludedProducts: coupon.excludedProducts,
    excludedCategories: coupon.excludedCategories
  })
  const { minimumOrderAmount: minimum } = coupon
  return ({ lines }) => {
    const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0n)
    if (minimum !== null && subtotal < minimum)
      return { lines: [], formula: "", miss: { reason: "minimum", missingAmount: minimum - subtotal } }
    const eligible = eligibleLines(lines, scope)
    if (eligible.length === 0) return { lines: [], formula: "", miss: { reason: "no_eligible_items" } }
    const { amount, formula } = takenOff(coupon, dueOf(eligible), currency)
    if (amount === 0n) return { lines: [], formula: "", miss: { reason: "nothing_off" } }
    return { lines: spread(amount, eligible), formula }
  }
}
