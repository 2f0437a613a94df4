/** The checkouts that were made of carts, for the cart room. */
import { Effect, Layer } from "effect"
import { OpenCheckouts } from "../cart/OpenCheckouts.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { CheckoutPaymentRepository } from "./CheckoutPaymentRepository.ts"
import { CheckoutRepository } from "./CheckoutRepository.ts"
import { makeGiveUpTo } from "./paymentRelease.ts"

export const cartCheckoutsLayer = Layer.effect(
  OpenCheckouts,
  Effect.gen(function* () {
    const { cancelOf, followItem } = yield* CheckoutRepository
    const { lockProcessing } = yield* CheckoutPaymentRepository
    const ledger = yield* StockLedger
    /** The cart is about to go: what it may hold is decided by the one that it is merged into. */
    const giveUp = yield* makeGiveUpTo((store, { id }) => ledger.release(store.id, id))

    return OpenCheckouts.of({
      cancel: cancelOf,
      follow: followItem,
      giveUp: Effect.fnUntraced(function* (store: StoreContext, cartId: string, now: number) {
        const ids = yield* lockProcessing(store.id, cartId)
        const given = yield* Effect.forEach(ids, (id) => giveUp(store, { id, cartId, status: "PROCESSING" }, now))
        return given.every((isGivenUp) => isGivenUp)
      })
    })
  })
).pipe(Layer.provide([CheckoutRepository.layer, CheckoutPaymentRepository.layer]))
