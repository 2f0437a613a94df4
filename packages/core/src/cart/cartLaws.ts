/** What must hold for carts that were merged into others. */
import type { Law } from "../database/Law.ts"
import { foreignChannel } from "../store/foreignChannel.ts"

export const cartLaws: ReadonlyArray<Law> = [
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
    law: "cart.merged",
    says: "a merged cart went into a cart of the same store",
    table: "cart",
    sql: `SELECT c.id, coalesce(c.merged_into, 'a cart') AS expected, NULL AS found FROM cart c
      WHERE c.store_id = $1 AND (c.status = 'MERGED') AND NOT EXISTS
        (SELECT FROM cart t WHERE t.store_id = $1 AND t.id = c.merged_into)`
  },
  foreignChannel("cart")
]
