/** What must hold for teams and the sessions of their people. No finding shows an address or a token. */
import type { Law } from "../database/Law.ts"

export const teamLaws: ReadonlyArray<Law> = [
  {
    law: "team.owner",
    says: "a store that has a team has an owner who can log in",
    table: "team_member",
    sql: `SELECT $1 AS id, '>= 1' AS expected, 0 AS found
      WHERE EXISTS (SELECT FROM team_member WHERE store_id = $1 AND user_id IS NOT NULL)
        AND NOT EXISTS (SELECT FROM team_member WHERE store_id = $1 AND user_id IS NOT NULL AND role = 'owner')`
  },
  {
    law: "team.person",
    says: "whoever is in a team is the person of the address that was invited",
    table: "team_member",
    sql: `SELECT m.id, 'the person of the address' AS expected, 'another' AS found
      FROM team_member m LEFT JOIN dashboard_user u ON u.id = m.user_id
      WHERE m.store_id = $1 AND m.user_id IS NOT NULL AND m.email IS DISTINCT FROM u.email`
  },
  {
    law: "team.session",
    says: "a session is of a person who is known, ends within 30 days, and was not used after its end",
    table: "dashboard_session",
    sql: `SELECT s.id, 'of a person, for 30 days' AS expected, CASE WHEN u.id IS NULL THEN 'of nobody'
          WHEN s.last_used_at > s.expires_at THEN 'used after its end' ELSE 'for longer' END AS found
      FROM team_member m JOIN dashboard_session s ON s.user_id = m.user_id
        LEFT JOIN dashboard_user u ON u.id = s.user_id
      WHERE m.store_id = $1 AND (u.id IS NULL OR s.expires_at > s.created_at + interval '30 days'
        OR s.last_used_at > s.expires_at)`
  }
]
