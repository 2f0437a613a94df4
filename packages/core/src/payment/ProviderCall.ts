/**
 * Calls a provider for an operation. Every call is time-limited: neither silence nor a defect of the provider's code
 * blocks the caller.
 */
import { Cause, Effect } from "effect"
import { PaymentUnanswered } from "./PaymentErrors.ts"
import { outOfTurn } from "../kernel/RequestTurn.ts"
import type { PaymentPolicy } from "./PaymentPolicy.ts"
import type { PaymentProvider } from "./PaymentProvider.ts"
import { doneOf, keyOf, type OperationOutcome, type ProviderOperation, toldReason } from "./ProviderOperation.ts"

/** A call that times out or breaks is unanswered: the money may or may not have moved. */
export const answeredInTime =
  ({ code }: PaymentProvider, { callTimeout }: PaymentPolicy) =>
  <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | PaymentUnanswered> =>
    outOfTurn(call).pipe(
      Effect.timeoutOrElse({
        duration: callTimeout,
        orElse: () => Effect.fail(new PaymentUnanswered({ reason: `${code} did not answer within ${callTimeout} ms` }))
      }),
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError(`The payment provider ${code} broke`, Cause.die(defect)),
          Effect.fail(new PaymentUnanswered({ reason: "the provider's code failed" }))
        )
      )
    )

/** Details that only the authorizing request has. They are not stored. */
export interface ChargeRequestDetails {
  readonly reference: string
  readonly email: string | null
}

/** Requests the charge of an authorization. A definitive decline is an outcome. */
export const authorize = (
  provider: PaymentProvider,
  storeId: string,
  operation: ProviderOperation,
  { reference, email }: ChargeRequestDetails
): Effect.Effect<OperationOutcome, PaymentUnanswered> => {
  const { subjectId, chargeKey, amount, currency } = operation
  return provider
    .authorize({ storeId, checkoutId: subjectId, key: chargeKey, amount, currency, reference, email })
    .pipe(Effect.map(doneOf), withRefusals)
}

/** Requests a change of a charge. The same key is the same change, so that it may be requested again after a crash. */
export const changeCharge = (
  provider: PaymentProvider,
  storeId: string,
  operation: ProviderOperation
): Effect.Effect<OperationOutcome, PaymentUnanswered> => {
  const { kind, chargeKey, amount } = operation
  const externalId = operation.externalId ?? ""
  const change = { storeId, chargeKey, externalId, key: keyOf(operation) }
  const untouched = { _tag: "Done", externalId, state: "captured", captured: 0n, refunded: 0n } as const
  switch (kind) {
    case "capture":
      return provider.capture({ ...change, amount }).pipe(Effect.map(doneOf), withRefusals)
    case "refund":
      return provider.refund({ ...change, amount }).pipe(
        Effect.map(({ refunded }): OperationOutcome => ({ ...untouched, refunded })),
        withRefusals
      )
    case "void":
      return provider.void(change).pipe(Effect.as<OperationOutcome>({ ...untouched, state: "pending" }), withRefusals)
    case "authorize":
      return Effect.die(new Error(`The authorization ${operation.id} makes a charge and changes none`))
  }
}

const withRefusals = <E extends { readonly _tag: string; readonly reason: string }>(
  call: Effect.Effect<OperationOutcome, E | PaymentUnanswered>
): Effect.Effect<OperationOutcome, PaymentUnanswered> =>
  Effect.catch(call, (error) =>
    error._tag === "PaymentUnanswered"
      ? Effect.fail(new PaymentUnanswered({ reason: error.reason }))
      : Effect.succeed<OperationOutcome>({
          _tag: "Refused",
          state: error._tag === "PaymentDeclined" ? "declined" : "failed",
          reason: toldReason(error.reason)
        })
  )
