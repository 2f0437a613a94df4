/** What must hold for the balances of gift cards. */
import type { Law } from "../database/Law.ts"

export const giftCardLaws: ReadonlyArray<Law> = [
  {
    law: "giftcard.balance",
    says: "a gift card has what its transactions add up to, and was issued with the first of them",
    table: "gift_card",
    sql: `SELECT g.id, coalesce(t.sum, 0) AS expected, g.balance AS found
      FROM gift_card g LEFT JOIN (
        SELECT gift_card_id, sum(amount) AS sum, count(*) AS entries,
          sum(amount) FILTER (WHERE position = 1 AND type = 'ISSUE') AS issued
        FROM gift_card_transaction WHERE store_id = $1 GROUP BY 1) t ON t.gift_card_id = g.id
      WHERE g.store_id = $1 AND (g.balance IS DISTINCT FROM t.sum OR g.entries IS DISTINCT FROM t.entries
        OR g.initial_balance IS DISTINCT FROM t.issued)`
  },
  {
    law: "giftcard.trail",
    says: "each transaction of a gift card shows the balance after it",
    table: "gift_card_transaction",
    sql: `SELECT id, expected, balance AS found FROM (
        SELECT id, balance, sum(amount) OVER (PARTITION BY gift_card_id ORDER BY position) AS expected
        FROM gift_card_transaction WHERE store_id = $1) t
      WHERE balance <> expected`
  },
  {
    law: "giftcard.order",
    says: "what a gift card paid for an order is a payment of that order, and the other way round",
    table: "gift_card_transaction",
    sql: `SELECT coalesce(t.gift_card_id, p.reference) || ' ' || coalesce(t.order_id, p.order_id) AS id,
        p.captured AS expected, t.paid AS found
      FROM (SELECT gift_card_id, order_id, -amount AS paid FROM gift_card_transaction
        WHERE store_id = $1 AND type = 'REDEEM') t
      FULL JOIN (SELECT y.reference, y.order_id, sum(y.captured) AS captured FROM payment y
        JOIN gift_card g ON g.store_id = y.store_id AND g.id = y.reference
        WHERE y.store_id = $1 AND y.provider = 'gift_card' GROUP BY 1, 2) p
        ON p.reference = t.gift_card_id AND p.order_id = t.order_id
      WHERE t.paid IS DISTINCT FROM p.captured`
  },
  {
    law: "giftcard.refund",
    says: "what a gift card was given back for an order is what its payment of that order has refunded",
    table: "gift_card_transaction",
    sql: `SELECT coalesce(t.gift_card_id, p.reference) || ' ' || coalesce(t.order_id, p.order_id) AS id,
        coalesce(p.refunded, 0) AS expected, coalesce(t.given, 0) AS found
      FROM (SELECT gift_card_id, order_id, sum(amount) AS given FROM gift_card_transaction
        WHERE store_id = $1 AND type = 'REFUND' GROUP BY 1, 2) t
      FULL JOIN (SELECT y.reference, y.order_id, sum(y.refunded) AS refunded FROM payment y
        JOIN gift_card g ON g.store_id = y.store_id AND g.id = y.reference
        WHERE y.store_id = $1 AND y.provider = 'gift_card' GROUP BY 1, 2) p
        ON p.reference = t.gift_card_id AND p.order_id = t.order_id
      WHERE coalesce(t.given, 0) <> coalesce(p.refunded, 0)`
  }
]
