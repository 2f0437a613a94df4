/**
 * Events of one store, by SQL, relayed and delivered to one subscription: four common types, and a hundred of a rare
 * one however many there are. They are spread over four weeks, so that none is old enough to be removed.
 */
import { createHash } from "node:crypto"
import type { Client } from "pg"
import type { Shop } from "./seed.ts"

export const eventIdOf = (event: number): string => `evt_${createHash("md5").update(`bench${event}`).digest("hex")}`
export const subscriptionId = "whs_bench"
export const rareType = "order.refunded"
export const commonTypes = ["order.created", "order.updated", "inventory.updated", "product.updated"] as const

const hex = (event: string): string => `md5('bench' || ${event})`
const snapshot = `jsonb_build_object('orderId', 'ord_' || i, 'order', jsonb_build_object('number', i, 'note', ${hex("i")}, 'email',
  'buyer' || i % 100000 || '@example.com', 'address', ${hex("i + 1")}, 'items', ${hex("i + 2")}))`

/** Events 1 to `count`. */
export const seedEvents = async (client: Client, { storeId }: Shop, count: number): Promise<void> => {
  await client.query("SET session_replication_role = replica")
  await client.query(
    `INSERT INTO webhook_subscription (store_id, id, url, events, is_active, secret, secret_prefix, created_at, updated_at)
     VALUES ($1, $2, 'https://hooks.example', '{donation.*}', true, '', '', now(), now())`,
    [storeId, subscriptionId]
  )
  const common = commonTypes.map((type) => `'${type}'`).join(", ")
  const each = 100_000
  for (let from = 1; from <= count; from += each) {
    const range = [storeId, from, Math.min(count, from + each - 1), count]
    const made = `(SELECT i, now() - interval '29 days' + i * (interval '28 days' / $4::int) AS at
      FROM generate_series($2::int, $3::int) i) n`
    await client.query(
      `INSERT INTO event (store_id, id, type, version, data, size, created_at, relayed_at, position)
       SELECT $1, 'evt_' || ${hex("i")}, CASE WHEN i % ($4::int / 100) = 7 THEN '${rareType}' ELSE (ARRAY[${common}])[1 + i % 4] END,
         1, ${snapshot}, 300, at, at, i FROM ${made}`,
      range
    )
    await client.query(
      `INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, status, attempt_count, attempts, created_at,
         finished_at)
       SELECT $1, 'whd_' || lpad(i::text, 26, '0'), '${subscriptionId}', 'evt_' || ${hex("i")}, 'delivered', 1,
         jsonb_build_array(jsonb_build_object('at', at, 'statusCode', 200, 'error', NULL, 'durationMs', 12)), at, at
       FROM ${made}`,
      range
    )
  }
  await client.query("SET session_replication_role = DEFAULT")
  // Its trigger has not counted them.
  await client.query(`INSERT INTO webhook_delivery_count (store_id, subscription_id, total) VALUES ($1, $2, $3)`, [
    storeId,
    subscriptionId,
    count
  ])
  await client.query("VACUUM (ANALYZE) event, webhook_delivery, webhook_delivery_count")
}
