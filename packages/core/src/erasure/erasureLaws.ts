/** What must hold for the carts and checkouts of customers who are deleted. No finding identifies a person. */
import type { Law } from "../database/Law.ts"

export const erasureLaws: ReadonlyArray<Law> = [
  {
    law: "erasure.checkout",
    says: "a checkout of a deleted customer's cart has no address",
    table: "checkout",
    sql: `SELECT k.id, 'no address' AS expected, k.status AS found
      FROM customer c JOIN cart t ON t.store_id = $1 AND t.customer_id = c.id
      JOIN checkout k ON k.store_id = $1 AND k.cart_id = t.id
      WHERE c.store_id = $1 AND c.deleted_at IS NOT NULL
        AND coalesce(k.email, k.shipping_address::text, k.billing_address::text) IS NOT NULL`
  },
  {
    law: "erasure.cart",
    says: "a cart of a deleted customer is not open",
    table: "cart",
    sql: `SELECT k.id, 'ended' AS expected, k.status AS found
      FROM customer c JOIN cart k ON k.store_id = $1 AND k.customer_id = c.id
      WHERE c.store_id = $1 AND c.deleted_at IS NOT NULL AND k.status IN ('ACTIVE', 'ABANDONED')`
  }
]
