/**
 * What happens at the `test` provider by itself, or by a hand in its dashboard: money that comes late, a reservation
 * that lapses, a refund that the bank sends back, a dispute.
 */
import { least } from "../kernel/Money.ts"
import type { ChangeKind } from "../payment/PaymentProvider.ts"
import { PaymentFailed } from "../payment/PaymentErrors.ts"
import { reserved } from "./TestReferences.ts"
import {
  capturable,
  lapsed,
  refundable,
  refundsOf,
  succeededRefunds,
  type TestChange,
  type TestCharge
} from "./TestCharge.ts"

export const testEventTypes = [
  "captured",
  "authorized",
  "failed",
  "expired",
  "refunded",
  "refund_succeeded",
  "refund_failed",
  "disputed",
  "dispute_won",
  "dispute_lost"
] as const
export type TestEvent = (typeof testEventTypes)[number]

/** `amount` in minor units; undefined: all that is left. `id` is unique, for what the event makes. */
export interface TestHappening {
  readonly type: TestEvent
  readonly amount: bigint | undefined
  readonly id: string
  readonly now: number
}

/** The merchant can answer a dispute for ten days. */
const disputeTime = 10 * 86_400_000

/** What each event does to a charge. `most` is at most the sum that is given to it. */
type Effects = Readonly<
  Record<TestEvent, (charge: TestCharge, most: (left: bigint) => bigint, happening: TestHappening) => TestCharge>
>
const effects: Effects = {
  captured: (charge, most) => captured(charge, most(charge.amount - charge.captured)),
  authorized: (charge, _, { now }) =>
    charge.captured > 0n || charge.status === "authorized" ? charge : reserved(charge, now),
  failed: (charge) => (charge.captured > 0n ? charge : failed(charge)),
  expired: (charge) => lapsed(charge),
  refunded: (charge, most, { id, now }) => {
    const amount = most(refundable(charge))
    return amount <= 0n ? charge : withChange(charge, changeMade("refund", { id, key: null, amount, now }))
  },
  refund_succeeded: (charge) =>
    withRefund(charge, refundsOf(charge).find(({ status }) => status === "pending")?.id, "succeeded"),
  refund_failed: (charge) =>
    withRefund(charge, refundsOf(charge).findLast(({ status }) => status !== "failed")?.id, "failed"),
  disputed: (charge, most, { id, now }) => {
    const amount = most(refundable(charge))
    const dispute = { id, amount, status: "open", dueAt: now + disputeTime } as const
    return amount <= 0n ? charge : { ...charge, disputes: [...charge.disputes, dispute] }
  },
  dispute_won: (charge) => withDispute(charge, "won"),
  dispute_lost: (charge) => withDispute(charge, "lost")
}

/** Never more than the charge allows, so that a repeat changes nothing. */
export const moved = (charge: TestCharge, happening: TestHappening): TestCharge =>
  effects[happening.type](charge, (left) => least(happening.amount ?? left, left), happening)

const captured = (charge: TestCharge, sum: bigint): TestCharge => {
  const taken = charge.captured + sum
  const isWhole = taken === charge.amount
  const authorized = charge.authorized < taken ? charge.amount : charge.authorized
  const expiresAt = isWhole ? null : charge.expiresAt
  return { ...charge, status: "captured", captured: taken, authorized, expiresAt, reason: null }
}

const failed = (charge: TestCharge): TestCharge =>
  charge.status === "authorized"
    ? { ...charge, status: "voided", expiresAt: null, reason: "cancelled" }
    : { ...charge, status: "failed", expiresAt: null, reason: "processing_error" }

interface Made {
  readonly id: string
  readonly key: string | null
  readonly amount: bigint
  readonly now: number
}

const changeMade = (
  kind: ChangeKind,
  { id, key, amount, now }: Made,
  status: TestChange["status"] = "succeeded"
): TestChange => ({ id, kind, key, amount, status, at: now, isForgotten: false })

const withChange = (charge: TestCharge, change: TestChange): TestCharge =>
  withChanges(charge, [...charge.changes, change])

const withChanges = (charge: TestCharge, changes: ReadonlyArray<TestChange>): TestCharge => ({
  ...charge,
  changes,
  refunded: succeededRefunds(changes)
})

const withRefund = (charge: TestCharge, id: string | undefined, status: TestChange["status"]): TestCharge =>
  withChanges(
    charge,
    charge.changes.map((change) => (change.id === id ? { ...change, status } : change))
  )

const withDispute = (charge: TestCharge, status: "won" | "lost"): TestCharge => {
  const open = charge.disputes.find((dispute) => dispute.status === "open")
  return {
    ...charge,
    disputes: charge.disputes.map((dispute) => (dispute === open ? { ...dispute, status } : dispute))
  }
}

/** A capture, void or refund that was requested, or why it is refused. */
export const changedBy = (charge: TestCharge, kind: ChangeKind, made: Made): TestCharge | PaymentFailed => {
  switch (kind) {
    case "capture":
      return capturedBy(charge, made)
    case "refund":
      return refundedBy(charge, made)
    case "void":
      return withChange(voided(charge), changeMade("void", made))
  }
}

const capturedBy = (charge: TestCharge, made: Made): TestCharge | PaymentFailed => {
  const { status } = charge
  if (status !== "authorized" && status !== "pending" && status !== "captured")
    return new PaymentFailed({ reason: `The charge is ${status}: there is nothing to capture` })
  if (made.amount <= 0n || made.amount > capturable(charge))
    return new PaymentFailed({ reason: "More than was authorised" })
  return withChange(captured(charge, made.amount), changeMade("capture", made))
}

const refundedBy = (charge: TestCharge, made: Made): TestCharge | PaymentFailed => {
  if (charge.reference === "refund_refused")
    return new PaymentFailed({ reason: "The account has too little money for the refund" })
  if (made.amount <= 0n || made.amount > refundable(charge))
    return new PaymentFailed({ reason: "More than is left of what was captured" })
  const status =
    charge.reference === "refund_pends" ? "pending" : charge.reference === "refund_fails" ? "failed" : "succeeded"
  return withChange(charge, changeMade("refund", made, status))
}

const voided = (charge: TestCharge): TestCharge => {
  switch (charge.status) {
    case "captured":
      return { ...charge, isReleased: true, expiresAt: null }
    case "declined":
    case "failed":
    case "voided":
      return charge
    default:
      return { ...charge, status: "voided", expiresAt: null, reason: "cancelled" }
  }
}
