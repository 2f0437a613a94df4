/**
 * What guessing a person's password costs. Wrong passwords are counted by account and address together, in windows that
 * grow, so that whoever guesses waits longer and longer, while the person elsewhere is not kept out. All addresses that
 * guess at one account share a further window; from an address where the person has logged in before, that one does not
 * count. Whoever chooses a new password by the mailbox begins anew everywhere. Attempts on one account from one address
 * are made one after another, so that none slips past a count.
 */
import { sha256Hex } from "@effect-commerce/core/crypto/Hashing"
import { FairTurns } from "@effect-commerce/core/database/FairTurns"
import { RateLimits, type RateWindow } from "@effect-commerce/core/guard/RateLimits"
import { normaliseEmail } from "@effect-commerce/core/kernel/Address"
import { DashboardSessions } from "@effect-commerce/core/team/DashboardSessions"
import { Effect } from "effect"
import { RateLimited } from "../middleware/Refusals.ts"
import { HandlerSettings } from "../middleware/Settings.ts"

const minute = 60_000
const hour = 60 * minute

/** Wrong passwords for one account from one address, and for how long they count. */
export const pairLimits = [
  { limit: 10, ms: 15 * minute },
  { limit: 20, ms: 4 * hour },
  { limit: 50, ms: 24 * hour }
] as const

/** Wrong passwords for one account from all addresses. */
export const accountLimit = { limit: 50, ms: hour }

/** Above every count: the window is only counted in, not judged. */
const countOnly = 1_000_000

const attempts = { atOnce: 64, ofOwner: 1, waiting: 10 }

const waitOf = ({ limit, ms }: { readonly limit: number; readonly ms: number }, now: number) =>
  new RateLimited({ limit, ttlMs: ms, retryAfterSeconds: Math.ceil((ms - (now % ms)) / 1_000), scope: "auth" })

const counting = (windows: ReadonlyArray<RateWindow>) => windows.map((window) => ({ ...window, limit: countOnly }))
const reading = (windows: ReadonlyArray<RateWindow>) =>
  windows.map((window) => ({ ...window, readOnly: true, needsStore: true }))

/** What all buckets of an account begin with. `email` is normalised. */
const bucketOf = (email: string): string => `login:${sha256Hex(email)}`

export const makeLoginLimits = Effect.gen(function* () {
  const limits = yield* RateLimits
  const settings = yield* HandlerSettings
  const sessions = yield* DashboardSessions
  const turns = new FairTurns(attempts, () => waitOf({ limit: attempts.waiting, ms: minute }, 0))

  const check = Effect.fnUntraced(function* (windows: ReadonlyArray<RateWindow>) {
    const { refused, now } = yield* limits.take(reading(windows))
    const window = windows[refused]
    return window === undefined ? undefined : waitOf(window, now)
  })

  /** `isWrong`: whether a failure is a wrong password. `address` is null for the host's calls, which have no limit. */
  const limited =
    (given: string, address: string | null) =>
    <A, E extends { readonly _tag: string }, R>(
      attempt: Effect.Effect<A, E, R>,
      isWrong: (error: E) => boolean
    ): Effect.Effect<A, E | RateLimited, R> => {
      if (address === null || settings.failedAuth === null) return attempt
      const email = normaliseEmail(given)
      const account = bucketOf(email)
      const ofAccount = [{ bucket: account, group: account, ...accountLimit }]
      const ofPair = pairLimits.map((window) => ({
        bucket: `${account}:${address}:${window.ms}`,
        group: account,
        ...window
      }))
      const judged = Effect.gen(function* () {
        const tooMany = yield* check(ofPair)
        if (tooMany !== undefined) return yield* tooMany
        const crowded = yield* check(ofAccount)
        if (crowded !== undefined && !(yield* sessions.knowsAddress(email, address))) return yield* crowded
        return yield* Effect.tapError(attempt, (error) =>
          isWrong(error) ? limits.take(counting([...ofPair, ...ofAccount])) : Effect.void
        )
      })
      return turns.run(`${account} ${address}`)(judged)
    }

  /** Forgets every wrong password for an account whose owner has proved the mailbox. */
  const lift = (email: string): Effect.Effect<void> => limits.lift(bucketOf(email))

  return { limited, lift }
})
