/** One use of a promotion by an order: held while a payment is under way, counted with the order. */
import { Effect } from "effect"
import { PromotionUsedUp } from "../claim/ClaimErrors.ts"
import { Redemptions } from "../redemption/Redemptions.ts"
import { promotionKind } from "./Promotion.ts"
import { Promotions } from "./Promotions.ts"

export const promotionClaim = Effect.gen(function* () {
  const { limits } = yield* Promotions
  const redemptions = yield* Redemptions
  return redemptions.kindOf({
    kind: promotionKind,
    limits,
    usedUp: (_, { sourceId: id, name }, byCustomer) => new PromotionUsedUp({ id, name, byCustomer })
  })
})
