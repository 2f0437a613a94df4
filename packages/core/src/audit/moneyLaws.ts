/**
 * What holds of payments, refunds, operations of payment providers, and of the provider's books where we keep them too
 * (the `test` provider).
 */
import type { Law } from "./Law.ts"

/** The rules of financialStatusOf (order/OrderStates.ts), said a second time so that one of the two can be wrong. */
const financialStatus = `CASE
    WHEN o.refunded_amount > 0 THEN CASE WHEN o.refunded_amount >= o.captured_amount THEN 'refunded' ELSE
      'partially_refunded' END
    WHEN o.captured_amount >= o.total_amount THEN 'paid'
    WHEN 'authorized' = ANY(p.states) THEN 'authorized'
    WHEN p.states <@ '{failed,voided}' AND p.states <> '{}' THEN 'voided'
    ELSE 'pending' END`

/**
 * Money is between two transactions: the provider has moved it and we have not written it down yet, or will give it
 * back. An operation on a charge counts for the charge's subject, whatever it is itself for. A charge that was taken in
 * open is asked for until it is final. Nobody waits for a notice that is set aside.
 */
const unsettled = `EXISTS (SELECT FROM provider_operation a
    LEFT JOIN provider_operation h ON h.store_id = $1 AND h.id = a.charge_id
    WHERE a.store_id = $1 AND coalesce(h.subject_id, a.subject_id) = c.checkout_id
      AND (a.state IN ('calling', 'refund_due')
        OR (a.kind = 'authorize' AND a.state = 'succeeded' AND a.captured < a.amount AND a.final_at IS NULL)))
  OR EXISTS (SELECT FROM provider_event e
    WHERE e.store_id = $1 AND e.applied_at IS NULL AND e.set_aside IS NULL)`

/** An amount of an order against the sum of its payments, and against what it may not pass. */
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

export const moneyLaws: ReadonlyArray<Law> = [
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
    law: "payment.refunds",
    says: "what a payment has given back is the sum of its refunds",
    table: "payment",
    sql: `SELECT p.id, coalesce(r.refunded, 0) AS expected, p.refunded AS found
      FROM payment p LEFT JOIN (SELECT payment_id,
        sum(amount) AS refunded FROM refund WHERE store_id = $1 AND status <> 'failed' GROUP BY 1) r ON r.payment_id =
        p.id
      WHERE p.store_id = $1 AND p.refunded <> coalesce(r.refunded, 0)`
  },
  {
    law: "refund.order",
    says: "a refund is of a payment of its own order",
    table: "refund",
    sql: `SELECT r.id, p.order_id AS expected,
      r.order_id AS found FROM refund r JOIN payment p ON p.store_id = $1 AND p.id = r.payment_id
      WHERE r.store_id = $1 AND p.order_id <> r.order_id`
  },
  {
    law: "operation.order",
    says: "a charge of a checkout that succeeded has paid for an order: its amount is the total less the tenders",
    table: "provider_operation",
    // Beside the charge there are tenders, and what was paid by hand after the charge had been asked for.
    sql: `SELECT a.id, a.amount AS expected, o.total_amount - t.amount AS found
      FROM provider_operation a LEFT JOIN orders o ON o.store_id = $1 AND o.checkout_id = a.subject_id
      CROSS JOIN LATERAL (SELECT coalesce(sum(p.amount), 0) AS amount FROM payment p WHERE p.store_id = $1
        AND p.order_id = o.id AND p.provider NOT IN ('manual', a.provider)) t
      WHERE a.store_id = $1 AND a.subject_type = 'checkout' AND a.kind = 'authorize' AND a.state = 'succeeded'
        AND o.total_amount - t.amount IS DISTINCT FROM a.amount`
  },
  {
    law: "operation.once",
    says: "one charge pays for the order of a checkout",
    table: "checkout",
    sql: `SELECT a.subject_id AS id, 1 AS expected, count(*) AS found FROM provider_operation a
      WHERE a.store_id = $1 AND a.subject_type = 'checkout' AND a.kind = 'authorize' AND a.state = 'succeeded'
      GROUP BY a.subject_id HAVING count(*) > 1`
  },
  {
    law: "operation.watched",
    says: "an operation whose outcome is open will be checked, and no other but one whose charge is to be released",
    table: "provider_operation",
    sql: `SELECT a.id, CASE WHEN a.state IN ('calling', 'refund_due') THEN 'a time' END AS expected,
      a.check_at AS found FROM provider_operation a
      WHERE a.store_id = $1 AND (a.state IN ('calling', 'refund_due')) <> (a.check_at IS NOT NULL)
        AND NOT (a.state = 'succeeded' AND EXISTS (
          SELECT FROM orders o JOIN payment p ON p.store_id = $1 AND p.order_id = o.id AND p.reference = a.external_id
          WHERE o.store_id = $1 AND o.checkout_id = a.subject_id AND p.captured = p.amount))`
  },
  {
    law: "operation.charge",
    says: "an operation on a charge is of its provider and its currency",
    table: "provider_operation",
    sql: `SELECT a.id, c.provider || ' ' || c.currency AS expected, a.provider || ' ' || a.currency AS found
      FROM provider_operation a JOIN provider_operation c ON c.store_id = $1 AND c.id = a.charge_id
      WHERE a.store_id = $1 AND (c.kind <> 'authorize' OR (a.provider, a.currency) <> (c.provider, c.currency))`
  },
  {
    law: "provider.notices",
    says: "what a provider has told was read",
    table: "provider_event",
    sql: `SELECT e.provider || ' ' || e.event_id AS id, NULL AS expected, 'set aside: ' || e.set_aside AS found
      FROM provider_event e WHERE e.store_id = $1 AND e.set_aside IS NOT NULL AND e.applied_at IS NULL`
  },
  {
    law: "checkout.processing",
    says: "a checkout that is being paid for has a payment operation that says how it went",
    table: "checkout",
    sql: `SELECT k.id, 'an open operation' AS expected, NULL AS found FROM checkout k
      WHERE k.store_id = $1 AND k.status = 'PROCESSING' AND NOT EXISTS (
        SELECT FROM provider_operation a WHERE a.store_id = $1 AND a.subject_id = k.id AND a.state IN ('calling',
          'refund_due', 'refunded'))`
  },
  {
    law: "provider.kept",
    says: "the provider has kept as much money for a checkout as its order says",
    table: "checkout",
    sql: `SELECT c.checkout_id AS id, c.kept AS expected, coalesce(o.kept, 0) AS found
      FROM (SELECT checkout_id, sum(captured - refunded) AS kept FROM test_charge WHERE store_id = $1 GROUP BY 1) c
      LEFT JOIN (SELECT o.checkout_id,
        sum(p.captured - p.refunded) AS kept FROM orders o JOIN payment p ON p.store_id = $1 AND p.order_id = o.id AND
        p.provider = 'test'
        WHERE o.store_id = $1 GROUP BY 1) o ON o.checkout_id = c.checkout_id
      WHERE c.kept <> coalesce(o.kept, 0) AND NOT (${unsettled})`
  },
  {
    law: "provider.once",
    says: "a checkout is charged once",
    table: "checkout",
    sql: `SELECT c.checkout_id AS id, 1 AS expected,
      count(*) AS found FROM test_charge c WHERE c.store_id = $1 AND c.captured > c.refunded
      GROUP BY c.checkout_id HAVING count(*) > 1 AND NOT (${unsettled})`
  }
]
