/**
 * What a matching rule does to a cart: it lacks something (a miss), or it takes something off. Whether it applies is
 * decided on what does not change while discounts are applied: the subtotal before any discount, units and unit
 * prices. How much it takes off is decided on what the rules before it have left. Pure.
 */
import { allocate } from "../../kernel/Allocation.ts"
import { formatMoney, least } from "../../kernel/Money.ts"
import { formatRate, percentOf, type Rate } from "../../kernel/Rate.ts"
import type { Miss } from "../../pricing/Adjustment.ts"
import type { DiscountEvaluation, LineSoFar, PricingSoFar } from "../../pricing/AdjustmentSource.ts"
import { dueOf, spread } from "../../pricing/LineScope.ts"
import type { CompiledPromotion } from "../PromotionMatcher.ts"
import type { BuyXGetY, FreeShipping, Tiered } from "../PromotionTerms.ts"
import { bundleUnits, type ReducedUnits, type UnitsOfLine } from "./bundleUnits.ts"
import { type Reach, reachedTier, type Reduction, type Tier } from "./tiers.ts"

/** How a rule takes something off the eligible lines, as they stand by then. */
export type Plan = (eligible: ReadonlyArray<LineSoFar>, soFar: PricingSoFar) => DiscountEvaluation

export type Planned = { readonly miss: Miss } | { readonly plan: Plan }

/** A percentage of the lines, or an amount off them, which is no more than they have left. */
const reduce =
  (off: Reduction, currency: string): Plan =>
  (eligible) => {
    const due = dueOf(eligible)
    const text = formatMoney(due, currency)
    if ("percent" in off)
      return {
        lines: spread(percentOf(off.percent, due), eligible),
        formula: `${formatRate(off.percent)} % of ${text}`
      }
    return {
      lines: spread(least(off.amount, due), eligible),
      formula: `${formatMoney(off.amount, currency)} off ${text}`
    }
  }

/** What is left of some units of a line: its rest in proportion, rounded down. */
const dueOfUnits = ({ due, quantity }: LineSoFar, units: number): bigint =>
  units === quantity ? due : (due * BigInt(units)) / BigInt(quantity)

const reduceUnits =
  (percent: Rate, reduced: ReadonlyArray<ReducedUnits>, currency: string): Plan =>
  (eligible) => {
    const parts = reduced.flatMap(({ at, units }) => {
      const line = eligible[at]
      return line === undefined ? [] : [{ lineId: line.id, units, due: dueOfUnits(line, units) }]
    })
    const due = parts.map((part) => part.due)
    const base = due.reduce((sum, part) => sum + part, 0n)
    const amounts = allocate(percentOf(percent, base), due, due)
    const count = reduced.reduce((sum, { units }) => sum + units, 0)
    return {
      lines: parts.flatMap(({ lineId, units }, i) => {
        const amount = amounts[i] ?? 0n
        return amount === 0n ? [] : [{ lineId, units, amount }]
      }),
      formula: `${formatRate(percent)} % of ${count} units for ${formatMoney(base, currency)}`
    }
  }

const planBundle = (terms: BuyXGetY, lines: ReadonlyArray<UnitsOfLine>, currency: string): Planned => {
  const { reduced, missing } = bundleUnits(terms, lines)
  return reduced.length === 0
    ? { miss: { reason: "quantity", missingQuantity: missing } }
    : { plan: reduceUnits(terms.percent, reduced, currency) }
}

const missOf = ({ atLeast }: Tier, reach: Reach): Miss =>
  "quantity" in atLeast
    ? { reason: "quantity", missingQuantity: atLeast.quantity - reach.quantity }
    : { reason: "minimum", missingAmount: atLeast.amount - reach.amount }

const planTiers = ({ tiers }: Tiered, lines: ReadonlyArray<UnitsOfLine>, currency: string): Planned => {
  const reach = {
    quantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    amount: lines.reduce((sum, { quantity, unitPrice }) => sum + unitPrice * BigInt(quantity), 0n)
  }
  const tier = reachedTier(tiers, reach)
  if (tier !== undefined) return { plan: reduce(tier.off, currency) }
  const [first] = tiers
  return { miss: first === undefined ? { reason: "quantity" } : missOf(first, reach) }
}

const isServed = (named: ReadonlyArray<string>, id: string | null): boolean =>
  named.length === 0 || (id !== null && named.includes(id))

/** Nothing is taken off, and nothing is missing, until a way of delivery is chosen. */
const freeShipping =
  ({ zoneIds, rateIds }: FreeShipping): Plan =>
  (_, { shipping }) => {
    const formula = "free shipping"
    if (shipping === null) return { lines: [], formula }
    return isServed(zoneIds, shipping.zoneId) && isServed(rateIds, shipping.rateId)
      ? { lines: [], shipping: shipping.due, formula }
      : { lines: [], formula, miss: { reason: "delivery" } }
  }

/** `eligible` are the lines that the rule is for, in a cart whose lines cost `subtotal` before any discount. */
export const planPromotion = (
  { terms, minimumOrderAmount: minimum }: CompiledPromotion,
  eligible: ReadonlyArray<UnitsOfLine>,
  { subtotal, currency }: { readonly subtotal: bigint; readonly currency: string }
): Planned => {
  if (minimum !== null && subtotal < minimum) return { miss: { reason: "minimum", missingAmount: minimum - subtotal } }
  switch (terms.type) {
    case "PERCENTAGE_OFF":
    case "AMOUNT_OFF":
      return { plan: reduce(terms, currency) }
    case "BUY_X_GET_Y":
      return planBundle(terms, eligible, currency)
    case "TIERED":
      return planTiers(terms, eligible, currency)
    case "FREE_SHIPPING":
      return { plan: freeShipping(terms) }
  }
}
