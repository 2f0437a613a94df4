/** What `doctor` asks of a read replica: over the sessions that the service opens. Changes nothing. */
import { Effect } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { ConnectionOptions } from "../database/ConnectionOptions.ts"
import { postgresDriver, readsOf } from "../database/Database.ts"
import { pause } from "./internal/realTime.ts"
import { askPrimary, askReplica } from "./internal/replicaLook.ts"
import { strangeness } from "./ReplicaIdentity.ts"

const firstPause = 10

/** Sessions begin bare where there is a pooler before the primary, as those of the service do. */
const readsTo = (connection: ConnectionOptions, direct: ConnectionOptions | undefined) =>
  Effect.map(postgresDriver({ ...connection, direct, applicationName: "commerce doctor", maxConnections: 3 }), readsOf)

/**
 * How many milliseconds it takes the replica to come as far as the primary is now; what it has taken until then, if
 * that is more than `enough`. Fails with a line for a person where it cannot be read from.
 */
export const lookAtReplica = (
  primary: ConnectionOptions,
  { connection, direct }: { readonly connection: ConnectionOptions; readonly direct?: ConnectionOptions | undefined },
  enough: number
): Effect.Effect<number, string> =>
  Effect.gen(function* () {
    const [ofPrimary, ofReplica] = [yield* readsTo(primary, undefined), yield* readsTo(connection, direct)]
    const began = globalThis.performance.now()
    const target = yield* askPrimary(ofPrimary)
    for (let wait = firstPause; ; wait *= 2) {
      const facts = yield* askReplica(ofReplica)
      const strange = strangeness(target, facts)
      if (strange !== undefined) return yield* Effect.fail(strange)
      const took = Math.round(globalThis.performance.now() - began)
      if ((facts.position ?? 0n) >= (target.position ?? 0n) || took > enough) return took
      yield* pause(wait)
    }
  }).pipe(
    Effect.mapError((error) => (typeof error === "string" ? error : error.reason.message)),
    Effect.scoped,
    Effect.provide(Reactivity.layer)
  )
