import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { Api } from "../../src/Api.ts"
import { routesOf } from "../../src/middleware/routesOf.ts"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { answer, customersOf, goodPassword, otherPassword, rowsOf } from "./SignedIn.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let other: TestStore
/** The same back end in another process. */
let twin: Commerce
let at: ReturnType<typeof customersOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", statementLog: statements })
  other = await shop.openStore()
  twin = await shop.openTwin()
  at = customersOf(shop)
})
afterAll(() => shop.close())

const seconds = 1_000
const week = 7 * 86_400 * seconds
const advance = (advanceMs: number) => shop.call("POST", "/test/clock", { body: { advanceMs } })
const atTwin = async (
  method: string,
  path: string,
  options: { readonly token?: string; readonly body?: object } = {}
) => {
  const { token, body } = options
  const headers = {
    "content-type": "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
  }
  return twin.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )
}
const twinMe = async (token: string): Promise<number> => (await atTwin("GET", `${at.at}/me`, { token })).status
const twinClock = (advanceMs: number) => atTwin("POST", "/test/clock", { body: { advanceMs } })

/** A demanding route, and one where a token is welcome: whose cart it makes. */
const me = (authorization: string, channelId = shop.channelId) =>
  answer(shop.call("GET", `/vc/${channelId}/customers/me`, { headers: { authorization } }))
const cartOf = async (authorization: string, channelId = shop.channelId): Promise<readonly [number, string | null]> => {
  const { status, body } = await shop.call("POST", `/vc/${channelId}/cart`, { headers: { authorization } })
  return [status, body.customerId]
}
const refused = [401, "UNAUTHORIZED"]
const guest = [201, null]

describe("a customer's token", () => {
  it("says for whom, by whom, for which channel, until when and of which password, and nothing of the person", async () => {
    const { body } = await at.register({ firstName: "Ada" })
    expect(decodeProtectedHeader(body.token)).toEqual({ alg: "HS256", typ: "JWT" })
    const { iat = 0, jti, ...claims } = decodeJwt(body.token)
    expect(claims).toEqual({
      iss: shop.storeId,
      aud: shop.channelId,
      sub: body.customer.id,
      ver: 1,
      exp: iat + 604_800
    })
    expect(jti).toMatch(/^[\w-]{22}$/)
    expect(body.expiresAt).toBe(new Date((iat + 604_800) * seconds).toISOString())
    expect(decodeJwt((await at.login(body.customer.email)).body.token).jti).not.toBe(jti)
  })

  it("costs a warm process no statement", async () => {
    const { token } = await at.known()
    const costOf = async (call: () => Promise<unknown>): Promise<number> => {
      await call()
      statements.reset()
      await call()
      return statements.statements().length
    }
    expect(await costOf(() => at.me(token))).toBe(1)
    expect(await costOf(() => at.me(token, "GET", "/cart"))).toBe(1)
    expect(await costOf(() => at.as(token, "POST", `${at.vc}/cart`))).toBe(
      await costOf(() => at.as(undefined, "POST", `${at.vc}/cart`))
    )
    expect(await costOf(() => at.as(`${token}x`, "POST", `${at.vc}/cart`))).toBe(
      await costOf(() => at.as(undefined, "POST", `${at.vc}/cart`))
    )
  })

  it("is taken with any spelling of Bearer and with spaces around it", async () => {
    const { id, token } = await at.known()
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}  `]) {
      expect(await me(authorization)).toEqual([200, undefined])
      expect(await cartOf(authorization)).toEqual([201, id])
    }
  })

  it("that is none, altered, unsigned, signed by another or for another purpose is 401 where one is demanded and a guest where one is welcome", async () => {
    const { id, token } = await at.known()
    const [head = "", payload = "", signature = ""] = token.split(".")
    const forged = (claims: object, alg = "HS256") => {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
      return `${encode({ alg, typ: "JWT" })}.${encode(claims)}`
    }
    const stranger = await new SignJWT({ ver: 1 })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(shop.storeId)
      .setAudience(shop.channelId)
      .setSubject(id)
      .setJti("x")
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode("a secret of somebody else's, 32 bytes"))
    const bad = [
      "",
      "nonsense",
      "a.b.c",
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${head}.${payload}.${signature}x`,
      `${head}.${payload}.${signature.split("").toReversed().join("")}`,
      `${forged({ ...decodeJwt(token), sub: "cust_somebody_else" })}.${signature}`,
      `${forged(decodeJwt(token), "none")}.`,
      stranger,
      shop.apiKey
    ]
    for (const text of bad) {
      expect(await me(`Bearer ${text}`)).toEqual(refused)
      expect(await cartOf(`Bearer ${text}`)).toEqual(guest)
    }
    for (const authorization of ["Basic YWRhOmFkYQ==", token, "Bearer"]) {
      expect(await me(authorization)).toEqual(refused)
      expect(await cartOf(authorization)).toEqual(guest)
    }
    expect(await answer(at.me())).toEqual(refused)
  })

  it("beside an API key is one credential too many, where it is demanded and where it is welcome", async () => {
    const { token } = await at.known()
    const headers = { authorization: `Bearer ${token}`, "x-api-key": shop.apiKey }
    expect(await answer(shop.call("GET", `${at.at}/me`, { headers }))).toEqual(refused)
    expect(await answer(shop.call("POST", `${at.vc}/cart`, { headers }))).toEqual(refused)
  })

  it("opens no admin route, is not looked at where nobody asks for one, and a key opens none of a customer's", async () => {
    const { token } = await at.known()
    for (const authorization of [`Bearer ${token}`, "Bearer bad"]) {
      const headers = { authorization, origin: "https://shop.example" }
      for (const path of [`/stores/${shop.storeId}/categories`, `${at.vc}/categories`])
        expect((await shop.call("GET", path, { headers })).status).toBe(200)
    }
    expect(await answer(shop.call("GET", "/v1/store", { key: token }))).toEqual(refused)
    expect(await answer(shop.call("GET", `${at.at}/me`, { headers: { "x-api-key": shop.apiKey } }))).toEqual(refused)
  })

  it("is good on the channel that issued it alone", async () => {
    const { id, token } = await at.known()
    const { body: sister } = await at.admin("POST", "/sales-channels", { name: "sister" })
    for (const channelId of [sister.id, other.channelId]) {
      expect(await me(`Bearer ${token}`, channelId)).toEqual(refused)
      expect(await cartOf(`Bearer ${token}`, channelId)).toEqual(guest)
    }
    expect(await me(`Bearer ${await at.issue(id, sister.id)}`, sister.id)).toEqual([200, undefined])
  })

  it("is demanded by every route of a customer's own: none, a bad one, another store's and an admin key are 401 alike", async () => {
    const demanding = routesOf(Api).filter((route) => route.policy.customer === "required")
    expect(
      demanding.map(({ method, path }) => `${method} ${path.replace("/api/vc/:salesChannelId", "")}`).toSorted()
    ).toEqual([
      "DELETE /customers/me",
      "DELETE /customers/me/addresses/:addressId",
      "GET /customers/me",
      "GET /customers/me/addresses",
      "GET /customers/me/cart",
      "GET /customers/me/checkout-prefill",
      "GET /customers/me/downloads",
      "GET /customers/me/loyalty",
      "GET /customers/me/orders",
      "GET /customers/me/orders/:orderId",
      "PATCH /customers/me",
      "PATCH /customers/me/addresses/:addressId",
      "POST /cart/merge",
      "POST /customers/change-password",
      "POST /customers/logout",
      "POST /customers/me/addresses",
      "POST /customers/me/addresses/:addressId/default",
      "POST /products/:id/reviews",
      "POST /products/:productId/review-photo"
    ])
    const theirs = await customersOf(shop, other).known()
    for (const { method, path } of demanding) {
      const asked = path.replace("/api", "").replace(":salesChannelId", shop.channelId).replace(/:\w+/, "x")
      for (const token of [undefined, "bad", theirs.token, shop.apiKey]) {
        expect(await answer(at.as(token, method, asked, method === "GET" ? undefined : {}))).toEqual(refused)
      }
    }
  })

  it("of a deleted customer is worth nothing from that moment", async () => {
    const { id, token } = await at.known()
    expect(await me(`Bearer ${token}`)).toEqual([200, undefined])
    await at.admin("DELETE", `/customers/${id}`)
    expect(await me(`Bearer ${token}`)).toEqual(refused)
    expect(await cartOf(`Bearer ${token}`)).toEqual(guest)
  })

  it("ends after seven days, to the second", async () => {
    const { id, token } = await at.known()
    const { exp = 0 } = decodeJwt(token)
    const clock = (now: number) => shop.call("POST", "/test/clock", { body: { now: new Date(now).toISOString() } })
    await clock(exp * seconds - 10 * seconds)
    expect(await cartOf(`Bearer ${token}`)).toEqual([201, id])
    await clock(exp * seconds)
    expect(await me(`Bearer ${token}`)).toEqual(refused)
    expect(await cartOf(`Bearer ${token}`)).toEqual(guest)
    await advance(-week)
  })
})

describe("a token in two processes", () => {
  it("is good in both; what ends it ends it here at once and there within five seconds", async () => {
    const customer = await at.signUp()
    const { token: second } = (await at.login(customer.email)).body
    expect([await twinMe(customer.token), await twinMe(second)]).toEqual([200, 200])

    await at.post("logout", {}, second)
    expect(await answer(at.me(second))).toEqual(refused)
    await twinClock(5 * seconds)
    expect([await twinMe(second), await twinMe(customer.token)]).toEqual([401, 200])

    await at.post("change-password", { currentPassword: goodPassword, newPassword: otherPassword }, customer.token)
    expect(await answer(at.me(customer.token))).toEqual(refused)
    await twinClock(5 * seconds)
    expect(await twinMe(customer.token)).toBe(401)
    expect(decodeJwt((await at.login(customer.email, otherPassword)).body.token)).toMatchObject({ ver: 2 })
  })

  it("ends the same way when the customer is deleted in the other", async () => {
    const { id, token } = await at.known()
    expect((await at.me(token)).status).toBe(200)
    const gone = await twin.fetch(
      new Request(`http://commerce.test/api/v1/customers/${id}`, {
        method: "DELETE",
        headers: { "x-api-key": shop.apiKey }
      })
    )
    expect(gone.status).toBe(200)
    expect(await twinMe(token)).toBe(401)
    // Whether this process has heard of it or not: there is nobody to show.
    for (const path of ["", "/cart", "/addresses", "/checkout-prefill"])
      expect(await answer(at.me(token, "GET", path))).toEqual(refused)
    await advance(5 * seconds)
    expect(await answer(at.me(token))).toEqual(refused)
  })

  it("is forgotten with 199 others once it was logged out: the 201st logout ends every token there is", async () => {
    const { token, email } = await at.signUp()
    const customerId = decodeJwt(token).sub ?? ""
    const logOut = async () => at.post("logout", {}, (await at.login(email)).body.token)
    await rowsOf(
      shop,
      "INSERT INTO customer_logout (store_id, customer_id, jti, expires_at) SELECT $1, $2, 'jti' || n, 'infinity' FROM generate_series(1, 199) n",
      [shop.storeId, customerId]
    )
    expect((await logOut()).status).toBe(200)
    expect((await at.me(token)).status).toBe(200)
    const last = (await at.login(email)).body.token
    expect((await at.post("logout", {}, last)).status).toBe(200)
    expect([
      (await at.me(token)).status,
      (await at.me(last)).status,
      (await at.me((await at.login(email)).body.token)).status
    ]).toEqual([401, 401, 200])
    expect(
      await rowsOf(shop, "SELECT count(*)::int AS n FROM customer_logout WHERE customer_id = $1", [customerId])
    ).toEqual([{ n: 1 }])
  })
})
