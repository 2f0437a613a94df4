/** What `serve` says where a proxy stands before it that nobody has named. */
import { afterEach, expect, it } from "vitest"
import { folder, type Serving, serving } from "./runCli.ts"

const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
const serve = async (env: Readonly<Record<string, string>>): Promise<Serving> => {
  const data = folder()
  cleanups.push(data.remove)
  const server = await serving(["--data-dir", data.path], { COMMERCE_LOG_FORMAT: "json", ...env })
  cleanups.push(() => server.end("SIGTERM"))
  return server
}
/** Each from another client, as a proxy says it. */
const askThrough = async ({ url }: Serving, count: number): Promise<void> => {
  for (let i = 0; i < count; i++)
    await (await fetch(`${url}/health/live`, { headers: { "x-forwarded-for": `203.0.113.${i % 5}` } })).text()
}
/** All that the server has said until it ended. */
const warnings = async (server: Serving): Promise<number> => {
  await server.end("SIGTERM")
  return `${server.out()}${server.err()}`.split("COMMERCE_TRUSTED_PROXIES").length - 1
}

it("serve warns once of a proxy that it does not trust, when it is clear, and names the setting", async () => {
  const server = await serve({})
  await askThrough(server, 200)
  expect(await warnings(server)).toBe(1)
  expect(`${server.out()}${server.err()}`).toMatch(/50 requests with X-Forwarded-For came from (::ffff:)?127\.0\.0\.1/)
})

it("serve warns of no proxy that is named, and of no developer", async () => {
  const named = await serve({ COMMERCE_TRUSTED_PROXIES: "127.0.0.1" })
  await askThrough(named, 100)
  expect(await warnings(named)).toBe(0)
  const alone = await serve({})
  for (let i = 0; i < 100; i++) await (await fetch(`${alone.url}/health/live`)).text()
  expect(await warnings(alone)).toBe(0)
})
