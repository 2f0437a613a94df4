import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { answer, rowsOf } from "../customer/SignedIn.ts"
import { clientId, clientSecret, FakeIssuer } from "./FakeIssuer.ts"
import { loginsOf, openLoginShop, redirectUrl, somebody } from "./LoginShop.ts"

let shop: TestCommerce
/** As it runs in production: no private address may be called. */
let strict: TestCommerce
let issuer: FakeIssuer
let at: ReturnType<typeof loginsOf>
beforeAll(async () => {
  issuer = await new FakeIssuer().start()
  shop = await openLoginShop()
  strict = await openLoginShop({ outbound: {} })
  at = loginsOf(shop)
})
afterAll(async () => {
  await shop.close()
  await strict.close()
  await issuer.stop()
})
beforeEach(async () => {
  for (const { provider } of (await at.admin("GET", "/oauth-providers")).body)
    await at.admin("DELETE", pathOf(provider))
})

const pathOf = (provider: string) => `/oauth-providers/${encodeURIComponent(provider)}`
const rows = () => rowsOf(shop, "SELECT * FROM oauth_provider WHERE store_id = $1 ORDER BY created_at", [shop.storeId])
const problems = async (call: ReturnType<TestCommerce["call"]>) => {
  const { status, body } = await call
  return [status, body.code, Object.keys(body.details?.errors ?? {})]
}
const viewOf = (provider: string, providerConfig: object = {}) => ({
  id: expect.stringMatching(/^oap_/),
  storeId: shop.storeId,
  provider,
  clientId,
  isEnabled: true,
  providerConfig,
  createdAt: expect.any(String),
  updatedAt: expect.any(String)
})

describe("login providers of a store", () => {
  it("are set up with 200, listed as an array, read, changed and deleted by their code in any case", async () => {
    expect((await at.admin("GET", "/oauth-providers")).body).toEqual([])
    const made = await at.setUp("google")
    expect([made.status, made.body]).toEqual([200, viewOf("GOOGLE")])
    const config = { issuer: "https://login.example.com/{tenant}/v2", scopes: ["openid", "email"], tenant: "acme" }
    const custom = await at.setUp("custom:Acme_1", config, { isEnabled: false })
    expect(custom.body).toEqual({ ...viewOf("CUSTOM:acme_1", config), isEnabled: false })
    const list = await at.admin("GET", "/oauth-providers")
    expect([list.status, list.body]).toEqual([200, [made.body, custom.body]])
    for (const name of ["google", "GOOGLE", "Google"])
      expect((await at.admin("GET", `/oauth-providers/${name}`)).body).toEqual(made.body)
    expect((await at.admin("GET", "/oauth-providers/CUSTOM%3AACME_1")).body).toEqual(custom.body)
    const changed = await at.admin("PATCH", pathOf("CUSTOM:acme_1"), {
      isEnabled: true,
      clientId: "new",
      providerConfig: { scopes: [] }
    })
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...custom.body,
        isEnabled: true,
        clientId: "new",
        providerConfig: { issuer: config.issuer, tenant: "acme" },
        updatedAt: expect.any(String)
      }
    ])
    expect(changed.body.updatedAt > custom.body.updatedAt).toBe(true)
    const removed = await at.admin("DELETE", "/oauth-providers/google")
    expect([removed.status, removed.body]).toEqual([200, { success: true }])
    expect(await answer(at.admin("DELETE", "/oauth-providers/google"))).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect(await answer(at.admin("GET", "/oauth-providers/google"))).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect(await answer(at.admin("PATCH", "/oauth-providers/google", {}))).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect(await answer(at.admin("GET", "/oauth-providers/twitter"))).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("keep their secret sealed for its row, and show it nowhere", async () => {
    const made = await at.setUp("github")
    const [row] = await rows()
    expect(row?.["client_secret"]).toMatch(/^[0-9a-f]{8}\.[\w-]+$/)
    expect(made.text + (await at.admin("GET", "/oauth-providers")).text).not.toMatch(/secret/i)
    await at.admin("PATCH", "/oauth-providers/github", { clientSecret: "another" })
    const [changed] = await rows()
    expect(changed?.["client_secret"]).not.toBe(row?.["client_secret"])
    // A sealed secret that is moved to another row does not open.
    await at.setUp("CUSTOM:acme", { issuer: issuer.issuer })
    await rowsOf(shop, "UPDATE oauth_provider SET client_secret = $1 WHERE provider = 'CUSTOM:acme'", [
      row?.["client_secret"]
    ])
    expect(await answer(at.authorize("CUSTOM:acme"))).toEqual([503, "PROVIDER_NOT_READY"])
  })

  it("are there once each", async () => {
    await at.setUp("google")
    const again = await at.setUp("GOOGLE")
    expect([again.status, again.body.code, again.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "provider_taken", provider: "GOOGLE" }
    ])
    const twice = await Promise.all([at.setUp("github"), at.setUp("GitHub"), at.setUp("github")])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await rows()).toHaveLength(2)
  })

  it("are at most twenty", async () => {
    for (let i = 0; i < 20; i += 1) await at.setUp(`CUSTOM:p${i}`, { issuer: "https://login.example.com" })
    expect(await problems(at.setUp("google"))).toEqual([400, "VALIDATION_FAILED", ["oauthProviders"]])
    expect(await rows()).toHaveLength(20)
  })

  const needs = ["provider", "clientId", "clientSecret"]
  const wrong: ReadonlyArray<readonly [string, object, ReadonlyArray<string>]> = [
    ["nothing", {}, needs],
    ["null", { provider: null, clientId: null, clientSecret: null }, needs],
    ["blank texts", { provider: "google", clientId: " ", clientSecret: "" }, ["clientId", "clientSecret"]],
    ["an unknown provider", { provider: "twitter" }, ["provider"]],
    [
      "a slug that is none",
      { provider: "CUSTOM:a b", providerConfig: { issuer: "https://a.example.com" } },
      ["provider"]
    ],
    ["a field of no provider", { provider: "google", secret: "x" }, ["secret"]],
    ["a field of no configuration", { provider: "google", providerConfig: { isuer: "x" } }, ["providerConfig.isuer"]],
    ["an issuer that is null", { provider: "custom:a", providerConfig: { issuer: null } }, ["providerConfig.issuer"]],
    ["no issuer", { provider: "CUSTOM:a" }, ["providerConfig.issuer"]],
    [
      "an issuer that is no address",
      { provider: "CUSTOM:a", providerConfig: { issuer: "acme" } },
      ["providerConfig.issuer"]
    ],
    [
      "an issuer with a query",
      { provider: "CUSTOM:a", providerConfig: { issuer: "https://a.example.com/?b" } },
      ["providerConfig.issuer"]
    ],
    [
      "an issuer of GitHub",
      { provider: "GITHUB", providerConfig: { issuer: "https://a.example.com", tenant: "t" } },
      ["providerConfig.issuer", "providerConfig.tenant"]
    ],
    [
      "a tenant that nobody names",
      {
        provider: "CUSTOM:a",
        providerConfig: { issuer: "https://a.example.com", tenant: "t" }
      },
      ["providerConfig.tenant"]
    ],
    [
      "no tenant where one is named",
      {
        provider: "CUSTOM:a",
        providerConfig: { issuer: "https://a.example.com/{tenant}" }
      },
      ["providerConfig.tenant"]
    ],
    ["a scope with a space", { provider: "google", providerConfig: { scopes: ["a b"] } }, ["providerConfig.scopes.0"]]
  ]
  it.each(wrong)("are not set up with %s", async (name, body, fields) => {
    const filled = name === "nothing" ? body : { clientId, clientSecret, ...body }
    expect(await problems(at.admin("POST", "/oauth-providers", filled))).toEqual([400, "VALIDATION_FAILED", fields])
    expect(await rows()).toEqual([])
  })

  it("are not changed to null, nor to what could not be set up", async () => {
    await at.setUp("CUSTOM:acme", { issuer: issuer.issuer })
    const before = await rows()
    const change = (body: object) => problems(at.admin("PATCH", pathOf("CUSTOM:acme"), body))
    for (const field of ["clientId", "clientSecret", "isEnabled", "providerConfig"])
      expect(await change({ [field]: null })).toEqual([400, "VALIDATION_FAILED", [field]])
    expect(await change({ providerConfig: { tenant: "t" } })).toEqual([
      400,
      "VALIDATION_FAILED",
      ["providerConfig.tenant"]
    ])
    expect(await rows()).toEqual(before)
  })

  it("are changed only while they are as the caller has read them", async () => {
    const { body } = await at.setUp("google")
    const send = (method: string, version: string) =>
      answer(
        shop.call(method, "/v1/oauth-providers/google", {
          headers: { "if-match": `"${version}"` },
          ...(method === "PATCH" ? { body: { isEnabled: false } } : {})
        })
      )
    expect(await send("PATCH", body.updatedAt)).toEqual([200, undefined])
    expect(await send("PATCH", body.updatedAt)).toEqual([409, "CONFLICT"])
    expect(await send("DELETE", body.updatedAt)).toEqual([409, "CONFLICT"])
    expect(await rows()).toHaveLength(1)
  })

  it("of a server that may not call private addresses have none for an issuer", async () => {
    const call = (address: string) =>
      problems(
        strict.call("POST", "/v1/oauth-providers", {
          body: { provider: "CUSTOM:a", clientId, clientSecret, providerConfig: { issuer: address } }
        })
      )
    for (const address of [
      issuer.issuer,
      "https://127.0.0.1",
      "https://10.1.2.3",
      "https://[::1]",
      "https://idp.local"
    ])
      expect(await call(address)).toEqual([400, "VALIDATION_FAILED", ["providerConfig.issuer"]])
    expect(await rowsOf(strict, "SELECT 1 FROM oauth_provider")).toEqual([])
  })

  it("need the scopes oauth-providers:read and oauth-providers:write", async () => {
    const key = await shop.mintKey({ scopes: ["oauth-providers:read"] })
    expect((await shop.call("GET", "/v1/oauth-providers", { key })).status).toBe(200)
    const body = { provider: "google", clientId, clientSecret }
    expect(await answer(shop.call("POST", "/v1/oauth-providers", { key, body }))).toEqual([403, "INSUFFICIENT_SCOPE"])
  })
})

describe("what a storefront is offered", () => {
  const offered = async () => (await shop.call("GET", `${at.at}/oauth/providers`)).body

  it("are the providers that are switched on, with a name for the button", async () => {
    await at.setUp("github")
    await at.setUp("google", undefined, { isEnabled: false })
    await at.setUp("custom:acme-staff", { issuer: issuer.issuer })
    expect(await offered()).toEqual([
      { provider: "GITHUB", name: "GitHub" },
      { provider: "CUSTOM:acme-staff", name: "Acme Staff" }
    ])
  })

  it("is nothing while customer accounts are switched off in the channel", async () => {
    await at.setUp("CUSTOM:acme", { issuer: issuer.issuer })
    const switched = (customerAuth: boolean) =>
      at.admin("PATCH", `/sales-channels/${shop.channelId}`, { scopes: { customerAuth } })
    await switched(false)
    for (const call of [
      shop.call("GET", `${at.at}/oauth/providers`),
      at.authorize("CUSTOM:acme"),
      at.callback("CUSTOM:acme", { code: "c", state: "s" })
    ])
      expect((await call).status).toBe(403)
    await switched(true)
  })
})

describe("a sign-in", () => {
  it("by a provider that the store has not set up, or has switched off, is 503; by no provider it is 404", async () => {
    const call = (provider: string) => [at.authorize(provider), at.callback(provider, { code: "c", state: "s" })]
    for (const provider of ["google", "CUSTOM:nobody"])
      for (const sent of call(provider)) expect(await answer(sent)).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    await at.setUp("google", undefined, { isEnabled: false })
    for (const sent of call("google")) expect(await answer(sent)).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    for (const sent of call("twitter")) expect(await answer(sent)).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("that began before the provider was switched off does not end", async () => {
    await at.setUp("CUSTOM:acme", { issuer: issuer.issuer })
    const returned = issuer.logIn(await at.begun("CUSTOM:acme"), { person: somebody() })
    await at.admin("PATCH", pathOf("CUSTOM:acme"), { isEnabled: false })
    const before = await at.written()
    expect(await answer(at.callback("CUSTOM:acme", returned))).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    expect(await at.written()).toEqual(before)
    await at.admin("PATCH", pathOf("CUSTOM:acme"), { isEnabled: true })
    expect((await at.callback("CUSTOM:acme", returned)).status).toBe(200)
  })

  it("comes back to the channel's domain, or to this machine in test mode, and nowhere else", async () => {
    await at.setUp("github")
    const { body: channel } = await at.admin("POST", "/sales-channels", {
      name: "Live",
      domain: "shop.example",
      mode: "live"
    })
    const origin = { origin: "https://shop.example" }
    const begin = (id: string, url: string) =>
      shop.call("GET", `/vc/${id}/customers/oauth/github/authorize?${new URLSearchParams({ redirectUrl: url })}`, {
        headers: id === channel.id ? origin : {}
      })
    const admitted = ["https://shop.example/in", "https://www.shop.example/in?a=b"]
    for (const url of admitted) expect((await begin(channel.id, url)).status).toBe(200)
    const refused = [
      "https://evil.example/in",
      "https://shop.example.evil.example",
      "https://notshop.example",
      "http://localhost:3000/in",
      "https://shop.example@evil.example/",
      "https://me:pw@shop.example/",
      "https://shop.example\\@evil.example/",
      "https://shop.example/in#there",
      "javascript:alert(1)",
      "//shop.example/in",
      ""
    ]
    for (const url of refused)
      expect([url, ...(await problems(begin(channel.id, url)))]).toEqual([
        url,
        400,
        "VALIDATION_FAILED",
        ["redirectUrl"]
      ])
    for (const url of [redirectUrl, "http://127.0.0.1/in", "http://[::1]:8080/in"])
      expect((await begin(shop.channelId, url)).status).toBe(200)
    expect((await begin(shop.channelId, "https://shop.example/in")).status).toBe(400)
    expect(await problems(at.authorize("github", {}))).toEqual([400, "VALIDATION_FAILED", ["redirectUrl"]])
    expect(await problems(at.authorize("github", { redirectUrl, state: "s".repeat(501) }))).toEqual([
      400,
      "VALIDATION_FAILED",
      ["state"]
    ])
  })

  it("is limited as a login is: five times a minute from one address", async () => {
    const limited = await openLoginShop({ rateLimit: { perMinute: 1_000 } })
    const logins = loginsOf(limited)
    await logins.setUp("github")
    for (let i = 0; i < 5; i += 1) expect((await logins.authorize("github")).status).toBe(200)
    expect(await answer(logins.authorize("github"))).toEqual([429, "RATE_LIMITED"])
    for (let i = 0; i < 5; i += 1) expect((await logins.callback("github", { code: "c", state: "s" })).status).toBe(400)
    expect(await answer(logins.callback("github", { code: "c", state: "s" }))).toEqual([429, "RATE_LIMITED"])
    await limited.close()
  })
})
