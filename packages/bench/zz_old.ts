import pg from "pg"
import { readFileSync } from "node:fs"
const place = JSON.parse(readFileSync("/tmp/retention/place.json", "utf8"))
const client = new pg.Client(place.pg); await client.connect()
const hold = new pg.Client(place.pg); await hold.connect()
const store = place.shop.storeId
const before = new Date(Date.now() - 30 * 86400000)
const sql = `WITH old AS (DELETE FROM event WHERE store_id = $1 AND id IN (
  SELECT e.id FROM (SELECT id, created_at, relayed_at FROM event WHERE store_id = $1 ORDER BY seq LIMIT $3) e
  WHERE e.created_at < $2 AND e.relayed_at IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.store_id = $1 AND d.event_id = e.id AND d.due_at IS NOT NULL)) RETURNING id
 ), theirs AS (DELETE FROM webhook_delivery WHERE store_id = $1 AND event_id IN (SELECT id FROM old)) SELECT count(*)::int AS count FROM old`
const q = (c: any, s: string, v: any[] = []) => c.query(s, v)
await q(client, "SET jit=off"); await q(client, "SET synchronous_commit=off")
const run = async (name: string, batches: number) => {
  const times: number[] = []
  let n = 0
  for (let i = 0; i < batches; i++) {
    const t = performance.now()
    const r = await client.query({ name: "old", text: sql, values: [store, before, 500] })
    times.push(performance.now() - t); n += r.rows[0].count
  }
  const part = (a: number, b: number) => (times.slice(a, b).reduce((x, y) => x + y, 0) / (b - a)).toFixed(1)
  console.log(name, n, "first10", part(0, 10), "middle", part(batches / 2 - 5, batches / 2 + 5), "last10", part(batches - 10, batches), "total", times.reduce((x, y) => x + y, 0).toFixed(0))
}
await run("old, no snapshot", 100)
await q(hold, "BEGIN ISOLATION LEVEL REPEATABLE READ"); await q(hold, "SELECT count(*) FROM store")
await run("old, held snapshot", 100)
await q(hold, "COMMIT")
const t = performance.now(); await q(client, "VACUUM event"); console.log("vacuum after 100k", performance.now() - t)
await client.end(); await hold.end()
