/**
 * Coupons in a quote and in an order. A quote with a code reads its coupon as it is at that moment, so that no process
 * prices with a state that another has replaced; an order uses each coupon once, within its limits.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { ClaimKind } from "../claim/ClaimKind.ts"
import type { NotApplied } from "../pricing/Adjustment.ts"
import { type AdjustmentSource, type Discount, type LoadedSource, nothingLoaded } from "../pricing/AdjustmentSource.ts"
import { CouponUsedByCustomer, CouponUsedUp } from "../pricing/CodeErrors.ts"
import type { QuoteLine, QuoteRequest } from "../pricing/Quote.ts"
import { reachedLimit, Redemptions } from "../redemption/Redemptions.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { statusOf } from "./Coupon.ts"
import { couponKey } from "./CouponCode.ts"
import { evaluateCoupon } from "./CouponDiscount.ts"
import { CouponRepository, type LookedUpCoupon } from "./CouponRepository.ts"
import { shownValue } from "./CouponView.ts"

const kind = "coupon"

type Request = QuoteRequest<QuoteLine>
type Uses = Parameters<typeof reachedLimit>[1]

const isLimited = ({ usageLimit, usageLimitPerCustomer }: LookedUpCoupon): boolean =>
  usageLimit !== null || usageLimitPerCustomer !== null

/** Whether it states an amount: it can be compared with amounts of the store's currency only. */
const hasAmounts = ({ amount, minimumOrderAmount, maximumDiscount }: LookedUpCoupon): boolean =>
  amount !== null || minimumOrderAmount !== null || maximumDiscount !== null

const unused: Uses = { uses: 0, byCustomer: 0 }

interface Judged {
  readonly customerId: string | null
  /** The region that was chosen for the buyer. */
  readonly regionId: string | null
  /** Undefined for a coupon without limits. */
  readonly uses: Uses | undefined
  readonly isForeignCurrency: boolean
  readonly now: number
}

const limitReason = (coupon: LookedUpCoupon, { uses = unused, customerId }: Judged): string | undefined => {
  const reached = reachedLimit(coupon, uses)
  if (reached === "usage_limit") return reached
  return coupon.usageLimitPerCustomer !== null && customerId === null ? "needs_customer" : reached
}

/** Why the coupon cannot be used by this buyer now, whatever is in the cart. The first check that fails says it. */
const reasonAgainst = (coupon: LookedUpCoupon, judged: Judged): string | undefined => {
  const status = statusOf(coupon, judged.now)
  if (status !== "ACTIVE") return status === "EXPIRED" ? "expired" : "not_active"
  const limit = limitReason(coupon, judged)
  if (limit !== undefined) return limit
  // Amounts of another currency are those of another market.
  const { regionIds } = coupon
  const isInRegion = regionIds.length === 0 || regionIds.includes(judged.regionId ?? "")
  return isInRegion && !(judged.isForeignCurrency && hasAmounts(coupon)) ? undefined : "region"
}

const nameOf = ({ title, code }: LookedUpCoupon): string => title ?? code

const missed = (coupon: LookedUpCoupon, code: string, reason: string): NotApplied => ({
  kind,
  sourceId: coupon.id,
  name: nameOf(coupon),
  code,
  reason,
  lostTo: []
})

const discountOf = (coupon: LookedUpCoupon, code: string, currency: string): Discount => ({
  kind,
  sourceId: coupon.id,
  name: nameOf(coupon),
  code,
  type: coupon.type,
  value: shownValue(coupon, currency),
  part: "discount",
  combines: coupon.combinesWithOther,
  evaluate: evaluateCoupon(coupon, currency)
})

export class CouponPricing extends Context.Service<CouponPricing>()("@effect-commerce/core/coupon/CouponPricing", {
  make: Effect.gen(function* () {
    const repository = yield* CouponRepository
    const redemptions = yield* Redemptions

    /** How often those with limits are used; a shop of coupons without limits pays no statement for it. */
    const usesOf = Effect.fnUntraced(function* (
      store: StoreContext,
      { holderId = null, buyer }: Request,
      coupons: ReadonlyArray<LookedUpCoupon>,
      now: number
    ) {
      const limited = coupons.filter(isLimited).map(({ id }) => id)
      const by = { holderId, customerId: buyer.customerId, now: new Date(now) }
      return limited.length === 0 ? new Map<string, Uses>() : yield* redemptions.usesOf(store, kind, limited, by)
    })

    const loadCodes = Effect.fnUntraced(function* (store: StoreContext, request: Request) {
      const now = yield* Clock.currentTimeMillis
      const keys = [...new Set(request.codes.map(couponKey))]
      const found = yield* repository.byKeys(store.id, keys)
      if (found.length === 0) return undefined
      const uses = yield* usesOf(store, request, found, now)
      const { customerId, regionId } = request.buyer
      const isForeignCurrency = request.currency !== store.currency
      const codes: Array<string> = []
      const spellings = new Map<string, string>()
      const discounts: Array<Discount> = []
      const notApplied: Array<NotApplied> = []
      for (const coupon of found) {
        const entered = request.codes.filter((code) => couponKey(code) === coupon.codeKey)
        const [code = coupon.code] = entered
        codes.push(...entered)
        for (const each of entered) spellings.set(each, coupon.code)
        const judged = { customerId, regionId, uses: uses.get(coupon.id), isForeignCurrency, now }
        const reason = reasonAgainst(coupon, judged)
        if (reason === undefined) discounts.push(discountOf(coupon, code, request.currency))
        else notApplied.push(missed(coupon, code, reason))
      }
      return { codes, spellings, discounts, notApplied } satisfies LoadedSource
    })

    const source: AdjustmentSource = {
      load: (store, request) => (request.codes.length === 0 ? nothingLoaded : loadCodes(store, request))
    }
    const claimKind: ClaimKind = redemptions.kindOf({
      kind,
      limits: repository.limits,
      usedUp: ({ code }, _claim, byCustomer) =>
        byCustomer ? new CouponUsedByCustomer({ code, needsCustomer: false }) : new CouponUsedUp({ code })
    })
    return { source, claimKind }
  })
}) {
  static readonly layer = Layer.effect(CouponPricing, CouponPricing.make).pipe(Layer.provide(CouponRepository.layer))
}
