/**
 * Records how refunds stand. Inside a transaction that has locked the order's charges and the order; stock is locked
 * before gift cards and points are. What goes back by hand, to gift cards or as points waits for the providers of the
 * same refund: where they have all failed, nothing was given back.
 */
import { Effect } from "effect"
import type { OrderPresentment } from "../../fx/OrderPresentment.ts"
import { demandsOf, linesOf } from "../../inventory/SoldLines.ts"
import { StockLedger } from "../../inventory/StockLedger.ts"
import { formatMoney } from "../../kernel/Money.ts"
import type { OrderRefund, OrderState } from "../../order/Order.ts"
import { orderMailAsked } from "../../order/OrderEvents.ts"
import { toOrderView } from "../../order/OrderView.ts"
import { Outbox } from "../../outbox/Outbox.ts"
import { OrderMoney } from "../../settlement/OrderMoney.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { type RefundRequest, RefundRepository } from "../RefundRepository.ts"

/** A row whose provider has answered, and what it has given back in its own currency where that differs. */
export interface SettledRefund {
  readonly row: OrderRefund
  readonly presentment?: OrderPresentment
}

/** Whether a row of the request is still under way once these are written. */
const isOpenAfter = (
  { refunds }: OrderState,
  { rows, requestId }: { readonly rows: ReadonlyArray<OrderRefund>; readonly requestId: string }
): boolean =>
  [...rows, ...refunds.filter((row) => row.requestId === requestId && rows.every(({ id }) => id !== row.id))].some(
    ({ status }) => status === "pending"
  )

const given = (rows: ReadonlyArray<OrderRefund>): bigint =>
  rows.reduce((sum, { status, amount }) => (status === "succeeded" ? sum + amount : sum), 0n)

export const makeRefundBooks = Effect.gen(function* () {
  const repository = yield* RefundRepository
  const money = yield* OrderMoney
  const ledger = yield* StockLedger
  const outbox = yield* Outbox

  const restock = Effect.fnUntraced(function* (order: OrderState, { items }: RefundRequest, now: Date) {
    const units = new Map(items.map(({ itemId, restock: count }) => [itemId, count]))
    const returned = order.items.flatMap((item) => {
      const quantity = units.get(item.id) ?? 0
      return quantity === 0 ? [] : [{ ...item, quantity }]
    })
    const demands = demandsOf(linesOf(returned))
    if (demands.length > 0)
      yield* ledger.giveBack(order.storeId, demands, { reference: order.id, soldAt: order.createdAt }, now)
  })

  const tellBuyer = (order: OrderState, { id, reason, items }: RefundRequest) => {
    const rows = order.refunds.filter(({ requestId }) => requestId === id)
    return outbox.append(order.storeId, orderMailAsked, {
      orderId: order.id,
      order: toOrderView(order),
      mail: "ORDER_REFUNDED",
      details: {
        reason,
        refundAmount: formatMoney(given(rows), order.currency),
        items: items.flatMap(({ itemId, quantity }) => {
          const item = order.items.find(({ id: known }) => known === itemId)
          return item === undefined ? [] : [{ name: item.name, sku: item.sku, quantity }]
        })
      }
    })
  }

  /**
   * Writes the rows; the first that has succeeded of a request puts its units back and has the buyer told. So does the
   * end of one that has failed, of an order that was cancelled meanwhile and left these units to it; nobody is told.
   */
  const record = Effect.fnUntraced(function* (
    store: StoreContext,
    order: OrderState,
    change: Parameters<typeof money.changeRefunds>[2] & { readonly requestId: string },
    now: number
  ) {
    const isGiven = change.rows.some(({ status }) => status === "succeeded")
    const isLeftAlone = order.status === "CANCELLED" && !isOpenAfter(order, change)
    const request = isGiven || isLeftAlone ? yield* repository.find(store.id, change.requestId) : undefined
    const isFirst = request !== undefined && request.completedAt === null && (isGiven || request.items.length > 0)
    if (isFirst) {
      yield* restock(order, request, new Date(now))
      yield* repository.complete(store.id, request.id, new Date(now))
    }
    const after = yield* money.changeRefunds(store, order, change, now)
    if (isFirst && isGiven && request.isBuyerTold) yield* tellBuyer(after, request)
    return after
  })

  return {
    record,
    /** A provider has answered for one row: the others of its request follow once no provider is awaited any more. */
    settled: (store: StoreContext, order: OrderState, { row, ...settled }: SettledRefund, now: number) => {
      const requestId = row.requestId ?? row.id
      const others = order.refunds.filter((other) => other.requestId === requestId && other.id !== row.id)
      const providers = [row, ...others.filter(({ key }) => key !== null)]
      const isOpen = providers.some(({ status }) => status === "pending")
      const status = providers.some((one) => one.status === "succeeded") ? "succeeded" : "failed"
      const succeededAt = status === "succeeded" ? new Date(now).toISOString() : null
      const following = others
        .filter((other) => !isOpen && other.key === null && other.status === "pending")
        .map((other): OrderRefund => ({ ...other, status, succeededAt }))
      const rows = [row, ...following]
      return record(store, order, { ...settled, rows, paymentId: row.paymentId, requestId }, now)
    }
  }
})
