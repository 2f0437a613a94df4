/** What holds of customers, their address books and the carts they brought along. No finding says who somebody is. */
import type { Law } from "./Law.ts"

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
    says: "customer.created was told of a customer who counts as announced, and of no other",
    table: "customer",
    // Events are kept for a while, customers for good: one older than the oldest event may have lost its own.
    sql: `SELECT c.id, CASE WHEN c.announced THEN '>= 1' ELSE '0' END AS expected, coalesce(e.told, 0) AS found
      FROM customer c LEFT JOIN (SELECT data->>'customerId' AS id,
        count(*) AS told FROM event WHERE store_id = $1 AND type = 'customer.created' GROUP BY 1) e
        ON e.id = c.id
      WHERE c.store_id = $1 AND c.announced <> (coalesce(e.told, 0) > 0)
        AND (NOT c.announced OR c.created_at > (SELECT min(created_at) FROM event WHERE store_id = $1))`
  },
  {
    law: "cart.emptied",
    says: "a merged cart has no lines left",
    table: "cart",
    sql: `SELECT c.id, 0 AS expected,
      (SELECT count(*) FROM cart_item i WHERE i.store_id = $1 AND i.cart_id = c.id) AS found FROM cart c
      WHERE c.store_id = $1 AND c.status = 'MERGED' AND EXISTS
        (SELECT FROM cart_item i WHERE i.store_id = $1 AND i.cart_id = c.id)`
  },
  {
    law: "cart.merged-closed",
    says: "what was begun of a merged cart cannot be bought any more",
    table: "checkout",
    sql: `SELECT k.id, 'not PENDING' AS expected,
      k.status AS found FROM checkout k JOIN cart c ON c.store_id = $1 AND c.id = k.cart_id
      WHERE k.store_id = $1 AND k.status = 'PENDING' AND c.status = 'MERGED'`
  }
]
