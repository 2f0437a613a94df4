/** What `doctor` asks of a read replica. Changes nothing. */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import { type ConnectionOptions, defaultBounds, plainSession, servingSession } from "../database/ConnectionOptions.ts"
import { pause } from "./internal/realTime.ts"
import { type ServerRow, strangeness, toServerFacts, whereIs } from "./ReplicaIdentity.ts"

const firstPause = 10

/** How the service reads from it: bare behind a pooler, as on the primary. */
interface ReadConnection {
  readonly connection: ConnectionOptions
  readonly direct?: ConnectionOptions | undefined
}

const open = (config: PgConnection.Config, unreached: string) =>
  Effect.map(
    Effect.mapError(
      PgConnection.make({ ...config, applicationName: "commerce doctor" }),
      ({ reason }) => `${unreached}: ${reason.message}`
    ),
    (session) =>
      session.query(whereIs, [], false).pipe(
        Effect.mapError(({ reason }) => `${unreached}: ${reason.message}`),
        Effect.flatMap(({ rows: [row] }) =>
          row === undefined ? Effect.fail(unreached) : Effect.succeed(toServerFacts(row as unknown as ServerRow))
        )
      )
  )

/**
 * How many milliseconds it takes the replica to come as far as the primary is now; what it has taken until then, if
 * that is more than `enough`. Fails with a line for a person where it cannot be read from.
 */
export const lookAtReplica = (
  primary: ConnectionOptions,
  { connection, direct }: ReadConnection,
  enough: number
): Effect.Effect<number, string> =>
  Effect.scoped(
    Effect.gen(function* () {
      const [ofPrimary, ofReplica] = [
        yield* open(plainSession(primary), "the primary does not answer"),
        yield* open(servingSession(connection, direct, defaultBounds), "it does not answer")
      ]
      const began = globalThis.performance.now()
      const target = yield* ofPrimary
      for (let wait = firstPause; ; wait *= 2) {
        const facts = yield* ofReplica
        const strange = strangeness(target, facts)
        if (strange !== undefined) return yield* Effect.fail(strange)
        const took = Math.round(globalThis.performance.now() - began)
        if ((facts.position ?? 0n) >= (target.position ?? 0n) || took > enough) return took
        yield* pause(wait)
      }
    })
  )
