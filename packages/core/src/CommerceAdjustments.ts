/**
 * What the product's rooms bring to the totals of carts and orders, and what orders claim of them. A new kind of
 * discount, surcharge or tender is added here (docs/architecture.md, Totals).
 */
import { Effect, Layer } from "effect"
import { checkoutFieldSurcharges } from "./checkoutfield/checkoutFieldSurcharges.ts"
import { ClaimKinds } from "./claim/ClaimKind.ts"
import { CouponPricing } from "./coupon/CouponPricing.ts"
import { giftCardClaims, giftCardTenders } from "./giftcard/GiftCardPayments.ts"
import { loyaltyClaim } from "./loyalty/LoyaltyClaim.ts"
import { loyaltySource } from "./loyalty/LoyaltySource.ts"
import { AdjustmentSources } from "./pricing/AdjustmentSource.ts"
import { promotionClaim } from "./promotion/PromotionClaim.ts"
import { promotionSource } from "./promotion/PromotionSource.ts"

/** What changes totals, in the order in which it is applied within a step. */
export const adjustmentSources = Layer.effect(
  AdjustmentSources,
  Effect.all([
    promotionSource,
    Effect.map(CouponPricing, ({ source }) => source),
    checkoutFieldSurcharges,
    giftCardTenders,
    loyaltySource
  ])
)

/** What orders claim besides goods. */
export const claimKinds = Layer.effect(
  ClaimKinds,
  Effect.all([promotionClaim, Effect.map(CouponPricing, ({ claimKind }) => claimKind), giftCardClaims, loyaltyClaim])
)
