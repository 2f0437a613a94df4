/**
 * What the outcome of a capture, a void or a refund means for its order. A refund is recorded in the transaction that
 * settles it: its money, what gift cards and points give back beside the provider, units that go back into stock, and
 * what the buyer is told. What a capture or a void has changed is learned by the look at the charge that follows.
 */
import { Context, Effect, Layer } from "effect"
import type { LockedOperation, OperationEnd, OutcomeHandler } from "../charge/OutcomeHandlers.ts"
import { keyOf } from "../charge/ProviderOperation.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { bookedReturn } from "../fx/OrderPresentment.ts"
import type { OrderRefund, OrderState } from "../order/Order.ts"
import { OrderRepository } from "../order/OrderRepository.ts"
import type { Charge } from "../payment/PaymentProvider.ts"
import { makeRefundBooks } from "./internal/refundBooks.ts"
import { RefundRepository } from "./RefundRepository.ts"

/** The columns of the lock. */
interface LockedOrder {
  readonly orderId: string
}

type LockedChange = LockedOperation<LockedOrder>

export class RefundOutcomes extends Context.Service<RefundOutcomes, OutcomeHandler<LockedOrder, string, never>>()(
  "@effect-commerce/core/refund/RefundOutcomes"
) {
  static readonly layer = Layer.effect(
    RefundOutcomes,
    Effect.gen(function* () {
      const repository = yield* RefundRepository
      const orders = yield* OrderRepository
      const books = yield* makeRefundBooks

      /** The order and the row of this refund; undefined where it was asked for without one. */
      const rowOf = Effect.fnUntraced(function* ({ store, operation }: LockedChange) {
        if (operation.kind !== "refund") return undefined
        const order = yield* orders.find(store.id, operation.orderId)
        const row = order?.refunds.find(({ key }) => key === keyOf(operation))
        return order === undefined || row === undefined ? undefined : { order, row }
      })

      const succeeded = Effect.fnUntraced(function* (locked: LockedChange, charge: Charge) {
        const { store, operation, now } = locked
        const found = yield* rowOf(locked)
        if (found !== undefined) {
          yield* books.settled(store, found.order, refundedRow(found, locked, charge), now)
          yield* FaultPoint.hit("refund.recorded")
        }
        return { _tag: "Accepted" as const, result: operation.orderId }
      })

      const ended = Effect.fnUntraced(function* (locked: LockedChange, _: OperationEnd) {
        const { store, now } = locked
        const found = yield* rowOf(locked)
        if (found === undefined) return
        yield* books.settled(store, found.order, { row: { ...found.row, status: "failed" } }, now)
        yield* FaultPoint.hit("refund.failed")
      })

      return RefundOutcomes.of({ subjectType: "order", lock: repository.lock, succeeded, ended })
    })
  ).pipe(Layer.provide([RefundRepository.layer, OrderRepository.layer]))
}

/** The row as it is after the provider gave the money back, and what that is in the provider's own currency. */
const refundedRow = (
  { order, row }: { readonly order: OrderState; readonly row: OrderRefund },
  { operation, now }: LockedChange,
  { refunds }: Charge
) => {
  const told = refunds.find(({ key }) => key === keyOf(operation))
  const done: OrderRefund = {
    ...row,
    status: "succeeded",
    externalId: row.externalId ?? told?.id ?? null,
    succeededAt: row.succeededAt ?? new Date(now).toISOString()
  }
  const { presentment } = order
  if (presentment?.paymentId !== row.paymentId || row.status === "succeeded") return { row: done }
  const refunded = presentment.refunded + operation.amount
  const before = order.refunds.reduce(
    (sum, { paymentId, status, amount }) =>
      paymentId === row.paymentId && status === "succeeded" ? sum + amount : sum,
    0n
  )
  const amount = bookedReturn(presentment, presentment.captured, refunded) - before
  return { row: { ...done, amount }, presentment: { ...presentment, refunded } }
}
