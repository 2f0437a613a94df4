/** A cart of the reference evaluator, priced by the product: compiled rules, discounts, pipeline. */
import { price } from "../../src/pricing/PricingPipeline.ts"
import type { PricingResult } from "../../src/pricing/PricingResult.ts"
import { type QuoteLine, type QuoteRequest, unknownBuyer } from "../../src/pricing/Quote.ts"
import type { Sellable } from "../../src/pricing/Sellable.ts"
import { promotionDiscounts } from "../../src/promotion/internal/promotionDiscounts.ts"
import { compilePromotions, type PromotionMatcher } from "../../src/promotion/PromotionMatcher.ts"
import type { StoredRule } from "../../src/promotion/PromotionRepository.ts"
import type { ConfigJson } from "../../src/promotion/PromotionTerms.ts"
import type { ReferenceCart, ReferenceLine, ReferenceRule } from "./referencePromotions.ts"

const usd = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`

const configOf = ({ terms }: ReferenceRule): ConfigJson => {
  switch (terms.type) {
    case "BUY_X_GET_Y": {
      const { buy, get, percent, sameProducts } = terms
      return { buyQuantity: buy, getQuantity: get, getDiscountPercent: String(percent), sameProducts }
    }
    case "TIERED":
      return {
        tiers: terms.tiers.map(({ from, off }) => ({
          ...("units" in from ? { minQuantity: from.units } : { minAmount: usd(from.sum) }),
          ...("percent" in off ? { percent: String(off.percent) } : { amount: usd(off.amount) })
        }))
      }
    case "FREE_SHIPPING":
      return { zoneIds: terms.zones, rateIds: terms.rates }
    default:
      return {}
  }
}

const at = (instant: number | null): Date | null => (instant === null ? null : new Date(instant))

export const storedRule = (rule: ReferenceRule): StoredRule => ({
  id: rule.id,
  name: `Rule ${rule.id}`,
  type: rule.terms.type,
  percent: rule.terms.type === "PERCENTAGE_OFF" ? String(rule.terms.percent) : null,
  amount: rule.terms.type === "AMOUNT_OFF" ? rule.terms.amount : null,
  config: configOf(rule),
  minimumOrderAmount: rule.minimum,
  applicableProducts: rule.products,
  applicableCategories: rule.categories,
  applicableBrands: rule.brands,
  startsAt: at(rule.startsAt),
  endsAt: at(rule.endsAt),
  usageLimit: rule.limit,
  usageLimitPerCustomer: rule.customerLimit,
  isActive: true,
  priority: rule.priority,
  combinesWithOther: rule.combines,
  createdAt: new Date(rule.createdAt)
})

/** As the statement orders them. */
const ordered = (rules: ReadonlyArray<StoredRule>): ReadonlyArray<StoredRule> =>
  [...rules].sort(
    (a, b) => a.priority - b.priority || Number(a.createdAt) - Number(b.createdAt) || (a.id < b.id ? -1 : 1)
  )

export const matcherOf = (rules: ReadonlyArray<ReferenceRule>): PromotionMatcher =>
  compilePromotions({ rules: ordered(rules.map(storedRule)), currency: "USD" })

const quoteLine = ({ id, quantity, unitPrice, productId, categories, brands }: ReferenceLine): QuoteLine => ({
  id,
  quantity,
  unitPrice,
  sellable: productId === null ? null : ({ productId, groups: { categories, brands, tags: [] } } as unknown as Sellable)
})

/** What the product makes of the cart. */
export const pricedCart = (cart: ReferenceCart, matcher: PromotionMatcher = matcherOf(cart.rules)): PricingResult => {
  const lines = cart.lines.map(quoteLine)
  const request: QuoteRequest<QuoteLine> = {
    currency: "USD",
    lines,
    codes: [],
    buyer: { ...unknownBuyer, customerId: cart.hasCustomer ? "cus_1" : null },
    delivery: { by: "unknown" }
  }
  const pricing = cart.lines.map(({ id, productId, quantity, unitPrice, categories, brands }) => ({
    id,
    productId,
    groups: productId === null ? null : { categories, brands, tags: [] },
    quantity,
    unitPrice,
    taxClassId: null,
    taxable: true
  }))
  const uses = new Map(cart.rules.map((rule) => [rule.id, { uses: rule.uses, byCustomer: rule.usesByCustomer }]))
  const { shipping } = cart
  return price({
    currency: "USD",
    policy: { taxRounding: "line", taxRoundingMode: "half_up", stackRounding: "combined" },
    lines: pricing,
    shipping:
      shipping === null
        ? null
        : { amount: shipping.amount, taxable: true, zoneId: shipping.zone, rateId: shipping.rate },
    address: null,
    taxes: null,
    ...promotionDiscounts(request, matcher.match(pricing, cart.now), uses)
  })
}
