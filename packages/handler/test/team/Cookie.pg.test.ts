import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CallOptions, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addOwner, advance, coded, password, tokenOf } from "./desk.ts"

/** The origin that requests of the tests are sent to, and of the pages that call them. */
const own = "http://commerce.test"

let shop: TestCommerce
let storeId: string

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  storeId = shop.storeId
  await addOwner(shop, shop, "ada@example.com")
})
afterAll(() => shop.close())

const refused = [403, "INSUFFICIENT_PERMISSION"]

const logIn = (headers: Record<string, string> = { origin: own }) =>
  shop.call("POST", "/auth/login", { body: { email: "ada@example.com", password, cookie: true }, headers })

/** A session in a cookie: the Cookie header that a browser sends, and the token for its writes. */
const opened = async () => {
  const { body, headers } = await logIn()
  return { cookie: (headers.get("set-cookie") ?? "").split(";")[0] ?? "", csrf: body.csrfToken as string }
}

const write = (headers: Record<string, string>, options: CallOptions = {}) =>
  shop.call("POST", `/stores/${storeId}/team`, {
    key: null,
    body: { email: `${Math.random()}@example.com`, role: "staff" },
    ...options,
    headers
  })

describe("a session in a cookie", () => {
  it("is kept from scripts, and is not in the answer", async () => {
    const { body, headers } = await logIn()
    expect([body.token, body.csrfToken.length]).toEqual([null, 64])
    expect(headers.get("set-cookie")).toMatch(
      /^commerce_session=dash_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/
    )
  })

  it("is Secure and bound to the host over https", async () => {
    const response = await shop.commerce.fetch(
      new Request("https://commerce.test/api/auth/login", {
        method: "POST",
        headers: { "content-type": "application/json", origin: "https://commerce.test" },
        body: JSON.stringify({ email: "ada@example.com", password, cookie: true })
      })
    )
    const cookie = response.headers.get("set-cookie") ?? ""
    expect(cookie).toMatch(/^__Host-commerce_session=dash_[\w-]{43}; Path=\/; .*; SameSite=Strict; Secure$/)
    expect(cookie).not.toContain("Domain")
    // What a subdomain can plant has another name.
    const planted = cookie.split(";")[0]?.replace("__Host-", "") ?? ""
    const me = await shop.commerce.fetch(
      new Request("https://commerce.test/api/auth/me", { headers: { cookie: planted } })
    )
    expect(me.status).toBe(401)
  })

  it("reads for pages of the same origin, and writes with the token of the session", async () => {
    const { cookie, csrf } = await opened()
    const me = await shop.call("GET", "/auth/me", { key: null, headers: { cookie, "sec-fetch-site": "same-origin" } })
    expect([me.status, me.body.csrfToken]).toEqual([200, csrf])
    expect(
      (await shop.call("GET", "/auth/me", { key: null, headers: { cookie, "sec-fetch-site": "none" } })).status
    ).toBe(200)
    expect((await write({ cookie, origin: own, "x-csrf-token": csrf })).status).toBe(201)
    expect((await write({ cookie, "sec-fetch-site": "same-origin", "x-csrf-token": csrf })).status).toBe(201)
  })

  it("is refused where another site makes the request", async () => {
    const { cookie, csrf } = await opened()
    const attacks: ReadonlyArray<Record<string, string>> = [
      // A form or fetch of another site, which knows no token.
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `${own}.evil.example`, "x-csrf-token": csrf },
      // Another origin of the same site: a subdomain, another port, plain http.
      { origin: "http://shop.commerce.test", "x-csrf-token": csrf },
      { origin: `${own}:8080`, "x-csrf-token": csrf },
      { origin: own, "sec-fetch-site": "same-site", "x-csrf-token": csrf },
      { origin: own, "sec-fetch-site": "cross-site", "x-csrf-token": csrf },
      // A navigation cannot write.
      { "sec-fetch-site": "none", "x-csrf-token": csrf },
      // Whoever does not say where the request comes from.
      { "x-csrf-token": csrf },
      // The right page without the token, with none, or with a wrong one.
      { origin: own },
      { origin: own, "x-csrf-token": "" },
      { origin: own, "x-csrf-token": "0".repeat(64) }
    ]
    const before = await shop.call("GET", `/stores/${storeId}/team`, { key: shop.apiKey })
    for (const headers of attacks)
      expect(coded(await write({ cookie, ...headers })), JSON.stringify(headers)).toEqual(refused)
    const after = await shop.call("GET", `/stores/${storeId}/team`, { key: shop.apiKey })
    expect(after.body.meta.total).toBe(before.body.meta.total)
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      const read = await shop.call("GET", "/auth/me", { key: null, headers: { cookie, ...headers } })
      expect(coded(read)).toEqual(refused)
      expect(read.headers.get("access-control-allow-credentials")).toBe(null)
    }
    expect(coded(await shop.call("POST", "/auth/logout", { key: null, headers: { cookie } }))).toEqual(refused)
  })

  it("takes no token of another session", async () => {
    const [mine, theirs] = [await opened(), await opened()]
    expect(mine.csrf).not.toBe(theirs.csrf)
    expect(coded(await write({ cookie: mine.cookie, origin: own, "x-csrf-token": theirs.csrf }))).toEqual(refused)
  })

  it("is not opened for a page of another origin, which would log its visitor in as somebody else", async () => {
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }, {}] as const) {
      const forced = await logIn(headers as Record<string, string>)
      expect([...coded(forced), forced.headers.get("set-cookie")]).toEqual([...refused, null])
    }
  })

  it("is one credential: beside a key or a bearer token it is refused", async () => {
    const { cookie, csrf } = await opened()
    const headers = { cookie, origin: own, "x-csrf-token": csrf }
    for (const key of [shop.apiKey, await tokenOf(shop, "ada@example.com")])
      expect(coded(await write(headers, { key }))).toEqual([401, "UNAUTHORIZED"])
    const twice = `${cookie}; ${cookie.replace("dash_", "dash_x")}`
    expect(coded(await write({ ...headers, cookie: twice }))).toEqual([401, "UNAUTHORIZED"])
  })

  it("opens nothing outside of the dashboard: elsewhere it is not read", async () => {
    const { cookie } = await opened()
    const headers = { cookie, origin: own }
    expect(coded(await shop.call("GET", "/v1/store", { key: null, headers }))).toEqual([401, "UNAUTHORIZED"])
    expect((await shop.call("GET", "/v1/store", { headers })).status).toBe(200)
    const me = await shop.call("GET", `/vc/${shop.channelId}/customers/me`, { key: null, headers })
    expect(coded(me)).toEqual([401, "UNAUTHORIZED"])
  })

  it("is removed by a log-out, and by its time", async () => {
    const { cookie, csrf } = await opened()
    const headers = { cookie, origin: own, "x-csrf-token": csrf }
    const out = await shop.call("POST", "/auth/logout", { key: null, headers })
    expect([out.status, out.headers.get("set-cookie")]).toEqual([
      200,
      "commerce_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
    ])
    expect(coded(await write(headers))).toEqual([401, "UNAUTHORIZED"])
    const late = await opened()
    await advance(shop, 30 * 86_400_000)
    expect(coded(await write({ ...late, origin: own, "x-csrf-token": late.csrf }))).toEqual([401, "SESSION_EXPIRED"])
  })
})
