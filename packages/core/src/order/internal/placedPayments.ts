/** The payments that an order begins with. */
import { makeId } from "../../kernel/Ids.ts"
import type { Quote } from "../../pricing/Quote.ts"
import type { OrderPayment } from "../Order.ts"

/**
 * One payment for the amount due, and one for each tender, which is already paid. Payments of the same time are read in
 * the order of their ids: the amount due comes first.
 */
export const placedPayments = (
  { amountDue, total, tenders: offered }: Quote,
  method: string,
  now: number
): ReadonlyArray<OrderPayment> => {
  const paidAt = new Date(now).toISOString()
  const isPaid = amountDue === 0n
  // A card that had nothing left to pay for is no payment.
  const tenders = offered.filter(({ amount }) => amount > 0n)
  const [firstId = "", ...otherIds] = [makeId("pay", now), ...tenders.map(() => makeId("pay", now))].toSorted()
  const rest: OrderPayment = {
    id: firstId,
    provider: method,
    method,
    reference: null,
    status: isPaid ? "captured" : "pending",
    amount: amountDue,
    captured: 0n,
    surplus: 0n,
    refunded: 0n,
    failure: null,
    paidAt: isPaid ? paidAt : null
  }
  const paid = tenders.map(
    ({ kind, sourceId, amount, codeLast4 = null }, i): OrderPayment => ({
      id: otherIds[i] ?? "",
      provider: kind,
      method: kind,
      reference: sourceId,
      status: "captured",
      amount,
      captured: amount,
      surplus: 0n,
      refunded: 0n,
      failure: null,
      paidAt,
      codeLast4
    })
  )
  return isPaid && total > 0n ? paid : [rest, ...paid]
}
