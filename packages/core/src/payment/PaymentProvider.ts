/**
 * The port to the companies that move money.
 *
 * What it decides: whether an amount is charged, captured, voided or refunded; never what is owed, which the pricing
 * pipeline computes. When it is called: by `ProviderOperations` and the recovery worker, between two transactions of
 * ours, never inside one. How it differs from its neighbours: it identifies charges by a key of ours and knows no
 * orders or stock. What the default does: `manual` calls nobody; the merchant records the money by hand.
 *
 * Amounts are minor units of `currency`. A provider of yours passes `testing/PaymentProviderConformance.ts`.
 */
import type { Effect } from "effect"
import type { NoticeRejected, PaymentDeclined, PaymentFailed, PaymentUnanswered } from "./PaymentErrors.ts"

export interface ChargeRequest {
  readonly storeId: string
  readonly checkoutId: string
  /** The provider's own idempotency key: it makes at most one charge per key, however often the request is sent. */
  readonly key: string
  readonly amount: bigint
  readonly currency: string
  /** What the storefront got from the provider: a token, a payment intent. */
  readonly reference: string | null
  readonly email: string | null
}

/**
 * `captured`: the money is ours; `authorized`: it is reserved and must be captured; `pending`: the provider will
 * notify.
 */
export interface Charge {
  readonly state: "captured" | "authorized" | "pending"
  /** The charge's id at the provider. */
  readonly externalId: string
  readonly captured: bigint
}

/** The state of a charge whose response was lost. `processing`: query again; `absent`: no such request arrived. */
export type ChargeFound =
  | { readonly _tag: "Found"; readonly charge: Charge }
  | { readonly _tag: "Declined"; readonly reason: string }
  | { readonly _tag: "Processing" }
  | { readonly _tag: "Absent" }

/** A later change of a charge. The same `key` is the same change: it happens once, however often it is requested. */
export interface ChargeChange {
  readonly storeId: string
  readonly chargeKey: string
  readonly externalId: string
  readonly key: string
  readonly amount: bigint
}

/**
 * A notice that a provider sends by itself. `captured` and `refunded` are the charge's sums so far, so that a notice
 * that comes twice or late does no harm.
 */
export interface ProviderNotice {
  readonly eventId: string
  readonly type: "captured" | "failed" | "refunded"
  readonly chargeKey: string
  readonly externalId: string
  readonly captured: bigint
  readonly refunded: bigint
  readonly reason: string | null
}

/** A notification as it arrived: header names in lower case, the body's exact bytes. */
export interface RawNotice {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

export interface PaymentProvider {
  /** Unique: `manual`, `test`, `stripe`. */
  readonly code: string
  /** `offline`: no external call, the order is placed unpaid. */
  readonly kind: "offline" | "online"
  /** For test-mode channels only. */
  readonly testOnly: boolean
  /** Reserves the amount, and captures it where the provider does so at once. */
  readonly authorize: (
    request: ChargeRequest
  ) => Effect.Effect<Charge, PaymentDeclined | PaymentFailed | PaymentUnanswered>
  readonly capture: (change: ChargeChange) => Effect.Effect<Charge, PaymentFailed | PaymentUnanswered>
  /** Releases what is not captured. A captured charge is left as it is. */
  readonly void: (change: Omit<ChargeChange, "amount">) => Effect.Effect<void, PaymentFailed | PaymentUnanswered>
  /** Refunds captured money; an amount above the rest is PaymentFailed. `refunded` is the charge's sum. */
  readonly refund: (
    change: ChargeChange
  ) => Effect.Effect<{ readonly refunded: bigint }, PaymentFailed | PaymentUnanswered>
  readonly lookup: (storeId: string, chargeKey: string) => Effect.Effect<ChargeFound, PaymentUnanswered>
  /** Verifies the signature over the raw bytes, then reads the notice. */
  readonly readNotice: (storeId: string, raw: RawNotice) => Effect.Effect<ProviderNotice, NoticeRejected>
}
