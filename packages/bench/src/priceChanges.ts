/**
 * Lists that were requested before, while ten prices a second change in the same store, compared with the same lists
 * without writes. The cost of the changes is part of the measured cost.
 */
import { mintKey } from "./adminKeys.ts"
import { openSizes } from "./askedBefore.ts"
import { shoppersReads } from "./catalogueReads.ts"
import { productIdOf, variantIdOf } from "./catalogueSeed.ts"
import { cpuRatioOf, measureRounds, type Ratio, ratioOf, type Server, type Summary, summaryOf } from "./measure.ts"
import { startFile, stop } from "./processes.ts"
import { send } from "./proof/Client.ts"
import { cpuCells, spread, table, whole } from "./report.ts"
import { serverOf } from "./routes.ts"
import { connections, type Group, sizes } from "./run.ts"

const changesPerSecond = 10
const scopes = ["products:write"]

interface Beside {
  readonly quiet: Summary
  readonly changing: Summary
  /** Rate while prices change beside the rate without. */
  readonly rate: Ratio
  /** CPU of a request while prices change beside without. */
  readonly cpu: Ratio
}

interface PriceChangesResult {
  readonly lists: string
  readonly few: Beside
  readonly many: Beside
}

const rowsOf = ({ lists, few, many }: PriceChangesResult): ReadonlyArray<ReadonlyArray<string>> =>
  [[sizes.few, few] as const, [sizes.many, many] as const].map(([size, { quiet, changing, rate, cpu }]) => [
    lists,
    whole(size),
    whole(quiet.perSecond),
    ...cpuCells(quiet),
    whole(changing.perSecond),
    ...cpuCells(changing),
    spread(cpu),
    `${spread(rate)}${rate.median >= 0.5 ? "" : " (NOT KEPT)"}`
  ])

const textOf = (
  results: ReadonlyArray<PriceChangesResult>
): string => `Lists that were asked before, by ${connections} callers at once, while nobody writes and while ${changesPerSecond} prices a second change in the store. CPU milliseconds of one
request; those of the changes are among them.

${table(
  [
    "lists",
    "products",
    "/s",
    "Node ms",
    "PostgreSQL ms",
    "/s while prices change",
    "Node ms",
    "PostgreSQL ms",
    "CPU beside without",
    "rate beside without (>= 0.5)"
  ],
  results.flatMap(rowsOf)
)}`

/** Changes prices of products all over the catalogue until it is stopped; fails if a change was rejected. */
const changePrices = (port: number, key: string, products: number): (() => Promise<void>) => {
  const sent: Array<Promise<void>> = []
  let changed = 0
  const change = async () => {
    const product = ((changed * 7_919) % products) + 1
    const path = `/v1/products/${productIdOf(product)}/variants/${variantIdOf(product, 1)}`
    const body = { price: `${10 + (changed++ % 80)}.99` }
    const { status, bytes } = await send(port, "PATCH", path, { body, headers: { authorization: `Bearer ${key}` } })
    if (status !== 200) throw new Error(`a price is not changed: ${status} ${bytes.toString("utf8")}`)
  }
  const timer = setInterval(() => {
    const one = change()
    one.catch(() => undefined)
    sent.push(one)
  }, 1_000 / changesPerSecond)
  return async () => {
    clearInterval(timer)
    await Promise.all(sent)
  }
}

export const priceChangesGroup: Group = {
  name: "price-changes",
  rows: shoppersReads.map(({ name }) => name),
  measure: async (run, rows) => {
    const { few, many, small, large, cpuOf } = await openSizes(run)
    const keys = { few: await mintKey(few, scopes), many: await mintKey(many, scopes) }
    const loader = startFile("./load.ts")
    const sizeOf = ({ name }: Server) => (name.startsWith("few") ? "few" : "many")
    const results: Array<PriceChangesResult> = []
    for (const { name, requests } of shoppersReads.filter((read) => rows.includes(read.name))) {
      const asked = {
        few: await requests(few.shop, sizes.few, small.port),
        many: await requests(many.shop, sizes.many, large.port)
      }
      const measured = await measureRounds({
        loader,
        servers: [
          serverOf("few, quiet", small),
          serverOf("many, quiet", large),
          serverOf("few, changing", small),
          serverOf("many, changing", large)
        ],
        rounds: run.plan.rounds,
        connections,
        cpuOf,
        // Each is asked once before, so that both begin with pages that were asked before.
        load: async (server) => {
          const requests = asked[sizeOf(server)]
          for (const { path, headers = {} } of requests) await send(server.port, "GET", path.slice(4), { headers })
          return { requests, seconds: 2 * run.plan.seconds, patient: true }
        },
        beside: (server) => {
          const size = sizeOf(server)
          return server.name.endsWith("changing")
            ? changePrices(server.port, keys[size], sizes[size])
            : () => Promise.resolve()
        }
      })
      const besideOf = (size: "few" | "many"): Beside => {
        const [quiet, changing] = [measured[`${size}, quiet`] ?? [], measured[`${size}, changing`] ?? []]
        return {
          quiet: summaryOf(quiet),
          changing: summaryOf(changing),
          rate: ratioOf(changing, quiet),
          cpu: cpuRatioOf(changing, quiet)
        }
      }
      const result = { lists: name, few: besideOf("few"), many: besideOf("many") }
      run.note(`${name}: rate while prices change ${spread(result.few.rate)}, at many ${spread(result.many.rate)}`)
      results.push(result)
    }
    await Promise.all([small.child, large.child, loader].map(stop))
    return { title: "Lists while prices change", text: textOf(results), data: results }
  }
}
