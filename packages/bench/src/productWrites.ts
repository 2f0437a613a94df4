/**
 * What it costs to create and to change one product, with `--beside` beside the product of that checkout. Each runs on
 * a database of its own, made by its own commands, with the same products; the CPU of a request is that of its process
 * and of its PostgreSQL.
 */
import { join, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { Effect, Exit, Scope } from "effect"
import type { Client } from "pg"
import { cpuTimesOf, parentOf } from "./cpuTimes.ts"
import type { Request } from "./load.ts"
import { cpuRatioOf, measureRounds, type Ratio, type Rounds, type Server, type Summary, summaryOf } from "./measure.ts"
import { said, startFile, stop } from "./processes.ts"
import { send } from "./proof/Client.ts"
import { atMost, cpuCells, table, whole } from "./report.ts"
import { connections, type Group, type Run } from "./run.ts"
import { openSeeder } from "./seed.ts"
import { serveProduct, type Serving } from "./serving.ts"

interface ProductWriteResult {
  readonly write: string
  readonly ours: Summary
  /** Absent if there is no other checkout. */
  readonly theirs?: Summary
  /** CPU of ours beside theirs. */
  readonly ratio?: Ratio
}

/** Products that a store has before anything is measured, whose changes are measured. */
const seeded = 1_000

/** Requests of a round. */
const writes = 600

/** A pause before each round: an account may send 20,000 requests a minute. */
const restMillis = 800

const name = (i: number): string =>
  `${["Walnut", "Linen", "Copper", "Oak"][i % 4]} ${["bowl", "lamp", "chair"][i % 3]} ${i}`

const simple = (tag: string, i: number) => ({
  name: `${name(i)} ${tag}`,
  slug: `${tag}-${i}`,
  sku: `${tag}-${i}`,
  status: "active",
  description: `<p>${"Made to be used every day. ".repeat(8)}</p>`,
  basePrice: 500 + ((i * 37) % 9_500),
  tags: ["new", `tag-${i % 7}`],
  inventory: { total: 100 }
})

const variable = (tag: string, i: number) => {
  const { inventory, ...product } = simple(tag, i)
  return {
    ...product,
    type: "VARIABLE",
    variants: ["S", "L"].map((size) => ({ attributes: { Size: size }, sku: `${tag}-${i}-${size}`, inventory }))
  }
}

/** A side: its commands, its database and its server. */
interface Side {
  readonly server: Server
  readonly serving: Serving
  readonly postmaster: number | undefined
  readonly seeder: Client
  readonly close: () => Promise<void>
  readonly key: string
  readonly ids: { readonly simple: ReadonlyArray<string>; readonly variable: ReadonlyArray<string> }
}

const writing = (side: Side, method: "POST" | "PATCH", path: string, body: object): Request => ({
  method,
  path: `/api/v1${path}`,
  body: JSON.stringify(body),
  headers: { authorization: `Bearer ${side.key}` }
})

const kinds: ReadonlyArray<readonly [write: string, requestOf: (side: Side, batch: string, i: number) => Request]> = [
  ["create a product", (side, batch, i) => writing(side, "POST", "/products", simple(batch, i))],
  ["create one of two variants", (side, batch, i) => writing(side, "POST", "/products", variable(batch, i))],
  [
    "change a price",
    (side, batch, i) =>
      writing(side, "PATCH", `/products/${side.ids.simple[i % seeded]}`, {
        basePrice: 700 + Number(batch.slice(1)) + i
      })
  ],
  [
    "change a name",
    (side, batch, i) =>
      writing(side, "PATCH", `/products/${side.ids.simple[i % seeded]}`, { name: `${name(i)} of ${batch}` })
  ],
  [
    "change the name of one of two variants",
    (side, batch, i) =>
      writing(side, "PATCH", `/products/${side.ids.variable[i % seeded]}`, { name: `${name(i)} of ${batch}` })
  ]
]

const here = fileURLToPath(new URL("../../..", import.meta.url))

const openSide = async (called: string, checkout: string, dataDir: string): Promise<Side> => {
  const scope = await Effect.runPromise(Scope.make())
  const { connection } = await Effect.runPromise(Scope.provide(EmbeddedPostgres.start({ dataDir }), scope))
  const command = async <Answer>(...words: ReadonlyArray<string>): Promise<Answer> => {
    const file = pathToFileURL(join(checkout, "packages/cli/src/main.ts")).href
    const args = [...words, "--json", "--data-dir", dataDir]
    return JSON.parse(await said(startFile(file, { args, env: { DATABASE_URL: undefined } }))) as Answer
  }
  await command("init")
  // A key of its own, whose limit no run reaches.
  const words = [
    "keys",
    "create",
    "--name",
    "bench",
    "--scope",
    "products:read",
    "--scope",
    "products:write",
    "--rate-limit",
    "1000000"
  ]
  const { key } = await command<{ readonly key: string }>(...words)
  const serving = await serveProduct(dataDir, { args: ["--role", "api"], checkout })
  const seeder = await openSeeder(connection)
  const backend = (await seeder.query("SELECT pg_backend_pid() AS pid")).rows[0]?.["pid"]
  const create = async (body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await send(serving.port, "POST", "/v1/products", { body, headers })
    if (answer.status !== 201) throw new Error(`${called} refuses a product: ${answer.bytes.toString("utf8")}`)
    return answer.body.id
  }
  const ids = { simple: new Array<string>(), variable: new Array<string>() }
  for (let i = 0; i < seeded; i++) {
    ids.simple.push(await create(simple("seed", i)))
    ids.variable.push(await create(variable("pair", i)))
  }
  const server = { name: called, port: serving.port, pid: serving.child.pid }
  const close = async () => {
    await stop(serving.child)
    await seeder.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  return { server, serving, postmaster: parentOf(Number(backend)), seeder, close, key, ids }
}

const textOf = (results: ReadonlyArray<ProductWriteResult>): string => {
  const isBeside = results.some(({ theirs }) => theirs !== undefined)
  return table(
    [
      "write",
      "/s",
      "Node ms",
      "PostgreSQL ms",
      ...(isBeside ? ["the other one's Node ms", "PostgreSQL ms", "CPU beside it (<= 2.2)"] : [])
    ],
    results.map(({ write, ours, theirs, ratio }) => [
      write,
      whole(ours.perSecond),
      ...cpuCells(ours),
      ...(theirs === undefined || ratio === undefined ? [] : [...cpuCells(theirs), atMost(ratio, 2.2)])
    ])
  )
}

/** The rounds of each kind of write, in one pair of databases, ours first. */
const measurePair = async ({ places, beside, plan }: Run, pair: number, asked: typeof kinds) => {
  const ours = await openSide("ours", here, places.dataDir(`ours${pair}`))
  const theirs =
    beside === undefined ? undefined : await openSide("theirs", resolve(beside), places.dataDir(`theirs${pair}`))
  const both = theirs === undefined ? [ours] : [ours, theirs]
  const sides = pair % 2 === 0 ? both : both.toReversed()
  const loader = startFile("./load.ts")
  const sideOf = ({ name: called }: Server) => (called === "theirs" && theirs !== undefined ? theirs : ours)
  const rounds: Array<Rounds> = []
  for (const [at, [, requestOf]] of asked.entries()) {
    // Tables that have grown by thousands of rows since they were analysed get bad plans.
    for (const { seeder } of sides) await seeder.query("VACUUM (ANALYZE)")
    const measured = await measureRounds({
      loader,
      servers: sides.map(({ server }) => server),
      rounds: plan.rounds,
      connections,
      cpuOf: (server) => cpuTimesOf(server.pid, sideOf(server).postmaster),
      load: async (server, round) => {
        await setTimeout(restMillis)
        const requests = Array.from({ length: writes }, (_, i) => requestOf(sideOf(server), `b${at}${round}`, i))
        return { requests, seconds: 0 }
      }
    })
    rounds.push(measured)
  }
  await Promise.all([stop(loader), ...both.map(({ close }) => close())])
  return rounds
}

export const productWritesGroup: Group = {
  name: "product-writes",
  rows: kinds.map(([write]) => write),
  measure: async (run, rows) => {
    const asked = kinds.filter(([write]) => rows.includes(write))
    const pairs: Array<ReadonlyArray<Rounds>> = []
    for (let pair = 0; pair < (run.plan.isQuick ? 1 : 3); pair++) pairs.push(await measurePair(run, pair, asked))
    const results = asked.map(([write], at): ProductWriteResult => {
      const of = (side: string) => pairs.flatMap((rounds) => rounds[at]?.[side] ?? [])
      const [ours, theirs] = [of("ours"), of("theirs")]
      if (theirs.length === 0) return { write, ours: summaryOf(ours) }
      return { write, ours: summaryOf(ours), theirs: summaryOf(theirs), ratio: cpuRatioOf(ours, theirs) }
    })
    return { title: "Creating and changing one product", text: textOf(results), data: results }
  }
}
