/** Limits whose counters are in a real Redis, over two instances; and what becomes of requests while it is away. */
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { Stores } from "@effect-commerce/core/store/Stores"
import { redisProgram, sayWithoutRedis, startTestRedis, type TestRedis } from "@effect-commerce/core/testing/TestRedis"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { addOwner, password } from "../team/desk.ts"

sayWithoutRedis("nobody has counted limits in it")

const noon = "2030-01-01T12:00:10.000Z"

const open = async (redis: TestRedis, rateLimit: object, more: Parameters<typeof openTestCommerce>[0] = {}) => {
  const shop = await openTestCommerce({ role: "api", rateLimit: { ...rateLimit, redisUrl: redis.url }, ...more })
  const twin = await shop.openTwin()
  const body = JSON.stringify({ now: noon })
  for (const commerce of [shop.commerce, twin])
    await commerce.fetch(
      new Request("http://commerce.test/api/test/clock", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body
      })
    )
  return { shop, twin }
}
const readyOf = async (commerce: Commerce) =>
  (await (await commerce.fetch(new Request("http://commerce.test/api/health/ready"))).json()) as object
const isAlone = (commerce: Commerce) =>
  vi.waitFor(async () => expect(await readyOf(commerce)).toEqual({ status: "ready", rateLimits: "alone" }), 60_000)

describe.skipIf(redisProgram === undefined)("limits that are counted in Redis", () => {
  let redis: TestRedis
  let shop: TestCommerce
  let twin: Commerce
  const statements = makeStatementCounter()
  beforeAll(async () => {
    redis = await startTestRedis()
    ;({ shop, twin } = await open(redis, {}, { statementLog: statements }))
  })
  afterAll(async () => {
    await shop.close()
    await redis.close()
  })

  const send = (commerce: Commerce, key: string, clientAddress?: string) =>
    commerce.fetch(
      new Request("http://commerce.test/api/v1/store", { headers: { "x-api-key": key } }),
      clientAddress === undefined ? {} : { clientAddress }
    )
  /** Of a store of a new account. */
  const freeKeys = (number: number) => {
    const make = Effect.gen(function* () {
      const { id, accountId } = yield* (yield* Stores).create({ name: "Limited", currency: "USD", country: "US" })
      const key = { accountId, storeId: id, name: "limited", scopes: ["store:read"], tier: "FREE" as const }
      const keys = yield* ApiKeys
      return yield* Effect.forEach(Array.from({ length: number }), () => keys.mint(key))
    })
    const minted = shop.run(make as unknown as Effect.Effect<ReadonlyArray<{ readonly key: string }>>)
    return minted.then((all) => all.map(({ key }) => key))
  }
  const both = (i: number) => (i % 2 === 0 ? shop.commerce : twin)

  it("are exact over two instances: of an address, of a key and of an account", async () => {
    const count = async (answers: ReadonlyArray<Promise<Response>>, status: number) =>
      (await Promise.all(answers)).filter((answer) => answer.status === status).length
    const ofAddress = Array.from({ length: 80 }, (_, i) => send(both(i), shop.apiKey, "203.0.113.1"))
    expect(await count(ofAddress, 200)).toBe(60)
    const free = await shop.mintKey({ scopes: ["store:read"], tier: "FREE" })
    expect(
      await count(
        Array.from({ length: 80 }, (_, i) => send(both(i), free)),
        200
      )
    ).toBe(60)
    const keys = await freeKeys(6)
    expect(
      await count(
        Array.from({ length: 360 }, (_, i) =>
          send(both(Math.floor(i / 6)), keys[i % 6] ?? "", `198.51.100.${i % 250}`)
        ),
        200
      )
    ).toBe(300)
  })

  it("say what is left, how long to wait, and what has refused", async () => {
    const from = () => shop.call("GET", "/v1/store", { clientAddress: "203.0.113.2" })
    const first = await from()
    const named = (answer: Called, ...names: ReadonlyArray<string>) =>
      names.map((name) => answer.headers.get(`x-ratelimit-${name}`))
    expect(named(first, "limit", "remaining", "limit-long", "remaining-long")).toEqual(["60", "59", "1000", "999"])
    for (let i = 1; i < 60; i++) await from()
    const refused = await from()
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      429,
      "RATE_LIMITED",
      { limit: 60, ttlMs: 60_000, retryAfterSeconds: expect.any(Number), scope: "ip" }
    ])
    expect(named(refused, "remaining", "reset")).toEqual(["0", String(refused.body.details.retryAfterSeconds)])
  })

  it("cost the database nothing: a warm request sends no statement for them", async () => {
    await shop.call("GET", "/nowhere", { clientAddress: "203.0.113.3" })
    statements.reset()
    expect((await shop.call("GET", "/nowhere", { clientAddress: "203.0.113.3" })).status).toBe(404)
    expect((await shop.call("GET", "/openapi.json", { clientAddress: "203.0.113.3" })).status).toBe(200)
    expect(statements.statements()).toEqual([])
  })

  it("begin anew with the test clock's next minute", async () => {
    const ask = () => shop.call("GET", "/nowhere", { clientAddress: "203.0.113.4" })
    for (let i = 0; i < 60; i++) await ask()
    expect((await ask()).status).toBe(429)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 60_000 } })
    expect((await ask()).status).toBe(404)
  })
})

describe.skipIf(redisProgram === undefined)("while the Redis of the limits is away,", () => {
  let redis: TestRedis
  let shop: TestCommerce
  let twin: Commerce
  let checkoutId: string
  beforeAll(async () => {
    redis = await startTestRedis()
    ;({ shop, twin } = await open(redis, { perMinute: 500, perHour: 10_000 }))
    const shopper = shopperOf(shop)
    checkoutId = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
    await addOwner(shop, shop, "ada@example.com")
    await redis.kill()
    for (const commerce of [shop.commerce, twin]) await isAlone(commerce)
  })
  afterAll(async () => {
    await shop.close()
    await redis.close()
  })

  it("a route with a limit of its own is refused, with nothing done", async () => {
    const at = `/vc/${shop.channelId}`
    const guarded = [
      [
        `${at}/customers/register`,
        { email: "new@example.com", password: "N3w-Battery!", firstName: "N", lastName: "E" }
      ],
      [`${at}/customers/login`, { email: "ada@example.com", password }],
      [`${at}/customers/forgot-password`, { email: "ada@example.com" }],
      [`${at}/gift-cards/balance`, { code: "NOPE" }],
      [`${at}/checkout/${checkoutId}/coupon`, { code: "NOPE" }],
      [`${at}/checkout/${checkoutId}/gift-card`, { code: "NOPE" }],
      ["/auth/login", { email: "ada@example.com", password }],
      ["/v1/media", { sourceUrl: "https://pictures.example/a.png" }]
    ] as const
    for (const [path, body] of guarded) {
      const refused = await shop.call("POST", path, { body })
      expect([path, refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
        path,
        503,
        "SERVICE_TEMPORARILY_UNAVAILABLE",
        "1"
      ])
    }
    expect((await shop.call("GET", "/v1/customers/by-email?email=new@example.com")).status).toBe(404)
  })

  it("everything else goes on: a shopper reads, fills a cart and buys once, also by a repeated request", async () => {
    const shopper = shopperOf(shop)
    expect((await shop.call("GET", `${shopper.at}/products`)).status).toBe(200)
    await shopper.cart([await shopper.product(), 2])
    const bought = [await shopper.complete(checkoutId, "once"), await shopper.complete(checkoutId, "once")]
    expect(bought.map(({ status }) => status)).toEqual([200, 200])
    expect(bought[0]?.text).toBe(bought[1]?.text)
    expect((await shop.call("GET", "/v1/orders")).body.meta.total).toBe(1)
  })

  it("each process counts for itself: an address, a key, and failed authentications", async () => {
    const ask = (key: string | null, clientAddress: string) => shop.call("GET", "/v1/store", { key, clientAddress })
    const statuses: Array<number> = []
    for (let i = 0; i < 52; i++) statuses.push((await ask(`svc_wrong${i}`, "203.0.113.8")).status)
    expect([statuses.filter((status) => status === 401).length, statuses.slice(50)]).toEqual([50, [429, 429]])
    const free = await shop.mintKey({ scopes: ["store:read"], tier: "FREE" })
    const passed: Array<number> = []
    for (let i = 0; i < 62; i++) passed.push((await ask(free, "203.0.113.9")).status)
    expect([passed.filter((status) => status === 200).length, passed.slice(60)]).toEqual([60, [429, 429]])
    const elsewhere = await twin.fetch(
      new Request("http://commerce.test/api/v1/store", { headers: { "x-api-key": free } }),
      { clientAddress: "203.0.113.9" }
    )
    expect(elsewhere.status).toBe(200)
  })

  it("and back, the same requests are answered, and every process counts for all again", async () => {
    await redis.start()
    for (const commerce of [shop.commerce, twin])
      await expect.poll(() => readyOf(commerce)).toEqual({ status: "ready", rateLimits: "shared" })
    const login = (commerce: Commerce) =>
      commerce.fetch(
        new Request("http://commerce.test/api/auth/login", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email: "ada@example.com", password: "Wr0ng-Horse!" })
        }),
        { clientAddress: "203.0.113.10" }
      )
    const answers = []
    for (let i = 0; i < 7; i++) answers.push((await login(i % 2 === 0 ? shop.commerce : twin)).status)
    expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429])
  })
})

describe.skipIf(redisProgram === undefined)("while it is away and addresses have no limits,", () => {
  let redis: TestRedis
  let shop: TestCommerce
  beforeAll(async () => {
    redis = await startTestRedis()
    shop = await openTestCommerce({
      role: "api",
      testClock: false,
      rateLimit: { perMinute: "off", redisUrl: redis.url }
    })
    await addOwner(shop, shop, "ada@example.com")
    await redis.kill()
    await isAlone(shop.commerce)
  })
  afterAll(async () => {
    await shop.close()
    await redis.close()
  })

  it("passwords are still not tried: failed authentications are counted in Redis", async () => {
    const at = `/vc/${shop.channelId}/customers`
    const body = { email: "ada@example.com", password }
    expect((await shop.call("POST", `${at}/login`, { body })).status).toBe(503)
    expect((await shop.call("POST", "/auth/login", { body })).status).toBe(503)
  })

  it("what guards no secret is answered", async () => {
    const at = `/vc/${shop.channelId}`
    expect((await shop.call("GET", `${at}/products`)).status).toBe(200)
    expect((await shop.call("POST", `${at}/cart`)).status).toBe(201)
    expect((await shop.call("GET", "/v1/store")).status).toBe(200)
  })
})
