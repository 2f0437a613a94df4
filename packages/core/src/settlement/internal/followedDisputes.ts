/** The disputes of a payment as its charge lists them, each known by its id at the provider. */
import { makeId } from "../../kernel/Ids.ts"
import { formatMoney } from "../../kernel/Money.ts"
import { maxDisputes, type OrderDispute, type OrderPayment, type OrderState } from "../../order/Order.ts"
import type { Charge, ChargeDispute } from "../../payment/PaymentProvider.ts"

const longestReason = 200

const isSame = (known: OrderDispute, next: Pick<OrderDispute, "amount" | "status" | "reason" | "dueAt">): boolean =>
  known.amount === next.amount &&
  known.status === next.status &&
  known.reason === next.reason &&
  (known.dueAt === null ? null : Date.parse(known.dueAt)) === (next.dueAt === null ? null : Date.parse(next.dueAt))

const statedBy = ({ amount, status, reason, dueAt }: ChargeDispute) => ({
  amount: amount > 0n ? amount : 0n,
  status,
  reason: reason === null ? null : reason.slice(0, longestReason),
  dueAt: dueAt === null ? null : dueAt.toISOString()
})

/** New and changed disputes. An order shows `maxDisputes` at most; later ones are not recorded. */
export const changedDisputes = (
  order: OrderState,
  payment: OrderPayment,
  charge: Charge,
  now: number
): ReadonlyArray<OrderDispute> => {
  const known = new Map(
    order.disputes.filter((dispute) => dispute.paymentId === payment.id).map((dispute) => [dispute.externalId, dispute])
  )
  const reported = [...new Map(charge.disputes.map((dispute) => [dispute.id, dispute])).values()]
  const updatedAt = new Date(now).toISOString()
  const changed = reported.flatMap((dispute) => {
    const row = known.get(dispute.id)
    const stated = statedBy(dispute)
    return row === undefined || isSame(row, stated) ? [] : [{ ...row, ...stated, updatedAt }]
  })
  const added = reported.filter(({ id }) => !known.has(id)).slice(0, maxDisputes - order.disputes.length)
  const ids = added.map(() => makeId("dsp", now)).toSorted()
  return [
    ...changed,
    ...added.map((dispute, i) => ({
      id: ids[i] ?? "",
      paymentId: payment.id,
      externalId: dispute.id,
      ...statedBy(dispute),
      createdAt: updatedAt,
      updatedAt
    }))
  ]
}

/** The disputes of the order with these in the place of what they were. */
export const withDisputes = (
  known: ReadonlyArray<OrderDispute>,
  changed: ReadonlyArray<OrderDispute>
): ReadonlyArray<OrderDispute> => {
  const byId = new Map(changed.map((dispute) => [dispute.id, dispute]))
  return [
    ...known.map((dispute) => byId.get(dispute.id) ?? dispute),
    ...changed.filter(({ id }) => !known.some((dispute) => dispute.id === id))
  ]
}

const outcomes = { open: "is disputed", won: "was disputed: won", lost: "was disputed: lost" } as const

/** What the order's history says of a dispute that opened or was decided; nothing where only its details changed. */
export const disputeNotes = (
  before: ReadonlyArray<OrderDispute>,
  changed: ReadonlyArray<OrderDispute>,
  currency: string
): ReadonlyArray<string> =>
  changed
    .filter(({ id, status }) => before.find((dispute) => dispute.id === id)?.status !== status)
    .map(({ amount, status }) => `${formatMoney(amount, currency)} ${outcomes[status]}`)
