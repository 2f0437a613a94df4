/**
 * The merchant's reads of orders: one order, and lists of twenty with their exact total, in a store with a thousand
 * orders and in one with a million. The hand-written baseline (baselineOrders.ts) answers the same JSON.
 */
import { deepStrictEqual } from "node:assert"
import { mintKey } from "./adminKeys.ts"
import { cpuTimesOf } from "./cpuTimes.ts"
import type { Request } from "./load.ts"
import { cpuRatioOf, measureRounds, type Ratio, type Server, type Summary, summaryOf } from "./measure.ts"
import { orderIdOf, seedOrders } from "./ordersSeed.ts"
import type { Place } from "./place.ts"
import { startFile, stop } from "./processes.ts"
import { send } from "./proof/Client.ts"
import { atMost, cpuCells, spread, table, whole } from "./report.ts"
import { serverOf } from "./routes.ts"
import { connections, type Group, type Run } from "./run.ts"
import { serveOrdersBaseline, serveProduct } from "./serving.ts"

interface OrderRead {
  readonly name: string
  /** Of `count` orders; the same every time. */
  readonly paths: (count: number) => ReadonlyArray<string>
  /** How much more CPU it may take with a million orders than with a thousand. */
  readonly slowdown: number
}

const times = (make: (i: number) => string): ReadonlyArray<string> => Array.from({ length: 200 }, (_, i) => make(i))
const list = (name: string, query: string): OrderRead => ({
  name,
  slowdown: 1.5,
  paths: () => times((i) => `/v1/orders?limit=20&page=${1 + (i % 10)}${query}`)
})

const reads: ReadonlyArray<OrderRead> = [
  {
    name: "order get",
    slowdown: 1.3,
    paths: (count) => times((i) => `/v1/orders/${orderIdOf(((i * 7_919) % count) + 1)}`)
  },
  list("order list of 20", ""),
  list("order list of one status", "&status=PAID"),
  list("order list of three statuses", "&status=PENDING,PROCESSING,SHIPPED"),
  list("order list by total", "&sortBy=totalAmount&sortOrder=desc")
]

interface OrderReadResult {
  readonly read: string
  readonly few: Summary
  readonly many: Summary
  readonly baseline: Summary
  readonly slowdown: Ratio
  /** CPU of the baseline beside the product's, at many. */
  readonly ofBaseline: Ratio
  readonly bound: number
}

const few = 1_000

const textOf = (results: ReadonlyArray<OrderReadResult>, many: number): string =>
  `CPU milliseconds of one request, by ${connections} callers at once, in a store of ${whole(few)} orders and in one of ${whole(many)}; every list with its exact total.
The last column is how much CPU the hand-written baseline takes beside the product, both at ${whole(many)} orders (0.85 at least).

${table(
  [
    "read",
    "Node ms",
    "PostgreSQL ms",
    "Node ms at many",
    "PostgreSQL ms at many",
    "/s at many",
    "many beside few",
    "baseline Node ms",
    "PostgreSQL ms",
    "/s",
    "baseline beside it"
  ],
  results.map(({ read, few: small, many: large, baseline, slowdown, ofBaseline, bound }) => [
    read,
    ...cpuCells(small),
    ...cpuCells(large),
    whole(large.perSecond),
    atMost(slowdown, bound),
    ...cpuCells(baseline),
    whole(baseline.perSecond),
    `${spread(ofBaseline)}${ofBaseline.median >= 0.85 ? "" : " (NOT KEPT)"}`
  ])
)}`

const openOrders = async ({ places }: Run, count: number): Promise<Place> => {
  const place = await places.open(`orders${count}`)
  await seedOrders(place.seeder, place.shop, count)
  return place
}

/** The signed link of an invoice is the product's alone. */
const withoutLinks = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === "invoiceUrl" ? undefined : value)))

/** The baseline answers what the product answers. */
const compare = async (ports: ReadonlyArray<number>, paths: ReadonlyArray<string>, key: string): Promise<void> => {
  for (const path of paths.slice(0, 3)) {
    const [ours, theirs] = await Promise.all(
      ports.map((port) => send(port, "GET", path, { headers: { authorization: `Bearer ${key}` } }))
    )
    if (ours?.status !== 200) throw new Error(`${path} is answered ${ours?.status}`)
    const [ourOrders, theirOrders] = [ours, theirs].map((answer) => withoutLinks(answer?.body))
    deepStrictEqual(theirOrders, ourOrders, `${path}: the baseline answers otherwise`)
  }
}

export const ordersGroup: Group = {
  name: "orders",
  rows: reads.map(({ name }) => name),
  measure: async (run, rows) => {
    const many = run.plan.isQuick ? 100_000 : 1_000_000
    const [small, large] = [await openOrders(run, few), await openOrders(run, many)]
    const keys = { few: await mintKey(small, ["orders:read"]), many: await mintKey(large, ["orders:read"]) }
    const ofSmall = await serveProduct(small.dataDir)
    const ofLarge = await serveProduct(large.dataDir)
    const plain = await serveOrdersBaseline(large.connection)
    const loader = startFile("./load.ts")
    const requestsOf = ({ paths }: OrderRead, { name }: Server): ReadonlyArray<Request> =>
      paths(name === "few" ? few : many).map((path) => ({
        method: "GET",
        path: `/api${path}`,
        headers: { authorization: `Bearer ${name === "few" ? keys.few : keys.many}` }
      }))
    const results: Array<OrderReadResult> = []
    for (const read of reads.filter(({ name }) => rows.includes(name))) {
      await compare([ofLarge.port, plain.port], read.paths(many), keys.many)
      const measured = await measureRounds({
        loader,
        servers: [serverOf("few", ofSmall), serverOf("many", ofLarge), serverOf("baseline", plain)],
        rounds: run.plan.rounds,
        connections,
        cpuOf: ({ name, pid }) => cpuTimesOf(pid, (name === "few" ? small : large).postmaster),
        load: async (server) => ({ requests: requestsOf(read, server), seconds: run.plan.seconds })
      })
      const [less = [], more = [], baseline = []] = [measured["few"], measured["many"], measured["baseline"]]
      const slowdown = cpuRatioOf(more, less)
      results.push({
        read: read.name,
        few: summaryOf(less),
        many: summaryOf(more),
        baseline: summaryOf(baseline),
        slowdown,
        ofBaseline: cpuRatioOf(baseline, more),
        bound: read.slowdown
      })
      run.note(`${read.name}: ${spread(slowdown)} of few, the baseline ${spread(cpuRatioOf(baseline, more))}`)
    }
    await Promise.all([ofSmall.child, ofLarge.child, plain.child, loader].map(stop))
    return { title: "A merchant's orders", text: textOf(results, many), data: results }
  }
}
