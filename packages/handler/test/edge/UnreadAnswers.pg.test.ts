/** Many connections that ask for much and read nothing: what the process holds for them is bounded, others are served. */
import { randomBytes } from "node:crypto"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openHttpServer } from "../../src/adapters/httpServer.ts"
import { mostUnderWay } from "../../src/middleware/AnswerBytes.ts"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { type Listening, listening } from "./nodeServer.ts"

let shop: TestCommerce
let at: Listening
let other: TestStore
let third: TestStore
const sockets: Array<Socket> = []
const trustedProxies = ["127.0.0.1"]

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", trustedProxies })
  at = await listening(openHttpServer(shop.commerce, { write: 600_000 }).server)
  other = await shop.openStore()
  third = await shop.openStore()
  const description = "d".repeat(40_000)
  for (const { key, count } of [
    { key: shop.apiKey, count: 100 },
    { key: other.apiKey, count: 100 },
    { key: third.apiKey, count: 4 }
  ]) {
    const made = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        shop.call("POST", "/v1/products", { key, body: { name: `Lamp ${i}`, basePrice: "1.00", description } })
      )
    )
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
  }
}, 120_000)
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await at.close()
  await shop.close()
})

const asked = (path: string, ip: string, key: string, method = "GET") =>
  `${method} /api${path} HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${ip}\r\nx-api-key: ${key}\r\n`

const answered = async (path: string, ip: string, key = shop.apiKey, method = "GET") => {
  const { status, head, body, text } = await at.raw(
    `${asked(path, ip, key, method)}connection: close\r\ncontent-length: 0\r\n\r\n`
  )
  return { status, code: body?.code, retry: /retry-after: (\d+)/i.exec(head)?.[1], bytes: text.length }
}

const underWay = async () => {
  const { text } = await shop.call("GET", "/metrics")
  return Number(/^commerce_http_answer_bytes (\d+)$/m.exec(text)?.[1])
}

const hostile = (ip: string, key: string, headers = "", requests = 4) => {
  const socket = connect(at.port, "127.0.0.1")
  socket.on("error", () => undefined)
  socket.pause()
  socket.write(`${asked("/v1/products?limit=100", ip, key)}${headers}\r\n`.repeat(requests))
  sockets.push(socket)
}

const flood = async (ip: string, key: string) => {
  for (let i = 0; i < 12; i += 1) hostile(ip, key)
  // A refusal is all that a flood gets once its share is full.
  await expect
    .poll(async () => (await answered("/v1/products?limit=100", ip, key)).status, { timeout: 60_000, interval: 200 })
    .toBe(503)
}

describe("answers that nobody reads", () => {
  it("count as they are sent: compressed", async () => {
    const { apiKey } = await shop.openStore()
    for (let i = 0; i < 80; i += 1) {
      // Nothing that repeats, so that it is compressed to three quarters and fits in no buffer of the system.
      const description = randomBytes(72_000).toString("base64")
      const body = { name: `Lamp ${i}`, basePrice: "1.00", description }
      expect((await shop.call("POST", "/v1/products", { key: apiKey, body })).status).toBe(201)
    }
    const headers = { "x-api-key": apiKey, "x-forwarded-for": "203.0.113.9", "accept-encoding": "gzip" }
    const whole = await fetch(`http://127.0.0.1:${at.port}/api/v1/products?limit=100`, { headers })
    const length = Number(whole.headers.get("content-length"))
    await whole.text()
    expect([length > 5_000_000, length < 6_500_000]).toEqual([true, true])
    await expect.poll(underWay).toBe(0)
    hostile("203.0.113.9", apiKey, "accept-encoding: gzip\r\n", 1)
    await expect.poll(underWay, { timeout: 10_000 }).toBe(length)
    for (const socket of sockets.splice(0)) socket.destroy()
    await expect.poll(underWay, { timeout: 10_000 }).toBe(0)
  }, 60_000)

  it("are held up to half of what the process holds for one store or address, a quarter for the next; others are answered", async () => {
    await flood("203.0.113.1", shop.apiKey)
    const page = "/v1/products?limit=100"
    expect(await underWay()).toBeGreaterThan(mostUnderWay / 2 - 8_388_608)
    expect(await underWay()).toBeLessThan(mostUnderWay / 2 + 1_048_576)
    const refused = { status: 503, code: "SERVICE_TEMPORARILY_UNAVAILABLE", retry: "1", bytes: expect.any(Number) }
    // The store's share is full, whoever asks; so is the address's, whichever store it asks.
    expect(await answered(page, "203.0.113.2")).toEqual(refused)
    expect(await answered(page, "203.0.113.1", other.apiKey)).toEqual(refused)
    // A write of that address is refused before it is done, one of another one is not.
    expect(await answered("/v1/products", "203.0.113.1", other.apiKey, "POST")).toEqual(refused)
    expect((await answered("/v1/products", "203.0.113.2", shop.apiKey, "POST")).status).toBe(400)
    // What is small is always answered, and so is another store.
    expect((await answered("/v1/store", "203.0.113.1")).status).toBe(200)
    const whole = await answered(page, "203.0.113.3", other.apiKey)
    expect([whole.status, whole.bytes > 4_000_000]).toEqual([200, true])
    // The next one who reads nothing gets half of what is left, and a third store is answered all the same.
    await flood("203.0.113.4", other.apiKey)
    expect(await underWay()).toBeLessThan((mostUnderWay * 3) / 4 + 1_048_576)
    const small = await answered(page, "203.0.113.5", third.apiKey)
    expect([small.status, small.bytes > 160_000]).toEqual([200, true])
    for (const socket of sockets.splice(0)) socket.destroy()
    await expect.poll(underWay, { timeout: 30_000 }).toBe(0)
    expect((await answered(page, "203.0.113.1")).status).toBe(200)
  }, 120_000)
})
