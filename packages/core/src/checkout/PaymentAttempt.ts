/** One attempt to pay for a checkout through a provider, and how long each step of it may take. */
import { Context } from "effect"

/**
 * `calling`: the provider was, or is about to be, asked; `ordered`: its money made the order; `declined`, `failed`:
 * nothing was charged; `absent`: the provider never got the request; `refund_due`, `refunded`: money came that no order
 * wants. An `ordered` one is looked at again only to let its charge go, when the order was paid otherwise.
 */
export type PaymentAttemptStatus = "calling" | "ordered" | "declined" | "failed" | "absent" | "refund_due" | "refunded"

export interface PaymentAttempt {
  readonly id: string
  readonly checkoutId: string
  readonly attempt: number
  readonly chargeKey: string
  readonly provider: string
  readonly status: PaymentAttemptStatus
  readonly externalId: string | null
  /** Minor units of `currency`. */
  readonly amount: bigint
  readonly captured: bigint
  /** Of money that no order wants: what has been given back, and the sum that the refund under way goes up to. */
  readonly refunded: bigint
  readonly refunding: bigint
  readonly currency: string
  /** How often the recovery worker has asked for the outcome. */
  readonly checks: number
  readonly createdAt: Date
}

/**
 * The provider's key of an attempt: the number rises only after a definitive decline, so an unknown outcome is never
 * charged twice.
 */
export const chargeKeyOf = (checkoutId: string, attempt: number): string => `complete:${checkoutId}:${attempt}`

/** Times in milliseconds. */
export interface PaymentPolicy {
  /** A provider that has not answered by then is asked later what became of it. */
  readonly callTimeout: number
  /** After this an attempt without an outcome is looked at by whoever comes first: longer than the call may take. */
  readonly outcomeLease: number
  /** An unanswered attempt is asked for after this, then after twice as long each time, up to `slowestCheck`. */
  readonly firstCheck: number
  readonly slowestCheck: number
}

export const defaultPaymentPolicy: PaymentPolicy = {
  callTimeout: 20_000,
  outcomeLease: 30_000,
  firstCheck: 5_000,
  slowestCheck: 300_000
}

export const PaymentPolicy = Context.Reference<PaymentPolicy>("@effect-commerce/core/checkout/PaymentPolicy", {
  defaultValue: () => defaultPaymentPolicy
})

export const nextCheckAfter = (policy: PaymentPolicy, checks: number): number =>
  Math.min(policy.slowestCheck, policy.firstCheck * 2 ** Math.min(checks, 20))

/** As much of what a provider says of a failure as is kept and told: 500 characters. */
export const toldReason = <A extends string | null>(reason: A): A =>
  reason === null ? reason : (reason.slice(0, 500) as A)
