/**
 * What the outcome of a payment means for its checkout: the order is placed as it was priced, the held stock sold and
 * its tenders spent, or everything that was kept for the payment is released. It runs in the transaction that settles
 * the payment operation, under the locks of cart, checkout and operation.
 */
import { Context, Effect, Layer, Result } from "effect"
import { CartHolds } from "../cart/CartHolds.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { cappedBy } from "../inventory/CappedDemands.ts"
import { demandsOf, linesOf } from "../inventory/SoldLines.ts"
import { type StockDemand, StockLedger } from "../inventory/StockLedger.ts"
import { stockKeyOf } from "../kernel/Availability.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { NewOrder } from "../order/Order.ts"
import { decodeDraft } from "../order/OrderDraft.ts"
import { OrderMoney } from "../settlement/OrderMoney.ts"
import { OrderPlacement } from "../order/OrderPlacement.ts"
import { withPayment } from "../order/ReportedPayment.ts"
import type { LockedOperation, OperationEnd, OutcomeHandler, Verdict } from "../charge/OutcomeHandlers.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { paymentFailed, paymentRefunded } from "../payment/PaymentEvents.ts"
import type { Charge } from "../payment/PaymentProvider.ts"
import type { ProviderOperation } from "../charge/ProviderOperation.ts"
import { Stores } from "../store/Stores.ts"
import { CheckoutPaymentRepository, longestStored, type PaidCheckout } from "../checkout/CheckoutPaymentRepository.ts"
import { CheckoutRepository } from "../checkout/CheckoutRepository.ts"
import { type Completed, completedOf } from "./Completed.ts"
import { makeGiveUp, makePaymentRelease } from "../checkout/paymentRelease.ts"
import { Claims } from "../claim/Claims.ts"

type LockedPayment = LockedOperation<PaidCheckout>

/** What a request that waits for the provider has in memory. */
export interface AwaitedOrder {
  /** The order as it was priced when the payment began. */
  readonly draft: NewOrder
  /** The version that its cart had then. */
  readonly cartUpdatedAt: Date | undefined
}

export class PaymentOutcomes extends Context.Service<
  PaymentOutcomes,
  OutcomeHandler<PaidCheckout, Completed, AwaitedOrder>
>()("@effect-commerce/core/completion/PaymentOutcomes") {
  static readonly layer = Layer.effect(
    PaymentOutcomes,
    Effect.gen(function* () {
      const checkouts = yield* CheckoutRepository
      const repository = yield* CheckoutPaymentRepository
      const cartHolds = yield* CartHolds
      const stores = yield* Stores
      const providers = yield* PaymentProviders
      const placement = yield* OrderPlacement
      const orderMoney = yield* OrderMoney
      const ledger = yield* StockLedger
      const claims = yield* Claims
      const release = yield* makePaymentRelease
      const giveUp = yield* makeGiveUp
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

      /**
       * The order as it was priced when the payment began: undefined where it cannot be read, null where it was
       * dropped.
       */
      const readDraft = Effect.fnUntraced(function* ({ store, operation, details }: LockedPayment) {
        const stored = yield* details(longestStored)
        if (stored === null) return null
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
        const demands = demandsOf(linesOf(order.items))
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
        charge: Charge,
        draft: NewOrder
      ) {
        const at = new Date(now)
        const { subjectId: checkoutId, cartId, provider, mergedInto, checkoutStatus: status } = operation
        const { externalId, captured } = charge
        const state = charge.state === "captured" || charge.state === "authorized" ? charge.state : "pending"
        const manualRefundUrl =
          providers.installed(provider)?.manualRefundUrl?.({ externalId, mode: operation.mode }) ?? null
        const paid = { provider, externalId, state, captured, expiresAt: charge.expiresAt, manualRefundUrl } as const
        const order = withPayment(draft, paid, now)
        // The money is of an earlier attempt to pay: a page at which the shopper could pay once more is closed.
        if (isOver(operation)) yield* giveUp(store, { id: checkoutId, cartId, status }, now)
        // Before the sale, because the cart that the lines were merged into may hold the units to sell.
        if (mergedInto !== null) yield* cartHolds.removeBought(store, mergedInto, checkoutId, now)
        const syncWarning = yield* sellAvailable(store.id, operation, order, at)
        yield* FaultPoint.hit("payment.sold")
        const isHolding = yield* checkouts.complete(store.id, { id: checkoutId, cartId }, at)
        if (isHolding) yield* cartHolds.trim(store, cartId, now)
        // After everything that locks stock: it spends what the draft claims.
        const view = yield* Effect.catchTag(
          placement.placeDraft(store, { ...order, syncWarning }, draft),
          "OrderExternalIdTaken",
          Effect.die
        )
        yield* FaultPoint.hit("payment.placed")
        return completedOf(view)
      })

      /** Places the order. Where one of its claims has not enough left, all of it is undone: the money is unwanted. */
      const placeOrWithdraw = Effect.fnUntraced(function* (locked: LockedPayment, charge: Charge, draft: NewOrder) {
        const placed = yield* Effect.result(claims.orUndo(draft, placeOrder(locked, charge, draft)))
        if (Result.isSuccess(placed)) {
          const accepted: Verdict<Completed> = { _tag: "Accepted", result: placed.success }
          return accepted
        }
        const error = placed.failure
        return unwanted(
          error._tag === "TenderShort"
            ? `the ${error.kind} ${error.sourceId}, which was to pay a part of the order, has not enough left`
            : "a discount that the order was priced with was used up meanwhile"
        )
      })

      const succeeded = Effect.fnUntraced(function* (known: LockedPayment, charge: Charge, awaited?: AwaitedOrder) {
        const locked = yield* withSettings(known)
        const { store, operation } = locked
        if (!isWanted(locked, awaited !== undefined))
          return unwanted("the checkout has its order, or its time has passed")
        const { subjectId: id, cartId, mergedInto, draftId } = operation
        // Late money of another checkout may have bought them since the payment began.
        if (
          !isAsItWas(operation, awaited) &&
          (yield* repository.isBoughtElsewhere(store.id, { id, cartId, mergedInto, draftId }))
        )
          return unwanted("another checkout has bought its lines")
        const draft = awaited?.draft ?? (yield* readDraft(locked))
        if (draft === null) return unwanted("the shopper went on without it")
        if (draft === undefined) {
          yield* Effect.logError(
            `The order of the payment ${operation.id} of ${store.id} cannot be read: its money is refunded`
          )
          return unwanted("the order as it was priced cannot be read")
        }
        return yield* placeOrWithdraw(locked, charge, draft)
      })

      /** The payment makes no order, and the checkout can be paid again. */
      const ended = Effect.fnUntraced(function* (known: LockedPayment, { state, code, reason }: OperationEnd) {
        const { store, operation, now } = yield* withSettings(known)
        const { subjectId: id, cartId, checkoutStatus: status } = operation
        yield* release(store, { id, cartId, status }, state !== "absent", now)
        // Another attempt may have made the order meanwhile.
        if (state === "absent" || status !== "PROCESSING") return
        // Why money is not wanted is of our own words: it names the tender that was short.
        const error = state === "unwanted" ? reason : code
        yield* outbox.append(store.id, paymentFailed, { checkoutId: id, error })
      })

      return PaymentOutcomes.of({
        subjectType: "checkout",
        lock: repository.lock,
        succeeded,
        ended,
        charges: {
          // Not since the row was made: its key may have been used before, by a request that never arrived.
          deadline: (store, { sentAt }) => sentAt.getTime() + store.checkoutLifetimeMinutes * 60_000,
          refunded: (storeId, operation) =>
            outbox.append(storeId, paymentRefunded, { paymentId: operation.id, payment: refundedPaymentOf(operation) }),
          followed: Effect.fnUntraced(function* ({ store, operation }: LockedPayment, charge: Charge) {
            const order = yield* placement.findByCheckout(store.id, operation.subjectId)
            if (order !== undefined) yield* orderMoney.followCharge(store, order.id, charge)
          })
        }
      })
    })
  ).pipe(Layer.provide([CheckoutRepository.layer, CheckoutPaymentRepository.layer, CartHolds.layer]))
}

/** Whether the attempt had ended, and money comes of it all the same. */
const isOver = ({ state }: ProviderOperation): boolean => state !== "calling" && state !== "awaiting_shopper"

/**
 * Whether nobody has written the cart since the payment began, so that no other checkout has bought its lines. A draft
 * order is bought without its cart.
 */
const isAsItWas = ({ cartUpdatedAt, mergedInto, draftId }: PaidCheckout, awaited: AwaitedOrder | undefined): boolean =>
  mergedInto === null && draftId === null && awaited?.cartUpdatedAt?.getTime() === cartUpdatedAt.getTime()

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
