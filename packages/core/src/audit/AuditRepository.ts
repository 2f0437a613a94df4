/** Checks the laws on a snapshot of the books. */
import { Context, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Database } from "../database/Database.ts"
import { anyRow, many, one } from "../database/Repository.ts"
import { findingsOf, questionOf } from "./Law.ts"
import { laws } from "./Laws.ts"

export class AuditRepository extends Context.Service<AuditRepository>()("@effect-commerce/core/audit/AuditRepository", {
  make: Effect.gen(function* () {
    const { sql, platform } = yield* Database
    const unhurried = sql`SELECT set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`

    return {
      /** Runs the body in one read-only snapshot, without locks that block others and without a statement timeout. */
      snapshot: <A, E, R>(body: Effect.Effect<A, E, R>) =>
        Effect.provideService(
          platform(Effect.andThen(Effect.orDie(unhurried), body)),
          SqlClient.BeginTransaction,
          "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        ),
      /** Runs the body in a savepoint: if it fails, the snapshot stays usable. */
      apart: <A, E, R>(body: Effect.Effect<A, E, R>) =>
        Effect.catch(sql.withTransaction(body), (error) =>
          SqlError.isSqlError(error) ? Effect.die(error) : Effect.fail(error)
        ),
      /** The next store ids after `after`, in order, at most `most`. */
      storesAfter: (after: string, most: number) =>
        many(
          sql<{ readonly id: string }>`SELECT id FROM store WHERE id > ${after} ORDER BY id LIMIT ${most}`,
          ({ id }) => id
        ),
      countStores: Effect.map(
        one(sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM store`),
        (row) => row?.n ?? 0
      ),
      storeExists: (id: string) => anyRow(sql`SELECT 1 FROM store WHERE id = ${id}`),
      // Sent together, so that a small store costs one round trip.
      /** The breaches of each law, in the order of the laws. */
      breaches: (storeId: string) =>
        Effect.map(
          Effect.forEach(
            laws,
            (law) =>
              Effect.map(many(sql.unsafe<object>(questionOf(law), [storeId])), (rows) => rowsOf(law, storeId, rows)),
            {
              concurrency: "unbounded"
            }
          ),
          (findings) => findings.flat()
        )
    }
  })
}) {
  static readonly layer = Layer.effect(AuditRepository, AuditRepository.make)
}

const rowsOf = (law: Parameters<typeof findingsOf>[0], storeId: string, rows: ReadonlyArray<object>) =>
  findingsOf(law, storeId, rows as ReadonlyArray<Readonly<Record<string, unknown>>>)
