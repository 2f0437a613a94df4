/** The laws of the payments, refunds and disputes of orders. */
import type { Law } from "../database/Law.ts"
import { maxDisputes, maxRefunds, restOfRefunds } from "../order/Order.ts"
import { eventsKeptSince } from "../outbox/eventsKeptSince.ts"

/**
 * The rules of financialStatusOf (order/OrderStates.ts), written a second time, so that the audit finds a mistake in
 * either.
 */
const financialStatus = `CASE
    WHEN o.refunded_amount > 0 THEN CASE WHEN o.refunded_amount >= o.captured_amount THEN 'refunded' ELSE
      'partially_refunded' END
    WHEN o.captured_amount >= o.total_amount THEN 'paid'
    WHEN 'authorized' = ANY(p.states) THEN 'authorized'
    WHEN p.states <@ '{failed,voided}' AND p.states <> '{}' THEN 'voided'
    ELSE 'pending' END`

/** A refund first returns what was captured above the amount. */
const givenBack = "least(p.captured, greatest(0, coalesce(r.refunded, 0) - p.surplus))"

/** What names a payment belongs to the payment's own order. */
const ofOwnOrder = (of: "refund" | "dispute"): Law => ({
  law: `${of}.order`,
  says: `a ${of} is of a payment of its own order`,
  table: of,
  sql: `SELECT r.id, p.order_id AS expected,
    r.order_id AS found FROM ${of} r JOIN payment p ON p.store_id = $1 AND p.id = r.payment_id
    WHERE r.store_id = $1 AND p.order_id <> r.order_id`
})

const bounded = (of: "refund" | "dispute", most: number, counted: string): Law => ({
  law: `${of}.bound`,
  says: `an order has no more than ${most} rows of ${of}s, which every read of it returns`,
  table: of,
  sql: `SELECT order_id AS id, '<= ${most}' AS expected, count(*) AS found FROM ${of}
    WHERE store_id = $1 AND ${counted} GROUP BY order_id HAVING count(*) > ${most}`
})

/** An amount of an order against the sum of its payments, and against the amount that it must not exceed. */
const summed = (of: "captured" | "refunded", bound: "total_amount" | "captured_amount", says: string): Law => {
  const column = `o.${of}_amount`
  return {
    law: `order.${of}`,
    says,
    table: "orders",
    sql: `SELECT o.id, least(coalesce(p.sum, 0), o.${bound}) AS expected, ${column} AS found
      FROM orders o LEFT JOIN (SELECT order_id,
        sum(${of}) AS sum FROM payment WHERE store_id = $1 GROUP BY 1) p ON p.order_id = o.id
      WHERE o.store_id = $1 AND (${column} <> coalesce(p.sum, 0) OR ${column} > o.${bound})`
  }
}

export const orderMoneyLaws: ReadonlyArray<Law> = [
  summed(
    "captured",
    "total_amount",
    "what an order has captured is what its payments have, and no more than its total"
  ),
  summed(
    "refunded",
    "captured_amount",
    "what an order has given back is what its payments have, and no more than was captured"
  ),
  {
    law: "order.financial-status",
    says: "an order's financial status follows its money",
    table: "orders",
    sql: `SELECT o.id, ${financialStatus} AS expected, o.financial_status AS found
      FROM orders o CROSS JOIN LATERAL (SELECT coalesce(array_agg(status),
        '{}') AS states FROM payment WHERE store_id = $1 AND order_id = o.id) p
      WHERE o.store_id = $1 AND o.financial_status <> ${financialStatus}`
  },
  {
    law: "order.payments",
    says: "the payments of an order add up to its total; only what failed may be missing",
    table: "orders",
    sql: `SELECT o.id, o.total_amount AS expected, p.due AS found
      FROM orders o CROSS JOIN LATERAL (SELECT coalesce(sum(amount) FILTER (WHERE status NOT IN ('failed', 'voided')),
        0) AS due,
          bool_or(status IN ('failed', 'voided')) AS missing FROM payment WHERE store_id = $1 AND order_id = o.id) p
      WHERE o.store_id = $1 AND (p.due > o.total_amount OR (p.due < o.total_amount AND NOT coalesce(p.missing, false)))`
  },
  {
    law: "payment.sums",
    says: "no payment captures more than its amount or gives back more than it captured",
    table: "payment",
    sql: `SELECT p.id, 'amount ' || p.amount || ' >= captured >= refunded >= 0' AS expected,
      'captured ' || p.captured || ', refunded ' || p.refunded AS found
      FROM payment p WHERE p.store_id = $1 AND NOT
        (p.captured BETWEEN 0 AND p.amount AND p.refunded BETWEEN 0 AND p.captured)`
  },
  {
    law: "payment.status",
    says: "a payment is captured when it has captured something, or has nothing to capture",
    table: "payment",
    sql: `SELECT p.id, CASE WHEN p.captured > 0 THEN 'captured' ELSE 'not captured' END AS expected, p.status AS found
      FROM payment p WHERE p.store_id = $1 AND p.amount > 0 AND (p.captured > 0) <> (p.status = 'captured')`
  },
  {
    law: "payment.currency",
    says: "a payment is in its order's currency",
    table: "payment",
    sql: `SELECT p.id, o.currency AS expected,
      p.currency AS found FROM payment p JOIN orders o ON o.store_id = $1 AND o.id = p.order_id
      WHERE p.store_id = $1 AND p.currency <> o.currency`
  },
  {
    law: "payment.surplus",
    says: "a payment captures more than its amount only where it has captured all of that",
    table: "payment",
    sql: `SELECT p.id, p.amount AS expected, p.captured AS found FROM payment p
      WHERE p.store_id = $1 AND p.surplus <> 0 AND (p.surplus < 0 OR p.captured <> p.amount)`
  },
  {
    law: "payment.failure",
    says: "only a payment that failed or was voided has a reason for it",
    table: "payment",
    sql: `SELECT p.id, NULL AS expected, p.failure AS found FROM payment p
      WHERE p.store_id = $1 AND p.failure IS NOT NULL AND p.status NOT IN ('failed', 'voided')`
  },
  {
    law: "payment.refunds",
    says: "what a payment has given back is the sum of its refunds that succeeded, less its surplus",
    table: "payment",
    sql: `SELECT p.id, ${givenBack} AS expected, p.refunded AS found
      FROM payment p LEFT JOIN (SELECT payment_id, sum(amount) AS refunded FROM refund
        WHERE store_id = $1 AND status = 'succeeded' GROUP BY 1) r ON r.payment_id = p.id
      WHERE p.store_id = $1 AND p.refunded <> ${givenBack}`
  },
  ofOwnOrder("refund"),
  ofOwnOrder("dispute"),
  bounded("refund", maxRefunds, `external_id IS DISTINCT FROM '${restOfRefunds}'`),
  bounded("dispute", maxDisputes, "true"),
  {
    law: "event.paid",
    says: "an order that was paid in full was announced as paid",
    table: "orders",
    sql: `SELECT o.id, 1 AS expected, 0 AS found FROM orders o
      WHERE o.store_id = $1 AND o.paid_at > ${eventsKeptSince}
        AND NOT EXISTS (SELECT FROM event e WHERE e.store_id = $1 AND e.type = 'order.paid'
          AND e.data->>'orderId' = o.id)`
  }
]
