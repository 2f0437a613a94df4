/** A coupon, a rule and gift cards, made by core's services: what a purchase with discounts uses. */
import { coreLayer } from "@effect-commerce/core/CommerceCore"
import { Coupons } from "@effect-commerce/core/coupon/Coupons"
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import { GiftCards } from "@effect-commerce/core/giftcard/GiftCards"
import { Promotions } from "@effect-commerce/core/promotion/Promotions"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Layer } from "effect"
import { productIdOf, secret, type Shop, simpleProduct } from "./seed.ts"

export const couponCode = "BENCH10"

/** The rule is for these products alone, counted as `simpleProduct` counts: the others are bought at full price. */
export const reducedProducts = 400

export const giftCardCode = (purchase: number): string => `BENCHCARD${String(purchase).padStart(7, "0")}`

/** `cards` of 5.00 each, one for each purchase. */
export const seedDiscounts = (connection: ConnectionOptions, { storeId }: Shop, cards: number): Promise<void> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const services = yield* Layer.build(coreLayer({ connection, secret, maxConnections: 3 }))
        yield* Effect.provideContext(makeDiscounts(storeId, cards), services)
      })
    )
  )

const makeDiscounts = Effect.fnUntraced(function* (storeId: string, cards: number) {
  const store = yield* (yield* Stores).context(storeId)
  yield* (yield* Coupons).create(store, { code: couponCode, type: "PERCENTAGE", value: 10 })
  yield* (yield* Promotions).create(store, {
    name: "A fifth off",
    type: "PERCENTAGE_OFF",
    value: 20,
    combinesWithOther: true,
    applicableProducts: Array.from({ length: reducedProducts }, (_, k) => productIdOf(simpleProduct(k)))
  })
  const giftCards = yield* GiftCards
  for (let i = 0; i < cards; i++) yield* giftCards.create(store, { initialBalance: "5.00" }, giftCardCode(i))
})
