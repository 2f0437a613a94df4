/**
 * Reads of a storefront while fifty shoppers log in at once, in one process: hashes of passwords take their time in a
 * few threads, and hold nobody else up.
 */
import { cpuTimesOf } from "./cpuTimes.ts"
import { asShopper, customerOf, password } from "./journeys.ts"
import type { Measured, Request } from "./load.ts"
import { median, measureRounds, type Round, type Server } from "./measure.ts"
import { ask, startFile, stop } from "./processes.ts"
import { table, two, whole } from "./report.ts"
import type { Group } from "./run.ts"
import { productIdOf, seedProducts } from "./seed.ts"
import { serveProduct } from "./serving.ts"

const logins = 50
const customers = 50
const readers = 4
/** The p99 of reads beside logins, beside that of reads alone. */
const mayGrow = 1.5

const names = ["alone", "beside logins"] as const
const p99 = (rounds: ReadonlyArray<Round>): number => median(rounds.map((round) => round.p99))

export const besideLoginsGroup: Group = {
  name: "logins",
  rows: ["reads beside logins"],
  measure: async ({ places, plan }) => {
    const place = await places.open("logins")
    await seedProducts(place.seeder, place.shop, 1_000)
    const { child, port } = await serveProduct(place.dataDir)
    const { channelId, origin } = place.shop
    const asked = asShopper({ port, shop: place.shop })
    for (let i = 0; i < customers; i++)
      await asked("POST", "/customers/register", {
        email: customerOf(i),
        password,
        firstName: "Ada",
        lastName: "Byron"
      })
    const ofChannel = (path: string): Pick<Request, "path" | "headers"> => ({
      path: `/api/vc/${channelId}${path}`,
      headers: { origin }
    })
    const reads = Array.from({ length: 200 }, (_, i): Request => {
      const path = i % 2 === 0 ? `/products?limit=20&page=${1 + (i % 10)}` : `/products/${productIdOf(1 + i)}`
      return { method: "GET", ...ofChannel(path) }
    })
    const entering = Array.from({ length: customers }, (_, i): Request => {
      const body = JSON.stringify({ email: customerOf(i), password })
      return { method: "POST", ...ofChannel("/customers/login"), body }
    })
    const [loader, entrants] = [startFile("./load.ts"), startFile("./load.ts")]
    const perSecond: Array<number> = []
    const logIn = () => {
      const seconds = plan.seconds
      const job = { port, connections: logins, seconds, requests: entering, patient: true }
      const done = ask<{ readonly measured: Measured }>(entrants, job)
      return async () => void perSecond.push((await done).measured.perSecond)
    }
    const nobody = () => async () => undefined
    const measured = await measureRounds({
      loader,
      servers: names.map((name): Server => ({ name, port, pid: child.pid })),
      rounds: plan.rounds,
      connections: readers,
      cpuOf: ({ pid }) => cpuTimesOf(pid, place.postmaster),
      load: async () => ({ requests: reads, seconds: plan.seconds }),
      beside: ({ name }) => (name === "alone" ? nobody() : logIn())
    })
    await Promise.all([child, loader, entrants].map(stop))
    const [alone = [], beside = []] = names.map((name) => measured[name])
    const growth = p99(beside) / p99(alone)
    const rows = [alone, beside].map((rounds, i) => [
      names[i] ?? "",
      whole(median(rounds.map((round) => round.perSecond))),
      two(median(rounds.map((round) => round.p50))),
      two(p99(rounds))
    ])
    const text = `Reads by ${readers} callers, alone and while ${logins} shoppers log in at once (${whole(median(perSecond))} log-ins a second): p99 ${two(growth)} of that alone${growth <= mayGrow ? "" : ` (NOT KEPT: <= ${mayGrow})`}.

${table(["reads", "/s", "p50 ms", "p99 ms"], rows)}`
    return { title: "Reads beside log-ins", text, data: { alone, beside, loginsPerSecond: median(perSecond) } }
  }
}
