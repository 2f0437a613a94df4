/** A look at both servers: how far the primary is, and how long the replica takes to come there. */
import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"
import type { Reads } from "../../database/DatabaseDriver.ts"
import { type ServerFacts, type ServerRow, strangeness, toServerFacts, whereIs } from "../ReplicaIdentity.ts"
import { pause, within } from "./realTime.ts"
import type { ReplicaWatch } from "./ReplicaWatch.ts"

/** How long a server may take to answer. */
const answerMillis = 1_000
/** A look waits this long for the replica; the next one goes on waiting. */
const lookMillis = 1_000
const firstPause = 10

const now = (): number => globalThis.performance.now()

/** Answers a line for a person if the server cannot be asked. */
const ask = (reads: Reads, unreached: string): Effect.Effect<ServerFacts, string> =>
  reads
    .borrower((connection) => connection.executeUnprepared(whereIs, [], undefined))
    .pipe(
      within(answerMillis),
      Effect.flatMap(([row]) =>
        row === undefined ? Effect.fail(unreached) : Effect.succeed(toServerFacts(row as ServerRow))
      ),
      Effect.mapError((error) =>
        SqlError.isSqlError(error) ? `${unreached}: ${error.reason.message}` : `${unreached} in time`
      )
    )

export const askPrimary = (reads: Reads) => ask(reads, "the database of DATABASE_URL does not answer")
export const askReplica = (reads: Reads) => ask(reads, "it does not answer")

/** Asks until the replica has come as far as the primary was, or the look has lasted long enough. */
const follow = Effect.fnUntraced(function* (replica: Reads, watch: ReplicaWatch, primary: ServerFacts) {
  const until = now() + lookMillis
  for (let wait = firstPause; ; wait *= 2) {
    const facts = yield* askReplica(replica)
    const strange = strangeness(primary, facts)
    if (strange !== undefined) return yield* Effect.fail(strange)
    if (watch.replayed(facts.position ?? 0n, now()) || now() + wait > until) return
    yield* pause(wait)
  }
})

/** One look. A change of what is known is logged as a line. Whatever fails in it, there is a next one. */
export const replicaLook = (primary: Reads, replica: Reads, watch: ReplicaWatch): Effect.Effect<void> => {
  let identified: ServerFacts | undefined
  let told = watch.state(now()).why
  const look = Effect.gen(function* () {
    if (!watch.isAwaiting || identified === undefined) {
      const at = now()
      identified = yield* askPrimary(primary)
      watch.await(identified.position ?? 0n, at)
    }
    yield* follow(replica, watch, identified)
  })
  return look.pipe(
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const why = Cause.squash(cause)
      return Effect.sync(() => watch.unfit(typeof why === "string" ? why : "looking at it failed"))
    }),
    Effect.andThen(
      Effect.suspend(() => {
        const before = told
        told = watch.state(now()).why
        return tell(before, told)
      })
    )
  )
}

const tell = (before: string | undefined, why: string | undefined): Effect.Effect<void> => {
  if (before === why) return Effect.void
  return why === undefined
    ? Effect.logInfo("The read replica answers storefronts")
    : Effect.logWarning(`The read replica is not read (${why}): storefronts read from the primary`)
}
