import pg from "pg"
import { readFileSync } from "node:fs"
import { up } from "@effect-commerce/core/migration/Migrations"
import { coreLayer } from "@effect-commerce/core/CommerceCore"
import { Database } from "@effect-commerce/core/database/Database"
import { EventRepository } from "@effect-commerce/core/webhook/EventRepository"
import { Effect, Layer, Redacted } from "effect"
const place = JSON.parse(readFileSync("/tmp/retention/place.json", "utf8"))
const connection = { ...place.connection, password: Redacted.make(place.pg.password) }
const client = new pg.Client(place.pg); await client.connect()
const hold = new pg.Client(place.pg); await hold.connect()
let t = performance.now()
await Effect.runPromise(up(connection)); console.log("up", Math.round(performance.now() - t))
const { rows } = await client.query("select relname, pg_size_pretty(pg_relation_size(oid)) s from pg_class where relname like 'event_store%'"); console.log(rows)
const store = place.shop.storeId
const before = new Date(Date.now() - 30 * 86400000)
await Effect.runPromise(Effect.scoped(Effect.gen(function* () {
  const services = yield* Layer.build(coreLayer({ connection, secret: Redacted.make("the root secret of every benchmark"), maxConnections: 3 }))
  yield* Effect.provideContext(Effect.gen(function* () {
    const database = yield* Database; const events = yield* EventRepository
    let after: bigint | undefined = 0n
    const run = (name: string, batches: number) => Effect.gen(function* () {
      const times: number[] = []
      for (let i = 0; i < batches && after !== undefined; i++) {
        const s = performance.now()
        after = yield* database.write(store)(events.removeOlder(store, { after, before, most: 500 }))
        times.push(performance.now() - s)
      }
      const part = (a: number, b: number) => (times.slice(a, b).reduce((x, y) => x + y, 0) / (b - a)).toFixed(1)
      console.log(name, times.length, "first10", part(0, 10), "middle", part((times.length >> 1) - 5, (times.length >> 1) + 5), "last10", part(times.length - 10, times.length), "total", times.reduce((x, y) => x + y, 0).toFixed(0))
    })
    yield* run("new", 100)
    yield* Effect.promise(() => hold.query("BEGIN ISOLATION LEVEL REPEATABLE READ")); yield* Effect.promise(() => hold.query("SELECT count(*) FROM store"))
    yield* run("new held", 100)
    yield* Effect.promise(() => hold.query("COMMIT"))
    yield* run("new rest", 10000)
    console.log("left", yield* events.storesWithOlder(before))
  }), services)
}) as any))
t = performance.now(); await client.query("VACUUM (VERBOSE) event"); console.log("vacuum", Math.round(performance.now() - t))
await client.end(); await hold.end()
process.exit(0)
