/**
 * Cancels orders: what was only reserved is released, goods go back into stock, and an order that was never paid gives
 * its uses of coupons and rules back. One transaction writes all of it. It locks the charges, the order, its stock and
 * its claims, in this order.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Claims } from "../claim/Claims.ts"
import { claimsOf } from "../claim/PaymentPlan.ts"
import { Database } from "../database/Database.ts"
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
import { OrderMoney } from "../settlement/OrderMoney.ts"
import { CurrentActor } from "../store/Actor.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CancelInput, unrefunded } from "./Cancellation.ts"
import { OrderMoneyKept, OrderPartlySent } from "./CancellationErrors.ts"
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

      /** Locks the charges of the order, and the order. */
      const lock = Effect.fnUntraced(function* (store: StoreContext, id: string) {
        yield* money.lockCharges(store, yield* changes.find(store, id))
        return yield* changes.lock(store, id)
      })

      /** Cancels an order that `lock` has locked. */
      const cancelLocked = Effect.fnUntraced(function* (
        store: StoreContext,
        order: OrderState,
        { reason = "other", restock = true, notifyCustomer = true, said = reason }: Cancelling,
        now: number
      ) {
        const { id } = order
        yield* checkCancelable(order)
        const actor = yield* CurrentActor
        const at = new Date(now)
        const freed = yield* money.stopCollecting(store, order, now)
        const after = moved(freed, "CANCELLED", { reason: said, actor, now })
        yield* changes.save(after)
        yield* repository.insert(store.id, { orderId: id, reason, restock, actor, createdAt: at })
        if (restock) yield* ledger.giveBack(store.id, demandsOf(linesOf(order.items)), id, at)
        yield* giveUsesBack(store, order, at)
        const view = toOrderView(after)
        const data = { orderId: id, order: view }
        yield* outbox.appendAll(store.id, [
          orderCancelled.of(data),
          ...(notifyCustomer && order.email !== null
            ? [orderMailAsked.of({ ...data, mail: "ORDER_CANCELLED", details: { reason } })]
            : [])
        ])
        return view
      })

      return {
        lock,
        cancelLocked,
        cancel: Effect.fn("OrderCancellations.cancel")(function* (store: StoreContext, id: string, body: CancelInput) {
          const now = yield* Clock.currentTimeMillis
          return yield* database.write(store.id)(
            Effect.flatMap(lock(store, id), (order) => cancelLocked(store, order, body, now))
          )
        }),
        /** Who has cancelled the order, and why; undefined where nobody has. */
        find: (store: StoreContext, id: string) => repository.find(store.id, id)
      }
    })
  }
) {
  static readonly layer = Layer.effect(OrderCancellations, OrderCancellations.make).pipe(
    Layer.provide(CancellationRepository.layer)
  )
}

interface Cancelling extends CancelInput {
  /** What the history says; the reason where it is absent. */
  readonly said?: string | null
}

const checkCancelable = (
  order: OrderState
): Effect.Effect<void, OrderPartlySent | OrderStateConflict | OrderMoneyKept> => {
  const { id, status, currency, items } = order
  if (!isLegalMove(status, "CANCELLED")) return Effect.fail(new OrderStateConflict({ id, status }))
  if (items.some(({ fulfilledQuantity }) => fulfilledQuantity > 0))
    return Effect.fail(new OrderPartlySent({ id, status }))
  const kept = unrefunded(order)
  return kept > 0n ? Effect.fail(new OrderMoneyKept({ id, status, amount: formatMoney(kept, currency) })) : Effect.void
}
