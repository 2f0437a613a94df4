/**
 * The money of orders that are placed: recorded by hand, or reported by a provider. Each use case locks the order,
 * computes its sums from the payments, and writes sums, states, payments, refunds, disputes and events together. A look
 * at a provider returns the whole charge, so a repeated look changes nothing.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { checkVersion } from "../database/Precondition.ts"
import { lockThenRead, orFail } from "../database/Repository.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { formatMoney } from "../kernel/Money.ts"
import { Claims } from "../claim/Claims.ts"
import { Charges } from "../charge/Charges.ts"
import type { Charge } from "../payment/PaymentProvider.ts"
import { CurrentActor } from "../store/Actor.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { maxPayments, maxSyncWarning, type OrderRefund, type OrderState } from "../order/Order.ts"
import { OrderAlreadyPaid, OrderNotFound, OrderStateConflict, PaymentExceedsDue } from "../order/OrderErrors.ts"
import { OrderMoneyRepository } from "../order/OrderMoneyRepository.ts"
import { OrderRepository } from "../order/OrderRepository.ts"
import { fulfillmentStatusOf } from "../order/OrderStates.ts"
import { type Followed, followedCharge } from "./internal/followedCharge.ts"
import { type OwnRefundChange, withOwnRefunds } from "./internal/ownRefunds.ts"
import { eventsOf, nothingReported, type Reported } from "./internal/orderMoneyEvents.ts"
import { coveredCharges, isAwaited, isOpenCharge, recorded, withMoney } from "./internal/orderSums.ts"
import { type PaymentInput, readPayment } from "./PaymentInput.ts"
import { toOrderView } from "../order/OrderView.ts"

export class OrderMoney extends Context.Service<OrderMoney>()("@effect-commerce/core/settlement/OrderMoney", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const { find } = yield* OrderRepository
    const { lock, saveMoney, saveFulfillment, warn, countRefunded } = yield* OrderMoneyRepository
    const outbox = yield* Outbox
    const charges = yield* Charges
    const claims = yield* Claims

    const locked = Effect.fnUntraced(function* (storeId: string, id: string) {
      const [found, order] = yield* lockThenRead(lock(storeId, id), find(storeId, id))
      return found ? order : undefined
    })

    const known = (store: StoreContext, id: string) => orFail(find(store.id, id), () => new OrderNotFound({ id }))

    /**
     * Locks the charges of the order, then the order, and returns it as the transaction before has left it. Whoever
     * changes the money of an order begins with it, inside a transaction.
     */
    const lockWithCharges = Effect.fnUntraced(function* (store: StoreContext, id: string) {
      const seen = yield* known(store, id)
      if (seen.checkoutId !== null) yield* charges.lock(store.id, seen.checkoutId)
      return (yield* locked(store.id, id)) ?? seen
    })

    /** The order with its units as refunds of ours have them now; only where one began or failed. */
    const recounted = Effect.fnUntraced(function* (after: OrderState, changed: ReadonlyArray<OrderRefund>) {
      if (changed.every(({ requestId = null }) => requestId === null)) return after
      const counts = new Map(
        (yield* countRefunded(after.storeId, after.id)).map(({ id, refundedQuantity }) => [id, refundedQuantity])
      )
      const items = after.items.map((item) => ({ ...item, refundedQuantity: counts.get(item.id) ?? 0 }))
      const fulfillmentStatus = fulfillmentStatusOf(items)
      if (fulfillmentStatus !== after.fulfillmentStatus)
        yield* saveFulfillment(after.storeId, after.id, fulfillmentStatus)
      return { ...after, items, fulfillmentStatus }
    })

    /** What has succeeded of gift cards and points goes back to them. */
    const givenBack = Effect.fnUntraced(function* (
      store: StoreContext,
      { payments, currency, id: orderId, syncWarning }: OrderState,
      { refunds }: Pick<Reported, "refunds">,
      now: number
    ) {
      const returns = refunds.flatMap(({ paymentId, amount, reason }) => {
        const payment = payments.find(({ id }) => id === paymentId)
        const sourceId = payment?.reference ?? null
        return payment === undefined || sourceId === null || !claims.has(payment.provider)
          ? []
          : [{ kind: payment.provider, orderId, sourceId, amount, currency, reason, now: new Date(now) }]
      })
      if (returns.length === 0) return syncWarning
      const warnings = yield* claims.giveBack(store, returns)
      if (warnings.length === 0) return syncWarning
      const told = [...(syncWarning === null ? [] : [syncWarning]), ...warnings].join("; ").slice(0, maxSyncWarning)
      yield* warn(store.id, orderId, told)
      return told
    })

    /** Writes the order as it is after the change, and appends the events that follow. */
    const settle = Effect.fnUntraced(function* (
      store: StoreContext,
      before: OrderState,
      { after: changed, refunds, disputes, reported }: Followed,
      now: number
    ) {
      yield* saveMoney(before.storeId, { ...changed, refunds, disputes }, new Date(now))
      const counted = yield* recounted(changed, refunds)
      const after = { ...counted, syncWarning: yield* givenBack(store, changed, reported, now) }
      yield* outbox.appendAll(before.storeId, eventsOf(before, after, toOrderView(after), reported))
      return after
    })

    return {
      record: Effect.fn("OrderMoney.record")(function* (store: StoreContext, id: string, body: PaymentInput) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const order = yield* lockWithCharges(store, id)
            const payment = yield* readPayment(order.currency, body)
            yield* checkVersion(order.updatedAt)
            if (order.status === "CANCELLED" || order.status === "REFUNDED")
              return yield* new OrderStateConflict({ id, status: order.status })
            const due = order.totalAmount - order.capturedAmount
            if (due <= 0n) return yield* new OrderAlreadyPaid({ id })
            const money = (minor: bigint) => formatMoney(minor, order.currency)
            if (payment.amount > due)
              return yield* new PaymentExceedsDue({ amount: money(payment.amount), due: money(due) })
            const actor = yield* CurrentActor
            const payments = recorded(order, { ...payment, actor }, now)
            if (payments.length > maxPayments && payments.length > order.payments.length) {
              return yield* FieldRejected.at("payments", `an order has at most ${maxPayments} payments`)
            }
            for (const { reference } of coveredCharges(order.payments, payments)) {
              if (order.checkoutId !== null && reference !== null)
                yield* charges.release(store.id, order.checkoutId, reference, new Date(now))
            }
            const { refunds, disputes } = order
            const after = withMoney(order, { payments, refunds, disputes, refunded: [], notes: [] }, { now, actor })
            const change = { after, refunds: [], disputes: [], reported: nothingReported }
            return toOrderView(yield* settle(store, order, change, now))
          })
        )
      }),
      /** The order as it is, not locked. */
      find: known,
      lock: lockWithCharges,
      /**
       * Nobody is to pay for the order any more: what was only reserved is released, and what was awaited by hand is
       * void. In a transaction that has locked charges and order. Returns the order as it is written.
       */
      stopCollecting: Effect.fn("OrderMoney.stopCollecting")(function* (
        store: StoreContext,
        order: OrderState,
        now: number
      ) {
        for (const { reference } of order.payments.filter(isOpenCharge)) {
          if (order.checkoutId !== null && reference !== null)
            yield* charges.release(store.id, order.checkoutId, reference, new Date(now))
        }
        const { refunds, disputes } = order
        const payments = order.payments.map((row) => (isAwaited(row) ? { ...row, status: "voided" as const } : row))
        const money = { payments, refunds, disputes, refunded: [], notes: [] }
        const after = withMoney(order, money, { now, actor: yield* CurrentActor })
        yield* saveMoney(store.id, { ...after, refunds: [], disputes: [] }, new Date(now))
        return after
      }),
      /**
       * Brings the order's payment of this charge to what the provider says, down as well as up. In a transaction that
       * has locked the checkout and the payment operation. Returns whether anything changed.
       */
      followCharge: Effect.fn("OrderMoney.followCharge")(function* (store: StoreContext, id: string, charge: Charge) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const order = yield* locked(store.id, id)
            const followed = order === undefined ? undefined : followedCharge(order, charge, now)
            if (order === undefined || followed === undefined) return false
            yield* settle(store, order, followed, now)
            return true
          })
        )
      }),
      /**
       * Writes refunds of ours as they are now: begun, succeeded or failed. In a transaction that has locked the
       * order's charges, the order and, where units go back, their stock. Returns the order after it.
       */
      changeRefunds: (store: StoreContext, before: OrderState, change: OwnRefundChange, now: number) =>
        settle(store, before, withOwnRefunds(before, change, now), now)
    }
  })
}) {
  static readonly layer = Layer.effect(OrderMoney, OrderMoney.make).pipe(
    Layer.provide([OrderRepository.layer, OrderMoneyRepository.layer])
  )
}
