/**
 * What must hold for the money of checkouts: for operations of payment providers, and for the provider's books where we
 * keep them too (the `test` provider).
 */
import type { Law } from "../database/Law.ts"

/**
 * Money between two transactions: the provider has moved it and we have not recorded it yet, or will refund it. An
 * operation on a charge counts for the charge's subject, whatever its own subject is. A charge accepted before its
 * money came is queried until it is final. A notice that was set aside does not count as pending.
 */
const unsettled = `EXISTS (SELECT FROM provider_operation a
    LEFT JOIN provider_operation h ON h.store_id = $1 AND h.id = a.charge_id
    WHERE a.store_id = $1 AND coalesce(h.subject_id, a.subject_id) = c.checkout_id
      AND a.check_at IS NOT NULL)
  OR EXISTS (SELECT FROM provider_notice n WHERE n.state = 'open' AND (n.store_id IS NULL OR n.store_id = $1))`

/** What a provider was to be asked for an order. */
const asked = `CASE WHEN o.presentment IS NULL THEN o.total_amount - t.amount || ' ' || o.currency
  ELSE (o.presentment->>'amount') || ' ' || (o.presentment->>'currency') END`

export const checkoutMoneyLaws: ReadonlyArray<Law> = [
  {
    law: "operation.order",
    says:
      "a charge of a checkout that succeeded has paid for an order: its amount is the total less the tenders, or " +
      "what that was presented as in another currency",
    table: "provider_operation",
    // Apart from the charge there are tenders, and manual payments recorded after the charge was requested.
    sql: `SELECT a.id, a.amount || ' ' || a.currency AS expected, ${asked} AS found
      FROM provider_operation a LEFT JOIN orders o ON o.store_id = $1 AND o.checkout_id = a.subject_id
      CROSS JOIN LATERAL (SELECT coalesce(sum(p.amount), 0) AS amount FROM payment p WHERE p.store_id = $1
        AND p.order_id = o.id AND p.provider NOT IN ('manual', a.provider)) t
      WHERE a.store_id = $1 AND a.subject_type = 'checkout' AND a.kind = 'authorize' AND a.state = 'succeeded'
        AND ${asked} IS DISTINCT FROM a.amount || ' ' || a.currency`
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
    law: "checkout.processing",
    says: "a checkout that is being paid for has a payment operation that says how it went",
    table: "checkout",
    sql: `SELECT k.id, 'an open operation' AS expected, NULL AS found FROM checkout k
      WHERE k.store_id = $1 AND k.status = 'PROCESSING' AND NOT EXISTS (
        SELECT FROM provider_operation a WHERE a.store_id = $1 AND a.subject_id = k.id
          AND a.state IN ('calling', 'awaiting_shopper'))`
  },
  {
    law: "provider.kept",
    says: "the provider has kept as much money for a checkout as its order says",
    table: "checkout",
    sql: `SELECT c.checkout_id AS id, c.kept AS expected, coalesce(o.kept, 0) AS found
      FROM (SELECT checkout_id, sum(captured - refunded) AS kept FROM test_charge WHERE store_id = $1 GROUP BY 1) c
      LEFT JOIN (SELECT o.checkout_id,
        sum(CASE WHEN p.id = o.presentment->>'paymentId'
          THEN (o.presentment->>'captured')::bigint - (o.presentment->>'refunded')::bigint
          ELSE p.captured + p.surplus - coalesce(r.refunded, 0) END) AS kept
        FROM orders o JOIN payment p ON p.store_id = $1 AND p.order_id = o.id AND p.provider = 'test'
        LEFT JOIN (SELECT payment_id, sum(amount) AS refunded FROM refund
          WHERE store_id = $1 AND status = 'succeeded' GROUP BY 1) r ON r.payment_id = p.id
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
