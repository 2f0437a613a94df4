import { once } from "node:events"
import type { AddressInfo } from "node:net"
import express, { type RequestHandler } from "express"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { cardCompany, company, signatureOf } from "./CardCompany.ts"

let shop: TestCommerce
let id: string
beforeAll(async () => {
  shop = await openTestCommerce({ payments: { providers: [cardCompany] }, rateLimit: { perMinute: 1_000 } })
  const credentials = { secretKey: "key_live_1", webhookSecret: "whsec_1" }
  id = (await shop.call("POST", "/v1/payment-providers", { body: { type: "card", credentials } })).body.id
})
beforeEach(() => {
  company.read.length = 0
})
afterAll(() => shop.close())

const send = (body: string, type: string | undefined, secret = "whsec_1", to = id, clientAddress = "10.0.0.1") =>
  shop.call("POST", `/payment-events/${to}`, {
    raw: Buffer.from(body, "latin1"),
    headers: { ...(type === undefined ? {} : { "content-type": type }), "x-card-signature": signatureOf(secret, body) },
    clientAddress
  })

describe("a notice of a payment provider", () => {
  it.each([
    ["JSON with spaces of its own", "application/json", '{\n  "id" : "evt_1",  "amount": 1.00 }\n'],
    ["JSON of another charset", "application/json; charset=iso-8859-1", '{"name": "\xe9"}'],
    ["a form", "application/x-www-form-urlencoded", "id=tr_1&x=%20+"],
    ["XML", "text/xml", "<notice>\x00</notice>"],
    ["bytes without a type", undefined, "\xff\xfe anything"],
    ["nothing", "application/json", ""]
  ])("may be %s: its exact bytes are verified and read", async (_words, type, body) => {
    const answer = await send(body, type)
    expect([answer.status, answer.body]).toEqual([200, { received: true }])
    await expect.poll(() => company.read).toEqual([body])
  })

  it("is unknown where there is no such payment provider", async () => {
    for (const to of ["ppr_of_nobody", "manual", "paypal", "x".repeat(300)]) {
      const answer = await send("{}", "application/json", "whsec_1", to)
      expect([answer.status, answer.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    }
  })

  it("is 401 with another signature, and after too many of those 429", async () => {
    const forged = await send("{}", "application/json", "guessed", id, "10.0.0.2")
    expect([forged.status, forged.body.code]).toEqual([401, "UNAUTHORIZED"])
    expect(forged.text).not.toContain("whsec")
    const statuses = []
    for (let i = 0; i < 60; i++) statuses.push((await send("{}", "application/json", "guessed", id, "10.0.0.2")).status)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(company.read).toEqual([])
    expect((await send("{}", "application/json", "whsec_1", id, "10.0.0.3")).status).toBe(200)
  })

  it("is at most 256 KB", async () => {
    expect((await send("x".repeat(262_144), "text/plain")).status).toBe(200)
    const answer = await send("x".repeat(262_145), "text/plain")
    expect([answer.status, answer.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"])
  })

  it("counts towards the limits of its sender", async () => {
    const answer = await send("{}", "application/json", "whsec_1", id, "10.0.0.4")
    expect(answer.headers.get("x-ratelimit-limit")).toBe("1000")
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("999")
  })

  it("needs its exact bytes: a host whose parser kept none of them is told, and one that kept them is served", async () => {
    const posted = async (parser: RequestHandler) => {
      const app = express().use(parser).use(shop.commerce.node)
      const server = app.listen(0)
      await once(server, "listening")
      const body = '{ "id": "evt_2" }'
      const { port } = server.address() as AddressInfo
      const answer = await fetch(`http://127.0.0.1:${port}/api/payment-events/${id}`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", "x-card-signature": signatureOf("whsec_1", body) }
      })
      server.close()
      return answer.status
    }
    expect(await posted(express.json())).toBe(400)
    expect(await posted(express.raw({ type: "*/*" }))).toBe(200)
    const keep = (request: object, _: unknown, bytes: Buffer) => void Object.assign(request, { rawBody: bytes })
    expect(await posted(express.json({ verify: keep }))).toBe(200)
  })

  it("signed by the credentials before is accepted while those are valid", async () => {
    const credentials = { secretKey: "key_live_1_new", webhookSecret: "whsec_2" }
    await shop.call("PATCH", `/v1/payment-providers/${id}`, { body: { credentials } })
    expect((await send('{"by": 1}', "application/json", "whsec_1")).status).toBe(200)
    expect((await send('{"by": 2}', "application/json", "whsec_2")).status).toBe(200)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 25 * 3_600_000 } })
    expect((await send('{"by": 3}', "application/json", "whsec_1")).status).toBe(401)
    expect((await send('{"by": 4}', "application/json", "whsec_2")).status).toBe(200)
  })
})
