/** Reads of a catalogue that were requested before, in a store without writes: with few and with many products. */
import { baselineRequests, catalogueReads, type ReadKind } from "./catalogueReads.ts"
import { cpuTimesOf } from "./cpuTimes.ts"
import type { Request } from "./load.ts"
import { cpuRatioOf, measureRounds, type Ratio, type Server, type Summary, summaryOf, totalCpu } from "./measure.ts"
import { startFile, stop } from "./processes.ts"
import { send } from "./proof/Client.ts"
import { held, spread, table, two, whole } from "./report.ts"
import { serverOf } from "./routes.ts"
import { connections, type Group, type Run, sizes } from "./run.ts"
import { serveBaseline, serveProduct } from "./serving.ts"

interface ReadResult {
  readonly read: string
  readonly kind: ReadKind
  readonly few: Summary
  readonly many: Summary
  /** CPU at many products beside few. */
  readonly slowdown: Ratio
}

interface AskedBefore {
  readonly reads: ReadonlyArray<ReadResult>
  /** Of the hand-written code at few products; its lists find a page's rows before they compose them. */
  readonly baseline: Readonly<Record<ReadKind, Summary>>
}

/** How many times more the baseline must cost. */
const bounds: Readonly<Record<ReadKind, number>> = { list: 3, product: 1, inventory: 1 }

const textOf = ({
  reads,
  baseline
}: AskedBefore): string => `CPU milliseconds of one request at ${whole(sizes.few)} and at ${whole(sizes.many)} products of two variants, asked by ${connections} callers at once.
The last column is how many times more the hand-written baseline costs for its own list, product or inventory at ${whole(sizes.few)} products.

${table(
  [
    "read",
    "Node ms",
    "PostgreSQL ms",
    "/s",
    "Node ms at many",
    "PostgreSQL ms at many",
    "/s at many",
    "many beside few",
    "the baseline (list >= 3, others >= 1)"
  ],
  reads.map(({ read, kind, few, many, slowdown }) => [
    read,
    two(few.cpu?.node ?? Number.NaN),
    two(few.cpu?.postgres ?? Number.NaN),
    whole(few.perSecond),
    two(many.cpu?.node ?? Number.NaN),
    two(many.cpu?.postgres ?? Number.NaN),
    whole(many.perSecond),
    spread(slowdown),
    held(totalCpu(baseline[kind]) / totalCpu(few), bounds[kind])
  ])
)}

The baseline's list costs ${two(totalCpu(baseline.list))} ms, its product ${two(totalCpu(baseline.product))} ms, its inventory of 10 ${two(totalCpu(baseline.inventory))} ms.`

/** Few and many products, each with a server of its own. */
export const openSizes = async ({ places }: Run) => {
  const few = await places.catalogue(sizes.few)
  const many = await places.catalogue(sizes.many)
  const [small, large] = [await serveProduct(few.dataDir), await serveProduct(many.dataDir)]
  const cpuOf = ({ name, pid }: Server) => cpuTimesOf(pid, (name.startsWith("many") ? many : few).postmaster)
  return { few, many, small, large, cpuOf }
}

/** Asks each of them once, one after another. */
const askOnce = async (port: number, requests: ReadonlyArray<Request>): Promise<void> => {
  for (const { method, path, headers = {} } of requests) await send(port, method, path.slice(4), { headers })
}

export const askedBeforeGroup: Group = {
  name: "asked-before",
  rows: catalogueReads.map(({ name }) => name),
  measure: async (run, rows) => {
    const { few, many, small, large, cpuOf } = await openSizes(run)
    const plain = await serveBaseline(few.connection, true)
    const loader = startFile("./load.ts")
    const { rounds, seconds } = run.plan
    const reads: Array<ReadResult> = []
    for (const { name, kind, requests } of catalogueReads.filter((read) => rows.includes(read.name))) {
      const asked = {
        few: await requests(few.shop, sizes.few, small.port),
        many: await requests(many.shop, sizes.many, large.port)
      }
      await Promise.all([askOnce(small.port, asked.few), askOnce(large.port, asked.many)])
      const measured = await measureRounds({
        loader,
        servers: [serverOf("few", small), serverOf("many", large)],
        rounds,
        connections,
        cpuOf,
        load: async (server) => ({ requests: server.name === "few" ? asked.few : asked.many, seconds })
      })
      const [ofFew, ofMany] = [measured["few"] ?? [], measured["many"] ?? []]
      const slowdown = cpuRatioOf(ofMany, ofFew)
      reads.push({ read: name, kind, few: summaryOf(ofFew), many: summaryOf(ofMany), slowdown })
      run.note(`${name}: ${two(totalCpu(summaryOf(ofFew)))} ms, at many products ${spread(slowdown)} of it`)
    }
    const ofBaseline = async (kind: ReadKind): Promise<Summary> => {
      const requests = baselineRequests[kind](few.shop, sizes.few)
      const servers = [serverOf("few", plain)]
      const load = async () => ({ requests, seconds })
      const measured = await measureRounds({ loader, servers, rounds, connections, cpuOf, load })
      return summaryOf(measured["few"] ?? [])
    }
    const baseline = {
      list: await ofBaseline("list"),
      product: await ofBaseline("product"),
      inventory: await ofBaseline("inventory")
    }
    await Promise.all([small.child, large.child, plain.child, loader].map(stop))
    const data: AskedBefore = { reads, baseline }
    return { title: "Reads that were asked before", text: textOf(data), data }
  }
}
