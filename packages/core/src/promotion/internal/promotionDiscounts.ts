/**
 * The matching rules of a cart as discounts, in the order in which they are applied, and those that lack something with
 * what is missing. Pure.
 */
import type { Miss, NotApplied } from "../../pricing/Adjustment.ts"
import type { Discount, LoadedSource } from "../../pricing/AdjustmentSource.ts"
import { type QuoteLine, type QuoteRequest, subtotalOf } from "../../pricing/Quote.ts"
import { reachedLimit } from "../../redemption/Redemptions.ts"
import { promotionKind } from "../Promotion.ts"
import type { CompiledPromotion, PromotionMatch } from "../PromotionMatcher.ts"
import { statedValue } from "../PromotionTerms.ts"
import { type Plan, planPromotion } from "./planPromotion.ts"

/** How often a rule is used already, in all and by this customer. */
export type Uses = Parameters<typeof reachedLimit>[1]

type Request = QuoteRequest<QuoteLine>

export const isLimited = ({ usageLimit, usageLimitPerCustomer }: CompiledPromotion): boolean =>
  usageLimit !== null || usageLimitPerCustomer !== null

/** A rule that is limited for each customer does not apply to guests. */
export const needsCustomer = (
  { usageLimitPerCustomer }: CompiledPromotion,
  { buyer }: Pick<Request, "buyer">
): boolean => usageLimitPerCustomer !== null && buyer.customerId === null

const noUses: Uses = { uses: 0, byCustomer: 0 }

const notApplied = ({ id, name }: CompiledPromotion, miss: Miss): NotApplied => ({
  kind: promotionKind,
  sourceId: id,
  name,
  code: null,
  ...miss,
  lostTo: []
})

const discountOf = ({ rule, at }: PromotionMatch, plan: Plan, currency: string): Discount => ({
  kind: promotionKind,
  sourceId: rule.id,
  name: rule.name,
  code: null,
  type: rule.terms.type,
  value: statedValue(rule.terms, currency),
  part: "rule_discount",
  combines: rule.combinesWithOther,
  evaluate: (soFar) =>
    plan(
      at.flatMap((position) => soFar.lines[position] ?? []),
      soFar
    )
})

const unitsOf = ({ lines }: Request, at: ReadonlyArray<number>) =>
  at.flatMap((position) => {
    const line = lines[position]
    return line === undefined
      ? []
      : [
          {
            id: line.id,
            productId: line.sellable?.productId ?? null,
            quantity: line.quantity,
            unitPrice: line.unitPrice
          }
        ]
  })

/** `uses` has what is known of the rules that have a limit. */
export const promotionDiscounts = (
  request: Request,
  matches: ReadonlyArray<PromotionMatch>,
  uses: ReadonlyMap<string, Uses>
): LoadedSource => {
  const discounts: Array<Discount> = []
  const missed: Array<NotApplied> = []
  const { currency } = request
  const cart = { subtotal: subtotalOf(request.lines), currency }
  for (const match of matches) {
    const { rule, at } = match
    const reached = isLimited(rule) ? reachedLimit(rule, uses.get(rule.id) ?? noUses) : undefined
    const reason = needsCustomer(rule, request) ? "needs_customer" : reached
    if (reason !== undefined) {
      missed.push(notApplied(rule, { reason }))
      continue
    }
    const planned = planPromotion(rule, unitsOf(request, at), cart)
    if ("miss" in planned) missed.push(notApplied(rule, planned.miss))
    else discounts.push(discountOf(match, planned.plan, currency))
  }
  return { discounts, notApplied: missed }
}
