/**
 * One request to a payment provider, and the states it goes through. It is written before the provider is called and
 * settled after it, so that its outcome can be found whatever happens in between.
 */
import type { Charge } from "./PaymentProvider.ts"

/** `authorize` makes a charge; the others change one. */
export type OperationKind = "authorize" | "capture" | "void" | "refund"

/**
 * - `calling`: the provider is about to be called, or was called.
 * - `succeeded`: the provider has done it, and the subject's room has accepted it.
 * - `declined`, `failed`: nothing was done, and nothing will be.
 * - `absent`: the provider never received the request, so its key may be used again.
 * - `refund_due`, `refunded`: an authorization captured unwanted money, which is to be refunded, or has been.
 *
 * A `succeeded` authorization is checked again only to void what is left of its charge (`Charges.release`).
 */
export type OperationState = "calling" | "succeeded" | "declined" | "failed" | "absent" | "refund_due" | "refunded"

/** What the operation is for: a row of another room, named by its kind and its id. */
export interface OperationSubject {
  readonly subjectType: string
  readonly subjectId: string
}

export interface ProviderOperation extends OperationSubject {
  readonly id: string
  readonly kind: OperationKind
  /** The key of the charge that the operation makes or changes. */
  readonly chargeKey: string
  readonly provider: string
  readonly state: OperationState
  /** The charge's id at the provider. */
  readonly externalId: string | null
  /** Minor units of `currency`. 0 for a void. */
  readonly amount: bigint
  /** The charge's captured sum after the operation. */
  readonly captured: bigint
  /** Also of the charge; for unwanted money: how much has been refunded. */
  readonly refunded: bigint
  /** For unwanted money: the sum that the refund under way brings `refunded` up to. */
  readonly refunding: bigint
  readonly currency: string
  /** How often the recovery worker has looked for the outcome. */
  readonly checks: number
  readonly createdAt: Date
}

/** The provider's result. `captured` and `refunded` are the sums of the charge, as far as the response has them. */
export interface OperationDone {
  readonly externalId: string
  readonly state: Charge["state"]
  readonly captured: bigint
  readonly refunded: bigint
}

/** Why an operation ended without success. */
export interface OperationRefusal {
  readonly state: "declined" | "failed" | "absent"
  readonly reason: string
}

export type OperationOutcome =
  | ({ readonly _tag: "Done" } & OperationDone)
  | ({ readonly _tag: "Refused" } & OperationRefusal)

export const doneOf = ({ externalId, state, captured }: Charge): OperationOutcome => ({
  _tag: "Done",
  externalId,
  state,
  captured,
  refunded: 0n
})

/** The provider's idempotency key. An authorization is known by the key of its charge. */
export const keyOf = ({ kind, id, chargeKey }: ProviderOperation): string =>
  kind === "authorize" ? chargeKey : `${kind}:${id}`

/** A provider's reason for a failure, cut to the 500 characters that are stored and returned. */
export const toldReason = <A extends string | null>(reason: A): A =>
  reason === null ? reason : (reason.slice(0, 500) as A)
