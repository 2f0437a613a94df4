/**
 * Releases what a checkout has kept for a payment that makes no order, so that it can be paid another way: its claims
 * and the units held for it become free. A charge that only waits for the shopper is given up where the shopper does
 * something else: it is voided, and money that still comes of it is refunded.
 */
import { Effect } from "effect"
import { CartHolds } from "../cart/CartHolds.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { Charges, type OpenCharge } from "../charge/Charges.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Claims } from "../claim/Claims.ts"
import type { CheckoutState } from "./Checkout.ts"
import { CheckoutPaymentRepository } from "./CheckoutPaymentRepository.ts"

type Paid = Pick<CheckoutState, "id" | "cartId" | "status">

/** Called under the lock of the checkout. `isOver`: its next payment has the next attempt number. */
export const makePaymentRelease = Effect.gen(function* () {
  const repository = yield* CheckoutPaymentRepository
  const claims = yield* Claims
  const cartHolds = yield* CartHolds
  const ledger = yield* StockLedger

  return Effect.fnUntraced(function* (store: StoreContext, checkout: Paid, isOver: boolean, now: number) {
    const { id, cartId, status } = checkout
    yield* repository.reopen(store.id, id, isOver, new Date(now))
    // Units go back to the cart where carts hold units and the checkout was being paid for until now.
    yield* store.reservationStrategy === "ON_CART" && status === "PROCESSING"
      ? cartHolds.takeBack(store, cartId, id, now)
      : ledger.release(store.id, id)
    yield* claims.release(store, id)
  })
})

/** Whether nothing but the shopper is waited for. */
export const isAwaited = (charge: OpenCharge | undefined): charge is OpenCharge =>
  charge?.operation.state === "awaiting_shopper"

/**
 * Gives up the charge of a checkout that waits for the shopper, if it has one. Returns whether it had: the checkout is
 * PENDING then, and has to be read again. Called under the locks of cart and checkout.
 */
export const makeGiveUp = Effect.gen(function* () {
  const charges = yield* Charges
  const release = yield* makePaymentRelease

  return Effect.fnUntraced(function* (store: StoreContext, checkout: Paid, now: number) {
    if (checkout.status !== "PROCESSING") return false
    const open = yield* charges.openOf(store.id, checkout.id)
    if (!isAwaited(open)) return false
    yield* charges.giveUp(store.id, open.operation, "The shopper went on without it")
    yield* release(store, checkout, true, now)
    return true
  })
})
