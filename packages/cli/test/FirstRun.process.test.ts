/** A newcomer's start: when requests may come, and what is left of a start that was cut short. */
import { createServer } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { commerce, folder, type Serving, serving } from "./runCli.ts"

const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
const dataDir = () => {
  const made = folder()
  cleanups.push(made.remove)
  return made.path
}
const serve = async (args: ReadonlyArray<string>, env?: Readonly<Record<string, string>>): Promise<Serving> => {
  const server = await serving(args, env)
  cleanups.push(() => server.end("SIGTERM"))
  return server
}
const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => done(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
const shown = (server: Serving, name: string): string =>
  new RegExp(`^${name}\\s+(\\S+)`, "m").exec(server.out())?.[1] ?? ""
const answerOf = async (url: string): Promise<number> => (await fetch(url).catch(() => undefined))?.status ?? 0
const storesOf = async (data: string): Promise<ReadonlyArray<{ readonly name: string }>> =>
  JSON.parse((await commerce(["store", "list", "--data-dir", data, "--json"])).out)

/**
 * The first answers of each kind until there is a 200, and the number of products that a shopper finds at that moment.
 */
const untilReady = async (
  url: string,
  products: () => Promise<number>
): Promise<{ readonly before: ReadonlyArray<number>; readonly found: number }> => {
  const before = new Set<number>()
  for (;;) {
    const status = await answerOf(`${url}/health/ready`)
    if (status === 200) return { before: [...before], found: await products() }
    before.add(status)
  }
}

describe("a first run with the demo store", () => {
  it("is not ready before the demo store is filled, neither where it is filled nor in a second server that waits for it, and live all the while", async () => {
    const [one, two, data] = [await freePort(), await freePort(), dataDir()]
    const urls = [one, two].map((port) => `http://127.0.0.1:${port}/api`)
    const started = [one, two].map((port) => serve(["--demo", "--data-dir", data, "--port", String(port)]))
    const countAt = async (server: Promise<Serving>, url: string): Promise<number> => {
      const answer = await fetch(`${url}/vc/${shown(await server, "sales channel")}/products?limit=1`)
      return ((await answer.json()) as { readonly meta: { readonly total: number } }).meta.total
    }
    const looked = await Promise.all(
      urls.map((url, i) => untilReady(url, () => countAt(started[i] as Promise<Serving>, url)))
    )
    for (const { before, found } of looked) {
      expect(before).toContain(503)
      expect(found).toBeGreaterThanOrEqual(200)
    }
    const servers = await Promise.all(started)
    expect(servers.map((server) => shown(server, "admin key")).filter((key) => key.startsWith("svc_")).length).toBe(1)
    expect((await storesOf(data)).map(({ name }) => name)).toEqual(["Demo store"])
  }, 180_000)

  it("leaves nothing behind where it is cut short, so that the next start shows a key", async () => {
    const data = dataDir()
    const cut = await serving(["--demo", "--data-dir", data], {}, /Filling the demo store/)
    await cut.end("SIGKILL")
    expect(await storesOf(data)).toEqual([])
    const server = await serve(["--demo", "--data-dir", data])
    expect(shown(server, "admin key")).toMatch(/^svc_[\w-]{43}$/)
    expect((await storesOf(data)).length).toBe(1)
  }, 180_000)

  it("fills no store that is the merchant's own, and says how to", async () => {
    const own = dataDir()
    await commerce(["init", "--data-dir", own, "--name", "My own"])
    const beside = await serve(["--demo", "--data-dir", own])
    expect(beside.out()).toContain(
      `--demo fills no store of yours: \`commerce seed --demo --store ${shown(beside, "store")}\``
    )
  })
})
