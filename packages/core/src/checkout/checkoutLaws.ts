/** What must hold for checkouts, and for the units held for them. */
import type { Law } from "../database/Law.ts"
import { foreignChannel } from "../store/foreignChannel.ts"

export const checkoutLaws: ReadonlyArray<Law> = [
  {
    law: "checkout.order",
    says: "a completed checkout has exactly one order, any other none",
    table: "checkout",
    sql: `SELECT k.id, CASE k.status WHEN 'COMPLETED' THEN 1 ELSE 0 END AS expected, coalesce(o.orders, 0) AS found
      FROM checkout k LEFT JOIN (SELECT checkout_id,
        count(*) AS orders FROM orders WHERE store_id = $1 GROUP BY 1) o ON o.checkout_id = k.id
      WHERE k.store_id = $1 AND coalesce(o.orders, 0) <> CASE k.status WHEN 'COMPLETED' THEN 1 ELSE 0 END`
  },
  {
    law: "checkout.lines",
    says: "an order sells what its checkout showed, at the price it showed",
    table: "checkout",
    sql: `SELECT k.id, l.shown AS expected, i.sold AS found
      FROM checkout k JOIN orders o ON o.store_id = $1 AND o.checkout_id = k.id
      JOIN (SELECT checkout_id,
        sum(quantity * unit_price) || ' for ' || sum(quantity) AS shown FROM checkout_line WHERE store_id = $1 GROUP BY
        1) l ON l.checkout_id = k.id
      JOIN (SELECT order_id,
        sum(quantity * unit_price) || ' for ' || sum(quantity) AS sold FROM order_item WHERE store_id = $1 GROUP BY 1) i
        ON i.order_id = o.id
      WHERE k.store_id = $1 AND k.status = 'COMPLETED' AND l.shown <> i.sold`
  },
  {
    law: "cart.converted",
    says: "a cart that was bought has a completed checkout",
    table: "cart",
    sql: `SELECT c.id, 'a completed checkout' AS expected, NULL AS found FROM cart c
      WHERE c.store_id = $1 AND c.status = 'CONVERTED' AND NOT EXISTS
        (SELECT FROM checkout k WHERE k.store_id = $1 AND k.cart_id = c.id AND k.status = 'COMPLETED')`
  },
  {
    law: "cart.merged-closed",
    says: "what was begun of a merged cart cannot be bought any more",
    table: "checkout",
    sql: `SELECT k.id, 'not PENDING' AS expected,
      k.status AS found FROM checkout k JOIN cart c ON c.store_id = $1 AND c.id = k.cart_id
      WHERE k.store_id = $1 AND k.status = 'PENDING' AND c.status = 'MERGED'`
  },
  {
    law: "reservation.holder",
    says: "whatever is held is held for a cart or a checkout that is there",
    table: "reservation",
    sql: `SELECT r.holder_id || ' ' || r.key AS id, 'a cart or checkout' AS expected, NULL AS found FROM reservation r
      WHERE r.store_id = $1 AND NOT EXISTS (SELECT FROM cart c WHERE c.store_id = $1 AND c.id = r.holder_id)
        AND NOT EXISTS (SELECT FROM checkout k WHERE k.store_id = $1 AND k.id = r.holder_id)`
  },
  foreignChannel("checkout")
]
