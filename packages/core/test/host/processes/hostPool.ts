/**
 * A host whose pool loses its connections again and again: it reads and writes without end, and says what came of it
 * when its input ends.
 */
import { Context, Effect, Exit, Layer, Scope } from "effect"
import pg, { type ClientConfig } from "pg"
import { Database } from "../../../src/database/Database.ts"
import * as HostDatabase from "../../../src/host/HostDatabase.ts"

const config = JSON.parse(process.argv[2] ?? "{}") as ClientConfig
// As node-postgres asks of every host: what its idle clients lose is told to the pool.
const pool = new pg.Pool({ ...config, max: 4 })
pool.on("error", () => undefined)
const scope = Effect.runSync(Scope.make())
const services = await Effect.runPromise(
  Scope.provide(Layer.build(HostDatabase.layer({ pool, schema: "public" })), scope)
)
const { sql, platform } = Context.get(services, Database)
const told = { succeeded: 0, failed: 0 }
let isGoing = true
const works = [
  sql`SELECT id FROM account`,
  platform(sql`UPDATE account SET name = 'B' WHERE id = 'acct_1'`),
  sql`SELECT pg_sleep(0.002)`
]
const work = async (nth: number) => {
  while (isGoing) {
    const exit = await Effect.runPromiseExit(works[nth % works.length] as Effect.Effect<unknown, unknown>)
    if (Exit.isSuccess(exit)) told.succeeded++
    else told.failed++
  }
}
const working = Promise.all(Array.from({ length: 6 }, (_, nth) => work(nth)))
process.stdout.write("ready\n")
await new Promise((resolve) => process.stdin.once("end", resolve).resume())
isGoing = false
await working
// Whatever was lost, a client is had again.
await Effect.runPromise(sql`SELECT 1`)
process.stdout.write(`${JSON.stringify(told)}\n`)
await pool.end()
