/** When a charge that its room has accepted, or that waits for the shopper, is looked at next. */
import { Effect } from "effect"
import { nextWatchAfter, type PaymentPolicy } from "./PaymentPolicy.ts"
import type { Charge } from "./PaymentProvider.ts"
import { isFinal } from "./chargeSums.ts"

/**
 * Null once the charge is final. The polls are slow and grow; at the time at which what is reserved lapses there is one
 * more. `operation` is as it was before the answer.
 */
export const watchedAt = (
  policy: PaymentPolicy,
  { checks, state }: { readonly checks: number; readonly state: string },
  charge: Charge,
  now: number
): Effect.Effect<Date | null> => {
  const isAwaited = charge.state === "awaiting_shopper"
  const isAsBefore = state === (isAwaited ? "awaiting_shopper" : "succeeded")
  return Effect.map(nextWatchAfter(policy, isAsBefore ? checks + 1 : 0, isAwaited), (wait) => {
    if (isFinal(charge)) return null
    const lapses = charge.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
    return new Date(lapses > now ? Math.min(now + wait, lapses + 1_000) : now + wait)
  })
}
