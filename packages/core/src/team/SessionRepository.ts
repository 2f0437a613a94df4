/** The SQL of dashboard_session (a platform table). */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one } from "../database/Repository.ts"
import type { RowReader } from "../guard/RateLimits.ts"
import type { DashboardUserState } from "./DashboardUser.ts"

export interface SessionState {
  readonly id: string
  readonly device: string | null
  readonly address: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
}

export interface NewSession extends Omit<SessionState, "lastUsedAt"> {
  readonly userId: string
  readonly tokenHash: string
  /** The password that was checked: if it was changed since, no session is opened. */
  readonly passwordVersion: number
}

/** A session with its person. */
export type FoundSession = Omit<DashboardUserState, "passwordHash" | "passwordVersion"> & {
  readonly sessionId: string
  readonly expiresAt: Date
  readonly lastUsedAt: Date
}

/** Sessions of one person that are kept; the oldest make room. */
const mostSessions = 100

export class SessionRepository extends Context.Service<SessionRepository>()(
  "@effect-commerce/core/team/SessionRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal("id, device, address, created_at, last_used_at, expires_at")

      return {
        /** Opens a session; false if the password is another by now. FOR SHARE waits for a change that is under way. */
        insert: (row: NewSession) =>
          anyRow(sql`INSERT INTO dashboard_session
                (id, user_id, token_hash, device, address, created_at, last_used_at, expires_at)
              SELECT ${row.id}, u.id, ${row.tokenHash}, ${row.device}, ${row.address}, ${row.createdAt}::timestamptz,
                ${row.createdAt}::timestamptz, ${row.expiresAt}::timestamptz
              FROM dashboard_user u WHERE u.id = ${row.userId} AND u.password_version = ${row.passwordVersion}
              FOR SHARE RETURNING id`),
        // dashboard_session_user_id_idx
        /** Deletes what ended before `before`, and the oldest beyond `mostSessions`. */
        trim: (userId: string, before: Date) =>
          none(sql`DELETE FROM dashboard_session WHERE user_id = ${userId} AND (expires_at <= ${before}
              OR ended_at <= ${before} OR id IN (SELECT id FROM dashboard_session WHERE user_id = ${userId}
                ORDER BY created_at DESC, id DESC OFFSET ${mostSessions}))`),
        // dashboard_session_token_hash_key
        findByHash: <E>(hash: string, read: RowReader<E>) =>
          read<FoundSession>(sql`SELECT s.id AS session_id, s.expires_at, s.last_used_at, u.id, u.account_id, u.email,
                u.name, u.created_at
              FROM dashboard_session s JOIN dashboard_user u ON u.id = s.user_id
              WHERE s.token_hash = ${hash} AND s.ended_at IS NULL`),
        /** Marks it as used now. */
        touch: (id: string, now: Date) =>
          none(sql`UPDATE dashboard_session SET last_used_at = ${now} WHERE id = ${id} AND last_used_at < ${now}`),
        /** The sessions that are open at `now`, last used first; those not used since `idleSince` are not. */
        open: (userId: string, now: Date, idleSince: Date) =>
          many(sql<SessionState>`SELECT ${columns} FROM dashboard_session WHERE user_id = ${userId}
              AND ended_at IS NULL AND expires_at > ${now} AND last_used_at > ${idleSince}
              ORDER BY last_used_at DESC, id DESC`),
        /** Ends a session of the person; false if none of theirs is open under this id. */
        end: (userId: string, id: string, now: Date) =>
          anyRow(sql`UPDATE dashboard_session SET ended_at = ${now}
              WHERE id = ${id} AND user_id = ${userId} AND ended_at IS NULL AND expires_at > ${now} RETURNING id`),
        endAll: (userId: string, now: Date) =>
          none(sql`UPDATE dashboard_session SET ended_at = ${now} WHERE user_id = ${userId} AND ended_at IS NULL`),
        /** Whether somebody has logged in as this person from the address before. */
        knowsAddress: (email: string, address: string) =>
          Effect.map(
            one(sql`SELECT 1 FROM dashboard_session s JOIN dashboard_user u ON u.id = s.user_id
              WHERE u.email = ${email} AND s.address = ${address} LIMIT 1`),
            (row) => row !== undefined
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(SessionRepository, SessionRepository.make)
}
