/** What must hold of what was asked to be refunded. */
import type { Law } from "../database/Law.ts"

/** Whether a request has a refund that has not failed. */
const isCounted = (request: string): string =>
  `EXISTS (SELECT FROM refund r WHERE r.store_id = $1 AND r.request_id = ${request} AND r.status <> 'failed')`

/** Whether the units of a request count: also where its money came back after they were put back into stock. */
const areUnitsCounted = `(${isCounted("refund_id")} OR EXISTS (SELECT FROM refund_request q
  WHERE q.store_id = $1 AND q.id = refund_id AND q.completed_at IS NOT NULL))`

export const refundLaws: ReadonlyArray<Law> = [
  {
    law: "refund.request",
    says: "a refund of ours is of a request of its own order, and asked of the provider by its key or of nobody",
    table: "refund",
    sql: `SELECT r.id, r.order_id AS expected, q.order_id AS found
      FROM refund r LEFT JOIN refund_request q ON q.store_id = $1 AND q.id = r.request_id
      WHERE r.store_id = $1 AND r.request_id IS NOT NULL
        AND (q.order_id IS DISTINCT FROM r.order_id OR (r.key IS NULL) <> (r.asked IS NULL))`
  },
  {
    law: "refund.asked",
    says: "what was asked to be refunded is what its payments give back",
    table: "refund_request",
    // In another currency a refund is booked for what the provider's whole units come to.
    sql: `SELECT q.id, q.amount AS expected, coalesce(r.sum, 0) AS found
      FROM refund_request q JOIN orders o ON o.store_id = $1 AND o.id = q.order_id
      LEFT JOIN (SELECT request_id, sum(amount) AS sum FROM refund WHERE store_id = $1 GROUP BY 1) r
        ON r.request_id = q.id
      WHERE q.store_id = $1 AND CASE WHEN o.presentment IS NULL THEN q.amount IS DISTINCT FROM r.sum
        ELSE r.sum IS NULL END`
  },
  {
    law: "refund.operation",
    says: "a refund of ours at a provider is an operation of its order for what was asked, which ended as it did",
    table: "refund",
    sql: `SELECT r.id, r.asked || ' ' || r.status AS expected, a.amount || ' ' || a.state AS found
      FROM refund r LEFT JOIN provider_operation a ON a.store_id = $1 AND 'refund:' || a.id = r.key
      WHERE r.store_id = $1 AND r.request_id IS NOT NULL AND r.key IS NOT NULL
        AND (a.kind IS DISTINCT FROM 'refund' OR a.subject_id <> r.order_id OR a.amount <> r.asked
          OR (r.status = 'pending' AND a.state NOT IN ('calling', 'pending', 'succeeded'))
          OR (r.status = 'succeeded' AND a.state IN ('failed', 'absent')))`
  },
  {
    law: "payment.refunding",
    says: "what is under way of a payment's refunds is the sum of those that are pending",
    table: "payment",
    sql: `SELECT p.id, coalesce(r.sum, 0) AS expected, p.refunding AS found
      FROM payment p LEFT JOIN (SELECT payment_id, sum(amount) AS sum FROM refund
        WHERE store_id = $1 AND status = 'pending' GROUP BY 1) r ON r.payment_id = p.id
      WHERE p.store_id = $1 AND p.refunding <> coalesce(r.sum, 0)`
  },
  {
    law: "refund.units",
    says: "the units of a line that were refunded are those of its refunds, and no more than were sold: none twice",
    table: "order_item",
    sql: `SELECT i.order_id || ' ' || i.id AS id, coalesce(n.units, 0) AS expected, i.refunded_quantity AS found
      FROM order_item i LEFT JOIN (SELECT order_id, item_id, sum(quantity) AS units FROM refund_item
        WHERE store_id = $1 AND ${areUnitsCounted} GROUP BY 1, 2) n
        ON n.order_id = i.order_id AND n.item_id = i.id
      WHERE i.store_id = $1 AND (i.refunded_quantity <> coalesce(n.units, 0) OR n.units > i.quantity)`
  },
  {
    law: "refund.lines",
    says: "the refunds of a line come to no more than it was paid with, and to all of it where every unit is refunded",
    table: "order_item",
    // Surcharges, and a tax of the whole order, are borne by its lines: at most all of them by one.
    sql: `SELECT i.order_id || ' ' || i.id AS id, i.total || ' to ' || i.total + b.borne AS expected, n.amount AS found
      FROM order_item i JOIN orders o ON o.store_id = $1 AND o.id = i.order_id
      CROSS JOIN LATERAL (SELECT o.total_amount - o.shipping_amount - sum(l.total) AS borne FROM order_item l
        WHERE l.store_id = $1 AND l.order_id = i.order_id) b
      JOIN (SELECT order_id, item_id, sum(amount) AS amount, sum(quantity) AS units FROM refund_item
        WHERE store_id = $1 AND ${areUnitsCounted} GROUP BY 1, 2) n
        ON n.order_id = i.order_id AND n.item_id = i.id
      WHERE i.store_id = $1 AND (n.amount > i.total + b.borne OR (n.units = i.quantity AND n.amount < i.total))`
  },
  {
    law: "refund.shipping",
    says: "the refunds of an order's shipping come to no more than it was paid with",
    table: "orders",
    sql: `SELECT o.id, o.shipping_amount AS expected, q.shipping AS found
      FROM orders o JOIN (SELECT order_id, sum(shipping) AS shipping FROM refund_request
        WHERE store_id = $1 AND ${isCounted("refund_request.id")} GROUP BY 1) q ON q.order_id = o.id
      WHERE o.store_id = $1 AND q.shipping > o.shipping_amount`
  },
  {
    law: "refund.parts",
    says: "units and shipping of a refund come to its amount, where it names any",
    table: "refund_request",
    // The last refund of an order in another currency takes the remainder.
    sql: `SELECT q.id, n.amount + q.shipping + q.shipping_tax AS expected, q.amount AS found
      FROM refund_request q JOIN orders o ON o.store_id = $1 AND o.id = q.order_id
      CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS amount, count(*) AS items FROM refund_item
        WHERE store_id = $1 AND refund_id = q.id) n
      WHERE q.store_id = $1 AND o.presentment IS NULL AND (n.items > 0 OR q.shipping > 0)
        AND n.amount + q.shipping + q.shipping_tax <> q.amount`
  },
  {
    law: "refund.completed",
    says: "a refund whose money was given back has put its units back and told its buyer",
    table: "refund_request",
    sql: `SELECT q.id, 'completed' AS expected, NULL AS found FROM refund_request q
      WHERE q.store_id = $1 AND q.completed_at IS NULL AND EXISTS (SELECT FROM refund r
        WHERE r.store_id = $1 AND r.request_id = q.id AND r.succeeded_at IS NOT NULL)`
  }
]
