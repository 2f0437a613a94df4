/** One fault for each law of teams. */
import type { Plant } from "./plants.ts"

const person = (store: string, email = "ada@example.com") =>
  `INSERT INTO dashboard_user (id, account_id, email, password_hash, created_at)
    SELECT 'user_1', account_id, '${email}', 'x', now() FROM store WHERE id = '${store}'`
const member = (store: string, role: string) =>
  `INSERT INTO team_member (id, store_id, user_id, email, role, created_at, updated_at)
    VALUES ('team_1', '${store}', 'user_1', 'ada@example.com', '${role}', now(), now())`

export const teamPlants: ReadonlyArray<Plant> = [
  {
    law: "team.owner",
    plant: ({ store }) => [person(store), member(store, "admin")],
    told: ({ store }) => ({ id: store, expected: ">= 1", found: "0" })
  },
  {
    law: "team.person",
    plant: ({ store }) => [person(store, "bea@example.com"), member(store, "owner")],
    told: () => ({ id: "team_1", expected: "the person of the address", found: "another" })
  },
  {
    law: "team.session",
    plant: ({ store }) => [
      member(store, "owner"),
      `INSERT INTO dashboard_session (id, user_id, token_hash, created_at, last_used_at, expires_at)
        VALUES ('sess_1', 'user_1', 'h', now(), now(), now() + interval '1 day')`
    ],
    told: () => ({ id: "sess_1", expected: "of a person, for 30 days", found: "of nobody" })
  }
]
