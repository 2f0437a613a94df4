/**
 * Cancels orders: what was only reserved is released, goods go back into stock, and an order that was never paid gives
 * its uses of coupons and rules back. One transaction writes all of it, together with the refunds that are begun; their
 * providers are asked afterwards. It locks the charges, the order, its stock and its claims, in this order.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Claims } from "../claim/Claims.ts"
import { claimsOf } from "../claim/PaymentPlan.ts"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { checkVersion } from "../database/Precondition.ts"
import { replayWindow, RequestKey } from "../guard/RequestKey.ts"
import { demandsOf, linesOf } from "../inventory/SoldLines.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { formatMoney } from "../kernel/Money.ts"
import { OrderChanges } from "../order/OrderChanges.ts"
import { OrderStateConflict } from "../order/OrderErrors.ts"
import { orderCancelled, orderMailAsked } from "../order/OrderEvents.ts"
import type { OrderState } from "../order/Order.ts"
import { isLegalMove } from "../order/OrderStates.ts"
import { toOrderView } from "../order/OrderView.ts"
import { moved } from "../order/StatusHistory.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { type BegunRefund, Refunds } from "../refund/Refunds.ts"
import { OrderMoney } from "../settlement/OrderMoney.ts"
import { CurrentActor } from "../store/Actor.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CancelInput, unrefunded } from "./Cancellation.ts"
import { OrderMoneyKept, OrderPartlySent, RefundNotPossible } from "./CancellationErrors.ts"
import { CancellationRepository } from "./CancellationRepository.ts"

export class OrderCancellations extends Context.Service<OrderCancellations>()(
  "@effect-commerce/core/cancellation/OrderCancellations",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const changes = yield* OrderChanges
      const money = yield* OrderMoney
      const repository = yield* CancellationRepository
      const ledger = yield* StockLedger
      const claims = yield* Claims
      const refunds = yield* Refunds
      const outbox = yield* Outbox

      /** Uses of coupons and rules, which an order that was paid keeps. */
      const giveUsesBack = (store: StoreContext, order: OrderState, now: Date) =>
        order.paidAt !== null || order.capturedAmount > 0n
          ? Effect.void
          : claims.giveBack(
              store,
              claimsOf(order)
                .filter(({ kind, isTender }) => !isTender && claims.has(kind))
                .map(({ kind, sourceId }) => ({
                  kind,
                  sourceId,
                  orderId: order.id,
                  amount: 0n,
                  currency: order.currency,
                  reason: "cancelled",
                  now
                }))
            )

      /** Locks the charges of the order, and the order. Checks If-Match. */
      const lock = (store: StoreContext, id: string) =>
        Effect.tap(money.lock(store, id), ({ updatedAt }) => checkVersion(updatedAt))

      /**
       * Cancels an order that `lock` has locked, and begins to refund what was paid. The refund comes after the order
       * is written: gift cards and points are locked last.
       */
      const cancelLocked = Effect.fnUntraced(function* (
        store: StoreContext,
        order: OrderState,
        { reason = "other", restock = true, refund = false, notifyCustomer = true, said = reason }: Cancelling,
        now: number
      ) {
        const { id } = order
        yield* checkCancelable(order, refund)
        const actor = yield* CurrentActor
        const at = new Date(now)
        const freed = yield* money.stopCollecting(store, order, now)
        const after = moved(freed, "CANCELLED", { reason: said, actor, now })
        yield* changes.save(after)
        const requestKey = yield* RequestKey
        yield* repository.insert(store.id, { orderId: id, reason, restock, actor, requestKey, createdAt: at })
        const source = { reference: id, soldAt: order.createdAt }
        if (restock) yield* ledger.giveBack(store.id, demandsOf(linesOf(undecided(order))), source, at)
        yield* giveUsesBack(store, order, at)
        const data = { orderId: id, order: toOrderView(after) }
        yield* outbox.appendAll(store.id, [
          orderCancelled.of(data),
          ...(notifyCustomer && order.email !== null
            ? [orderMailAsked.of({ ...data, mail: "ORDER_CANCELLED", details: { reason } })]
            : [])
        ])
        if (!refund) return { order: after, begun: nothingBegun }
        return yield* Effect.catchTags(refunds.beginWhole(store, after, { reason: said, notifyCustomer }, now), {
          RefundByHandOnly: ({ manualRefundUrl }) => Effect.fail(new RefundNotPossible({ manualRefundUrl })),
          RefundOfNothing: () => Effect.fail(new RefundNotPossible({ manualRefundUrl: null })),
          // What is left was read under the locks.
          RefundExceedsLeft: Effect.die
        })
      })

      /** Cancels, or finds that the same request has done so before this process was restarted. */
      const cancelOnce = Effect.fnUntraced(function* (store: StoreContext, id: string, body: CancelInput, now: number) {
        const requestKey = yield* RequestKey
        const order = yield* money.lock(store, id)
        const since = new Date(now - replayWindow)
        if (requestKey !== null && (yield* repository.isDoneBy(store.id, id, requestKey, since)))
          return { order, begun: nothingBegun }
        yield* checkVersion(order.updatedAt)
        return yield* cancelLocked(store, order, body, now)
      })

      return {
        lock,
        /** Cancels an order that `lock` has locked, and moves no money. */
        cancelUnpaid: (store: StoreContext, order: OrderState, body: Omit<Cancelling, "refund">, now: number) =>
          Effect.map(cancelLocked(store, order, body, now), (cancelled) => toOrderView(cancelled.order)),
        cancel: Effect.fn("OrderCancellations.cancel")(function* (store: StoreContext, id: string, body: CancelInput) {
          const now = yield* Clock.currentTimeMillis
          const { order, begun } = yield* database.write(store.id)(cancelOnce(store, id, body, now))
          if (begun.operations.length === 0) return toOrderView(order)
          yield* FaultPoint.hit("refund.begun")
          yield* refunds.run(store, begun)
          return toOrderView(yield* changes.find(store, id))
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(OrderCancellations, OrderCancellations.make).pipe(
    Layer.provide(CancellationRepository.layer)
  )
}

/** What no refund has decided about: its units go back into stock by the refund, or do not. */
const undecided = ({ items }: OrderState): OrderState["items"] =>
  items.flatMap((item) => {
    const quantity = item.quantity - item.refundedQuantity
    return quantity > 0 ? [{ ...item, quantity }] : []
  })

const nothingBegun: BegunRefund = { refundId: null, operations: [] }

interface Cancelling extends CancelInput {
  /** What the history says; the reason where it is absent. */
  readonly said?: string | null
}

const checkCancelable = (
  order: OrderState,
  refund: boolean
): Effect.Effect<void, OrderPartlySent | OrderStateConflict | OrderMoneyKept> => {
  const { id, status, currency, items } = order
  if (!isLegalMove(status, "CANCELLED")) return Effect.fail(new OrderStateConflict({ id, status }))
  if (items.some(({ fulfilledQuantity }) => fulfilledQuantity > 0))
    return Effect.fail(new OrderPartlySent({ id, status }))
  const kept = unrefunded(order)
  return kept > 0n && !refund
    ? Effect.fail(new OrderMoneyKept({ id, status, amount: formatMoney(kept, currency) }))
    : Effect.void
}
