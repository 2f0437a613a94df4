/**
 * Lists that were never requested before: each request has a range of prices of its own. Some find as many products in
 * a large store as in a small one, some find all. The baseline answers the same lists by its own SQL.
 */
import { deepStrictEqual } from "node:assert"
import { openSizes } from "./askedBefore.ts"
import { type FreshList, freshLists } from "./catalogueReads.ts"
import { cpuRatioOf, measureRounds, type Ratio, type Summary, summaryOf } from "./measure.ts"
import { startFile, stop } from "./processes.ts"
import { send } from "./proof/Client.ts"
import { atMost, cpuCells, held, spread, table, whole } from "./report.ts"
import { serverOf } from "./routes.ts"
import { connections, type Group, sizes } from "./run.ts"
import type { Shop } from "./seed.ts"
import { serveBaseline } from "./serving.ts"

interface NeverAskedResult {
  readonly list: string
  readonly matching: { readonly few: number; readonly many: number }
  readonly few: Summary
  readonly many: Summary
  readonly baseline: Summary
  /** CPU at many products beside few. */
  readonly slowdown: Ratio
  /** CPU of the baseline beside the product's, at few. */
  readonly ofBaseline: Ratio
}

const textOf = (
  results: ReadonlyArray<NeverAskedResult>
): string => `CPU milliseconds of one request, each for a list that nobody asked before, by ${connections} callers at once, at ${whole(sizes.few)} and at ${whole(sizes.many)} products.
Where as many products match at both sizes, many may cost 3 times what few do.

${table(
  [
    "list",
    "Node ms",
    "PostgreSQL ms",
    "Node ms at many",
    "PostgreSQL ms at many",
    "/s at many",
    "many beside few",
    "baseline Node ms",
    "PostgreSQL ms",
    "the baseline beside it (>= 1.2)"
  ],
  results.map(({ list, matching, few, many, baseline, slowdown, ofBaseline }) => [
    list,
    ...cpuCells(few),
    ...cpuCells(many),
    whole(many.perSecond),
    matching.few === matching.many ? atMost(slowdown, 3) : spread(slowdown),
    ...cpuCells(baseline),
    held(ofBaseline.median, 1.2)
  ])
)}`

interface Found {
  readonly total: number
  readonly ids: ReadonlyArray<string>
}

const found = async (port: number, shop: Shop, list: FreshList, n: number): Promise<Found> => {
  const { path, headers = {} } = list.request(shop, n)
  const { status, body } = await send(port, "GET", path.slice(4), { headers })
  if (status !== 200) throw new Error(`${list.name} is answered ${status}`)
  return { total: body.meta.total, ids: body.data.map(({ id }: { readonly id: string }) => id) }
}

export const neverAskedGroup: Group = {
  name: "never-asked",
  rows: freshLists.map(({ name }) => name),
  measure: async (run, rows) => {
    const { few, many, small, large, cpuOf } = await openSizes(run)
    const plain = await serveBaseline(few.connection, true)
    const loader = startFile("./load.ts")
    const { fresh, rounds } = run.plan
    const results: Array<NeverAskedResult> = []
    for (const list of freshLists.filter(({ name }) => rows.includes(name))) {
      let n = 0
      const matching = { few: list.matching(sizes.few), many: list.matching(sizes.many) }
      const ofFew = await found(small.port, few.shop, list, n)
      deepStrictEqual(ofFew, await found(plain.port, few.shop, list, n), `${list.name}: the baseline finds others`)
      const ofMany = await found(large.port, many.shop, list, n++)
      deepStrictEqual([ofFew.total, ofMany.total], [matching.few, matching.many], `${list.name}: how many match`)
      const measured = await measureRounds({
        loader,
        servers: [serverOf("few", small), serverOf("many", large), serverOf("baseline", plain)],
        rounds,
        connections,
        cpuOf,
        load: async ({ name }) => {
          const { shop } = name === "many" ? many : few
          const requests = Array.from({ length: fresh[name === "many" ? "many" : "few"] }, () =>
            list.request(shop, n++)
          )
          return { requests, seconds: 0, patient: true }
        }
      })
      const of = (name: string) => measured[name] ?? []
      const result = {
        list: list.name,
        matching,
        few: summaryOf(of("few")),
        many: summaryOf(of("many")),
        baseline: summaryOf(of("baseline")),
        slowdown: cpuRatioOf(of("many"), of("few")),
        ofBaseline: cpuRatioOf(of("baseline"), of("few"))
      }
      run.note(`${list.name}: many beside few ${spread(result.slowdown)}, the baseline ${spread(result.ofBaseline)}`)
      results.push(result)
    }
    await Promise.all([small.child, large.child, plain.child, loader].map(stop))
    return { title: "Lists that nobody asked before", text: textOf(results), data: results }
  }
}
