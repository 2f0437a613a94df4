/**
 * One request to a payment provider, and the states it goes through. It is written before the provider is called and
 * settled after it, so that its outcome can be found whatever happens in between.
 */
import type { DeclineCode } from "../payment/DeclineCode.ts"
import type { OperationAccount } from "../payment/PaymentMethod.ts"
import type { Charge } from "../payment/PaymentProvider.ts"

/** `authorize` makes a charge; the others change one. */
export type OperationKind = "authorize" | "capture" | "void" | "refund"

/**
 * - `calling`: the provider is about to be called, or was called.
 * - `awaiting_shopper`: the charge exists, and the shopper is to act.
 * - `pending`: the provider has taken a change in, and it is not final.
 * - `succeeded`: the provider has done it, and the subject's room has accepted it.
 * - `declined`, `failed`: nothing was done, and nothing will be.
 * - `absent`: the provider never received the request, so its key may be used again.
 * - `refund_due`, `refunded`: nobody wants the charge. What it captured is to be refunded and what it reserved to be
 *   released, or has been refunded.
 *
 * The charge of a `succeeded` authorization is watched until it is final.
 */
export type OperationState =
  | "calling"
  | "awaiting_shopper"
  | "pending"
  | "succeeded"
  | "declined"
  | "failed"
  | "absent"
  | "refund_due"
  | "refunded"

/** What the operation is for: a row of another room, named by its kind and its id. */
export interface OperationSubject {
  readonly subjectType: string
  readonly subjectId: string
}

export interface ProviderOperation extends OperationSubject, OperationAccount {
  readonly id: string
  readonly kind: OperationKind
  /** The key of the charge that the operation makes or changes. */
  readonly chargeKey: string
  readonly state: OperationState
  /** The charge's id at the provider. */
  readonly externalId: string | null
  /** Minor units of `currency`. 0 for a void. */
  readonly amount: bigint
  /** The charge's captured sum after the operation. */
  readonly captured: bigint
  /** Also of the charge: what has been refunded. */
  readonly refunded: bigint
  /** For unwanted money: the sum that the refund under way brings `refunded` up to, and its key. */
  readonly refunding: bigint
  readonly refundKey: string | null
  readonly currency: string
  /** How often the recovery worker has looked for the outcome. */
  readonly checks: number
  /** How often an answer of the provider was applied. */
  readonly looks: number
  readonly createdAt: Date
  /** When the request under the present key was first sent. */
  readonly sentAt: Date
  /** When what is reserved lapses, or the shopper's time ends. */
  readonly expiresAt: Date | null
  /** Since when the uncaptured rest is wanted no more. */
  readonly releasedAt: Date | null
}

/** Why an operation ended without success. `code`: what a shopper may read; `reason`: for the merchant. */
export interface OperationRefusal {
  readonly state: "declined" | "failed" | "absent"
  readonly code: DeclineCode
  readonly reason: string
}

/** The provider's answer: the whole charge, or that nothing was done. */
export type OperationOutcome =
  | { readonly _tag: "Answered"; readonly charge: Charge }
  | ({ readonly _tag: "Refused" } & OperationRefusal)

/** The provider's idempotency key. An authorization is known by the key of its charge. */
export const keyOf = ({ kind, id, chargeKey }: Pick<ProviderOperation, "kind" | "id" | "chargeKey">): string =>
  kind === "authorize" ? chargeKey : `${kind}:${id}`

/** A provider's reason for a failure, cut to the 500 characters that are stored and returned. */
export const toldReason = <A extends string | null>(reason: A): A =>
  reason === null ? reason : (reason.slice(0, 500) as A)
