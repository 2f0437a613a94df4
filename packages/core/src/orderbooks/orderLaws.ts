/** What must hold for orders: their arithmetic and numbers, their events, and where they are stored. */
import { CURRENCIES, currencyExponent } from "../kernel/Currency.ts"
import type { Law } from "../database/Law.ts"
import { eventsKeptSince } from "../outbox/eventsKeptSince.ts"
import { foreignChannel } from "../store/foreignChannel.ts"

/** Minor units in a major unit of the currency: the breakdown is stored in major units, all else in minor units. */
const minorUnits = `(CASE ${CURRENCIES.filter((code) => currencyExponent(code) !== 2)
  .map((code) => `WHEN o.currency = '${code}' THEN ${10 ** currencyExponent(code)}`)
  .join(" ")} ELSE 100 END)`

/** Inclusive tax is part of gross amounts; where inclusive and exclusive rates mix, the sum lies between the two. */
const inclusive = "coalesce((o.tax_breakdown->>'pricesIncludeTax')::boolean, false)"

/** Stored responses of completed checkouts and placed orders include their order. */
const orderAnswer = `CASE WHEN i.content_type LIKE 'application/json%' AND encode(substr(i.body, 1, 11),
  'escape') = '{"orderId":' THEN convert_from(i.body, 'UTF8')::jsonb->>'orderId' END`

export const orderLaws: ReadonlyArray<Law> = [
  {
    law: "order.line",
    says: "a line costs its quantity times its price",
    table: "order_item",
    sql: `SELECT i.order_id || ' ' || i.id AS id, i.quantity * i.unit_price AS expected,
      i.subtotal AS found FROM order_item i
      WHERE i.store_id = $1 AND i.subtotal <> i.quantity * i.unit_price`
  },
  {
    law: "order.line-total",
    says: "what is paid for a line is its cost less its discount, and its tax where that is added",
    table: "order_item",
    sql: `SELECT i.order_id || ' ' || i.id AS id,
      i.subtotal - i.discount + CASE WHEN ${inclusive} THEN 0 ELSE i.tax END AS expected, i.total AS found
      FROM order_item i JOIN orders o ON o.store_id = $1 AND o.id = i.order_id
      WHERE i.store_id = $1 AND (i.discount NOT BETWEEN 0 AND i.subtotal
        OR i.total NOT BETWEEN i.subtotal - i.discount + CASE WHEN ${inclusive} THEN 0 ELSE i.tax END AND i.subtotal -
          i.discount + i.tax)`
  },
  {
    law: "order.modifiers",
    says: "a unit costs its product and what was chosen with it, of which free ones cost nothing",
    table: "order_item",
    sql: `SELECT i.order_id || ' ' || i.id AS id,
      least(9223372036854775807, greatest(0, i.base_price + m.amount)) AS expected, i.unit_price AS found
      FROM order_item i CROSS JOIN LATERAL (SELECT
        coalesce(sum((m->>'priceDelta')::numeric * ((m->>'quantity')::int - (m->>'freeQuantity')::int)), 0) AS amount,
        coalesce(sum((m->>'amount')::numeric), 0) AS told FROM jsonb_array_elements(i.modifiers) m) m
      WHERE i.store_id = $1 AND i.base_price IS NOT NULL
        AND (m.told <> m.amount
          OR i.unit_price <> least(9223372036854775807, greatest(0, i.base_price + m.amount)))`
  },
  {
    law: "order.subtotal",
    says: "an order's subtotal is the sum of its lines",
    table: "orders",
    sql: `SELECT o.id, coalesce(i.subtotal, 0) AS expected, o.subtotal AS found
      FROM orders o LEFT JOIN (SELECT order_id,
        sum(subtotal) AS subtotal FROM order_item WHERE store_id = $1 GROUP BY 1) i ON i.order_id = o.id
      WHERE o.store_id = $1 AND o.subtotal <> coalesce(i.subtotal, 0)`
  },
  {
    law: "order.discounts",
    says: "the discounts of an order are those of its lines",
    table: "orders",
    sql: `SELECT o.id, coalesce(i.discount, 0) AS expected, o.discount_amount + o.rule_discount_amount AS found
      FROM orders o LEFT JOIN (SELECT order_id,
        sum(discount) AS discount FROM order_item WHERE store_id = $1 GROUP BY 1) i ON i.order_id = o.id
      WHERE o.store_id = $1 AND (o.discount_amount < 0 OR o.rule_discount_amount < 0
        OR o.discount_amount + o.rule_discount_amount <> coalesce(i.discount, 0))`
  },
  {
    law: "order.adjusted-lines",
    says: "the discount of a line is the sum of its adjustments",
    table: "order_item",
    sql: `SELECT i.order_id || ' ' || i.id AS id, coalesce(a.amount, 0) AS expected, i.discount AS found
      FROM order_item i LEFT JOIN (SELECT order_id, item_id, sum(amount) AS amount FROM order_adjustment
        WHERE store_id = $1 AND target = 'line' GROUP BY 1, 2) a ON a.order_id = i.order_id AND a.item_id = i.id
      WHERE i.store_id = $1 AND i.discount <> coalesce(a.amount, 0)`
  },
  {
    law: "order.adjustments",
    says: "the discounts and surcharges of an order are its adjustments, and so is a shipping or tax that was stated",
    table: "orders",
    sql: `SELECT o.id || ' ' || s.part AS id, coalesce(a.amount, 0) AS expected, s.amount AS found
      FROM orders o CROSS JOIN LATERAL (VALUES ('discount', o.discount_amount),
        ('rule_discount', o.rule_discount_amount), ('surcharge', o.surcharge_amount), ('shipping', o.shipping_amount),
        ('tax', o.tax_amount)) s (part, amount)
      LEFT JOIN (SELECT order_id, part, sum(amount) AS amount FROM order_adjustment WHERE store_id = $1 GROUP BY 1, 2) a
        ON a.order_id = o.id AND a.part = s.part
      WHERE o.store_id = $1 AND s.amount <> coalesce(a.amount, CASE WHEN s.part IN ('shipping', 'tax') THEN s.amount
        ELSE 0 END)`
  },
  {
    law: "adjustment.order",
    says: "an adjustment is of an order of its store, and of a line of that order where it names one",
    table: "order_adjustment",
    sql: `SELECT a.order_id || ' ' || a.position AS id, coalesce(a.item_id, a.order_id) AS expected, NULL AS found
      FROM order_adjustment a WHERE a.store_id = $1 AND (
        NOT EXISTS (SELECT FROM orders o WHERE o.store_id = $1 AND o.id = a.order_id)
        OR (a.item_id IS NOT NULL AND NOT EXISTS (
          SELECT FROM order_item i WHERE i.store_id = $1 AND i.order_id = a.order_id AND i.id = a.item_id)))`
  },
  {
    law: "order.tax",
    says: "an order's tax is the sum of its breakdown",
    table: "orders",
    sql: `SELECT o.id, b.tax AS expected, o.tax_amount AS found
      FROM orders o CROSS JOIN LATERAL (
        SELECT round(coalesce(sum((t->>'amount')::numeric),
          0) * ${minorUnits}) AS tax FROM jsonb_array_elements(o.tax_breakdown->'breakdown') t) b
      WHERE o.store_id = $1 AND b.tax <> o.tax_amount`
  },
  {
    law: "order.total",
    says: "an order's total is subtotal less discounts, with shipping, surcharges and the tax that is added",
    table: "orders",
    sql: `SELECT o.id, o.net + CASE WHEN ${inclusive} THEN 0 ELSE o.tax_amount END AS expected, o.total_amount AS found
      FROM (SELECT *,
        subtotal - discount_amount - rule_discount_amount + shipping_amount + surcharge_amount AS net FROM orders WHERE
        store_id = $1) o
      WHERE o.total_amount NOT BETWEEN o.net + CASE WHEN ${inclusive} THEN 0 ELSE o.tax_amount END AND o.net +
        o.tax_amount`
  },
  {
    law: "order.history",
    says: "an order is where its history last went",
    table: "orders",
    sql: `SELECT o.id, o.status_history->-1->>'to' AS expected, o.status AS found FROM orders o
      WHERE o.store_id = $1 AND o.status_history->-1->>'to' <> o.status`
  },
  {
    law: "order.fulfillment",
    says: "an order is fulfilled as far as its lines are, of which nothing that was refunded is to be sent any more",
    table: "orders",
    sql: `SELECT o.id, i.fulfillment AS expected, o.fulfillment_status AS found FROM orders o JOIN (
        SELECT order_id,
          CASE WHEN sum(fulfilled_quantity) = 0 THEN 'unfulfilled'
          WHEN bool_or(quantity > fulfilled_quantity + refunded_quantity) THEN 'partial' ELSE 'fulfilled' END
            AS fulfillment
        FROM order_item WHERE store_id = $1 GROUP BY 1) i ON i.order_id = o.id
      WHERE o.store_id = $1 AND o.fulfillment_status <> i.fulfillment`
  },
  {
    law: "order.number",
    says: "order numbers go upward from 1001 without a gap",
    table: "orders",
    // Reported once, at the gap: every later number is off by the same amount.
    sql: `SELECT id, expected, found FROM (
        SELECT id, 1000 + row_number() OVER (ORDER BY order_number) AS expected,
          order_number AS found FROM orders WHERE store_id = $1) n
      WHERE expected <> found ORDER BY found LIMIT 1`
  },
  {
    law: "order.counter",
    says: "the store's counter is the number of its newest order",
    table: "order_counter",
    sql: `SELECT s.id, coalesce(o.newest, 1000) AS expected, coalesce(c.last_number, 1000) AS found
      FROM store s LEFT JOIN order_counter c ON c.store_id = s.id,
        (SELECT max(order_number) AS newest FROM orders WHERE store_id = $1) o
      WHERE s.id = $1 AND coalesce(c.last_number, 1000) <> coalesce(o.newest, 1000)`
  },
  {
    law: "order.month",
    says: "the store's counter has counted every order of its month",
    table: "order_counter",
    // More, where an order was placed while the month turned.
    sql: `SELECT c.store_id AS id, o.orders AS expected, c.month_orders AS found FROM order_counter c, LATERAL (
        SELECT count(*) AS orders FROM orders WHERE store_id = c.store_id
          AND created_at >= (nullif(c.month, '') || '-01')::timestamp AT TIME ZONE 'UTC') o
      WHERE c.store_id = $1 AND (c.month_orders < o.orders OR c.month = '' AND EXISTS (
        SELECT FROM orders WHERE store_id = c.store_id))`
  },
  {
    law: "order.counts",
    says: "the store's counter knows how many orders are in each status",
    table: "order_counter",
    sql: `SELECT coalesce(o.status, c.status) AS id, coalesce(o.orders, 0) AS expected, coalesce(c.orders, 0) AS found
      FROM (SELECT status, count(*) AS orders FROM orders WHERE store_id = $1 GROUP BY 1) o
      FULL JOIN (SELECT n.key AS status, n.value::bigint AS orders
        FROM order_counter, jsonb_each_text(by_status) n WHERE store_id = $1) c ON c.status = o.status
      WHERE coalesce(o.orders, 0) <> coalesce(c.orders, 0)`
  },
  {
    law: "event.created",
    says: "an order was announced exactly once",
    table: "orders",
    sql: `SELECT o.id, 1 AS expected, coalesce(e.told, 0) AS found
      FROM orders o LEFT JOIN (SELECT data->>'orderId' AS id,
        count(*) AS told FROM event WHERE store_id = $1 AND type = 'order.created' GROUP BY 1) e ON e.id = o.id
      WHERE o.store_id = $1 AND coalesce(e.told, 0) <> 1
        AND (e.told > 1 OR o.created_at > ${eventsKeptSince})`
  },
  {
    law: "event.once",
    says: "what happens once in the life of an order or checkout has one event",
    table: "event",
    sql: `SELECT max(e.id) AS id, 1 AS expected, count(*) AS found FROM event e
      WHERE e.store_id = $1 AND e.type IN ('order.paid', 'checkout.completed') GROUP BY e.type,
        e.data->>'orderId' HAVING count(*) > 1`
  },
  {
    law: "event.order",
    says: "an event of an order names an order that exists",
    table: "event",
    sql: `SELECT e.id, e.data->>'orderId' AS expected, NULL AS found FROM event e
      WHERE e.store_id = $1 AND (e.type LIKE 'order.%' OR e.type = 'checkout.completed')
        AND NOT EXISTS (SELECT FROM orders o WHERE o.store_id = $1 AND o.id = e.data->>'orderId')`
  },
  {
    law: "idempotency.order",
    says: "a response stored for an Idempotency-Key names an order that exists",
    table: "idempotency",
    sql: `SELECT k.credential || ' ' || k.key AS id, k.order_id AS expected, NULL AS found
      FROM (SELECT i.credential, i.key,
        ${orderAnswer} AS order_id FROM idempotency i WHERE i.store_id = $1 AND i.status BETWEEN 200 AND 299) k
      WHERE k.order_id IS NOT NULL AND NOT EXISTS (SELECT FROM orders o WHERE o.store_id = $1 AND o.id = k.order_id)`
  },
  foreignChannel("orders"),
  {
    law: "tenant.goods",
    says: "an order sells no other store's goods",
    table: "order_item",
    // Only products that this store does not have are looked up in other stores; there are none where the law holds.
    sql: `SELECT id, expected, found FROM (
        SELECT i.order_id || ' ' || i.id AS id, i.store_id AS expected,
          (SELECT min(p.store_id) FROM product p WHERE p.id = i.product_id) AS found FROM order_item i
        WHERE i.store_id = $1 AND i.product_id IS NOT NULL AND NOT EXISTS
          (SELECT FROM product own WHERE own.store_id = $1 AND own.id = i.product_id)) foreign_item
      WHERE found IS NOT NULL`
  }
]
