/** What must hold for the points of customers. */
import type { Law } from "../database/Law.ts"
import { loyaltyKind } from "./LoyaltyKind.ts"

/** The balance of an account against a sum over its transactions. */
const summed = (law: string, says: string, sum: "points" | "remaining"): Law => ({
  law,
  says,
  table: "loyalty_account",
  sql: `SELECT a.customer_id AS id, coalesce(t.sum, 0) AS expected, a.balance AS found
    FROM loyalty_account a LEFT JOIN (SELECT customer_id, sum(${sum}) AS sum FROM loyalty_transaction
      WHERE store_id = $1 GROUP BY 1) t ON t.customer_id = a.customer_id
    WHERE a.store_id = $1 AND a.balance <> coalesce(t.sum, 0)`
})

/** What an order has booked of one cause, against its own row. */
const booked = (law: string, says: string, cause: string, column: string): Law => ({
  law,
  says,
  table: "loyalty_order",
  sql: `SELECT coalesce(o.order_id, t.order_id) AS id, coalesce(${column}, 0) AS expected, coalesce(t.sum, 0) AS found
    FROM (SELECT * FROM loyalty_order WHERE store_id = $1) o FULL JOIN (
      SELECT order_id, abs(sum(points)) AS sum FROM loyalty_transaction
      WHERE store_id = $1 AND cause = '${cause}' GROUP BY 1) t ON t.order_id = o.order_id
    WHERE coalesce(${column}, 0) <> coalesce(t.sum, 0)`
})

export const loyaltyLaws: ReadonlyArray<Law> = [
  summed("loyalty.balance", "a balance is the sum of its transactions", "points"),
  summed("loyalty.remaining", "a balance is what is left of the points that were added", "remaining"),
  {
    law: "loyalty.lifetime",
    says: "the points earned in all are those of orders and referrals, less what refunds undid",
    table: "loyalty_account",
    sql: `SELECT a.customer_id AS id, coalesce(t.sum, 0) - coalesce(o.sum, 0) AS expected, a.lifetime AS found
      FROM loyalty_account a
        LEFT JOIN (SELECT customer_id, sum(points) AS sum FROM loyalty_transaction
          WHERE store_id = $1 AND type = 'EARN' GROUP BY 1) t ON t.customer_id = a.customer_id
        LEFT JOIN (SELECT customer_id, sum(reversed) AS sum FROM loyalty_order
          WHERE store_id = $1 GROUP BY 1) o ON o.customer_id = a.customer_id
      WHERE a.store_id = $1 AND a.lifetime <> coalesce(t.sum, 0) - coalesce(o.sum, 0)`
  },
  booked("loyalty.earned", "an order has earned its points once", "order", "o.earned"),
  booked("loyalty.spent", "an order has spent its points once", "redemption", "o.spent"),
  booked("loyalty.returned", "what an order has returned of its points is booked", "return", "o.returned"),
  {
    law: "loyalty.payment",
    says: "what points pay for an order is a payment of it",
    table: "loyalty_order",
    sql: `SELECT coalesce(o.order_id, p.order_id) AS id, coalesce(o.worth, 0) AS expected,
        coalesce(p.sum, 0) AS found
      FROM (SELECT * FROM loyalty_order WHERE store_id = $1) o FULL JOIN (
        SELECT order_id, sum(captured) AS sum FROM payment
        WHERE store_id = $1 AND provider = '${loyaltyKind}' GROUP BY 1) p ON p.order_id = o.order_id
      WHERE coalesce(o.worth, 0) <> coalesce(p.sum, 0)`
  }
]
