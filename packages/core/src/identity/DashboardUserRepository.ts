/** The SQL of dashboard_user (a platform table): people who look after the stores of an account. */
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

export interface DashboardUserRepositoryMethods {
  readonly insert: (row: DashboardUserRow) => Effect.Effect<void>
  /** Of several set-ups at once, one goes on; held until the transaction ends. */
  readonly lockSetUp: Effect.Effect<void>
  /** Takes the first run of the installation until the transaction ends; false where another process has it. */
  readonly takeFirstRun: Effect.Effect<boolean>
}

export class DashboardUserRepository extends Context.Service<DashboardUserRepository, DashboardUserRepositoryMethods>()(
  "@effect-commerce/core/identity/DashboardUserRepository"
) {
  static readonly layer = Layer.effect(
    DashboardUserRepository,
    Effect.map(Database, ({ sql }) =>
      DashboardUserRepository.of({
        lockSetUp: none(sql`SELECT pg_advisory_xact_lock(7165064744911531878)`),
        takeFirstRun: Effect.map(
          one(sql<{ readonly taken: boolean }>`SELECT pg_try_advisory_xact_lock(7165064744911531879) AS taken`),
          (row) => row?.taken === true
        ),
        insert: (row) =>
          none(sql`INSERT INTO dashboard_user (id, account_id, email, password_hash, created_at)
                VALUES (${row.id}, ${row.accountId}, ${row.email}, ${row.passwordHash}, ${row.createdAt})`)
      })
    )
  )
}
