/** What a provider is asked for an operation, and its answer as an outcome. */
import { Effect } from "effect"
import type { PaymentUnanswered } from "../payment/PaymentErrors.ts"
import type { PaymentMethod } from "../payment/PaymentMethod.ts"
import type { ChargeChange, ChargeRequest } from "../payment/PaymentProvider.ts"
import { keyOf, type OperationOutcome, type ProviderOperation, toldReason } from "./ProviderOperation.ts"

/** Details that only the authorizing request has. They are not stored. */
export type ChargeRequestDetails = Pick<ChargeRequest, "reference" | "email" | "returnUrl" | "noticeUrl">

/** Requests the charge of an authorization. A definitive decline is an outcome. */
export const authorize = (
  { provider, account }: PaymentMethod,
  { subjectId, chargeKey, amount, currency }: ProviderOperation,
  details: ChargeRequestDetails
): Effect.Effect<OperationOutcome, PaymentUnanswered> =>
  provider.authorize({ ...details, account, checkoutId: subjectId, key: chargeKey, amount, currency }).pipe(
    Effect.map((charge): OperationOutcome => ({ _tag: "Answered", charge })),
    Effect.catchTags({
      PaymentDeclined: ({ code, reason }) =>
        Effect.succeed<OperationOutcome>({ _tag: "Refused", state: "declined", code, reason: toldReason(reason) }),
      PaymentFailed: ({ reason }) => Effect.succeed(failedFor(reason))
    })
  )

const failedFor = (reason: string): OperationOutcome => ({
  _tag: "Refused",
  state: "failed",
  code: "processing_error",
  reason: toldReason(reason)
})

/** A change of a charge, as its provider is asked for it. */
export const changeOf = ({ account }: PaymentMethod, operation: ProviderOperation): ChargeChange => ({
  account,
  chargeKey: operation.chargeKey,
  externalId: operation.externalId ?? "",
  key: keyOf(operation),
  amount: operation.amount
})

/** Requests a change of a charge. */
export const changeCharge = (
  method: PaymentMethod,
  operation: ProviderOperation
): Effect.Effect<OperationOutcome, PaymentUnanswered> => {
  const { kind, id } = operation
  if (kind === "authorize") return Effect.die(new Error(`The authorization ${id} makes a charge and changes none`))
  return method.provider[kind](changeOf(method, operation)).pipe(
    Effect.map((charge): OperationOutcome => ({ _tag: "Answered", charge })),
    Effect.catchTag("PaymentFailed", ({ reason }) => Effect.succeed(failedFor(reason)))
  )
}
