/** What holds of orders: their arithmetic, their numbers, and the carts and checkouts they come from. */
import { CURRENCIES, currencyExponent } from "../kernel/Currency.ts"
import type { Law } from "./Law.ts"

/**
 * Minor units in one unit of a currency: the breakdown is kept in numbers of the currency, everything else in minor
 * units.
 */
const minorUnits = `(CASE ${CURRENCIES.filter((code) => currencyExponent(code) !== 2)
  .map((code) => `WHEN o.currency = '${code}' THEN ${10 ** currencyExponent(code)}`)
  .join(" ")} ELSE 100 END)`

/**
 * Inclusive tax is contained in the gross amounts; where inclusive and exclusive rates meet, the sum lies between the
 * two.
 */
const inclusive = "coalesce((o.tax_breakdown->>'pricesIncludeTax')::boolean, false)"

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
    says: "the discounts of an order are those of its lines; only what is taken off the shipping is on no line",
    table: "orders",
    sql: `SELECT o.id, coalesce(i.discount, 0) AS expected, o.discount_amount + o.rule_discount_amount AS found
      FROM orders o LEFT JOIN (SELECT order_id,
        sum(discount) AS discount FROM order_item WHERE store_id = $1 GROUP BY 1) i ON i.order_id = o.id
      WHERE o.store_id = $1 AND (o.discount_amount < 0 OR o.rule_discount_amount < 0
        OR o.discount_amount + o.rule_discount_amount - coalesce(i.discount, 0) NOT BETWEEN 0 AND o.shipping_amount)`
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
    says: "an order is fulfilled as far as its lines are",
    table: "orders",
    sql: `SELECT o.id, i.fulfillment AS expected, o.fulfillment_status AS found FROM orders o JOIN (
        SELECT order_id,
          CASE WHEN sum(fulfilled_quantity) = 0 THEN 'unfulfilled' WHEN sum(fulfilled_quantity) < sum(quantity) THEN
          'partial' ELSE 'fulfilled' END AS fulfillment
        FROM order_item WHERE store_id = $1 GROUP BY 1) i ON i.order_id = o.id
      WHERE o.store_id = $1 AND o.fulfillment_status <> i.fulfillment`
  },
  {
    law: "order.number",
    says: "order numbers go upward from 1001 without a gap",
    table: "orders",
    // Told once, where the gap is: every later number is wrong by it.
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
    law: "cart.merged",
    says: "a merged cart went into a cart of the same store",
    table: "cart",
    sql: `SELECT c.id, coalesce(c.merged_into, 'a cart') AS expected, NULL AS found FROM cart c
      WHERE c.store_id = $1 AND (c.status = 'MERGED') AND NOT EXISTS
        (SELECT FROM cart t WHERE t.store_id = $1 AND t.id = c.merged_into)`
  }
]
