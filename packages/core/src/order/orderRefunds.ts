/**
 * The refunds of an order as readers see them: one request is one refund, also where several payments give it back. Its
 * amount is what has not failed of it; where all of it failed, what was asked for.
 */
import { formatMoney } from "../kernel/Money.ts"
import type { OrderRefund, OrderState, RefundStatus } from "./Order.ts"
import type { RefundView } from "./OrderParts.ts"

const statusOf = (rows: ReadonlyArray<OrderRefund>): RefundStatus => {
  if (rows.some(({ status }) => status === "pending")) return "pending"
  return rows.some(({ status }) => status === "succeeded") ? "succeeded" : "failed"
}

/** The rows of each refund, the oldest first. */
const requestsOf = ({ refunds }: Pick<OrderState, "refunds">): ReadonlyMap<string, ReadonlyArray<OrderRefund>> => {
  const requests = new Map<string, Array<OrderRefund>>()
  for (const row of refunds) {
    const id = row.requestId ?? row.id
    requests.set(id, [...(requests.get(id) ?? []), row])
  }
  return requests
}

const viewOf = (id: string, rows: ReadonlyArray<OrderRefund>, currency: string): ReadonlyArray<RefundView> => {
  const [first] = rows
  if (first === undefined) return []
  const status = statusOf(rows)
  const counted = status === "failed" ? rows : rows.filter((row) => row.status !== "failed")
  return [
    {
      id,
      amount: formatMoney(
        counted.reduce((sum, { amount }) => sum + amount, 0n),
        currency
      ),
      reason: first.reason,
      status,
      type: rows.some(({ type }) => type === "full") ? "full" : "partial",
      source: first.source,
      createdAt: new Date(first.createdAt).toISOString()
    }
  ]
}

export const orderRefunds = (order: Pick<OrderState, "refunds" | "currency">): ReadonlyArray<RefundView> =>
  [...requestsOf(order)].flatMap(([id, rows]) => viewOf(id, rows, order.currency))
