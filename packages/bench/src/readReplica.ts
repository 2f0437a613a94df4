/**
 * How much of a storefront's reading a replica takes off the primary: the server's own count of statements, and the
 * transactions that both PostgreSQL servers have counted (a read outside of a transaction is one).
 */
import { setTimeout as sleep } from "node:timers/promises"
import { runStatement } from "@effect-commerce/core/testing/TestServer"
import { startTestReplica, type TestReplica } from "@effect-commerce/core/testservers/TestReplica"
import { Effect, Redacted } from "effect"
import type { Request } from "./load.ts"
import type { Place } from "./place.ts"
import { ask, freePort, hasSaid, startFile, stop } from "./processes.ts"
import { table, two, whole } from "./report.ts"
import { connections, type Group } from "./run.ts"
import { productIdOf, secret, seedProducts } from "./seed.ts"
import { serveProduct } from "./serving.ts"

/** A server tells what a session has done when it is idle for ten seconds. */
const toldAfter = 12_000

const transactionsOf = async (connection: Place["connection"]): Promise<number> => {
  const { rows } = await Effect.runPromise(
    runStatement(connection, "SELECT xact_commit::int AS n FROM pg_stat_database WHERE datname = current_database()")
  )
  return Number(rows[0]?.["n"])
}

const readsOf = async (port: number): Promise<Readonly<Record<"replica" | "primary", number>>> => {
  const text = await (await fetch(`http://127.0.0.1:${port}/api/metrics`)).text()
  const by = (server: string) =>
    Number(new RegExp(`commerce_storefront_reads_total\\{server="${server}"\\} (\\d+)`).exec(text)?.[1])
  return { replica: by("replica"), primary: by("primary") }
}

const requestsOf = ({ shop }: Place): ReadonlyArray<Request> => {
  const at = `/api/vc/${shop.channelId}`
  const get = (path: string): Request => ({ method: "GET", path: `${at}${path}`, headers: { origin: shop.origin } })
  return Array.from({ length: 200 }, (_, i) => [
    get(`/products?page=${1 + (i % 40)}&limit=20`),
    get(`/products/${productIdOf(1 + i)}`),
    get("/categories"),
    get("/brands")
  ]).flat()
}

const serveBeside = async (place: Place, replica: TestReplica) => {
  const { path = "", username = "", password, database = "" } = place.connection
  const port = await freePort()
  const bridge = startFile("./roundRobin.ts", { args: [JSON.stringify({ port, servers: [path] })] })
  await hasSaid(bridge, "listening")
  const hidden = password === undefined ? "" : encodeURIComponent(Redacted.value(password))
  const env = {
    DATABASE_URL: `postgres://${username}:${hidden}@127.0.0.1:${port}/${database}`,
    COMMERCE_READ_DATABASE_URL: replica.urlOf(database),
    COMMERCE_SECRET: Redacted.value(secret)
  }
  const serving = await serveProduct(place.dataDir, { env, args: ["--role", "api"] })
  return { ...serving, bridge }
}

const measureReads = async (place: Place, replica: TestReplica, seconds: number) => {
  const { child, port, bridge } = await serveBeside(place, replica)
  const loader = startFile("./load.ts")
  const { database = "" } = place.connection
  const there = replica.connectionTo(database)
  // Looked at once a second.
  while (!/commerce_replica_up 1/.test(await (await fetch(`http://127.0.0.1:${port}/api/metrics`)).text()))
    await sleep(100)
  await sleep(toldAfter)
  const before = [await transactionsOf(place.connection), await transactionsOf(there)] as const
  const load = { port, connections, seconds, requests: requestsOf(place), patient: true }
  const { measured } = await ask<{
    readonly measured: { readonly perSecond: number; readonly answered: number; readonly failed: number }
  }>(loader, load)
  const reads = await readsOf(port)
  await sleep(toldAfter)
  const [primary, byReplica] = [
    (await transactionsOf(place.connection)) - before[0],
    (await transactionsOf(there)) - before[1]
  ]
  await Promise.all([child, loader, bridge].map(stop))
  if (measured.failed > 0) throw new Error(`${measured.failed} reads failed`)
  return { ...measured, reads, transactions: { replica: byReplica, primary } }
}

export const readReplicaGroup: Group = {
  name: "replica",
  rows: ["storefront reads off the primary"],
  measure: async ({ places, plan }) => {
    const place = await places.open("replica")
    await seedProducts(place.seeder, place.shop, 1_000)
    const { path = "", username = "", password } = place.connection
    const hidden = password === undefined ? "" : Redacted.value(password)
    const replica = await startTestReplica({ connection: { path, username, password: hidden }, template: "" })
    try {
      const data = await measureReads(place, replica, plan.seconds * 3)
      const share = ({ replica: off, primary }: Readonly<Record<"replica" | "primary", number>>) =>
        off / (off + primary)
      const kept = share(data.transactions) >= 0.95 ? "" : " (NOT KEPT: >= 0.95)"
      const text = `${whole(data.answered)} storefront reads at ${whole(data.perSecond)} a second. Off the primary: ${two(100 * share(data.transactions))} % of the transactions that the servers have counted, whatever asked for them${kept}.

${table(
  ["counted by", "on the replica", "on the primary", "share of the replica"],
  [
    ["the server, in statements of storefront reads", data.reads],
    ["PostgreSQL, in transactions", data.transactions]
  ].map(([who, by]) => {
    const counted = by as typeof data.reads
    return [String(who), whole(counted.replica), whole(counted.primary), two(share(counted))]
  })
)}`
      return { title: "Reads beside a replica", text, data }
    } finally {
      await replica.close()
    }
  }
}
