/** Broken HTTP over a plain socket: each is refused in the envelope, writes nothing, and nobody else notices. */
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openHttpServer } from "../../src/adapters/httpServer.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { type Fingerprints, openFingerprints } from "../matrix/filledStore.ts"
import { malformedRequests, type MalformedRequest } from "./malformedRequests.ts"
import { type Listening, listening } from "./nodeServer.ts"

let shop: TestCommerce
let at: Listening
let prints: Fingerprints
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", trustedProxies: ["127.0.0.1"] })
  at = await listening(openHttpServer(shop.commerce).server)
  prints = await openFingerprints(shop)
})
afterAll(async () => {
  await prints.close()
  await at.close()
  await shop.close()
})

const names = malformedRequests({ apiKey: "k", channelId: "c" }).map(({ what }) => what)
const requestCalled = (what: string): MalformedRequest => {
  const found = malformedRequests(shop).find((one) => one.what === what)
  if (found === undefined) throw new Error(what)
  return found
}

/** What comes back, as text; the socket is closed by the server. */
const send = ({ bytes, endsEarly }: Pick<MalformedRequest, "bytes" | "endsEarly">): Promise<string> =>
  new Promise((done) => {
    let text = ""
    const socket = connect({ port: at.port, host: "127.0.0.1", allowHalfOpen: true })
    socket.on("data", (chunk) => (text += chunk.toString("latin1")))
    socket.on("error", () => undefined)
    socket.on("end", () => socket.destroy())
    socket.on("close", () => done(text))
    socket.write(bytes)
    if (endsEarly === true) socket.end()
  })
const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)

describe("a request that is broken", () => {
  it.each(names)("is refused, and writes nothing: %s", async (what) => {
    const broken = requestCalled(what)
    const before = await prints.of(shop.storeId)
    const text = await send(broken)
    const status = statusOf(text)
    expect([status, broken.statuses.includes(status) ? "" : text.slice(0, 600)]).toEqual([status, ""])
    // One connection carries one answer: nothing of the bytes was taken for a second request.
    expect(text.split("HTTP/1.1 ").length).toBeLessThanOrEqual(2)
    if (status >= 400) expect(text).toMatch(/"code":"[A-Z_]+"/)
    expect(text).not.toMatch(/internal server error/i)
    expect(await prints.of(shop.storeId)).toEqual(before)
    expect((await at.ask("GET", "/api/health/live")).status).toBe(200)
  })

  it("leaves no property on objects that have none", () => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as { readonly isAdmin?: unknown }).isAdmin).toBeUndefined()
  })
})

describe("a request that is odd and whole", () => {
  const rate = (more: string) => `{"name":"Odd","country":"US","rate":1${more}}`
  const post = (body: string) =>
    at.ask("POST", "/api/v1/tax/rates", { "x-api-key": shop.apiKey, "content-type": "application/json" }, body)

  it("has the last of two values of one name", async () => {
    const { status, body } = await post(rate(`,"name":"Last"`))
    expect([status, body.name]).toEqual([201, "Last"])
  })

  it("may begin with a byte order mark, which is no part of it", async () => {
    const { status, body } = await post(`\ufeff${rate("")}`)
    expect([status, body?.name]).toEqual([201, "Odd"])
  })

  it("is answered in the absolute form as in the other", async () => {
    const headers = { "x-api-key": shop.apiKey }
    expect((await at.ask("GET", "http://shop.test/api/v1/store", headers)).body.id).toBe(shop.storeId)
  })
})
