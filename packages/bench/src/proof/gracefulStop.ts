/**
 * A server is told to end while clients keep its connections busy, reading and writing. Each request that was begun is
 * answered whole; a client that comes later is refused its connection, and none is reset. The process ends with 0
 * within ten seconds.
 */
import { Agent, request } from "node:http"
import { sleep, until } from "./Client.ts"
import { furnish } from "./Purchase.ts"
import type { Outcome, Run } from "./Scenario.ts"

export interface StopSize {
  readonly tries: number
  readonly clients: number
}

/** The longest that a try waits until its clients are at work. */
const warmMillis = 30_000

/** Milliseconds from SIGTERM to the end of the process. */
const mostMillis = 10_000

/** What becomes of a request: its status, or the code of the error. */
const ask = (agent: Agent, port: number, method: string, path: string): Promise<number | string> =>
  new Promise((done) => {
    const asked = request({ agent, host: "127.0.0.1", port, method, path: `/api${path}` }, (response) => {
      let text = ""
      response.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")))
      response.on("error", (error: NodeJS.ErrnoException) => done(`cut off: ${error.code ?? error.message}`))
      response.on("end", () => done(endOf(response.statusCode ?? 0, text)))
    })
    asked.on("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    asked.end()
  })

const endOf = (status: number, text: string): number | string => {
  try {
    const { message } = JSON.parse(text) as { readonly message?: string }
    return message === undefined ? status : `${status} ${message}`
  } catch {
    return "half an answer"
  }
}

/** A store that asks for very many lists at once is told to come back: that is an answer too. */
const isAnswer = (end: number | string): boolean =>
  end === 200 || end === 201 || (typeof end === "string" && end.startsWith("503 Too many searches"))

/** Asks on one kept-alive connection until it is refused a new one; how each of its requests ended. */
const keepAsking = async (
  port: number,
  paths: ReadonlyArray<readonly [method: string, path: string]>,
  answered: () => void
) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ends: Array<number | string> = []
  while (ends.at(-1) !== "ECONNREFUSED" && ends.length < 100_000) {
    const [method, path] = paths[ends.length % paths.length] ?? ["GET", "/health/live"]
    ends.push(await ask(agent, port, method, path))
    answered()
  }
  agent.destroy()
  return ends
}

export const proveGracefulStop = async (
  { installation, random, note }: Run,
  { tries, clients }: StopSize
): Promise<Outcome> => {
  const shop = await installation.openShop()
  await installation.stock(shop, 20, 100)
  const [slot] = await installation.openSlots(1)
  if (slot === undefined) throw new Error("a server is needed")
  const violations: Array<string> = []
  const latencies: Array<number> = []
  let answered = 0
  const at = `/vc/${shop.channelId}`
  const paths = [
    ["GET", `${at}/products`],
    ["POST", `${at}/cart`],
    ["GET", `${at}/products?limit=5`]
  ] as const

  for (let turn = 1; turn <= tries; turn++) {
    const server = await installation.start(slot)
    if (turn === 1) await furnish(shop, slot.port)
    let answers = 0
    const asking = Promise.all(
      Array.from({ length: clients }, () => keepAsking(slot.port, paths, () => void (answers += 1)))
    )
    // A server that has just begun is busy with its first requests; what is proved is its end.
    await until(warmMillis, async () => answers >= 2 * clients)
    await sleep(random.between(0, 1_000))
    const began = performance.now()
    await server.stop()
    const code = await server.ended
    const took = performance.now() - began
    const ends = (await asking).flat()
    latencies.push(took)
    const good = ends.filter(isAnswer).length
    answered += good
    const bad = ends.filter((end) => !isAnswer(end) && end !== "ECONNREFUSED")
    const kinds = Object.entries(Object.groupBy(bad, String)).map(([kind, all]) => `${all?.length} ${kind}`)
    if (kinds.length > 0) violations.push(`try ${turn}: ${kinds.join(", ")} of ${ends.length} requests`)
    if (code !== 0) violations.push(`try ${turn}: it ended with ${code}`)
    if (took > mostMillis) violations.push(`try ${turn}: it took ${Math.round(took)} ms to end`)
    note(
      `try ${turn} of ${tries}: ${good} answered, ${kinds.join(", ") || "none"} lost, ended with ${code} in ${Math.round(took)} ms`
    )
  }
  return { counts: { tries, clients, answered }, latencies, violations }
}
