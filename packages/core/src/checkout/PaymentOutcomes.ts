/**
 * What the outcome of a payment means for its checkout: the order is placed as it was priced and the held stock sold,
 * or everything that was kept for the payment is released. It runs in the transaction that settles the payment
 * operation, under the locks of cart, checkout and operation.
 */
import { Context, Effect, Layer, Result } from "effect"
import { CartHolds } from "../cart/CartHolds.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { cappedBy } from "../inventory/CappedDemands.ts"
import { demandsOf, type SoldLine } from "../inventory/SoldLines.ts"
import { type StockDemand, StockLedger } from "../inventory/StockLedger.ts"
import { stockKeyOf } from "../kernel/Availability.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { NewOrder } from "../order/Order.ts"
import { decodeDraft } from "../order/OrderDraft.ts"
import { OrderMoney } from "../settlement/OrderMoney.ts"
import { OrderPlacement, withPayment } from "../order/OrderPlacement.ts"
import type { LockedOperation, OperationEnd, OutcomeHandler, Verdict } from "../payment/OutcomeHandlers.ts"
import { paymentFailed, paymentRefunded } from "../payment/PaymentEvents.ts"
import type { OperationDone, ProviderOperation } from "../payment/ProviderOperation.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { CheckoutPaymentRepository, longestStored, type PaidCheckout } from "./CheckoutPaymentRepository.ts"
import { CheckoutRepository } from "./CheckoutRepository.ts"
import { type Completed, completedOf } from "./Completed.ts"

type LockedPayment = LockedOperation<PaidCheckout>

export class PaymentOutcomes extends Context.Service<
  PaymentOutcomes,
  OutcomeHandler<PaidCheckout, Completed, NewOrder>
>()("@effect-commerce/core/checkout/PaymentOutcomes") {
  static readonly layer = Layer.effect(
    PaymentOutcomes,
    Effect.gen(function* () {
      const checkouts = yield* CheckoutRepository
      const repository = yield* CheckoutPaymentRepository
      const cartHolds = yield* CartHolds
      const stores = yield* Stores
      const placement = yield* OrderPlacement
      const orderMoney = yield* OrderMoney
      const ledger = yield* StockLedger
      const outbox = yield* Outbox

      /** The payment with the store's settings of the rules version that was read under the locks. */
      const withSettings = (locked: LockedPayment) =>
        Effect.map(
          stores.at(locked.store, locked.operation.rulesVersion),
          (store): LockedPayment => ({
            ...locked,
            store
          })
        )

      /** The order as it was priced when the payment was begun; undefined where it cannot be read. */
      const readDraft = Effect.fnUntraced(function* ({ store, operation, details }: LockedPayment) {
        const stored = yield* details(longestStored)
        const extras = yield* repository.lineExtras(store.id, operation.subjectId)
        return stored === undefined || extras === undefined ? undefined : decodeDraft(stored, extras)
      })

      /**
       * Sells what is available, from the held stock and the free stock. Returns a warning that names what was missing.
       */
      const sellAvailable = Effect.fnUntraced(function* (
        storeId: string,
        { subjectId: checkoutId, cartId }: LockedPayment["operation"],
        order: NewOrder,
        now: Date
      ) {
        const demands = demandsOf(linesOf(order))
        const sell = (holderId: string, wanted: ReadonlyArray<StockDemand>) =>
          ledger.sellHeld(storeId, holderId, wanted, order.id, now)
        if (Result.isSuccess(yield* Effect.result(sell(checkoutId, demands)))) return null
        // The checkout's hold was released, or has expired: units that its cart has held since may be sold too.
        yield* ledger.release(storeId, checkoutId)
        const sold = yield* Effect.result(sell(cartId, demands))
        if (Result.isSuccess(sold)) return null
        const { items } = sold.failure
        const possible = cappedBy({ items }, demands)
        // The rows are locked by now, so the counted units are available.
        if (possible.length > 0) yield* Effect.orDie(sell(cartId, possible))
        const missing = items.map((item) => `${stockKeyOf(item)} ${item.available} of ${item.requested}`)
        return `Paid after its stock was gone: ${missing.join(", ")}`
      })

      const placeOrder = Effect.fnUntraced(function* (
        { store, operation, now }: LockedPayment,
        done: OperationDone,
        draft: NewOrder
      ) {
        const at = new Date(now)
        const { subjectId: checkoutId, cartId, provider, amount, mergedInto } = operation
        const { externalId, state } = done
        const captured = least(done.captured, amount)
        const order = withPayment(draft, { provider, externalId, state, captured }, now)
        // Before the sale, because the cart that the lines were merged into may hold the units to sell.
        if (mergedInto !== null) yield* cartHolds.removeBought(store, mergedInto, checkoutId, now)
        const missing = yield* sellAvailable(store.id, operation, order, at)
        const warnings = [missing, surplusWarning(done, operation)].filter((warning) => warning !== null)
        yield* FaultPoint.hit("payment.sold")
        const isHolding = yield* checkouts.complete(store.id, { id: checkoutId, cartId }, at)
        if (isHolding) yield* cartHolds.trim(store, cartId, now)
        const syncWarning = warnings.join("; ") || null
        const view = yield* Effect.orDie(placement.placeDraft(store.id, { ...order, syncWarning }))
        yield* FaultPoint.hit("payment.placed")
        return completedOf(view)
      })

      const succeeded = Effect.fnUntraced(function* (
        known: LockedPayment,
        done: OperationDone,
        draftInHand?: NewOrder
      ) {
        const locked = yield* withSettings(known)
        const { store, operation } = locked
        if (!isWanted(locked, draftInHand !== undefined))
          return unwanted("the checkout has its order, or its time has passed")
        const draft = draftInHand ?? (yield* readDraft(locked))
        if (draft === undefined) {
          yield* Effect.logError(
            `The order of the payment ${operation.id} of ${store.id} cannot be read: its money is refunded`
          )
          return unwanted("the order as it was priced cannot be read")
        }
        const accepted: Verdict<Completed> = { _tag: "Accepted", result: yield* placeOrder(locked, done, draft) }
        return accepted
      })

      /**
       * The payment makes no order, and the checkout can be paid again. The units held for it become free, or go back
       * to its cart where carts hold units (ON_CART) and the checkout was PROCESSING until now.
       */
      const ended = Effect.fnUntraced(function* (known: LockedPayment, { state, reason }: OperationEnd) {
        const { store, operation, now } = yield* withSettings(known)
        const { subjectId: checkoutId, cartId, checkoutStatus } = operation
        yield* repository.reopen(store.id, checkoutId, state !== "absent", new Date(now))
        const isBack = store.reservationStrategy === "ON_CART" && checkoutStatus === "PROCESSING"
        yield* isBack ? cartHolds.takeBack(store, cartId, checkoutId, now) : ledger.release(store.id, checkoutId)
        if (state === "absent" || (state === "unwanted" && checkoutStatus !== "PROCESSING")) return
        yield* outbox.append(store.id, paymentFailed, { checkoutId, error: reason })
      })

      return PaymentOutcomes.of({
        subjectType: "checkout",
        lock: repository.lock,
        succeeded,
        ended,
        charges: {
          deadline: (store, { createdAt }) => createdAt.getTime() + store.checkoutLifetimeMinutes * 60_000,
          refunded: (storeId, operation) =>
            outbox.append(storeId, paymentRefunded, { paymentId: operation.id, payment: refundedPaymentOf(operation) }),
          noticed: Effect.fnUntraced(function* (
            store: StoreContext,
            { subjectId }: ProviderOperation,
            { type, externalId, captured, refunded, reason }
          ) {
            const order = yield* placement.findByCheckout(store.id, subjectId)
            if (order === undefined) return
            const failed = type === "failed"
            yield* orderMoney.followCharge(store, order.id, { externalId, captured, refunded, failed, reason })
          })
        }
      })
    })
  ).pipe(Layer.provide([CheckoutRepository.layer, CheckoutPaymentRepository.layer, CartHolds.layer]))
}

const unwanted = (reason: string): Verdict<never> => ({ _tag: "Unwanted", reason })

/**
 * Whether the money makes an order. It does unless the checkout has an order, or its time has passed in a store that
 * refunds late money (`lateCapture`). Money that the request still waits for (`isAwaited`) is never late.
 */
const isWanted = ({ store, operation, now }: LockedPayment, isAwaited: boolean): boolean => {
  const { checkoutStatus, checkoutExpiresAt } = operation
  if (checkoutStatus === "COMPLETED") return false
  if (isAwaited || store.lateCapture !== "refund") return true
  return checkoutStatus !== "CANCELLED" && checkoutStatus !== "EXPIRED" && checkoutExpiresAt.getTime() > now
}

/** The payment in payment.refunded for money that no order wanted: it has the operation's id. */
const refundedPaymentOf = ({ id, subjectId: checkoutId, provider, captured, currency }: ProviderOperation) => {
  const amount = formatMoney(captured, currency)
  return { id, checkoutId, provider, status: "refunded", amount, captured: amount, refunded: amount, currency }
}

const surplusWarning = (
  { captured }: OperationDone,
  { amount, currency, provider }: ProviderOperation
): string | null =>
  captured > amount
    ? `${provider} captured ${formatMoney(captured, currency)} where ${formatMoney(amount, currency)} was asked for`
    : null

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** What an order as priced takes out of stock; for a kit, the components that it had then. */
export const linesOf = (order: NewOrder): ReadonlyArray<SoldLine> =>
  order.items.flatMap(({ productId, variantId, quantity, kitComponents: components }) =>
    productId === null ? [] : [{ productId, variantId, quantity, components }]
  )
