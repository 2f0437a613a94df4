/** A payment for an order that was received outside of a checkout, as a body states it and as it is recorded. */
import { Effect, Schema } from "effect"
import { Amount, amounts } from "../kernel/Amount.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { clearable, described, text } from "../kernel/Fields.ts"
import { parseIsoTime } from "../kernel/IsoTime.ts"

/** A payment received elsewhere: cash, a transfer. */
export const PaymentInput = Schema.Struct({
  amount: described(Amount, "What was paid, more than zero: a number or a decimal string.", "48.53"),
  method: described(
    Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(100))),
    "How it was paid, for the merchant to read.",
    "bank_transfer"
  ),
  reference: clearable(text(500), "What identifies the payment outside, such as a transfer's reference."),
  paidAt: clearable(
    text(100).annotate({ format: "date-time" }),
    "When it was paid, ISO 8601. Now by default.",
    "2026-01-31T12:00:00.000Z"
  )
}).annotate({ identifier: "RecordPayment", description: "Money that came outside of a checkout." })
export type PaymentInput = typeof PaymentInput.Type

/** Reads an ISO 8601 time of a body. */
const timeOf = (field: string, given: string | null | undefined) => {
  if (given === undefined || given === null) return Effect.undefined
  const at = parseIsoTime(given)
  return at === undefined ? FieldRejected.at(field, "must be an ISO 8601 time") : Effect.succeed(at)
}

/** Reads a payment for an order in this currency. */
export const readPayment = (currency: string, { amount, method, reference, paidAt }: PaymentInput) =>
  checkAll({
    amount: Effect.flatMap(amounts(currency)("amount", amount), (minor = 0n) =>
      minor === 0n ? FieldRejected.at("amount", "must be more than zero") : Effect.succeed(minor)
    ),
    method: Effect.succeed(method),
    reference: Effect.succeed(reference),
    paidAt: timeOf("paidAt", paidAt)
  })
