/**
 * One, two and four `serve` processes on one database, behind a plain proxy: purchases with pages of the catalogue
 * between them. What a process adds where there is a core for it is told by the CPU that a request costs: on paper a
 * process serves as many requests a second as its CPU allows, and each process has a core.
 */
import { type CpuTimes, cpuTimesOf } from "./cpuTimes.ts"
import { asShopper, purchase } from "./journeys.ts"
import type { Place } from "./place.ts"
import { freePort, hasSaid, pause, startFile, stop } from "./processes.ts"
import { eachOf } from "./proof/Client.ts"
import { table, two, whole } from "./report.ts"
import type { Group } from "./run.ts"
import { productIdOf, seedProducts } from "./seed.ts"
import { serveProduct } from "./serving.ts"

const counts = [1, 2, 4] as const
const callers = 32
/** Eight of a purchase, and the pages that a shopper looks at before. */
const requestsOfPurchase = 12

interface Measured {
  readonly processes: number
  readonly perSecond: number
  /** Milliseconds of CPU for each request: of all servers together, of each, and of PostgreSQL. */
  readonly node: number
  readonly each: ReadonlyArray<number>
  readonly postgres: number
}

/** Asks again after a second where a store has too many lists under way, as the answer says. */
const patiently = async (ask: ReturnType<typeof asShopper>, path: string): Promise<void> => {
  for (let times = 1; ; times++) {
    try {
      return void (await ask("GET", path))
    } catch (error) {
      if (times === 10 || !String(error).includes(": 503 ")) throw error
      await pause(1_000)
    }
  }
}

/** A shopper looks around, then buys. */
const visit = async (ask: ReturnType<typeof asShopper>, i: number): Promise<void> => {
  await patiently(ask, `/products?page=${1 + (i % 5)}&limit=20`)
  await ask("GET", `/products/${productIdOf(1 + (i % 900))}`)
  await ask("GET", "/categories")
  await ask("GET", `/products/${productIdOf(1 + ((i * 7) % 900))}`)
  await purchase(ask, i)
}

/** `visits` of each process are measured, after as many that are not: each is as warm as any other. */
const measureWith = async (
  place: Place,
  processes: number,
  { visits, first }: { readonly visits: number; readonly first: number }
): Promise<Measured> => {
  const servers = await Promise.all(Array.from({ length: processes }, () => serveProduct(place.dataDir)))
  const port = await freePort()
  const proxy = startFile("./roundRobin.ts", {
    args: [JSON.stringify({ port, servers: servers.map((one) => one.port) })]
  })
  await hasSaid(proxy, "listening")
  const ask = asShopper({ port, shop: place.shop })
  const all = visits * processes
  await eachOf(Array.from({ length: all }), callers, (_, i) => visit(ask, first + i))
  const read = () => servers.map(({ child }) => cpuTimesOf(child.pid, place.postmaster))
  const before = read()
  const began = performance.now()
  await eachOf(Array.from({ length: all }), callers, (_, i) => visit(ask, first + all + i))
  const seconds = (performance.now() - began) / 1_000
  const after = read()
  await Promise.all([...servers.map(({ child }) => child), proxy].map(stop))
  const requests = all * requestsOfPurchase
  const used = (of: keyof CpuTimes, at: number) =>
    ((after[at]?.[of] ?? Number.NaN) - (before[at]?.[of] ?? 0)) / requests
  const each = servers.map((_, at) => used("node", at))
  const node = each.reduce((sum, one) => sum + one, 0)
  return { processes, perSecond: requests / seconds, node, each, postgres: used("postgres", 0) }
}

export const manyProcessesGroup: Group = {
  name: "processes",
  rows: ["processes behind a proxy"],
  measure: async ({ places, plan, note }) => {
    const place = await places.open("processes")
    await seedProducts(place.seeder, place.shop, 1_000)
    const data: Array<Measured> = []
    const visits = plan.journeys.purchases
    let first = 0
    for (const processes of counts) {
      data.push(await measureWith(place, processes, { visits, first }))
      first += 2 * visits * processes
      note(`${processes}: ${whole(data.at(-1)?.perSecond ?? 0)} requests a second`)
    }
    const one = data[0]
    const onPaper = ({ processes, node }: Measured) => (processes * (one?.node ?? Number.NaN)) / node
    const kept = onPaper(data[1] ?? ({} as Measured)) >= 1.8 ? "" : " (NOT KEPT: >= 1.8)"
    const text = `A visit is four pages of the catalogue and a purchase. The proxy's CPU is not in the figures. Two processes on paper, each with a core of its own: ${two(onPaper(data[1] ?? ({} as Measured)))} times one${kept}.

${table(
  ["processes", "requests/s", "to one", "Node ms a request", "of each process", "PostgreSQL ms", "on paper"],
  data.map((row) => [
    whole(row.processes),
    whole(row.perSecond),
    two(row.perSecond / (one?.perSecond ?? Number.NaN)),
    two(row.node),
    row.each.map(two).join(" · "),
    two(row.postgres),
    two(onPaper(row))
  ])
)}`
    return { title: "Processes behind a proxy", text, data }
  }
}
