/** The whole way through a real OpenID Connect provider, `oidc-provider`, with its own login and consent pages. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK, generateKeyPair } from "jose"
import Provider from "oidc-provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { answer } from "../customer/SignedIn.ts"
import { clientId, clientSecret } from "./FakeIssuer.ts"
import { loginsOf, openLoginShop, redirectUrl } from "./LoginShop.ts"

const house = "CUSTOM:house"
let shop: TestCommerce
let server: Server
let at: ReturnType<typeof loginsOf>
beforeAll(async () => {
  server = createServer()
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair("RS256", { extractable: true })
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "house-1", alg: "RS256", use: "sig" }] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name"] },
    cookies: { keys: ["the key of the provider's cookies"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@example.com`,
        email_verified: !id.startsWith("new"),
        given_name: "Grace",
        family_name: "Hopper"
      })
    })
  })
  server.on("request", provider.callback())
  shop = await openLoginShop()
  at = loginsOf(shop)
  await at.setUp(house, { issuer })
})
afterAll(async () => {
  await shop.close()
  server.closeAllConnections()
  await new Promise((done) => void server.close(done))
})

/** A browser with cookies that stops where the provider sends it back to the shop. */
const makeBrowser = () => {
  const cookies = new Map<string, string>()
  const open = async (address: string, form?: Readonly<Record<string, string>>): Promise<Response | URL> => {
    if (address.startsWith(redirectUrl)) return new URL(address)
    const response = await fetch(address, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get("location")
    return location === null ? response : open(new URL(location, address).href)
  }
  return open
}

/** Logs in and consents: the address to which the provider sends the customer back. */
const passProvider = async (url: string, login: string): Promise<URL> => {
  const open = makeBrowser()
  let page = await open(url)
  for (const form of [{ prompt: "login", login, password: "any" }, { prompt: "consent" }]) {
    if (page instanceof URL) return page
    const [, action = ""] = /action="([^"]+)"/.exec(await page.text()) ?? []
    page = await open(action, form)
  }
  if (page instanceof URL) return page
  throw new Error(`the provider stopped at ${page.url}`)
}

const returnedOf = ({ searchParams }: URL) => Object.fromEntries(searchParams)

describe("a real OpenID Connect provider", () => {
  it("signs a new person in, whose claims come from its userinfo", async () => {
    const returned = returnedOf(await passProvider(await at.begun(house), "grace"))
    expect(Object.keys(returned).sort()).toEqual(["code", "iss", "state"])
    const { status, body } = await at.callback(house, returned)
    expect([status, body.customer]).toEqual([
      200,
      {
        id: expect.any(String),
        email: "grace@example.com",
        firstName: "Grace",
        lastName: "Hopper",
        phone: null,
        emailVerified: true
      }
    ])
    expect((await at.me(body.token)).status).toBe(200)
  })

  it("signs the same person in again, also where the storefront does not pass the issuer on", async () => {
    const { code, state } = returnedOf(await passProvider(await at.begun(house), "grace"))
    const { status, body } = await at.callback(house, { code, state })
    expect([status, body.customer.email]).toEqual([200, "grace@example.com"])
    expect(await at.rows("oauth_identity")).toHaveLength(1)
  })

  it("says which addresses it has not verified", async () => {
    const returned = returnedOf(await passProvider(await at.begun(house), "newcomer"))
    const { body } = await at.callback(house, returned)
    expect(body.customer.emailVerified).toBe(false)
  })

  it("takes a code once, and only for the sign-in that it was made for", async () => {
    const first = returnedOf(await passProvider(await at.begun(house), "alan"))
    const second = returnedOf(await passProvider(await at.begun(house), "alan"))
    const crossed = { code: first["code"], state: second["state"] }
    expect(await answer(at.callback(house, crossed))).toEqual([400, "VALIDATION_FAILED"])
    expect(await at.rows("oauth_identity")).toHaveLength(2)
  })

  it("refuses a shop whose secret is wrong: the provider is not ready", async () => {
    const url = await at.begun(house)
    await at.admin("PATCH", `/oauth-providers/${encodeURIComponent(house)}`, { clientSecret: "wrong" })
    const returned = returnedOf(await passProvider(url, "alan"))
    expect(await answer(at.callback(house, returned))).toEqual([503, "PROVIDER_NOT_READY"])
    await at.admin("PATCH", `/oauth-providers/${encodeURIComponent(house)}`, { clientSecret })
    expect((await at.callback(house, returnedOf(await passProvider(await at.begun(house), "alan")))).status).toBe(200)
  })
})
