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
  cleanups.push(() => server.end("SIGKILL"))
  return server
}
const status = async (url: string, key?: string): Promise<number> => (await fetch(url, key === undefined ? {} : { headers: { "x-api-key": key } })).status
const shown = (server: Serving, name: string): string => new RegExp(`${name}\\s+(\\S+)`).exec(server.out())?.[1] ?? ""

describe("commerce serve", () => {
  it("sets up an empty installation, shows the key once, and keeps the data over a stop, a kill and a start", async () => {
    const data = dataDir()
    const first = await serve(["--data-dir", data])
    const key = shown(first, "admin key")
    expect(key).toMatch(/^svc_/)
    expect(await status(`${first.url}/health/ready`)).toBe(200)
    expect(await status(`${first.url}/v1/store`, key)).toBe(200)
    expect(await first.end("SIGTERM")).toBe(0)

    const second = await serve(["--data-dir", data])
    expect(second.out()).not.toContain("svc_")
    expect(await status(`${second.url}/v1/store`, key)).toBe(200)
    await second.end("SIGKILL")

    const third = await serve(["--data-dir", data])
    expect(await status(`${third.url}/v1/store`, key)).toBe(200)
    expect(await third.end("SIGTERM")).toBe(0)
  })

  it("shares its data directory with commands and with a second server, and stopping one leaves the other", async () => {
    const data = dataDir()
    const one = await serve(["--data-dir", data])
    const two = await serve(["--data-dir", data], { COMMERCE_RATE_LIMIT_PER_MINUTE: "off" })
    const made = await commerce([
      "keys",
      "create",
      "--data-dir",
      data,
      "--store",
      shown(one, "store"),
      "--name",
      "beside",
      "--scope",
      "store:read",
      "--rate-limit",
      "100000",
      "--json"
    ])
    expect([made.code, made.err]).toEqual([0, ""])
    const { id, key, tier } = JSON.parse(made.out)
    expect(tier).toBe("FREE")
    expect(await status(`${two.url}/v1/store`, key)).toBe(200)
    expect(await one.end("SIGTERM")).toBe(0)
    expect(await status(`${two.url}/v1/store`, key)).toBe(200)
    expect((await commerce(["keys", "revoke", id, "--data-dir", data])).code).toBe(0)
    const until = performance.now() + 6_000
    let after = 200
    while (after === 200 && performance.now() < until) after = await status(`${two.url}/v1/store`, key)
    expect(after).toBe(401)
  })

  it("says in one line that its port is taken", async () => {
    const data = dataDir()
    const one = await serve(["--data-dir", data])
    const port = new URL(one.url).port
    const refused = await commerce(["serve", "--data-dir", data, "--port", port])
    expect([refused.code, refused.out]).toEqual([1, ""])
    expect(refused.err.trim().split("\n").length).toBe(1)
    expect(refused.err).toContain(`port ${port} of 127.0.0.1 is in use: choose another with --port`)
  })
})
