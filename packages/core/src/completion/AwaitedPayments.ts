/**
 * Payments that only wait for the shopper, when a checkout is completed or paid for another way: his own may go on, and
 * any other is given up, also one of another checkout of the same cart.
 */
import { Effect } from "effect"
import type { CartAccess } from "../cart/Carts.ts"
import { Charges, type OpenCharge } from "../charge/Charges.ts"
import type { CompletionInput } from "../checkout/CheckoutInput.ts"
import type { LoadedCheckout } from "../checkout/CheckoutReading.ts"
import { CheckoutRepository } from "../checkout/CheckoutRepository.ts"
import { Checkouts } from "../checkout/Checkouts.ts"
import { isAwaited, makeGiveUp } from "../checkout/paymentRelease.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { checkVersion } from "../database/Precondition.ts"
import { lockThenRead } from "../database/Repository.ts"
import type { PaymentMethod } from "../payment/PaymentMethod.ts"
import type { StoreContext } from "../store/StoreContext.ts"

/** A checkout that is to be paid, with the charge of its own that waits for the shopper. */
export interface Trying {
  readonly loaded: LoadedCheckout
  readonly awaited: OpenCharge | undefined
  /** The version of its cart under the lock. */
  readonly cartUpdatedAt: Date | undefined
  /** Reads the checkout again. */
  readonly reading: ReturnType<Checkouts["Service"]["load"]>
}

export const makeAwaitedPayments = Effect.gen(function* () {
  const checkouts = yield* Checkouts
  const repository = yield* CheckoutRepository
  const charges = yield* Charges
  const giveUp = yield* makeGiveUp

  /** Gives up a payment of another checkout of the cart for the same lines, if it only waits for the shopper. */
  const giveUpCompeting = Effect.fnUntraced(function* ({ store, checkout }: LoadedCheckout, now: number) {
    const { competing, cartId } = checkout
    if (competing?.status !== "PROCESSING") return false
    const status = yield* repository.lock(store.id, competing.id)
    return status === "PROCESSING" && (yield* giveUp(store, { id: competing.id, cartId, status }, now))
  })

  /** The checkout under its locks, with the charge of its own that waits for the shopper. */
  const lockAndLoad = Effect.fnUntraced(function* (cachedStore: StoreContext, access: CartAccess, id: string) {
    const reading = checkouts.load(cachedStore, access, id)
    const locking = Effect.tap(repository.lockWithCart(cachedStore.id, id), FaultPoint.hit("completion.locked"))
    const [cartUpdatedAt, found] = yield* lockThenRead(locking, reading)
    yield* checkVersion(found.checkout.updatedAt)
    const open = found.checkout.status === "PROCESSING" ? yield* charges.openOf(found.store.id, id) : undefined
    const trying: Trying = { loaded: found, awaited: isAwaited(open) ? open : undefined, cartUpdatedAt, reading }
    return trying
  })

  /**
   * As PENDING: what only waits for the shopper, also at another checkout of the cart, is no obstacle to another try.
   */
  const freed = Effect.fnUntraced(function* (trying: Trying, now: number) {
    let { loaded } = trying
    while (yield* giveUpCompeting(loaded, now)) loaded = yield* trying.reading
    if (trying.awaited !== undefined) loaded = { ...loaded, checkout: { ...loaded.checkout, status: "PENDING" } }
    return { ...trying, loaded }
  })

  /** Gives up what waits for the shopper. The units that it held are the cart's or free then: it is read again. */
  const giveUpOwn = Effect.fnUntraced(function* ({ loaded, reading, awaited }: Trying, now: number) {
    if (awaited === undefined) return loaded
    yield* giveUp(loaded.store, { ...loaded.checkout, status: "PROCESSING" }, now)
    return yield* reading
  })

  return { lockAndLoad, freed, giveUp: giveUpOwn }
})

/** Whether a completion only asks what has become of the payment that waits: it names no other way to pay. */
export const asksAfter = (
  { operation: { provider, providerId } }: OpenCharge,
  { paymentMethod, providerId: named, paymentReference }: CompletionInput
): boolean =>
  (paymentReference ?? null) === null &&
  (paymentMethod === undefined ||
    [provider, providerId].includes(paymentMethod === "provider" ? (named ?? "") : paymentMethod))

/** Whether the charge that waits is one of this method, at the same account. */
export const isOf = ({ operation }: OpenCharge, { account, provider }: PaymentMethod, now: number): boolean =>
  now - operation.sentAt.getTime() < provider.keyLifetime &&
  operation.providerId === account.providerId &&
  operation.account === account.account &&
  operation.mode === account.mode
