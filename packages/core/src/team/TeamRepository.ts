/** The SQL of team_member (a platform table: people are of an installation, not of one store). */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many, none, one } from "../database/Repository.ts"
import { countLocked, lockStoreFor } from "../database/StoreLocks.ts"
import { teamBound, type TeamMemberState } from "./TeamMember.ts"
import type { TeamRole } from "./TeamRole.ts"

/** An invitation as it is stored: a new one, or one that is sent again. */
export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: TeamRole
  readonly invitedBy: string
  readonly tokenHash: string
  readonly tokenExpiresAt: Date
  readonly now: Date
}

export class TeamRepository extends Context.Service<TeamRepository>()("@effect-commerce/core/team/TeamRepository", {
  make: Effect.gen(function* () {
    const { sql } = yield* Database
    // Earlier releases count mails in the columns `mails` and `mails_since`.
    const columns = sql.literal(
      "m.id, m.store_id, m.user_id, m.email, u.name, m.role, m.invited_by, m.token_expires_at, m.created_at, " +
        "m.updated_at"
    )
    const members = sql`SELECT ${columns} FROM team_member m LEFT JOIN dashboard_user u ON u.id = m.user_id`

    return {
      /** Serialises changes of the store's team until the transaction ends. */
      lock: (storeId: string) => none(lockStoreFor(sql, "team_member", storeId)),
      /** How many the team has; nobody can add one until the transaction ends. */
      countToAdd: (storeId: string) =>
        countLocked(sql, { table: "team_member", ownerId: storeId, which: sql`store_id = ${storeId}` }),
      /** Owners first, then admins, then staff, each in the order in which they came. */
      list: (storeId: string) =>
        many(sql<TeamMemberState>`${members} WHERE m.store_id = ${storeId}
          ORDER BY array_position(ARRAY['owner', 'admin', 'staff'], m.role), m.created_at, m.id
          LIMIT ${teamBound.most}`),
      find: (storeId: string, id: string) =>
        one(sql<TeamMemberState>`${members} WHERE m.store_id = ${storeId} AND m.id = ${id}`),
      findByEmail: (storeId: string, email: string) =>
        one(sql<TeamMemberState>`${members} WHERE m.store_id = ${storeId} AND m.email = ${email}`),
      /** The role of a person in a store; undefined if they do not work for it. */
      roleOf: (storeId: string, userId: string) =>
        one(
          sql<{ readonly role: TeamRole }>`SELECT role FROM team_member
            WHERE store_id = ${storeId} AND user_id = ${userId}`,
          ({ role }) => role
        ),
      /** Owners who have a log-in: an invitation does not count. */
      countOwners: (storeId: string) =>
        Effect.map(
          one(sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM team_member
            WHERE store_id = ${storeId} AND role = 'owner' AND user_id IS NOT NULL`),
          (row) => row?.n ?? 0
        ),
      invite: (storeId: string, row: Invitation) =>
        none(sql`INSERT INTO team_member (id, store_id, email, role, invited_by, token_hash, token_expires_at,
            created_at, updated_at)
          VALUES (${row.id}, ${storeId}, ${row.email}, ${row.role}, ${row.invitedBy}, ${row.tokenHash},
            ${row.tokenExpiresAt}, ${row.now}, ${row.now})
          ON CONFLICT (store_id, email) DO UPDATE SET role = excluded.role, invited_by = excluded.invited_by,
            token_hash = excluded.token_hash, token_expires_at = excluded.token_expires_at,
            updated_at = ${versionAfter(sql, row.now, "team_member.updated_at")}`),
      /** A person who is in the team from now on: the owner of a new store, or one whom the operator adds. */
      insertMember: (
        storeId: string,
        row: { readonly id: string; readonly userId: string; readonly email: string; readonly role: TeamRole },
        now: Date
      ) =>
        none(sql`INSERT INTO team_member (id, store_id, user_id, email, role, created_at, updated_at)
          VALUES (${row.id}, ${storeId}, ${row.userId}, ${row.email}, ${row.role}, ${now}, ${now})
          ON CONFLICT (store_id, email) DO UPDATE SET user_id = excluded.user_id, role = excluded.role,
            token_hash = NULL, token_expires_at = NULL,
            updated_at = ${versionAfter(sql, now, "team_member.updated_at")}`),
      // team_member_token_hash_key
      /** The invitation of a token that works. */
      invitationOf: (hash: string, now: Date) =>
        one(sql<TeamMemberState>`${members} WHERE m.token_hash = ${hash} AND m.token_expires_at > ${now}`),
      /** Uses the token up: of several concurrent calls, one gets the row. */
      join: (hash: string, userId: string, now: Date) =>
        one(sql<TeamMemberState>`UPDATE team_member m SET user_id = u.id, token_hash = NULL, token_expires_at = NULL,
            updated_at = ${versionAfter(sql, now, "m.updated_at")}
          FROM dashboard_user u WHERE u.id = ${userId} AND m.token_hash = ${hash} AND m.token_expires_at > ${now}
          RETURNING ${columns}`),
      setRole: (storeId: string, id: string, role: TeamRole, now: Date) =>
        none(sql`UPDATE team_member SET role = ${role}, updated_at = ${versionAfter(sql, now)}
          WHERE store_id = ${storeId} AND id = ${id}`),
      remove: (storeId: string, id: string) =>
        none(sql`DELETE FROM team_member WHERE store_id = ${storeId} AND id = ${id}`),
      /** People who own a store of the account: they own each that is added to it. */
      ownersOfAccount: (accountId: string) =>
        many(sql<{ readonly userId: string; readonly email: string }>`SELECT DISTINCT m.user_id, m.email
          FROM store s JOIN team_member m ON m.store_id = s.id
          WHERE s.account_id = ${accountId} AND m.role = 'owner' AND m.user_id IS NOT NULL
          ORDER BY m.user_id LIMIT ${teamBound.most}`)
    }
  })
}) {
  static readonly layer = Layer.effect(TeamRepository, TeamRepository.make)
}
