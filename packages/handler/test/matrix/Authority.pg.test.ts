import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { everyScope } from "@effect-commerce/core/identity/Scope"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { type DeclaredRoute, routesOf } from "../../src/middleware/routesOf.ts"
import { roleMay, type TeamRole } from "@effect-commerce/core/team/TeamRole"
import { install } from "../app/installed.ts"
import { customersOf } from "../customer/SignedIn.ts"
import { addOwner, joinAs, ownerOf, queryOf, tokenOf } from "../team/desk.ts"
import { type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** Routes whose body is a form with a file. */
const takesForm = ({ path }: { readonly path: string }): boolean => /-(?:upload|photo)$/.test(path)

/**
 * Every declared route, called by whoever must not, and once by who may: the answer is told from its declaration alone.
 */
const routes = routesOf(Api)
const on = (surface: DeclaredRoute["policy"]["surface"]) =>
  routes
    .filter((route) => route.policy.surface === surface)
    .map((route) => [`${route.method} ${route.path}`, route] as const)

let shop: TestCommerce
/** A channel of a domain, live, and one with everything switched off. */
let live: string
let closed: string
let refused: Record<"expired" | "revoked" | "unknown" | "customer", string>
/** A key that nobody can be given: its scopes are `*:read` and `*:write`, which stand for nothing. */
let starred: string
/** The token of an app of the shop's store, which opens the routes of its installation and no other. */
let appToken: string
/** Keys of another account: of its store, and of all of its stores. */
let ofOthers: Record<"store" | "account", string>
/** Tokens of a customer: of the shop's channel, of another channel of its store, and of another store's. */
let customers: Record<"id" | "own" | "ofOtherChannel" | "ofOtherStore", string>
/** Sessions of people of the shop's store, of another store, of both, and sessions that have ended. */
let people: Record<TeamRole | "stranger" | "ofTwo", string>
let endedSessions: Record<"expired" | "revoked", string>

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  live = (
    await shop.call("POST", "/v1/sales-channels", { body: { name: "Live", domain: "shop.example", mode: "live" } })
  ).body.id
  const off = { storefrontRead: false, cart: false, customerAuth: false, ordersWrite: false }
  closed = (await shop.call("POST", "/v1/sales-channels", { body: { name: "Closed", scopes: off } })).body.id
  const mint = (expiresAt?: Date) =>
    shop.run(
      Effect.flatMap(ApiKeys, (keys) =>
        keys.mint({ accountId: shop.accountId, storeId: shop.storeId, name: "k", scopes: everyScope, expiresAt })
      ) as never
    ) as Promise<{ readonly id: string; readonly key: string }>
  const ended = await mint()
  await shop.call("DELETE", `/v1/api-keys/${ended.id}`)
  const shopper = { email: "matrix@example.com", password: "Corr3ct-Horse" }
  const customer = await shop.call("POST", `/vc/${shop.channelId}/customers/register`, { body: shopper })
  refused = {
    expired: (await mint(new Date(0))).key,
    revoked: ended.key,
    unknown: `svc_${"x".repeat(43)}`,
    customer: customer.body.token
  }
  const owner = await ownerOf(shop, shop, "owner@example.com")
  const other = await shop.openStore()
  appToken = (await install(shop)).token
  const minting = await mint()
  starred = minting.key
  await queryOf(
    shop,
    `UPDATE api_key SET scopes = ARRAY['*:read', '*:write'], tier = 'ENTERPRISE' WHERE id = '${minting.id}'`
  )
  const wide = Effect.flatMap(ApiKeys, (keys) =>
    keys.mint({ accountId: other.accountId, storeId: null, name: "wide", scopes: everyScope, tier: "ENTERPRISE" })
  )
  ofOthers = { store: other.apiKey, account: ((await shop.run(wide as never)) as { readonly key: string }).key }
  const second = (await shop.call("POST", "/v1/sales-channels", { body: { name: "Second" } })).body.id
  const id: string = customer.body.customer.id
  const theirs = await shop.call("POST", `/vc/${other.channelId}/customers/register`, { body: shopper })
  customers = {
    id,
    own: customer.body.token,
    ofOtherChannel: await customersOf(shop).issue(id, second),
    ofOtherStore: theirs.body.token
  }
  people = {
    owner,
    admin: (await joinAs(shop, shop, owner, "admin@example.com", "admin")).token,
    staff: (await joinAs(shop, shop, owner, "staff@example.com", "staff")).token,
    stranger: await ownerOf(shop, other, "stranger@example.com"),
    ofTwo: await ownerOf(shop, shop, "both@example.com")
  }
  await addOwner(shop, other, "both@example.com")
  endedSessions = {
    expired: await tokenOf(shop, "owner@example.com"),
    revoked: await tokenOf(shop, "owner@example.com")
  }
  await shop.call("POST", "/auth/logout", { key: endedSessions.revoked })
  await queryOf(
    shop,
    `UPDATE dashboard_session SET created_at = now() - interval '31 days', last_used_at = now() - interval '1 day',
      expires_at = now() - interval '1 day'
    WHERE token_hash = encode(sha256('${endedSessions.expired}'::bytea), 'hex')`
  )
})
afterAll(() => shop.close())

const minted = new Map<string, Promise<string>>()
/** The key with just these scopes: one for all routes, because a store has at most 500. */
const keyWith = (scopes: ReadonlyArray<string>): Promise<string> => {
  const named = scopes.join(" ")
  const key = minted.get(named) ?? shop.mintKey({ scopes })
  minted.set(named, key)
  return key
}

const pathOf = (route: DeclaredRoute, channelId = shop.channelId, storeId = shop.storeId): string =>
  route.path
    .replace(/^\/api/, "")
    .replace(":salesChannelId", channelId)
    .replace(":storeId", storeId)
    .replace(/:\w+/g, "none_1")

const call = (
  route: DeclaredRoute,
  options: Parameters<TestCommerce["call"]>[2] = {},
  path = pathOf(route)
): Promise<Called> =>
  shop.call(route.method, path, {
    key: null,
    ...(route.method === "GET" || route.method === "DELETE" ? {} : { body: {} }),
    ...options
  })

const answer = ({ status, body }: Called) => [status, body?.code]
const from = (origin: string) => ({ headers: { origin } })

describe("a route of admin keys", () => {
  it.each(on("admin"))("%s takes a valid key with its scope and no other credential", async (_name, route) => {
    const needed: ReadonlyArray<string> = route.policy.scopes ?? [route.policy.scope ?? ""]
    const required = needed.join(" or ")
    const resources = needed.map((scope) => scope.slice(0, scope.indexOf(":")))
    const lacking = everyScope.filter((scope) => !resources.some((resource) => scope === `${resource}:*`))
    const opposite = resources.map((resource) => `${resource}:${required.endsWith(":read") ? "write" : "read"}`)
    const unauthorized = [401, "UNAUTHORIZED"]
    expect(answer(await call(route))).toEqual(unauthorized)
    for (const key of Object.values(refused)) expect(answer(await call(route, { key }))).toEqual(unauthorized)
    for (const second of [refused.unknown, ofOthers.store, appToken])
      expect(answer(await call(route, { key: shop.apiKey, headers: { "x-api-key": second } }))).toEqual(unauthorized)
    // Below an installation a token is that of another installation there (AppTokens.pg.test).
    if (route.policy.installation === undefined)
      expect(answer(await call(route, { key: appToken }))).toEqual(unauthorized)
    const unknownStore = [404, "RESOURCE_NOT_FOUND"]
    const atOurs = route.policy.storeInPath === true ? pathOf(route) : `${pathOf(route)}?storeId=${shop.storeId}`
    expect(answer(await call(route, { key: ofOthers.account }, atOurs))).toEqual(unknownStore)
    expect(answer(await call(route, { key: ofOthers.store }, atOurs))).toEqual(
      route.policy.storeInPath === true ? unknownStore : [400, "STORE_ID_MISMATCH"]
    )
    for (const key of [await keyWith(lacking), await keyWith(opposite), starred]) {
      const { status, body } = await call(route, { key })
      expect([status, body.code, body.details]).toEqual([403, "INSUFFICIENT_SCOPE", { required }])
    }
    const narrow = await call(route, { key: await keyWith(needed) })
    if (route.policy.everyScope === true) expect(answer(narrow)).toEqual([403, "INSUFFICIENT_SCOPE"])
    const admitted = route.policy.everyScope === true ? await call(route, { key: shop.apiKey }) : narrow
    expect([401, 403, 405, 500]).not.toContain(admitted.status)
  })
})

describe("a route of the dashboard", () => {
  const ofDashboard = on("admin").filter(([, { policy }]) => policy.area !== undefined)
  const at = (route: DeclaredRoute, storeId = shop.storeId) => {
    const path = pathOf(route, shop.channelId, storeId)
    return route.policy.storeInPath === true ? path : `${path}?storeId=${storeId}`
  }

  it.each(ofDashboard)("%s takes a session whose role includes its area, and no other", async (_name, route) => {
    const { area = "ownership" } = route.policy
    for (const role of ["owner", "admin", "staff"] as const) {
      const { status, body } = await call(route, { key: people[role] }, at(route))
      if (roleMay(role, area)) expect([401, 403, 405, 500]).not.toContain(status)
      else expect([status, body.code, body.details]).toEqual([403, "INSUFFICIENT_PERMISSION", { role, area }])
    }
    expect(answer(await call(route, { key: people.stranger }, at(route)))).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect(answer(await call(route, { key: endedSessions.expired }, at(route)))).toEqual([401, "SESSION_EXPIRED"])
    expect(answer(await call(route, { key: endedSessions.revoked }, at(route)))).toEqual([401, "UNAUTHORIZED"])
    const cookie = `commerce_session=${people.owner}`
    expect(answer(await call(route, { key: people.owner, headers: { cookie } }, at(route)))).toEqual([
      401,
      "UNAUTHORIZED"
    ])
    const forged = await call(route, { headers: { cookie, origin: "https://evil.example" } }, at(route))
    expect(answer(forged)).toEqual([403, "INSUFFICIENT_PERMISSION"])
    expect(forged.headers.get("access-control-allow-credentials")).toBe(null)
    if (route.policy.storeInPath === undefined) {
      expect(answer(await call(route, { key: people.ofTwo }))).toEqual([400, "STORE_ID_REQUIRED"])
      expect(answer(await call(route, { key: people.owner }))[1]).not.toBe("STORE_ID_REQUIRED")
    }
  })

  it.each(on("admin").filter(([, { policy }]) => policy.area === undefined))(
    "%s is none: a session is refused",
    async (_name, route) => {
      expect(answer(await call(route, { key: people.owner }))).toEqual([401, "UNAUTHORIZED"])
      const headers = { cookie: `commerce_session=${people.owner}` }
      expect(answer(await call(route, { headers }))).toEqual([401, "UNAUTHORIZED"])
    }
  )
})

describe("a route of people", () => {
  const ofPeople = on("person").filter(([, { policy }]) => policy.session === "required")

  it.each(ofPeople)("%s takes a session and no other credential", async (_name, route) => {
    const unauthorized = [401, "UNAUTHORIZED"]
    expect(answer(await call(route))).toEqual(unauthorized)
    for (const key of [...Object.values(refused), shop.apiKey, appToken, customers.own, endedSessions.revoked])
      expect(answer(await call(route, { key }))).toEqual(unauthorized)
    expect(answer(await call(route, { key: endedSessions.expired }))).toEqual([401, "SESSION_EXPIRED"])
    const own = await tokenOf(shop, "staff@example.com")
    expect([401, 403, 405, 500]).not.toContain((await call(route, { key: own })).status)
  })
})

describe("a route of sales channels", () => {
  it.each(on("channel"))(
    "%s is for the channel's own domain, and only while the channel is switched on for it",
    async (_name, route) => {
      const unknown = await call(route, from("https://shop.example"), pathOf(route, "vc_none"))
      expect(answer(unknown)).toEqual([404, "RESOURCE_NOT_FOUND"])
      for (const options of [{}, from("https://evil.example")])
        expect(answer(await call(route, options, pathOf(route, live)))).toEqual([401, "UNAUTHORIZED"])
      expect(answer(await call(route, {}, pathOf(route, closed)))).toEqual([403, "INSUFFICIENT_PERMISSION"])
      const own = await call(route, from("https://shop.example"), pathOf(route, live))
      const isRequired = route.policy.customer === "required"
      if (isRequired) expect(answer(own)).toEqual([401, "UNAUTHORIZED"])
      else expect([401, 403, 405, 500]).not.toContain(own.status)
      expect(own.headers.get("access-control-allow-origin")).toBe("https://shop.example")
    }
  )
})

describe("a route of a channel's customers", () => {
  it.each(on("channel"))("%s takes a token of this channel, and no other", async (_name, route) => {
    const as = (token: string) =>
      call(route, { headers: { origin: "https://any.example", authorization: `Bearer ${token}` } })
    const others = [
      customers.ofOtherChannel,
      customers.ofOtherStore,
      `${customers.own}x`,
      shop.apiKey,
      ofOthers.store,
      appToken,
      people.owner
    ]
    // Where a token is optional, one that is not the channel's is ignored.
    const isRequired = route.policy.customer === "required"
    for (const token of others) expect((await as(token)).status === 401).toBe(isRequired)
    const own = await as(await customersOf(shop).issue(customers.id))
    expect([401, 403, 405, 500]).not.toContain(own.status)
  })
})

describe("a route of the public", () => {
  it.each(on("public"))("%s wants any origin, and a store there is", async (_name, route) => {
    expect(answer(await call(route))).toEqual([401, "UNAUTHORIZED"])
    expect(answer(await call(route, from("https://any.example"), pathOf(route, shop.channelId, "store_none")))).toEqual(
      [404, "RESOURCE_NOT_FOUND"]
    )
    const read = await call(route, from("https://any.example"))
    expect([[200, 404], read.headers.get("access-control-allow-origin")]).toEqual([
      expect.arrayContaining([read.status]),
      "https://any.example"
    ])
  })
})

const guarded = [
  ...on("admin"),
  ...on("channel").filter(([, route]) => route.policy.customer !== "required"),
  ...on("public"),
  ...on("person")
]
const admitted = (route: DeclaredRoute) => ({
  ...(route.policy.surface === "admin" ? { key: shop.apiKey } : {}),
  ...(route.policy.surface === "person" ? { key: people.stranger } : {}),
  headers: { origin: "https://any.example" } as Record<string, string>
})

describe("a route without a credential", () => {
  it("is one of these: another needs a reason to be open", () => {
    expect(
      on("open")
        .map(([name]) => name)
        .toSorted()
    ).toEqual([
      "GET /api/downloads/:token",
      "GET /api/email/click/:token",
      "GET /api/email/unsubscribe/:token",
      "GET /api/exports/:token",
      "GET /api/health/live",
      "GET /api/health/ready",
      "GET /api/invoices/:token",
      "GET /api/media/:storeId/:name",
      "POST /api/email/unsubscribe/:token",
      "POST /api/payment-events/:providerId"
    ])
    expect(
      on("person")
        .filter(([, { policy }]) => policy.session !== "required")
        .map(([name]) => name)
        .toSorted()
    ).toEqual([
      "POST /api/auth/forgot-password",
      "POST /api/auth/invitations/accept",
      "POST /api/auth/login",
      "POST /api/auth/reset-password"
    ])
  })
})

describe("what every route of a kind refuses alike", () => {
  it.each(guarded.filter(([, route]) => route.method === "GET"))(
    "%s: an Idempotency-Key, which has no meaning on a GET",
    async (_name, route) => {
      const options = admitted(route)
      const given = await call(route, { ...options, headers: { ...options.headers, "idempotency-key": "k" } })
      expect(answer(given)).toEqual([400, "IDEMPOTENCY_KEY_NOT_SUPPORTED"])
    }
  )

  it.each(guarded.filter(([, route]) => route.policy.idempotency === "required"))(
    "%s: to run without its Idempotency-Key",
    async (_name, route) => {
      const { status, body } = await call(route, admitted(route))
      expect([status, body.code, body.details.header]).toEqual([400, "MISSING_REQUIRED_FIELDS", "Idempotency-Key"])
    }
  )

  it.each(guarded.filter(([, route]) => route.method !== "GET" && route.policy.idempotency === "optional"))(
    "%s: an Idempotency-Key of more than 255 characters",
    async (_name, route) => {
      const options = admitted(route)
      const { status, body } = await call(route, {
        ...options,
        headers: { ...options.headers, "idempotency-key": "k".repeat(256) }
      })
      expect([status, Object.keys(body.details.errors)]).toEqual([400, ["Idempotency-Key"]])
    }
  )

  // A route that takes its body as it is has no type of it, and reads nothing in it.
  const typed = guarded.filter(([, { policy }]) => policy.rawBody !== true)
  it.each(typed.filter(([, route]) => ["POST", "PUT", "PATCH"].includes(route.method)))(
    "%s: a body that is no JSON, or of another type",
    async (_name, route) => {
      const options = admitted(route)
      const send = (raw: string, type: string) => {
        const key = route.policy.idempotency === "required" ? { "idempotency-key": `${type}-${_name}` } : {}
        return shop.call(route.method, pathOf(route), {
          key: null,
          ...options,
          raw,
          headers: { ...options.headers, ...key, "content-type": type }
        })
      }
      // A log-out declares no body, and ends the session of its request.
      if (route.policy.session === "required") people.stranger = await tokenOf(shop, "stranger@example.com")
      const malformed = await (takesForm(route)
        ? send("--b", "multipart/form-data; boundary=b")
        : send("{", "application/json"))
      const unasked = await send("a=b", "application/x-www-form-urlencoded")
      expect([answer(malformed), answer(unasked)]).toEqual([
        [400, "VALIDATION_FAILED"],
        [415, "UNSUPPORTED_MEDIA_TYPE"]
      ])
    }
  )
})
