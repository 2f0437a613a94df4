/** Faults in promotions: rules that take something off by themselves. */
import type { Fault } from "../plantedFaults.ts"

const room = "packages/core/src/promotion"
const laws = ["packages/core/test/promotion/PromotionTotals.prop.test.ts"]

export const promotionFaults: ReadonlyArray<Fault> = [
  {
    id: "promotion.dearest-given-away",
    breaks: "Buy X get Y gives the dearest units away instead of the cheapest",
    file: `${room}/internal/bundleUnits.ts`,
    find: "a.unitPrice < b.unitPrice ? -1 : 1",
    replace: "a.unitPrice > b.unitPrice ? -1 : 1",
    tests: laws,
    noticedBy: "take off what the reference evaluator says"
  },
  {
    id: "promotion.minimum-missed",
    breaks: "A promotion at exactly its minimum does not apply",
    file: `${room}/internal/planPromotion.ts`,
    find: "minimum !== null && subtotal < minimum",
    replace: "minimum !== null && subtotal <= minimum",
    tests: laws,
    noticedBy: "take off what the reference evaluator says"
  },
  {
    id: "promotion.guest-without-limit",
    breaks: "A guest uses a promotion that each customer may use once, as often as he likes",
    file: `${room}/internal/promotionDiscounts.ts`,
    find: 'const reason = needsCustomer(rule, request) ? "needs_customer" : reached',
    replace: "const reason = reached",
    tests: ["packages/handler/test/promotion/PromotionUses.pg.test.ts"],
    noticedBy: "does not apply to guests"
  },
  {
    id: "promotion.limit-not-claimed",
    breaks: "Checkouts that complete at the same time use a promotion more often than its limit allows",
    file: `${room}/PromotionClaim.ts`,
    find: "kind: promotionKind, limits,",
    replace: "kind: promotionKind, limits: () => Effect.succeed({ usageLimit: null, usageLimitPerCustomer: null }),",
    tests: ["packages/handler/test/promotion/PromotionUses.race.test.ts"],
    noticedBy: "use a promotion as often as it may be used"
  },
  {
    id: "promotion.first-of-two-wins",
    breaks: "Of two promotions that do not combine the first one applies, not the better one",
    file: "packages/core/src/pricing/internal/combinations.ts",
    find: "other.result.total < one.result.total ? other : one",
    replace: "one",
    tests: ["packages/core/test/pricing/combinations.test.ts"],
    noticedBy: "are compared by totals"
  }
]
