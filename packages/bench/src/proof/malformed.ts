/**
 * Broken HTTP, thousands of times, at a server of its own: each is refused or closed, nothing is written, the server
 * holds no more memory for it, and answers others as before.
 */
import { connect } from "node:net"
import { malformedRequests, type MalformedRequest } from "../../../handler/test/edge/malformedRequests.ts"
import { send } from "./Client.ts"
import type { Outcome, Run } from "./Scenario.ts"

/** MB that the process may grow by after its first thousand. */
const mostGrowth = 64

const statusOf = (port: number, { bytes, endsEarly }: MalformedRequest): Promise<number> =>
  new Promise((done) => {
    let text = ""
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
    socket.on("data", (chunk) => (text += chunk.toString("latin1")))
    socket.on("error", () => undefined)
    socket.on("end", () => socket.destroy())
    socket.on("close", () => done(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)))
    socket.write(bytes)
    if (endsEarly === true) socket.end()
  })

export const proveMalformed = async (
  { installation, note }: Run,
  { requests }: { readonly requests: number }
): Promise<Outcome> => {
  const shop = await installation.openShop()
  const [slot] = await installation.openSlots(1)
  if (slot === undefined) throw new Error("no slot")
  const server = await installation.start(slot)
  // Failed credentials would have the address refused as a whole.
  const broken = malformedRequests(shop).filter(({ statuses }) => !statuses.includes(401))
  const rows = async () =>
    JSON.stringify(
      await installation.query(
        "SELECT (SELECT count(*) FROM tax_rate) AS rates, (SELECT count(*) FROM event) AS events"
      )
    )
  const before = await rows()
  const violations = new Set<string>()
  const latencies: Array<number> = []
  const round = async (from: number, count: number) => {
    for (let i = from; i < from + count; i += 8)
      await Promise.all(
        Array.from({ length: Math.min(8, from + count - i) }, async (_, j) => {
          const one = broken[(i + j) % broken.length]
          if (one === undefined) return
          const status = await statusOf(slot.port, one)
          if (!one.statuses.includes(status)) violations.add(`${one.what}: ${status}`)
        })
      )
    const began = performance.now()
    const { status } = await send(slot.port, "GET", "/health/live")
    latencies.push(performance.now() - began)
    if (status !== 200) violations.add(`the server is not well: ${status}`)
  }
  const warm = Math.min(1_000, requests)
  await round(0, warm)
  const first = server.residentMemory()
  for (let at = warm; at < requests; at += 500) await round(at, Math.min(500, requests - at))
  const growth = server.residentMemory() - first
  note(`${requests} requests of ${broken.length} kinds: ${first} MB, ${growth} MB more at the end`)
  if (growth > mostGrowth) violations.add(`the process grew by ${growth} MB`)
  if ((await rows()) !== before) violations.add("something was written")
  return {
    counts: { requests, kinds: broken.length, growth: Math.round(growth) },
    latencies,
    violations: [...violations]
  }
}
