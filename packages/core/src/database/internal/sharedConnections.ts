/**
 * Connections that statements outside of transactions share. A statement goes to an idle connection, else to a new one
 * while the pool may grow, else to the connection with the fewest statements under way. Only then are statements
 * pipelined; among equally busy connections the one that answered last is chosen.
 */
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"

/**
 * How many statements may be under way on one shared connection: more make fewer round trips, but queue behind each
 * other in one backend.
 */
const pipelineDepth = 8

interface Shared {
  readonly use: <A, E, R>(
    use: (connection: PgConnection.PgConnection) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | SqlError.SqlError, R>
  readonly get: Effect.Effect<PgConnection.PgConnection, SqlError.SqlError, Scope.Scope>
}

export const makeSharedConnections = Effect.fnUntraced(function* (config: PgConnection.Config, connections: number) {
  const settings = { ...config, multiplex: true, maxConnections: 1, multiplexConcurrency: pipelineDepth }
  const one = Effect.map(PgPool.make(settings), (pool) => ({ pool, underWay: 0, answered: 0 }))
  const all = yield* Effect.all(Array.from({ length: connections }, () => one))

  let answers = 0
  const taken = Effect.sync(() => {
    const best = all.reduce((one, other) =>
      other.underWay < one.underWay || (other.underWay === one.underWay && other.answered > one.answered) ? other : one
    )
    best.underWay += 1
    return best
  })
  const givenBack = (lane: (typeof all)[number]) =>
    Effect.sync(() => {
      lane.underWay -= 1
      lane.answered = ++answers
    })

  const shared: Shared = {
    use: (use) => Effect.acquireUseRelease(taken, (lane) => lane.pool.use(use), givenBack),
    get: Effect.flatMap(Effect.acquireRelease(taken, givenBack), (lane) => lane.pool.get)
  }
  return shared
})
