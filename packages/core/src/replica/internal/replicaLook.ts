/** A look at both servers: how far the primary is, and how long the replica takes to come there. */
import { Effect } from "effect"
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

/** One look. A change of what is known is logged as a line. */
export const replicaLook = (primary: Reads, replica: Reads, watch: ReplicaWatch): Effect.Effect<void> => {
  let identified: ServerFacts | undefined
  const look = Effect.gen(function* () {
    if (!watch.isAwaiting || identified === undefined) {
      const at = now()
      identified = yield* askPrimary(primary)
      watch.await(identified.position ?? 0n, at)
    }
    yield* follow(replica, watch, identified)
  })
  return Effect.suspend(() => {
    const before = watch.state()
    return look.pipe(
      Effect.catch((why) => Effect.sync(() => watch.unfit(why))),
      Effect.andThen(Effect.suspend(() => tell(before.why, watch.state().why)))
    )
  })
}

const tell = (before: string | undefined, why: string | undefined): Effect.Effect<void> => {
  if (before === why) return Effect.void
  return why === undefined
    ? Effect.logInfo("The read replica answers storefronts")
    : Effect.logWarning(`The read replica is not read (${why}): storefronts read from the primary`)
}
