/**
 * A charge in the books of the `test` provider, as a payment company keeps it on its side: what was requested, how it
 * stands, and each later change with the key that it was requested by. How it looks from outside is `chargeOf`.
 */
import { Schema } from "effect"
import { DeclineCode } from "../payment/DeclineCode.ts"
import type { Charge, ChargeState, NextAction } from "../payment/PaymentProvider.ts"

/** A key of a capture, a void or a refund is recognised for 24 hours; then the same key does it again. Milliseconds. */
export const testKeyLifetime = 86_400_000
/** A charge that was made unseen is invisible to lookups for as long. Milliseconds. */
export const testSettling = 5_000
/** What is reserved lapses after 7 days, what waits for the shopper after an hour. Milliseconds. */
export const reservedFor = 7 * 86_400_000
export const waitsFor = 3_600_000

/** `processing`: the company does not say yet what it is. `declined` and `failed` are both `failed` from outside. */
export type TestChargeStatus = Exclude<ChargeState, "failed"> | "processing" | "declined" | "failed"

const TestChange = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["capture", "void", "refund"]),
  /** Null for what was done in the company's dashboard. */
  key: Schema.NullOr(Schema.String),
  amount: Schema.BigIntFromString,
  status: Schema.Literals(["pending", "succeeded", "failed"]),
  at: Schema.Number,
  /** Its key is recognised no more, although its lifetime has not passed. */
  isForgotten: Schema.Boolean
})
export type TestChange = typeof TestChange.Type

const TestDispute = Schema.Struct({
  id: Schema.String,
  amount: Schema.BigIntFromString,
  status: Schema.Literals(["open", "won", "lost"]),
  dueAt: Schema.Number
})
export type TestDispute = typeof TestDispute.Type

/** Amounts are minor units of `currency`. */
export interface TestCharge {
  /** For a charge made in the dashboard, which has no key of ours, the charge's id. */
  readonly chargeKey: string
  readonly id: string
  readonly checkoutId: string
  readonly status: TestChargeStatus
  readonly amount: bigint
  readonly currency: string
  readonly authorized: bigint
  readonly captured: bigint
  /** The sum of the refunds that have succeeded. */
  readonly refunded: bigint
  /** What is left of the authorization was released after a part was captured. */
  readonly isReleased: boolean
  readonly reference: string | null
  readonly expiresAt: Date | null
  /** Where the shopper acts. */
  readonly actionUrl: string | null
  readonly reason: DeclineCode | null
  readonly changes: ReadonlyArray<TestChange>
  readonly disputes: ReadonlyArray<TestDispute>
  readonly createdAt: Date
}

const listOf = <S extends Schema.Codec<unknown, unknown>>(item: S) => {
  const list = Schema.Array(item)
  const decode = Schema.decodeUnknownSync(list)
  const encode = Schema.encodeSync(list)
  return {
    read: (column: unknown): ReadonlyArray<S["Type"]> =>
      Array.isArray(column) && column.length === 0 ? [] : decode(column),
    write: (items: ReadonlyArray<S["Type"]>): string => JSON.stringify(encode(items))
  }
}
const changes = listOf(TestChange)
const disputes = listOf(TestDispute)
const readReason = Schema.decodeUnknownSync(Schema.NullOr(DeclineCode))

/** A row as it is stored, of which the lists are JSON. */
export type TestChargeRow = Omit<TestCharge, "changes" | "disputes" | "reason"> & {
  readonly changes: unknown
  readonly disputes: unknown
  readonly reason: string | null
}

export const readTestCharge = (row: TestChargeRow): TestCharge => ({
  ...row,
  changes: changes.read(row.changes),
  disputes: disputes.read(row.disputes),
  reason: readReason(row.reason)
})
export const writtenLists = (charge: TestCharge) => ({
  changes: changes.write(charge.changes),
  disputes: disputes.write(charge.disputes)
})

/** How a charge stands at a time: what was reserved or has waited for the shopper for too long has lapsed by itself. */
export const standingAt = (charge: TestCharge, now: number): TestCharge =>
  charge.expiresAt === null || now < charge.expiresAt.getTime() ? charge : lapsed(charge)

export const lapsed = (charge: TestCharge): TestCharge => {
  const over = { ...charge, expiresAt: null, reason: "expired" } as const
  if (charge.status === "awaiting_shopper") return { ...over, status: "declined" }
  if (charge.status === "authorized") return { ...over, status: "voided" }
  return charge.status === "captured" ? { ...charge, expiresAt: null, isReleased: true } : charge
}

const sumOf = (items: ReadonlyArray<{ readonly amount: bigint }>): bigint =>
  items.reduce((sum, { amount }) => sum + amount, 0n)

export const refundsOf = (charge: TestCharge): ReadonlyArray<TestChange> =>
  charge.changes.filter(({ kind }) => kind === "refund")

export const succeededRefunds = (changesOfCharge: ReadonlyArray<TestChange>): bigint =>
  sumOf(changesOfCharge.filter(({ kind, status }) => kind === "refund" && status === "succeeded"))

/** What can still be refunded: neither what is on its way back nor what the shopper's bank claims. */
export const refundable = (charge: TestCharge): bigint =>
  charge.captured -
  sumOf(refundsOf(charge).filter(({ status }) => status !== "failed")) -
  sumOf(charge.disputes.filter(({ status }) => status !== "won"))

/** What can still be captured. */
export const capturable = (charge: TestCharge): bigint => (charge.isReleased ? 0n : charge.amount - charge.captured)

/** The change that a key is recognised by; a key that was forgotten would do it again. */
export const recognised = (charge: TestCharge, key: string, now: number): TestChange | undefined =>
  charge.changes.find((change) => change.key === key && !change.isForgotten && now < change.at + testKeyLifetime)

const outside: Readonly<Record<TestChargeStatus, ChargeState>> = {
  awaiting_shopper: "awaiting_shopper",
  processing: "pending",
  pending: "pending",
  authorized: "authorized",
  captured: "captured",
  declined: "failed",
  failed: "failed",
  voided: "voided"
}

/** The charge as the port has it. The secret of the shopper's form is not stored. */
export const chargeOf = (charge: TestCharge, secretOf: (id: string) => string): Charge => {
  const { id, chargeKey, status, amount, currency, authorized, captured, expiresAt, reason, actionUrl } = charge
  const nextAction: NextAction | null =
    status === "awaiting_shopper" ? { redirectUrl: actionUrl, clientSecret: secretOf(id) } : null
  return {
    externalId: id,
    key: chargeKey === id ? null : chargeKey,
    state: outside[status],
    amount,
    currency,
    authorized,
    captured,
    refunds: refundsOf(charge).map((refund) => ({
      id: refund.id,
      key: refund.key,
      amount: refund.amount,
      status: refund.status
    })),
    disputes: charge.disputes.map((dispute) => ({
      id: dispute.id,
      amount: dispute.amount,
      status: dispute.status,
      reason: "fraudulent",
      dueAt: dispute.status === "open" ? new Date(dispute.dueAt) : null
    })),
    expiresAt,
    nextAction,
    reason
  }
}
