/** What holds of events, of kept answers, of what leaves, and of rows that name another store's. */
import type { Law } from "./Law.ts"

/** Answers of completed checkouts and placed orders name their order. */
const orderAnswer = `CASE WHEN i.content_type LIKE 'application/json%' AND encode(substr(i.body, 1, 11),
  'escape') = '{"orderId":' THEN convert_from(i.body, 'UTF8')::jsonb->>'orderId' END`

/** Rows that name a sales channel without a foreign key, because channels are a platform table. */
const foreignChannel = (table: string): Law => ({
  law: `tenant.${table}-channel`,
  says: `a row of ${table} names no other store's sales channel`,
  table,
  sql: `SELECT t.id, t.store_id AS expected,
    c.store_id AS found FROM ${table} t JOIN sales_channel c ON c.id = t.sales_channel_id
    WHERE t.store_id = $1 AND c.store_id <> t.store_id`
})

export const recordLaws: ReadonlyArray<Law> = [
  {
    law: "media.storage",
    says: "a store uses as much storage as its files take that are not deleted, and its shoppers' that nothing names",
    table: "media_storage",
    sql: `SELECT s.store_id AS id, c.expected, c.found
      FROM media_storage s LEFT JOIN (
        SELECT sum(stored_bytes) FILTER (WHERE NOT unclaimed) AS kept,
          sum(stored_bytes) FILTER (WHERE unclaimed) AS unclaimed
        FROM media_file WHERE store_id = $1 AND deleted_at IS NULL) f ON true,
        LATERAL (VALUES (coalesce(f.kept, 0), s.used_bytes),
          (coalesce(f.unclaimed, 0), s.unclaimed_bytes)) AS c (expected, found)
      WHERE s.store_id = $1 AND c.expected <> c.found`
  },
  {
    law: "event.created",
    says: "an order was announced exactly once",
    table: "orders",
    // Events are kept for a while, orders for good: an order older than the oldest event may have lost its own.
    sql: `SELECT o.id, 1 AS expected, coalesce(e.told, 0) AS found
      FROM orders o LEFT JOIN (SELECT data->>'orderId' AS id,
        count(*) AS told FROM event WHERE store_id = $1 AND type = 'order.created' GROUP BY 1) e ON e.id = o.id
      WHERE o.store_id = $1 AND coalesce(e.told, 0) <> 1
        AND (e.told > 1 OR o.created_at > (SELECT min(created_at) FROM event WHERE store_id = $1))`
  },
  {
    law: "event.once",
    says: "what happens once in the life of an order or checkout is told once",
    table: "event",
    sql: `SELECT max(e.id) AS id, 1 AS expected, count(*) AS found FROM event e
      WHERE e.store_id = $1 AND e.type IN ('order.paid', 'checkout.completed') GROUP BY e.type,
        e.data->>'orderId' HAVING count(*) > 1`
  },
  {
    law: "event.order",
    says: "an event tells of an order that is there",
    table: "event",
    sql: `SELECT e.id, e.data->>'orderId' AS expected, NULL AS found FROM event e
      WHERE e.store_id = $1 AND (e.type LIKE 'order.%' OR e.type = 'checkout.completed')
        AND NOT EXISTS (SELECT FROM orders o WHERE o.store_id = $1 AND o.id = e.data->>'orderId')`
  },
  {
    law: "event.goods",
    says: "an event of goods or stock tells of a product of the store",
    table: "event",
    // The row of a deleted product stays.
    sql: `SELECT e.id, e.data->>'productId' AS expected, NULL AS found FROM event e
      WHERE e.store_id = $1 AND e.type IN ('product.created', 'product.updated', 'inventory.updated')
        AND NOT EXISTS (SELECT FROM product p WHERE p.store_id = $1 AND p.id = e.data->>'productId')`
  },
  {
    law: "event.position",
    says: "an event has a place in the feed when it was relayed, and not before",
    table: "event",
    sql: `SELECT e.id, CASE WHEN e.relayed_at IS NULL THEN NULL ELSE 'a position' END AS expected,
      e.position AS found FROM event e
      WHERE e.store_id = $1 AND (e.relayed_at IS NULL) <> (e.position IS NULL)`
  },
  {
    law: "event.feed",
    says: "no two events have the same place in the feed",
    table: "event",
    sql: `SELECT max(e.id) AS id, 1 AS expected, count(*) AS found FROM event e
      WHERE e.store_id = $1 AND e.position IS NOT NULL GROUP BY e.position HAVING count(*) > 1`
  },
  {
    law: "idempotency.order",
    says: "an answer that was kept for an Idempotency-Key tells of an order that is there",
    table: "idempotency",
    sql: `SELECT k.credential || ' ' || k.key AS id, k.order_id AS expected, NULL AS found
      FROM (SELECT i.credential, i.key,
        ${orderAnswer} AS order_id FROM idempotency i WHERE i.store_id = $1 AND i.status BETWEEN 200 AND 299) k
      WHERE k.order_id IS NOT NULL AND NOT EXISTS (SELECT FROM orders o WHERE o.store_id = $1 AND o.id = k.order_id)`
  },
  {
    law: "idempotency.lease",
    says: "a key is blocked by a request under way for a minute at most",
    table: "idempotency",
    // The record lives for a day from its claim.
    sql: `SELECT i.credential || ' ' || i.key AS id, '<= 60 s' AS expected,
      extract(epoch FROM i.claimed_until - i.expires_at + interval '24 hours') || ' s' AS found
      FROM idempotency i WHERE i.store_id = $1 AND i.claimed_until > i.expires_at - interval '24 hours' + interval
        '60 seconds'`
  },
  {
    law: "webhook.finished",
    says: "a delivery is finished when nothing more is due, and was tried if it was delivered",
    table: "webhook_delivery",
    sql: `SELECT d.id, CASE WHEN d.due_at IS NULL THEN 'finished' ELSE 'unfinished' END AS expected,
        CASE WHEN d.finished_at IS NULL THEN 'unfinished' ELSE 'finished' END || ', ' || d.status || ' after ' ||
          d.attempt_count AS found FROM webhook_delivery d
      WHERE d.store_id = $1 AND
        ((d.due_at IS NULL) <> (d.finished_at IS NOT NULL) OR (d.status IN ('delivered',
        'abandoned') AND d.attempt_count = 0))`
  },
  {
    law: "webhook.whole",
    says: "a delivery has its event and its subscription",
    table: "webhook_delivery",
    // No foreign key says so: it would be a quarter of what a delivery costs.
    sql: `SELECT d.id, 'event and subscription' AS expected,
      concat_ws(' and ', CASE WHEN e.id IS NOT NULL THEN 'event' END,
      CASE WHEN s.id IS NOT NULL THEN 'subscription' END) AS found
      FROM webhook_delivery d LEFT JOIN event e ON e.store_id = $1 AND e.id = d.event_id LEFT JOIN webhook_subscription
        s ON s.store_id = $1 AND s.id = d.subscription_id
      WHERE d.store_id = $1 AND (e.id IS NULL OR s.id IS NULL)`
  },
  {
    law: "import.finished",
    says: "an import is finished when nothing of it waits, and not before",
    table: "product_import",
    sql: `SELECT i.id, CASE WHEN r.waiting > 0 THEN 'unfinished' ELSE 'finished' END AS expected,
      r.waiting || ' waiting, finished ' || coalesce(i.finished_at::text, 'never') AS found
      FROM product_import i CROSS JOIN LATERAL (SELECT count(*) AS waiting FROM product_import_row
        WHERE store_id = $1 AND import_id = i.id AND product_id IS NULL AND error IS NULL) r
      WHERE i.store_id = $1 AND (r.waiting = 0) <> (i.finished_at IS NOT NULL)`
  },
  {
    law: "product.modifier-groups",
    says: "a product with modifier groups says that it has some, so that carts ask for them",
    table: "product_modifier_group",
    sql: `SELECT a.product_id || ' ' || a.id AS id, 'true' AS expected, 'false' AS found
      FROM product_modifier_group a WHERE a.store_id = $1 AND EXISTS (SELECT FROM product p
        WHERE p.store_id = $1 AND p.id = a.product_id AND NOT p.has_modifier_groups)`
  },
  {
    law: "mail.sealed",
    says: "the body of a mail that has left holds no secret any more",
    table: "email_message",
    sql: `SELECT m.id, NULL AS expected,
      'sealed, ' || m.status AS found FROM email_message m WHERE m.store_id = $1 AND m.status <> 'QUEUED' AND m.sealed
      IS NOT NULL`
  },
  foreignChannel("cart"),
  foreignChannel("checkout"),
  foreignChannel("orders"),
  {
    law: "tenant.goods",
    says: "an order sells no other store's goods",
    table: "order_item",
    // Other stores are searched for what is not the store's own alone, which is nothing where the law holds.
    sql: `SELECT id, expected, found FROM (
        SELECT i.order_id || ' ' || i.id AS id, i.store_id AS expected,
          (SELECT min(p.store_id) FROM product p WHERE p.id = i.product_id) AS found FROM order_item i
        WHERE i.store_id = $1 AND i.product_id IS NOT NULL AND NOT EXISTS
          (SELECT FROM product own WHERE own.store_id = $1 AND own.id = i.product_id)) foreign_item
      WHERE found IS NOT NULL`
  },
  {
    law: "tenant.key",
    says: "an admin key of a store belongs to the store's account",
    table: "api_key",
    sql: `SELECT k.id, s.account_id AS expected,
      k.account_id AS found FROM api_key k JOIN store s ON s.id = k.store_id WHERE k.store_id = $1 AND k.account_id <>
      s.account_id`
  }
]
