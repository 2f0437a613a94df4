/** The SQL of dashboard_user (a platform table): people who manage the stores of an account. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none, one } from "../database/Repository.ts"

export interface DashboardUserRow {
  readonly id: string
  readonly accountId: string
  /** Trimmed, lower case. */
  readonly email: string
  readonly passwordHash: string
  readonly createdAt: Date
}

export class DashboardUserRepository extends Context.Service<DashboardUserRepository>()(
  "@effect-commerce/core/identity/DashboardUserRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        /** Serialises set-ups that begin at the same time, until the transaction ends. */
        lockSetUp: none(sql`SELECT pg_advisory_xact_lock(7165064744911531878)`),
        /** Locks the installation's first run until the transaction ends; false if another process has the lock. */
        takeFirstRun: Effect.map(
          one(sql<{ readonly taken: boolean }>`SELECT pg_try_advisory_xact_lock(7165064744911531879) AS taken`),
          (row) => row?.taken === true
        ),
        insert: (row: DashboardUserRow) =>
          none(sql`INSERT INTO dashboard_user (id, account_id, email, password_hash, created_at)
                VALUES (${row.id}, ${row.accountId}, ${row.email}, ${row.passwordHash}, ${row.createdAt})`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(DashboardUserRepository, DashboardUserRepository.make)
}
