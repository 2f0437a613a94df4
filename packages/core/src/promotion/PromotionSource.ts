/**
 * Promotions in quotes: the matching rules of a store become discounts, and those that lack something are listed as not
 * applied, with what is missing. A store without promotions costs nothing but the look at its compiled rules; one
 * statement is sent where a matching rule has a limit.
 */
import { Clock, Effect } from "effect"
import { type AdjustmentSource, nothingLoaded } from "../pricing/AdjustmentSource.ts"
import type { QuoteLine, QuoteRequest } from "../pricing/Quote.ts"
import { Redemptions } from "../redemption/Redemptions.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { isLimited, needsCustomer, promotionDiscounts, type Uses } from "./internal/promotionDiscounts.ts"
import { promotionKind } from "./Promotion.ts"
import type { MatchedLine, PromotionMatcher } from "./PromotionMatcher.ts"
import { Promotions } from "./Promotions.ts"

type Request = QuoteRequest<QuoteLine>

const matchedLine = ({ sellable }: QuoteLine): MatchedLine => ({
  productId: sellable?.productId ?? null,
  groups: sellable?.groups ?? null
})

export const promotionSource = Effect.gen(function* () {
  const promotions = yield* Promotions
  const redemptions = yield* Redemptions

  const loadMatching = Effect.fnUntraced(function* (store: StoreContext, request: Request, rules: PromotionMatcher) {
    const now = yield* Clock.currentTimeMillis
    const found = rules.match(request.lines.map(matchedLine), now)
    // Where the caller states what the delivery costs, no rule changes it.
    const isStated = request.delivery.by === "stated"
    const matches = isStated ? found.filter(({ rule }) => rule.terms.type !== "FREE_SHIPPING") : found
    if (matches.length === 0) return undefined
    const counted = matches.flatMap(({ rule }) => (isLimited(rule) && !needsCustomer(rule, request) ? [rule.id] : []))
    const by = { holderId: request.holderId ?? null, customerId: request.buyer.customerId, now: new Date(now) }
    const uses =
      counted.length === 0 ? new Map<string, Uses>() : yield* redemptions.usesOf(store, promotionKind, counted, by)
    return promotionDiscounts(request, matches, uses)
  })

  return {
    // Rules state amounts in the store's currency: lines in another one get none.
    load: (store, request) =>
      request.lines.length === 0 || request.currency !== store.currency
        ? nothingLoaded
        : Effect.flatMap(promotions.matcher(store.id, store.rulesVersion), (rules) =>
            rules.isEmpty ? nothingLoaded : loadMatching(store, request, rules)
          )
  } satisfies AdjustmentSource as AdjustmentSource
})
