import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf } from "./SignedIn.ts"

let shop: TestCommerce
let at: ReturnType<typeof customersOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", rateLimit: { perMinute: 10_000, perHour: 100_000 } })
  at = customersOf(shop)
  // Ten seconds into a minute: no window turns while a test runs.
  await shop.call("POST", "/test/clock", { body: { now: "2030-01-01T00:00:10.000Z" } })
})
afterAll(() => shop.close())

let addresses = 0
const freshAddress = () => `203.0.113.${++addresses}`
const from = (clientAddress: string, method: string, path: string, body: object = {}, token?: string) =>
  shop.call(method, `${at.at}${path}`, {
    ...(method === "GET" ? {} : { body }),
    clientAddress,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
  })

describe("in a minute one address", () => {
  it.each([
    ["POST", "/register", 5],
    ["POST", "/login", 5],
    ["POST", "/forgot-password", 3],
    ["POST", "/reset-password", 3],
    ["POST", "/verify-email", 3],
    ["POST", "/resend-verification", 3],
    ["POST", "/logout", 3],
    ["POST", "/change-password", 3],
    ["DELETE", "/me", 3]
  ] as const)("may %s %s %i times, well or badly", async (method, path, limit) => {
    const address = freshAddress()
    for (let i = 0; i < limit; i++) expect((await from(address, method, path)).status).not.toBe(429)
    const refused = await from(address, method, path)
    expect([refused.status, refused.body.code]).toEqual([429, "RATE_LIMITED"])
    expect(refused.body.details).toEqual({
      limit,
      ttlMs: 60_000,
      retryAfterSeconds: refused.body.details.retryAfterSeconds,
      scope: "route"
    })
    expect(refused.headers.get("retry-after")).toBe(String(refused.body.details.retryAfterSeconds))
    expect((await from(freshAddress(), method, path)).status).not.toBe(429)
  })

  it("may read its profile as often as anything else", async () => {
    const { token } = await at.known()
    const address = freshAddress()
    for (let i = 0; i < 10; i++) expect((await from(address, "GET", "/me", {}, token)).status).toBe(200)
  })
})

describe("failed authentication", () => {
  it("counts bad tokens, wrong passwords and worthless mail tokens, not their absence nor a token nobody demanded", async () => {
    const { token, email } = await at.known()
    const address = freshAddress()
    for (let i = 0; i < 10; i++) {
      expect((await from(address, "GET", "/me")).status).toBe(401)
      const headers = { authorization: "Bearer bad" }
      expect((await shop.call("POST", `${at.vc}/cart`, { clientAddress: address, headers })).status).toBe(201)
    }
    expect((await from(address, "POST", "/login", { email, password: "Wr0ng-Password" })).status).toBe(401)
    expect((await from(address, "POST", "/reset-password", { token: "bad", newPassword: "N3w-Battery!" })).status).toBe(
      400
    )
    expect((await from(address, "POST", "/verify-email", { token: "bad" })).status).toBe(400)
    expect(
      (await from(address, "POST", "/change-password", { currentPassword: "bad", newPassword: "N3w-Battery!" }, token))
        .status
    ).toBe(401)
    for (let i = 0; i < 45; i++) expect((await from(address, "GET", "/me", {}, "bad")).status).toBe(401)
    expect((await from(address, "GET", "/me", {}, token)).status).toBe(200)
    expect((await from(address, "GET", "/me", {}, "bad")).status).toBe(401)
    const refused = await from(address, "GET", "/me", {}, token)
    expect([refused.status, refused.body.details]).toEqual([
      429,
      expect.objectContaining({ limit: 50, ttlMs: 300_000, scope: "auth" })
    ])
    expect((await from(freshAddress(), "GET", "/me", {}, token)).status).toBe(200)
  })
})
