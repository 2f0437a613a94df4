/** How long to wait for a payment provider, and when to look again for the outcome of an operation. */
import { Context, Effect, Random } from "effect"

/** Times in milliseconds. */
export interface PaymentPolicy {
  /** A provider that has not answered by then is queried later for the outcome of the operation. */
  readonly callTimeout: number
  /** After this an operation without an outcome is due for any recovery worker: longer than the call may take. */
  readonly outcomeLease: number
  /** An unanswered operation is checked after this, then after twice as long each time, up to `slowestCheck`. */
  readonly firstCheck: number
  readonly slowestCheck: number
  /** A charge that is not final is looked at after this, then after twice as long each time, up to `slowestWatch`. */
  readonly firstWatch: number
  readonly slowestWatch: number
  /** As `slowestWatch`, for a charge that waits for the shopper. */
  readonly slowestAwait: number
  /** A request that never arrived is looked for again when it is as old as each of these. */
  readonly absentAgain: ReadonlyArray<number>
  /** What cannot be settled for so long needs a person. */
  readonly attentionAfter: number
  /** A shopper who comes back makes us look, if nobody has looked for so long. */
  readonly returnPause: number
}

/** What is due belongs to one worker from `now` until `end`. */
export interface Lease {
  readonly now: Date
  readonly end: Date
}

const hour = 3_600_000

const defaultPaymentPolicy: PaymentPolicy = {
  callTimeout: 20_000,
  outcomeLease: 30_000,
  firstCheck: 5_000,
  slowestCheck: 300_000,
  firstWatch: 60_000,
  slowestWatch: 24 * hour,
  slowestAwait: hour / 2,
  absentAgain: [hour, 24 * hour],
  attentionAfter: hour,
  returnPause: 2_000
}

export const PaymentPolicy = Context.Reference<PaymentPolicy>("@effect-commerce/core/payment/PaymentPolicy", {
  defaultValue: () => defaultPaymentPolicy
})

const doubled = (first: number, slowest: number, times: number): number =>
  Math.min(slowest, first * 2 ** Math.min(times, 40))

/** A little less than the wait, by chance, so that what became due together does not stay together. */
const spread = (wait: number): Effect.Effect<number> =>
  Effect.map(Random.next, (chance) => Math.round(wait * (1 - 0.2 * chance)))

/** Until an operation whose outcome is not known is checked again. */
export const nextCheckAfter = ({ firstCheck, slowestCheck }: PaymentPolicy, checks: number): Effect.Effect<number> =>
  spread(doubled(firstCheck, slowestCheck, checks))

/** Until a charge that is not final is looked at again. */
export const nextWatchAfter = (
  { firstWatch, slowestWatch, slowestAwait }: PaymentPolicy,
  checks: number,
  isAwaited: boolean
): Effect.Effect<number> => spread(doubled(firstWatch, isAwaited ? slowestAwait : slowestWatch, checks))
