/**
 * Reads of a store's events: pages of the feed and of a subscription's deliveries, in a store with a thousand events and
 * in one with a million, or with as many as `--rows` says. Beside the CPU of a request stand the pages of the database
 * that it reads.
 */
import type { Client } from "pg"
import { mintKey } from "./adminKeys.ts"
import { cpuTimesOf } from "./cpuTimes.ts"
import { commonTypes, eventIdOf, rareType, seedEvents, subscriptionId } from "./eventsSeed.ts"
import type { Request } from "./load.ts"
import { cpuRatioOf, measureRounds, type Ratio, ratioOf, type Server, type Summary, summaryOf } from "./measure.ts"
import type { Place } from "./place.ts"
import { pause, startFile, stop } from "./processes.ts"
import { send } from "./proof/Client.ts"
import { atMost, cpuCells, spread, table, two, whole } from "./report.ts"
import { serverOf } from "./routes.ts"
import { connections, type Group, type Run } from "./run.ts"
import { serveProduct } from "./serving.ts"

interface EventRead {
  readonly name: string
  /** In a store of `count` events; the same number of items every time. */
  readonly path: (count: number, turn: number) => string
  readonly items: number
}

const feed = (query: string): string => `/v1/events?limit=50${query}`
const after = (count: number, turn: number): string => `&after=${eventIdOf(Math.floor(count / 2) + (turn % 100))}`

const reads: ReadonlyArray<EventRead> = [
  { name: "feed first page", items: 50, path: () => feed("") },
  { name: "feed page in the middle", items: 50, path: (count, turn) => feed(after(count, turn)) },
  { name: "feed of a rare type", items: 50, path: () => feed(`&types=${rareType}`) },
  {
    name: "feed of three types",
    items: 50,
    path: (count, turn) => feed(`&types=${rareType},${commonTypes[0]},${commonTypes[2]}${after(count, turn)}`)
  },
  {
    name: "deliveries of a subscription",
    items: 20,
    path: (_count, turn) => `/v1/webhook-subscriptions/${subscriptionId}/deliveries?limit=20&page=${1 + (turn % 10)}`
  }
]

/** How much more CPU a read may take among many events than among few. */
const bound = 1.3
const few = 1_000

interface EventReadResult {
  readonly read: string
  readonly few: Summary
  readonly many: Summary
  readonly slowdown: Ratio
  /** Requests a second of few beside many. */
  readonly rate: Ratio
  /** Pages of tables and indexes that a request reads, of the cache or not. */
  readonly pages: { readonly few: number; readonly many: number }
}

const textOf = (results: ReadonlyArray<EventReadResult>, many: number): string =>
  `One request, by ${connections} callers at once, in a store of ${whole(few)} events and in one of ${whole(many)}, each delivered once. CPU in milliseconds.

${table(
  [
    "read",
    "Node ms",
    "PostgreSQL ms",
    "pages",
    "Node ms at many",
    "PostgreSQL ms at many",
    "pages at many",
    "CPU beside few",
    "time beside few"
  ],
  results.map(({ read, few: small, many: large, slowdown, rate, pages }) => [
    read,
    ...cpuCells(small),
    two(pages.few),
    ...cpuCells(large),
    two(pages.many),
    atMost(slowdown, bound),
    spread(rate)
  ])
)}`

const pagesRead = async (seeder: Client): Promise<number> => {
  // Each connection reports what it has read when it has been idle for a moment.
  await pause(2_500)
  const { rows } = await seeder.query(
    `SELECT sum(coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0) + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0)
       + coalesce(toast_blks_read, 0) + coalesce(toast_blks_hit, 0))::float8 AS pages
     FROM pg_statio_user_tables WHERE relname IN ('event', 'webhook_delivery', 'webhook_delivery_count')`
  )
  return Number(rows[0]?.["pages"])
}

interface At extends Place {
  readonly count: number
  readonly key: string
}

const open = async ({ places }: Run, count: number): Promise<At> => {
  const place = await places.open(`events${count}`)
  await seedEvents(place.seeder, place.shop, count)
  return { ...place, count, key: await mintKey(place, ["events:read", "webhooks:read"]) }
}

const requestsOf = ({ path }: EventRead, { count, key }: At): ReadonlyArray<Request> =>
  Array.from({ length: 200 }, (_, turn) => ({
    method: "GET",
    path: `/api${path(count, turn)}`,
    headers: { authorization: `Bearer ${key}` }
  }))

/** The mean of some requests, whose answers are whole pages. */
const pagesOf = async (read: EventRead, at: At, port: number): Promise<number> => {
  const requests = 40
  const before = await pagesRead(at.seeder)
  for (let turn = 0; turn < requests; turn++) {
    const path = read.path(at.count, turn)
    const { status, body } = await send(port, "GET", path, { headers: { authorization: `Bearer ${at.key}` } })
    if (status !== 200 || body.data.length !== read.items)
      throw new Error(`${path} is answered ${status} with ${body?.data?.length} items`)
  }
  return ((await pagesRead(at.seeder)) - before) / requests
}

export const eventsGroup: Group = {
  name: "events",
  rows: reads.map(({ name }) => name),
  measure: async (run, rows) => {
    const [small, large] = [
      await open(run, few),
      await open(run, run.rowCount ?? (run.plan.isQuick ? 100_000 : 1_000_000))
    ]
    const [ofSmall, ofLarge] = [await serveProduct(small.dataDir), await serveProduct(large.dataDir)]
    const loader = startFile("./load.ts")
    const at = ({ name }: Server): At => (name === "few" ? small : large)
    const results: Array<EventReadResult> = []
    for (const read of reads.filter(({ name }) => rows.includes(name))) {
      const pages = { few: await pagesOf(read, small, ofSmall.port), many: await pagesOf(read, large, ofLarge.port) }
      const measured = await measureRounds({
        loader,
        servers: [serverOf("few", ofSmall), serverOf("many", ofLarge)],
        rounds: run.plan.rounds,
        connections,
        cpuOf: (server) => cpuTimesOf(server.pid, at(server).postmaster),
        load: async (server) => ({ requests: requestsOf(read, at(server)), seconds: run.plan.seconds })
      })
      const [less = [], more = []] = [measured["few"], measured["many"]]
      const [slowdown, rate] = [cpuRatioOf(more, less), ratioOf(less, more)]
      results.push({ read: read.name, few: summaryOf(less), many: summaryOf(more), slowdown, rate, pages })
      run.note(`${read.name}: ${spread(slowdown)} of few, pages ${two(pages.few)} and ${two(pages.many)}`)
    }
    await Promise.all([ofSmall.child, ofLarge.child, loader].map(stop))
    return { title: "A store's events", text: textOf(results, large.count), data: results }
  }
}
