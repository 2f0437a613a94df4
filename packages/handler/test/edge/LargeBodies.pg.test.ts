/** Large bodies that many send at once, and slowly: what the process holds for them is bounded, others are served. */
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openHttpServer } from "../../src/adapters/httpServer.ts"
import { mostReceived } from "../../src/middleware/BodyBytes.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { type Listening, listening } from "./nodeServer.ts"

let shop: TestCommerce
let at: Listening
const sockets: Array<Socket> = []
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", trustedProxies: ["127.0.0.1"] })
  at = await listening(openHttpServer(shop.commerce, { request: 600_000 }).server)
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await at.close()
  await shop.close()
})

/** What `POST /v1/products/bulk` takes. */
const large = 10_485_760
const head = (ip: string, length: number) =>
  `POST /api/v1/products/bulk HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${ip}\r\nx-api-key: ${shop.apiKey}\r\n` +
  `content-type: application/json\r\nidempotency-key: ${ip}-${length}-${sockets.length}\r\ncontent-length: ${length}\r\n`

/** Sends the head of a large body and nothing of the body; resolves with what is answered, if anything is. */
const begin = (ip: string): { readonly status: () => string; readonly text: () => string; readonly socket: Socket } => {
  let text = ""
  const socket = connect(at.port, "127.0.0.1")
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => (text += chunk.toString("latin1")))
  socket.write(`${head(ip, large)}\r\n`)
  sockets.push(socket)
  return { socket, text: () => text, status: () => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? "" }
}

const whole = async (ip: string, size: number) => {
  const body = JSON.stringify({ products: [{ name: "Lamp", basePrice: "1.00" }] }).padEnd(size)
  return (await at.raw(`${head(ip, size)}connection: close\r\n\r\n${body}`)).status
}

describe("large bodies that are sent slowly", () => {
  it("are read as far as a share of the process goes; small ones and those of others are taken, and all when they end", async () => {
    const many = Array.from({ length: 20 }, () => begin("203.0.113.1"))
    const refused = () => many.filter(({ status }) => status() === "503").length
    // Six of them are less than what is left; with the seventh they would be more.
    await expect.poll(refused, { timeout: 20_000 }).toBe(20 - Math.floor(mostReceived / 2 / large))
    expect(many.filter(({ status }) => status() === "").length).toBe(6)
    const told = many.find(({ status }) => status() === "503")?.text()
    expect(told).toMatch(/retry-after: 1\r\n/i)
    expect(told).toContain('"code":"SERVICE_TEMPORARILY_UNAVAILABLE","message":"Too many large bodies')
    expect(await whole("203.0.113.1", 60_000)).toBe(202)
    expect(await whole("203.0.113.2", large)).toBe(202)
    for (const { socket } of many) socket.destroy()
    await expect.poll(() => whole("203.0.113.1", large).catch(() => "refused"), { timeout: 20_000 }).toBe(202)
  })
})
