/**
 * Orders of one store, by SQL: two lines and a payment each, a few statuses, a fifth of them of a thousand customers.
 * Their ids are made of a number, so that requests for them can be written without asking the database.
 */
import type { Client } from "pg"
import type { Shop } from "./seed.ts"

export const orderIdOf = (order: number): string => `ord_bench${String(order).padStart(8, "0")}`
const id = (prefix: string, value: string): string => `'${prefix}_bench' || lpad((${value})::text, 8, '0')`

/** Of ten orders in a row. */
const status = `(ARRAY['PENDING', 'PAID', 'PAID', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'DELIVERED', 'DELIVERED', 'CANCELLED', 'REFUNDED'])[1 + i % 10]`
const address = `jsonb_build_object('firstName', 'Ada', 'lastName', 'Byron', 'company', NULL, 'line1', '1 Main St', 'line2', NULL,
  'city', 'San Francisco', 'region', 'CA', 'postalCode', '94105', 'country', 'US', 'phone', NULL)`
const breakdown = `jsonb_build_object('subtotal', 40, 'shippingNet', 5, 'totalTax', 3.4, 'total', 48.4, 'pricesIncludeTax', false, 'currency',
  'USD', 'breakdown', jsonb_build_array(jsonb_build_object('name', 'California', 'rate', 8.5, 'amount', 3.4)))`
const history = `jsonb_build_array(jsonb_build_object('at', '2026-01-01T00:00:00.000Z', 'to', ${status}, 'from', NULL, 'reason', NULL,
  'actor', jsonb_build_object('type', 'system', 'id', NULL, 'name', NULL), 'source', 'service'))`

/** Orders 1 to `count`, each a second after the one before. */
export const seedOrders = async (client: Client, { storeId, channelId }: Shop, count: number): Promise<void> => {
  const run = (text: string, values: ReadonlyArray<unknown>) => client.query(text, [...values])
  await client.query("SET session_replication_role = replica")
  const each = 50_000
  for (let from = 1; from <= count; from += each) {
    const range = [storeId, from, Math.min(count, from + each - 1)]
    await run(
      `INSERT INTO orders (store_id, id, order_number, sales_channel_id, source_name, status, financial_status,
        currency, subtotal, discount_amount, rule_discount_amount, shipping_amount, surcharge_amount, tax_amount,
        total_amount, captured_amount, tax_breakdown, email, customer, shipping_address, billing_address,
        shipping_selection, payment_method, status_history, created_at, updated_at)
       SELECT $1, ${id("ord", "i")}, 1000 + i, '${channelId}', 'storefront', ${status}, 'paid', 'USD', 4000, 0, 0,
         500, 0, 340, 4840, 4840, ${breakdown}, 'buyer' || i % 100000 || '@example.com',
         jsonb_build_object('name', 'Buyer ' || i % 100000, 'phone', NULL), ${address}, ${address},
         jsonb_build_object('amount', '5.00', 'carrier', NULL, 'service', NULL, 'methodName', 'Standard'), 'manual',
         ${history}, at, at
       FROM (SELECT i, timestamptz '2020-01-01' + i * interval '1 second' AS at FROM generate_series($2::int, $3::int) i) n`,
      range
    )
    await run(
      `INSERT INTO order_item (store_id, order_id, id, position, product_id, sku, name, image, quantity, unit_price,
        subtotal, discount, tax, total, tax_lines)
       SELECT $1, ${id("ord", "i")}, ${id("item", "i * 2 + k")}, k, NULL, 'SKU-' || k, 'Enamel mug ' || k,
         'https://media.example/' || k || '.jpg', 1, 2000, 2000, 0, 170, 2170, '[]'
       FROM generate_series($2::int, $3::int) i, generate_series(0, 1) k`,
      range
    )
    await run(
      `INSERT INTO payment (store_id, id, order_id, provider, method, status, amount, captured, currency, paid_at,
        created_at, updated_at)
       SELECT $1, ${id("pay", "i")}, ${id("ord", "i")}, 'manual', 'manual', 'captured', 4840, 4840, 'USD', at, at, at
       FROM (SELECT i, timestamptz '2020-01-01' + i * interval '1 second' AS at FROM generate_series($2::int, $3::int) i) n`,
      range
    )
  }
  await run(
    `INSERT INTO order_counter (store_id, last_number, by_status)
     SELECT $1, 1000 + $2::int, (SELECT jsonb_object_agg(status, n) FROM (
       SELECT status, count(*) AS n FROM orders WHERE store_id = $1 GROUP BY 1) s)`,
    [storeId, count]
  )
  await client.query("SET session_replication_role = DEFAULT")
  await client.query("VACUUM (ANALYZE) orders, order_item, payment, order_counter")
}
