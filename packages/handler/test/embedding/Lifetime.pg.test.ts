import { waitedFor } from "@effect-commerce/core/testing/LockWaits"
/** An instance from its start to its end, as a host program sees it. */
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createCommerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const asking = (path: string, init: RequestInit = {}) =>
  new Request(`http://commerce.test/api${path}`, {
    ...init,
    headers: { authorization: `Bearer ${shop.apiKey}`, "content-type": "application/json" }
  })
const creating = (name: string) => asking("/v1/products", { method: "POST", body: JSON.stringify({ name }) })

describe("an instance", () => {
  it("that is closed answers the requests under way first, and refuses what comes later in the envelope", async () => {
    const twin = await shop.openTwin()
    const underWay = Array.from({ length: 12 }, (_, i) => twin.fetch(creating(`Under way ${i}`)))
    const closed = twin.close()
    const late = await twin.fetch(creating("Too late"))
    const answers = (await Promise.all(underWay)).map(({ status, headers }) => [status, headers.get("connection")])
    expect(answers).toEqual(Array.from({ length: 12 }, () => [201, "close"]))
    await closed
    for (const answer of [late, await twin.fetch(asking("/v1/store"))]) {
      expect([answer.status, answer.headers.get("retry-after"), answer.headers.get("connection")]).toEqual([
        503,
        "1",
        "close"
      ])
      expect(await answer.json()).toMatchObject({
        statusCode: 503,
        code: "SERVICE_TEMPORARILY_UNAVAILABLE",
        path: expect.stringMatching(/^\/api\/v1\//)
      })
      expect(answer.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/)
    }
    await twin.close()
    expect((await shop.call("GET", "/v1/products?search=under way")).body.meta.total).toBe(12)
    expect((await shop.call("GET", "/v1/products?search=too late")).body.meta.total).toBe(0)
  })

  it("reads a body once: one that was read already is refused, and a request given up on its way leaves the instance as it was", async () => {
    const used = creating("Used")
    await used.text()
    const answer = await shop.commerce.fetch(used)
    expect([answer.status, ((await answer.json()) as { readonly details: unknown }).details]).toEqual([
      400,
      { errors: { body: "could not be read" } }
    ])
    for (const wait of [0, 1, 5]) {
      const leaving = new AbortController()
      const left = shop.commerce
        .fetch(asking("/v1/products?search=used", { signal: leaving.signal }))
        .catch(() => undefined)
      setTimeout(() => leaving.abort(), wait)
      await left
    }
    expect((await shop.call("GET", "/v1/products?limit=1")).status).toBe(200)
  })

  it("rejects at once for whoever aborts, ends the work and gives the connection back, however long the database takes", async () => {
    const pool = new pg.Pool({ ...shop.database.nodePostgres, max: 1 })
    const blocker = await pool.connect()
    const twin = await shop.openTwin()
    try {
      await blocker.query("BEGIN; LOCK TABLE product, cart IN ACCESS EXCLUSIVE MODE")
      for (const [path, init] of [
        ["/v1/products?limit=1", {}],
        ["/v1/products", { method: "POST", body: JSON.stringify({ name: "Given up" }) }]
      ] as const) {
        const leaving = new AbortController()
        const asked = twin.fetch(asking(path, { ...init, signal: leaving.signal }))
        await waitedFor(blocker)
        const reason = new Error("the shopper left")
        const began = performance.now()
        leaving.abort(reason)
        await expect(asked).rejects.toBe(reason)
        expect(performance.now() - began).toBeLessThan(3_000)
      }
      const never = new AbortController()
      never.abort()
      await expect(twin.fetch(asking("/v1/store", { signal: never.signal }))).rejects.toMatchObject({
        name: "AbortError"
      })
    } finally {
      await blocker.query("ROLLBACK")
      blocker.release()
      await pool.end()
    }
    await Promise.all(
      Array.from({ length: 40 }, async () =>
        expect((await twin.fetch(asking("/v1/products?limit=1"))).status).toBe(200)
      )
    )
    expect((await shop.call("GET", "/v1/products?search=given up")).body.meta.total).toBe(0)
  })

  it.each([
    [
      "a proxy that is no address",
      { trustedProxies: ["10.0.0.1", "garbage"] },
      "trustedProxies: garbage is neither an address nor a CIDR range"
    ],
    ["a range that is none", { trustedProxies: ["10.0.0.0/99"] }, "trustedProxies: 10.0.0.0/99 is neither"],
    ["a limit of nothing", { rateLimit: { perMinute: 0 } }, "rateLimit.perMinute must be a whole number from 1"],
    [
      "a limit that cannot be counted to",
      { rateLimit: { perHour: 3_000_000_000 } },
      "rateLimit.perHour must be a whole number from 1 to 2147483647"
    ],
    [
      "a limit that is no number",
      { rateLimit: { perHour: Number.NaN } },
      "rateLimit.perHour must be a whole number from 1"
    ],
    ["a misspelt option", { ratelimit: { perMinute: 5 } }, "ratelimit is no option: did you mean rateLimit?"],
    [
      "an option of nothing like ours",
      { colour: "red" },
      "colour is no option; there are database, secret, rateLimit, "
    ],
    ["a misspelt limit", { rateLimit: { perMin: 5 } }, "rateLimit.perMin is no option: did you mean perMinute?"],
    [
      "a misspelt way of mail",
      { mail: { smtpURL: "smtp://localhost" } },
      "mail.smtpURL is no option: did you mean smtpUrl?"
    ],
    [
      "a misspelt way out",
      { outbound: { allowPrivat: true } },
      "outbound.allowPrivat is no option: did you mean allowPrivate?"
    ],
    [
      "a misspelt key of Stripe",
      { payments: { stripe: { secretkey: "sk_test_1" } } },
      "payments.stripe.secretkey is no option: did you mean secretKey?"
    ],
    [
      "a key of Stripe that is no text",
      { payments: { stripe: { secretKey: 5 } } },
      "payments.stripe.secretKey must be a text or a Redacted one"
    ],
    [
      "a way to capture that there is not",
      { payments: { stripe: { captureMethod: "later" } } },
      "payments.stripe.captureMethod must be one of automatic, manual"
    ],
    [
      "an address of Stripe that is none",
      { payments: { stripe: { apiBase: "localhost" } } },
      "payments.stripe.apiBase must be a URL"
    ],
    ["a role there is not", { role: "workers" }, "role must be one of all, api, worker"],
    [
      "a store of counters there is not",
      { rateLimit: { store: "paper" } },
      "rateLimit.store must be one of postgres, redis, memory"
    ],
    [
      "counters in a Redis that is not named",
      { rateLimit: { store: "redis" } },
      'rateLimit.redisUrl is required with rateLimit.store "redis"'
    ],
    [
      "a URL of a Redis that is none, and does not repeat it",
      { rateLimit: { redisUrl: "redis://:pa55@/0" } },
      "rateLimit.redisUrl must be a URL that begins with redis:// or rediss://"
    ],
    [
      "a URL of a Redis that is no text",
      { rateLimit: { redisUrl: 6379 } },
      "rateLimit.redisUrl must be a text or a Redacted one"
    ],
    [
      "a number of connections there cannot be",
      { maxConnections: 0 },
      "maxConnections must be a whole number from 1 to 10000"
    ],
    ["limits that are no object", { rateLimit: "off" }, "rateLimit must be an object"],
    ["no database", { database: undefined }, "database takes one of url, dataDir, pool, connection"],
    ["a URL that is not set", { database: { url: undefined } }, "database takes one of url, dataDir, pool, connection"],
    [
      "a URL that is none, and does not repeat it",
      { database: { url: "postgres://shop:pa55@/shop?host=/run/postgresql" } },
      "database.url must be a URL that begins with postgres:// or postgresql://"
    ],
    [
      "a URL of another kind",
      { database: { connection: { url: "mysql://shop:pa55@localhost" } } },
      "database.connection.url must be a URL that begins with postgres:// or postgresql://"
    ],
    [
      "a misspelt database",
      { database: { URL: "postgres://localhost" } },
      "database.URL is no option: did you mean url?"
    ],
    [
      "two databases",
      { database: { url: "postgres://localhost", dataDir: "x" } },
      "database takes one of url, dataDir, pool, connection, not url and dataDir"
    ],
    ["an option of another database", { database: { dataDir: "x", schema: "shop" } }, "database.schema is no option"],
    [
      "a replica that is no PostgreSQL",
      { database: { url: "postgres://localhost", readUrl: "http://shop:pa55@replica" } },
      "database.readUrl must be a URL that begins with postgres:// or postgresql://"
    ],
    [
      "a bound on the lag of no replica",
      { database: { url: "postgres://localhost", readMaxLag: 500 } },
      "database.readMaxLag is given without database.readUrl"
    ],
    [
      "a bound on the lag that is no time",
      { database: { url: "postgres://localhost", readUrl: "postgres://replica", readMaxLag: 0 } },
      "database.readMaxLag must be a whole number from 1 to 60000"
    ],
    [
      "a misspelt connection",
      { database: { connection: { hostname: "db" } } },
      "database.connection.hostname is no option: did you mean host?"
    ]
  ] as ReadonlyArray<readonly [string, object, string]>)("does not start with %s", async (_what, options, message) => {
    const refused = createCommerce({
      database: { connection: shop.database.connection },
      secret: "a root secret of thirty-two bytes or more",
      ...options
    })
    await expect(refused).rejects.toThrow(`createCommerce: ${message}`)
  })
})
