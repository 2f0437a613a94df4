/** What happens to a charge at its provider, fact by fact, and what a provider that was asked then says of it. */
import type { Charge, ChargeDispute, ChargeRefund } from "@effect-commerce/core/payment/PaymentProvider"
import fc from "fast-check"
import { chargeOf, total } from "./chargedOrder.ts"

/** A fact, and how much or which one it is about. Facts that cannot happen to the charge as it is change nothing. */
export interface Fact {
  readonly kind: (typeof kinds)[number]
  readonly which: number
  readonly amount: bigint
}

const kinds = [
  "captured",
  "captured in full",
  "captured above the amount",
  "withdrawn",
  "refund begun",
  "refund of ours begun",
  "refund succeeded",
  "refund failed",
  "disputed",
  "dispute won",
  "dispute lost",
  "ended",
  "expired"
] as const
/** After these the order's own status, which never goes back, tells of money that is not there any more. */
const backwards: ReadonlyArray<Fact["kind"]> = ["withdrawn", "captured above the amount"]

const factOf = (of: ReadonlyArray<Fact["kind"]>): fc.Arbitrary<Fact> =>
  fc.record({
    kind: fc.constantFrom(...of),
    which: fc.nat({ max: 3 }),
    amount: fc.oneof(fc.constantFrom(1n, 500n, 1_000n, total), fc.bigInt({ min: 1n, max: total }))
  })

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const sum = (refunds: ReadonlyArray<ChargeRefund>): bigint =>
  refunds.reduce((all, { amount, status }) => (status === "failed" ? all : all + amount), 0n)

const captured = (charge: Charge, more: bigint): Charge =>
  more === 0n ? charge : { ...charge, state: "captured", captured: charge.captured + more, reason: null }

const refunded = (charge: Charge, key: string | null, wanted: bigint): Charge => {
  const amount = least(wanted, charge.captured - sum(charge.refunds))
  if (amount <= 0n) return charge
  const refund: ChargeRefund = { id: `re_${charge.refunds.length}`, key, amount, status: "pending" }
  return { ...charge, refunds: [...charge.refunds, refund] }
}

const moved = <Row extends ChargeRefund | ChargeDispute>(
  rows: ReadonlyArray<Row>,
  which: number,
  to: (row: Row) => Row
): ReadonlyArray<Row> => rows.map((row, i) => (i === which % Math.max(1, rows.length) ? to(row) : row))

const after: Record<Fact["kind"], (charge: Charge, fact: Fact) => Charge> = {
  captured: (charge, { amount }) => captured(charge, least(amount, total - charge.captured)),
  "captured in full": (charge) => captured(charge, total > charge.captured ? total - charge.captured : 0n),
  "captured above the amount": (charge, { amount }) => (charge.captured > 0n ? captured(charge, amount) : charge),
  withdrawn: (charge, { amount }) => ({ ...charge, captured: charge.captured - least(amount, charge.captured) }),
  "refund begun": (charge, { amount }) => refunded(charge, null, amount),
  "refund of ours begun": (charge, { amount }) => refunded(charge, `refund:${charge.refunds.length}`, amount),
  "refund succeeded": (charge, { which }) => ({
    ...charge,
    refunds: moved(charge.refunds, which, (row) => (row.status === "pending" ? { ...row, status: "succeeded" } : row))
  }),
  "refund failed": (charge, { which }) => ({
    ...charge,
    refunds: moved(charge.refunds, which, (row) => ({ ...row, status: "failed" }))
  }),
  disputed: (charge, { amount }) =>
    charge.captured === 0n
      ? charge
      : {
          ...charge,
          disputes: [
            ...charge.disputes,
            { id: `dp_${charge.disputes.length}`, amount, status: "open", reason: "fraudulent", dueAt: null }
          ]
        },
  "dispute won": (charge, { which }) => ({
    ...charge,
    disputes: moved(charge.disputes, which, (row) => ({ ...row, status: "won" }))
  }),
  "dispute lost": (charge, { which }) => ({
    ...charge,
    disputes: moved(charge.disputes, which, (row) => ({ ...row, status: "lost" }))
  }),
  ended: (charge) => (charge.captured > 0n ? charge : { ...charge, state: "failed", reason: "card_declined" }),
  expired: (charge) => (charge.captured > 0n ? charge : { ...charge, state: "voided", reason: "expired" })
}

/** The charge as it was after each of the facts. */
const truthsOf = (facts: ReadonlyArray<Fact>): ReadonlyArray<Charge> =>
  facts.reduce<ReadonlyArray<Charge>>(
    (truths, fact) => [...truths, after[fact.kind](truths.at(-1) ?? chargeOf(), fact)],
    []
  )

export interface History {
  /** The truths that somebody looked at; the last is the charge as it is in the end. */
  readonly seen: ReadonlyArray<Charge>
  readonly last: Charge
}

const historyOf = (of: ReadonlyArray<Fact["kind"]>): fc.Arbitrary<History> =>
  fc.array(fc.tuple(factOf(of), fc.boolean()), { minLength: 1, maxLength: 14 }).map((steps) => {
    const truths = truthsOf(steps.map(([fact]) => fact))
    const last = truths.at(-1) ?? chargeOf()
    return { seen: [...truths.filter((_, i) => steps[i]?.[1]), last], last }
  })

export const anyHistory = historyOf(kinds)
/** Nothing is captured above the amount, and what is captured stays. */
export const ordinaryHistory = historyOf(kinds.filter((kind) => !backwards.includes(kind)))
/** Money never comes back to the provider's side, but for refunds that succeed. */
export const forwardHistory = historyOf(kinds.filter((kind) => !backwards.includes(kind) && kind !== "refund failed"))
