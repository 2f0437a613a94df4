/** The SQL of dashboard_user and dashboard_reset (platform tables): people of the dashboard, and their reset mails. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one } from "../database/Repository.ts"
import type { AccessState, DashboardUserState } from "./DashboardUser.ts"

/**
 * The most links of a person that work at once. Anybody can request one by giving the address, so a request never ends
 * an earlier link, and one beyond the limit stores nothing.
 */
const mostResets = 5

/** Stores that a person's profile lists. */
const mostStores = 500

export class DashboardUserRepository extends Context.Service<DashboardUserRepository>()(
  "@effect-commerce/core/team/DashboardUserRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal("id, account_id, email, name, password_hash, password_version, created_at")

      return {
        /** Serialises set-ups that begin at the same time, until the transaction ends. */
        lockSetUp: none(sql`SELECT pg_advisory_xact_lock(7165064744911531878)`),
        /** Locks the installation's first run until the transaction ends; false if another process has the lock. */
        takeFirstRun: Effect.map(
          one(sql<{ readonly taken: boolean }>`SELECT pg_try_advisory_xact_lock(7165064744911531879) AS taken`),
          (row) => row?.taken === true
        ),
        /** False if the address is taken. */
        insert: (row: Omit<DashboardUserState, "passwordVersion">) =>
          anyRow(sql`INSERT INTO dashboard_user (id, account_id, email, name, password_hash, created_at)
                VALUES (${row.id}, ${row.accountId}, ${row.email}, ${row.name}, ${row.passwordHash}, ${row.createdAt})
                ON CONFLICT (email) DO NOTHING RETURNING id`),
        // dashboard_user_email_key
        findByEmail: (email: string) =>
          one(sql<DashboardUserState>`SELECT ${columns} FROM dashboard_user WHERE email = ${email}`),
        find: (id: string) => one(sql<DashboardUserState>`SELECT ${columns} FROM dashboard_user WHERE id = ${id}`),
        /** Locks the person until the transaction ends: no session of theirs is opened meanwhile. */
        lock: (id: string) => none(sql`SELECT 1 FROM dashboard_user WHERE id = ${id} FOR NO KEY UPDATE`),
        setPassword: (id: string, hash: string) =>
          anyRow(sql`UPDATE dashboard_user SET password_hash = ${hash}, password_version = password_version + 1
                WHERE id = ${id} RETURNING id`),
        // team_member_user_id_idx
        /** The stores that a person works for, the oldest first. */
        storesOf: (id: string) =>
          many(sql<AccessState>`SELECT s.id, s.name, m.role FROM team_member m JOIN store s ON s.id = m.store_id
                WHERE m.user_id = ${id} ORDER BY s.id LIMIT ${mostStores}`),
        /** The store that writes to a person about themselves: the oldest of their own account, else of any. */
        homeOf: (id: string) =>
          one(
            sql<{ readonly id: string }>`SELECT s.id FROM team_member m JOIN store s ON s.id = m.store_id
                JOIN dashboard_user u ON u.id = m.user_id
                WHERE m.user_id = ${id} ORDER BY s.account_id = u.account_id DESC, s.id LIMIT 1`,
            (store) => store.id
          ),

        // dashboard_reset_user_id_idx
        /** Stores a token; false if the person, who is locked, has `mostResets` already. Expired ones are deleted. */
        saveReset: (userId: string, hash: string, expiresAt: Date, now: Date) =>
          anyRow(sql`WITH dropped AS (
                  DELETE FROM dashboard_reset WHERE user_id = ${userId} AND expires_at <= ${now})
                INSERT INTO dashboard_reset (token_hash, user_id, expires_at, created_at)
                SELECT ${hash}, ${userId}, ${expiresAt}::timestamptz, ${now}::timestamptz
                WHERE (SELECT count(*) FROM dashboard_reset WHERE user_id = ${userId} AND expires_at > ${now})
                  < ${mostResets}
                RETURNING 1`),
        /** The person of a token that works. */
        resetOf: (hash: string, now: Date) =>
          one(
            sql<{ readonly userId: string }>`SELECT user_id FROM dashboard_reset
              WHERE token_hash = ${hash} AND expires_at > ${now}`,
            ({ userId }) => userId
          ),
        /** Uses the token up: of several concurrent calls, one gets true. */
        takeReset: (hash: string, now: Date) =>
          anyRow(sql`DELETE FROM dashboard_reset WHERE token_hash = ${hash} AND expires_at > ${now} RETURNING 1`),
        dropResets: (userId: string) => none(sql`DELETE FROM dashboard_reset WHERE user_id = ${userId}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(DashboardUserRepository, DashboardUserRepository.make)
}
