/**
 * The refunds of a payment as its charge lists them: one row for each, known by its id at the provider, or by our key
 * where we asked for it. What the provider does not list any more has failed.
 */
import { makeId } from "../../kernel/Ids.ts"
import { formatMoney } from "../../kernel/Money.ts"
import { maxRefunds, type OrderPayment, type OrderRefund, type OrderState, restOfRefunds } from "../../order/Order.ts"
import type { Charge, ChargeRefund } from "../../payment/PaymentProvider.ts"

type Row = Omit<OrderRefund, "type">

/** Rows that the charge lists, in its order, and the sum of what succeeded beyond the bound. */
interface Listed {
  readonly rows: ReadonlyMap<string, Row>
  readonly added: ReadonlyArray<Row>
  readonly rest: bigint
}

const at = (now: number): string => new Date(now).toISOString()

/** When a row first succeeded. Those of before the column have it from their beginning. */
const succeededAtOf = (row: Row, now: number): string | null =>
  row.succeededAt ?? (row.status === "succeeded" ? at(now) : null)

const newRow = (payment: OrderPayment, row: Pick<Row, "amount" | "status" | "externalId" | "key" | "source">): Row => ({
  id: "",
  requestId: null,
  asked: null,
  actor: null,
  paymentId: payment.id,
  reason: null,
  succeededAt: null,
  createdAt: "",
  ...row
})

const listed = (
  payment: OrderPayment,
  known: ReadonlyArray<OrderRefund>,
  reported: Iterable<ChargeRefund>,
  most: number
): Listed => {
  const byId = new Map(known.map((row) => [row.externalId, row]))
  const byKey = new Map(known.map((row) => [row.key, row]))
  // Those that releases before wrote down without a name: the first of the same amount is the one.
  const unnamed = known.filter((row) => row.externalId === null && row.source === "provider")
  const keys = new Set(known.map(({ key }) => key))
  const rows = new Map<string, Row>()
  const added: Array<Row> = []
  let rest = 0n
  for (const { id, key, amount, status } of reported) {
    const meant = key === null ? unnamed.find((row) => row.amount === amount && !rows.has(row.id)) : byKey.get(key)
    const row = byId.get(id) ?? (meant?.externalId === null && !rows.has(meant.id) ? meant : undefined)
    if (row !== undefined) rows.set(row.id, { ...row, amount, status, externalId: id })
    else if (added.length < most) {
      // A second refund under one key of ours is a refund of its own: its money has left as well.
      const owned = keys.has(key) ? null : key
      keys.add(key)
      const source = key === null ? "provider" : "service"
      added.push(newRow(payment, { amount, status, externalId: id, key: owned, source }))
    } else if (status === "succeeded") rest += amount
  }
  return { rows, added, rest }
}

/** The row that holds the sum of what succeeded beyond the bound; none where nothing did. */
const restRow = (payment: OrderPayment, known: OrderRefund | undefined, rest: bigint): ReadonlyArray<Row> => {
  if (known !== undefined)
    return [rest > 0n ? { ...known, amount: rest, status: "succeeded" } : { ...known, status: "failed" }]
  if (rest === 0n) return []
  return [
    newRow(payment, { amount: rest, status: "succeeded", externalId: restOfRefunds, key: null, source: "provider" })
  ]
}

/** A row that the charge does not list: one of ours that has no name yet is under way, every other has failed. */
const unlisted = (row: Row): Row =>
  row.externalId === null && row.source === "service" ? row : { ...row, status: "failed" }

/** Every refund of the payment, the oldest first. `type` is left to `typed`, which needs the captured sum. */
export const listedRefunds = (
  order: OrderState,
  payment: OrderPayment,
  charge: Charge,
  now: number
): ReadonlyArray<Row> => {
  const known = order.refunds.filter((row) => row.paymentId === payment.id)
  const named = order.refunds.filter((row) => row.externalId !== restOfRefunds)
  const rest = known.find((row) => row.externalId === restOfRefunds)
  const reported = new Map(charge.refunds.filter(({ amount }) => amount > 0n).map((refund) => [refund.id, refund]))
  const found = listed(payment, known, reported.values(), maxRefunds - named.length)
  const added = [...found.added, ...(rest === undefined ? restRow(payment, rest, found.rest) : [])]
  // Rows of the same time are read in the order of their ids.
  const ids = added.map(() => makeId("ref", now)).toSorted()
  return [
    ...known.flatMap((row) =>
      row === rest ? restRow(payment, rest, found.rest) : [found.rows.get(row.id) ?? unlisted(row)]
    ),
    ...added.map((row, i) => ({ ...row, id: ids[i] ?? "", createdAt: at(now) }))
  ].map((row) => ({ ...row, succeededAt: succeededAtOf(row, now) }))
}

/** What is under way. */
export const pendingSum = (rows: ReadonlyArray<Pick<Row, "status" | "amount">>): bigint =>
  rows.reduce((sum, { status, amount }) => (status === "pending" ? sum + amount : sum), 0n)

export const succeededSum = (rows: ReadonlyArray<Pick<Row, "status" | "amount">>): bigint =>
  rows.reduce((sum, { status, amount }) => (status === "succeeded" ? sum + amount : sum), 0n)

/**
 * The rows with their type: `full` where a refund and those that succeeded before it return all that the order has
 * captured. `before`: what other payments of the order have returned, less the surplus that is returned first.
 */
export const typed = (
  rows: ReadonlyArray<Row>,
  { before, captured }: { readonly before: bigint; readonly captured: bigint }
): ReadonlyArray<OrderRefund> => {
  let returned = before
  return rows.map((row) => {
    const type = returned + row.amount >= captured ? "full" : "partial"
    if (row.status === "succeeded") returned += row.amount
    return { ...row, type }
  })
}

/** Rows that differ from those that are stored. */
export const changedRefunds = (
  before: ReadonlyArray<OrderRefund>,
  after: ReadonlyArray<OrderRefund>
): ReadonlyArray<OrderRefund> => {
  const known = new Map(before.map((row) => [row.id, row]))
  return after.filter((row) => {
    const old = known.get(row.id)
    return (
      old === undefined ||
      old.amount !== row.amount ||
      old.status !== row.status ||
      old.type !== row.type ||
      old.externalId !== row.externalId ||
      old.succeededAt !== row.succeededAt
    )
  })
}

/** What the history says of refunds that have failed since. */
export const failedNotes = (
  before: ReadonlyArray<OrderRefund>,
  changed: ReadonlyArray<OrderRefund>,
  currency: string
): ReadonlyArray<string> =>
  changed
    .filter(({ id, status }) => status === "failed" && before.find((row) => row.id === id)?.status !== "failed")
    .map(({ amount }) => `a refund of ${formatMoney(amount, currency)} failed`)

/** Refunds that have succeeded for the first time, and what the sum beyond the bound has grown by. */
export const firstSucceeded = (
  before: ReadonlyArray<OrderRefund>,
  after: ReadonlyArray<OrderRefund>
): ReadonlyArray<OrderRefund> => {
  const known = new Map(before.map((row) => [row.id, row]))
  return after.flatMap((row) => {
    const old = known.get(row.id)
    if (row.status !== "succeeded") return []
    if (old === undefined || (old.succeededAt === null && old.status !== "succeeded")) return [row]
    const more = row.externalId === restOfRefunds ? row.amount - old.amount : 0n
    return more > 0n ? [{ ...row, amount: more }] : []
  })
}
