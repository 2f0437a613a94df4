/** How long to wait for a payment provider, and when to query it again for the outcome of an operation. */
import { Context } from "effect"

/** Times in milliseconds. */
export interface PaymentPolicy {
  /** A provider that has not answered by then is queried later for the outcome of the operation. */
  readonly callTimeout: number
  /** After this an operation without an outcome is due for any recovery worker: longer than the call may take. */
  readonly outcomeLease: number
  /** An unanswered operation is checked after this, then after twice as long each time, up to `slowestCheck`. */
  readonly firstCheck: number
  readonly slowestCheck: number
  /** An open charge is queried after this, then after twice as long each time, up to `slowestAsk`. */
  readonly firstAsk: number
  readonly slowestAsk: number
}

const defaultPaymentPolicy: PaymentPolicy = {
  callTimeout: 20_000,
  outcomeLease: 30_000,
  firstCheck: 5_000,
  slowestCheck: 300_000,
  firstAsk: 60_000,
  slowestAsk: 86_400_000
}

export const PaymentPolicy = Context.Reference<PaymentPolicy>("@effect-commerce/core/payment/PaymentPolicy", {
  defaultValue: () => defaultPaymentPolicy
})

export const nextCheckAfter = (policy: PaymentPolicy, checks: number): number =>
  Math.min(policy.slowestCheck, policy.firstCheck * 2 ** Math.min(checks, 20))
