/** What must hold for customers and their address books. No finding identifies a person. */
import type { Law } from "../database/Law.ts"
import { eventsKeptSince } from "../outbox/eventsKeptSince.ts"

export const customerLaws: ReadonlyArray<Law> = [
  {
    law: "customer.default-address",
    says: "a customer who has addresses has exactly one default",
    table: "customer",
    sql: `SELECT a.customer_id AS id, 1 AS expected,
      count(*) FILTER (WHERE a.is_default) AS found FROM customer_address a
      WHERE a.store_id = $1 GROUP BY 1 HAVING count(*) FILTER (WHERE a.is_default) <> 1`
  },
  {
    law: "customer.deleted",
    says: "of a deleted customer nothing personal is left",
    table: "customer",
    sql: `SELECT id, 'nothing' AS expected, kept AS found FROM (
        SELECT c.id,
          concat_ws(', ', CASE WHEN coalesce(c.first_name, c.last_name) IS NOT NULL THEN 'name' END,
          CASE WHEN c.phone IS NOT NULL THEN 'phone' END, CASE WHEN c.password_hash IS NOT NULL THEN 'password' END,
            CASE WHEN c.birth_month IS NOT NULL THEN 'birthday' END,
            CASE WHEN EXISTS (SELECT FROM customer_address a WHERE a.store_id = $1 AND a.customer_id = c.id) THEN
            'address' END) AS kept
        FROM customer c WHERE c.store_id = $1 AND c.deleted_at IS NOT NULL) gone
      WHERE kept <> ''`
  },
  {
    law: "customer.announced",
    says: "customer.created was emitted for each customer who counts as announced, and for no other",
    table: "customer",
    sql: `SELECT c.id, CASE WHEN c.announced THEN '>= 1' ELSE '0' END AS expected, coalesce(e.told, 0) AS found
      FROM customer c LEFT JOIN (SELECT data->>'customerId' AS id,
        count(*) AS told FROM event WHERE store_id = $1 AND type = 'customer.created' GROUP BY 1) e
        ON e.id = c.id
      WHERE c.store_id = $1 AND c.announced <> (coalesce(e.told, 0) > 0)
        AND (NOT c.announced OR c.created_at > ${eventsKeptSince})`
  }
]
