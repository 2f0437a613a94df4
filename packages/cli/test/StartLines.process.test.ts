/** What `serve` says when it has started, and how often a developer may call it. */
import { afterEach, describe, expect, it } from "vitest"
import { commerce, folder, type Serving, serving } from "./runCli.ts"
import { pasted, shellsHere } from "./Shells.ts"

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
const shown = (server: Serving, name: string): string =>
  new RegExp(`^${name}\\s+(\\S+)`, "m").exec(server.out())?.[1] ?? ""
const answerOf = async (url: string): Promise<number> => (await fetch(url).catch(() => undefined))?.status ?? 0

describe("what serve says at its start", () => {
  it("ends with what comes next, to be pasted into sh, bash or zsh: the ids and the key, a first request, the reference page; it says nothing of a password", async () => {
    const data = dataDir()
    const first = await serve(["--data-dir", data])
    expect(`${first.out()}${first.err()}`).not.toContain("password")
    const [channel, key] = [shown(first, "sales channel"), shown(first, "admin key")]
    const next = first.out().slice(first.out().indexOf("listening on")).split("\n")
    expect(next).toEqual([
      `listening on ${first.url}`,
      "",
      "Next, in another shell:",
      "",
      `export API='${first.url}' VC='${channel}' KEY='${key}'`,
      'curl -s "$API/vc/$VC/products?limit=1"',
      "",
      `Every request there is, to read in a browser: ${first.url}/docs`,
      ""
    ])
    expect(key).toMatch(/^svc_[\w-]{43}$/)
    const [, , , , line = "", request = ""] = next
    const answer = await (await fetch(`${first.url}/vc/${channel}/products?limit=1`)).text()
    for (const shell of shellsHere("sh", "bash", "zsh"))
      expect(await pasted(shell, `${line}\n${request}\nprintf '<%s>' "$KEY"\n`), shell).toContain(`${answer}<${key}>`)
    expect(await answerOf(`${first.url}/docs`)).toBe(200)
  })

  it("answers the printed address, and `/` beside it, with a page of links", async () => {
    const { url } = await serve(["--data-dir", dataDir()])
    const pageOf = async (address: string) => (await fetch(address, { headers: { accept: "text/html" } })).text()
    const page = await pageOf(url)
    expect(page).toContain(`<code>${url}</code>`)
    expect(page).toContain('<a href="api/docs">')
    expect(await pageOf(new URL("/", url).href)).toBe(page)
    expect(await answerOf(new URL("/docs", url).href)).toBe(404)
  })

  it("says how to make a key with every scope in place of a lost one, and a second start shows none", async () => {
    const data = dataDir()
    const first = await serve(["--data-dir", data])
    const [, words = ""] = /^key lost\? +npx commerce (.+)$/m.exec(first.out()) ?? []
    expect(words).toBe(`keys create --name admin --every-scope --data-dir '${data}'`)
    const scopesOf = async () => {
      const keys = JSON.parse((await commerce(["keys", "list", "--data-dir", data, "--json"])).out)
      return keys.map(({ scopes }: { readonly scopes: ReadonlyArray<string> }) => scopes)
    }
    const made = await commerce(words.replaceAll("'", "").split(" "))
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^key {2}svc_\S+$/m)])
    const [ofInit, ofLine] = await scopesOf()
    expect([ofInit.length, ofLine]).toEqual([28, ofInit])
    await first.end("SIGTERM")
    await commerce(["store", "create", "--name", "Two", "--data-dir", data])
    const second = await serve(["--data-dir", data])
    expect(second.out()).not.toMatch(/svc_|KEY=/)
    expect(second.out()).toContain(`--every-scope --store ${shown(second, "store")} --data-dir`)
  })

  it("names five stores and three channels of each, and says where the others are listed", async () => {
    const data = dataDir()
    const server = await serve(["--data-dir", data])
    const store = shown(server, "store")
    for (const name of ["Two", "Three", "Four", "Five", "Six", "Seven"])
      await commerce(["store", "create", "--name", name, "--data-dir", data])
    for (const name of ["b", "c", "d", "e"])
      await commerce(["channel", "create", "--store", store, "--name", name, "--data-dir", data])
    const out = (await serve(["--data-dir", data])).out()
    expect([...out.matchAll(/^store +store_/gm)].length).toBe(5)
    expect([...out.matchAll(/^sales channel +vc_/gm)].length).toBe(3)
    expect(out).toContain(`and 2 more: npx commerce channel list --store ${store} --data-dir '${data}'`)
    expect(out).toContain(`and 2 more: npx commerce store list --data-dir '${data}'`)
  })

  it("writes its log as JSON where nobody reads it on a terminal, one object a line, and for people where it is told to", async () => {
    const data = dataDir()
    // Nobody listens there, and the shop serves all the same.
    const collector = "http://127.0.0.1:59998"
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector, COMMERCE_HOST: "127.0.0.1" }
    const json = await serve(["--data-dir", data], env)
    expect(await answerOf(`${json.url}/health/ready`)).toBe(200)
    const said = () =>
      json
        .out()
        .split("\n")
        .filter((each) => each.startsWith("{") && each.includes("takes no traces"))
    await expect.poll(() => said().length, { timeout: 10_000 }).toBe(1)
    expect(JSON.parse(said()[0] ?? "{}")).toEqual({
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      level: "warn",
      message: `The collector at ${collector} takes no traces: ECONNREFUSED. Everything else goes on; what it misses is dropped`,
      fields: {}
    })
    const pretty = await serve(["--data-dir", data], { ...env, COMMERCE_LOG_FORMAT: "pretty" })
    expect(await answerOf(`${pretty.url}/health/ready`)).toBe(200)
    await expect.poll(() => pretty.out(), { timeout: 10_000 }).toContain("takes no traces")
    expect(pretty.out()).not.toContain("{")
  })
})

describe("the windows of an address", () => {
  /** How many requests of one minute are answered before one is refused; a minute may end while it asks. */
  const answeredInMinute = async (url: string): Promise<number | "all"> => {
    let answered = 0
    for (let asked = 0; asked < 130; asked += 1) {
      const { status, headers } = await fetch(url)
      if (status === 429) return answered
      expect(status).toBe(200)
      answered = headers.get("x-ratelimit-remaining") === "59" ? 1 : answered + 1
    }
    return "all"
  }

  it("do not refuse a developer of the demo on this machine, and hold wherever anything else is meant", async () => {
    const data = dataDir()
    const demo = await serve(["--demo", "--data-dir", data])
    const path = `/vc/${shown(demo, "sales channel")}/categories`
    expect(await answeredInMinute(`${demo.url}${path}`)).toBe("all")
    expect(demo.out()).toContain("limits         none per address")
    for (const [args, env] of [
      [["--data-dir", data], {}],
      [["--demo", "--data-dir", data], { COMMERCE_RATE_LIMIT_PER_MINUTE: "60" }],
      [["--demo", "--data-dir", data], { COMMERCE_TRUSTED_PROXIES: "10.0.0.0/8" }]
    ] as const) {
      const held = await serve(args, { ...env, COMMERCE_RATE_LIMIT_STORE: "memory" })
      expect(held.out()).not.toContain("limits ")
      expect(await answeredInMinute(`${held.url}${path}`)).toBe(60)
    }
  })
})
