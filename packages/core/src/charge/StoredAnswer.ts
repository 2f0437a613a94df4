/**
 * A provider's answer as it is stored with its operation, before any room acts on it: versioned JSON, read through a
 * schema (kernel/StoredData). What the shopper has to do next is not part of it: it is stored sealed.
 */
import { type Effect, Schema } from "effect"
import { type StoredDataUnreadable, storedReader, versionOf } from "../kernel/StoredData.ts"
import { DeclineCode } from "../payment/DeclineCode.ts"
import type { OperationOutcome } from "./ProviderOperation.ts"

const Refund = Schema.Struct({
  id: Schema.String,
  key: Schema.NullOr(Schema.String),
  amount: Schema.BigInt,
  status: Schema.Literals(["pending", "succeeded", "failed"])
})

const Dispute = Schema.Struct({
  id: Schema.String,
  amount: Schema.BigInt,
  status: Schema.Literals(["open", "won", "lost"]),
  reason: Schema.NullOr(Schema.String),
  dueAt: Schema.NullOr(Schema.Date)
})

const StoredCharge = Schema.Struct({
  externalId: Schema.String,
  key: Schema.NullOr(Schema.String),
  state: Schema.Literals(["awaiting_shopper", "pending", "authorized", "captured", "failed", "voided"]),
  amount: Schema.BigInt,
  currency: Schema.String,
  authorized: Schema.BigInt,
  captured: Schema.BigInt,
  refunds: Schema.Array(Refund),
  disputes: Schema.Array(Dispute),
  expiresAt: Schema.NullOr(Schema.Date),
  nextAction: Schema.Null,
  reason: Schema.NullOr(DeclineCode)
})

const Refused = Schema.Struct({
  _tag: Schema.Literal("Refused"),
  state: Schema.Literals(["declined", "failed", "absent"]),
  code: DeclineCode,
  reason: Schema.String
})

const Answer = Schema.toCodecJson(
  Schema.Union([Schema.Struct({ _tag: Schema.Literal("Answered"), charge: StoredCharge }), Refused])
)

const read = storedReader(Answer)
const encode = Schema.encodeSync(Answer)

export const encodeAnswer = (outcome: OperationOutcome): string => {
  const data = encode(
    outcome._tag === "Answered" ? { ...outcome, charge: { ...outcome.charge, nextAction: null } } : outcome
  )
  return JSON.stringify({ version: versionOf([]), data })
}

/** From the parsed column. */
export const decodeAnswer = (column: unknown): Effect.Effect<OperationOutcome, StoredDataUnreadable> => {
  const stored = column as { readonly version?: number; readonly data?: unknown } | null
  return read({ data: stored?.data, ...(stored?.version === undefined ? {} : { version: stored.version }) })
}
