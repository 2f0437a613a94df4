/** A newcomer's start: what is said, when requests may come, and what is left of a start that was cut short. */
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
const shown = (server: Serving, name: string): string => new RegExp(`^${name}\\s+(\\S+)`, "m").exec(server.out())?.[1] ?? ""
const answerOf = async (url: string): Promise<number> => (await fetch(url).catch(() => undefined))?.status ?? 0
const storesOf = async (data: string): Promise<ReadonlyArray<{ readonly name: string }>> =>
  JSON.parse((await commerce(["store", "list", "--data-dir", data, "--json"])).out)

/** The first answers of each kind until there is a 200, and the number of products that a shopper finds at that moment. */
const untilReady = async (url: string, products: () => Promise<number>): Promise<{ readonly before: ReadonlyArray<number>; readonly found: number }> => {
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
    const looked = await Promise.all(urls.map((url, i) => untilReady(url, () => countAt(started[i] as Promise<Serving>, url))))
    for (const { before, found } of looked) {
      expect(before).toContain(503)
      expect(found).toBeGreaterThanOrEqual(200)
    }
    const servers = await Promise.all(started)
    expect(servers.map((server) => shown(server, "admin key")).filter((key) => key.startsWith("svc_")).length).toBe(1)
    expect((await storesOf(data)).map(({ name }) => name)).toEqual(["Demo store"])
  })

  it("leaves nothing behind where it is cut short, so that the next start shows a key", async () => {
    const data = dataDir()
    const cut = await serving(["--demo", "--data-dir", data], {}, /Filling the demo store/)
    await cut.end("SIGKILL")
    expect(await storesOf(data)).toEqual([])
    const server = await serve(["--demo", "--data-dir", data])
    expect(shown(server, "admin key")).toMatch(/^svc_/)
    expect((await storesOf(data)).length).toBe(1)
  })

  it("fills no store that is the merchant's own, and says how to", async () => {
    const own = dataDir()
    await commerce(["init", "--data-dir", own, "--name", "My own"])
    const beside = await serve(["--demo", "--data-dir", own])
    expect(beside.out()).toContain(`--demo fills no store of yours: \`commerce seed --demo --store ${shown(beside, "store")}\``)
  })
})

describe("what serve says at its start", () => {
  it("can be copied: the products, the reference page, and a new key where the key is lost; it says nothing of a password", async () => {
    const data = dataDir()
    const first = await serve(["--data-dir", data])
    expect(`${first.out()}${first.err()}`).not.toContain("password")
    const [, products] = /^try +curl -s '(\S+)'$/m.exec(first.out()) ?? []
    expect(products).toBe(`${first.url}/vc/${shown(first, "sales channel")}/products?limit=3`)
    expect(await answerOf(products ?? "")).toBe(200)
    expect(await answerOf(shown(first, "reference"))).toBe(200)
    const [, words = ""] = /^key lost\? +npx commerce (.+)$/m.exec(first.out()) ?? []
    const made = await commerce(words.replaceAll("'", "").split(" "))
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^key {2}svc_\S+$/m)])
    await first.end("SIGTERM")
    const second = await serve(["--data-dir", data])
    expect(second.out()).not.toContain("svc_")
    expect(shown(second, "store")).toBe(shown(first, "store"))
    expect(second.out()).toContain("key lost?")
  })

  it("names five stores and three channels of each, and says where the others are listed", async () => {
    const data = dataDir()
    const server = await serve(["--data-dir", data])
    const store = shown(server, "store")
    for (const name of ["Two", "Three", "Four", "Five", "Six", "Seven"]) await commerce(["store", "create", "--name", name, "--data-dir", data])
    for (const name of ["b", "c", "d", "e"]) await commerce(["channel", "create", "--store", store, "--name", name, "--data-dir", data])
    const out = (await serve(["--data-dir", data])).out()
    expect([...out.matchAll(/^store +store_/gm)].length).toBe(5)
    expect([...out.matchAll(/^sales channel +vc_/gm)].length).toBe(3)
    expect(out).toContain(`and 2 more: npx commerce channel list --store ${store} --data-dir '${data}'`)
    expect(out).toContain(`and 2 more: npx commerce store list --data-dir '${data}'`)
  })

  it("writes its log as JSON where nobody reads it on a terminal, one object a line, and for people where it is told to", async () => {
    const data = dataDir()
    const env = { COMMERCE_MEDIA_URL: "file:///media", COMMERCE_HOST: "127.0.0.1" }
    const json = await serve(["--data-dir", data], env)
    const [line] = json
      .out()
      .split("\n")
      .filter((each) => each.startsWith("{"))
    expect(JSON.parse(line ?? "{}")).toEqual({
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      level: "warn",
      message: "COMMERCE_MEDIA_URL: is set, and nothing in this version uses it",
      fields: {}
    })
    const pretty = await serve(["--data-dir", data], { ...env, COMMERCE_LOG_FORMAT: "pretty" })
    expect(pretty.err()).toContain("COMMERCE_MEDIA_URL: is set")
    expect(pretty.out()).not.toContain("{")
  })
})

describe("the windows of an address", () => {
  const refusedAmong = async (url: string, count: number): Promise<number> => {
    let refused = 0
    for (let i = 0; i < count; i += 1) if ((await answerOf(url)) === 429) refused += 1
    return refused
  }

  it("do not refuse a developer of the demo on this machine, and hold wherever anything else is meant", async () => {
    const data = dataDir()
    const demo = await serve(["--demo", "--data-dir", data])
    const path = `/vc/${shown(demo, "sales channel")}/categories`
    expect(await refusedAmong(`${demo.url}${path}`, 70)).toBe(0)
    expect(demo.out()).toContain("limits         no window per address")
    for (const [args, env] of [
      [["--data-dir", data], {}],
      [["--demo", "--data-dir", data], { COMMERCE_RATE_LIMIT_PER_MINUTE: "60" }],
      [["--demo", "--data-dir", data], { COMMERCE_TRUSTED_PROXIES: "10.0.0.0/8" }]
    ] as const) {
      const held = await serve(args, { ...env, COMMERCE_RATE_LIMIT_STORE: "memory" })
      expect(held.out()).not.toContain("limits ")
      expect(await refusedAmong(`${held.url}${path}`, 70)).toBe(10)
    }
  })
})
