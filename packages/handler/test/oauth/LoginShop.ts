/** A shop with a login provider, and customers who sign in by it. */
import { openTestCommerce, type TestCommerce, type TestCommerceOptions } from "../../src/testing/TestCommerce.ts"
import { clientId, clientSecret, type FakeIssuer, type Person } from "./FakeIssuer.ts"
import { customersOf, rowsOf } from "../customer/SignedIn.ts"

/** Where the provider sends customers back to. */
export const redirectUrl = "http://localhost:3000/signed-in"

export const openLoginShop = (options: TestCommerceOptions = {}): Promise<TestCommerce> =>
  openTestCommerce({ role: "api", outbound: { allowPrivate: true }, ...options })

let people = 0
/** Somebody whose address the issuer has verified. */
export const somebody = (claims: Person = {}): Person & { readonly sub: string; readonly email: string } => {
  people += 1
  return { sub: `sub-${people}`, email: `person${people}@example.com`, email_verified: true, ...claims } as Person & {
    readonly sub: string
    readonly email: string
  }
}

const bearer = (token: string | undefined) => (token === undefined ? {} : { authorization: `Bearer ${token}` })

export const loginsOf = (shop: TestCommerce, channelId = shop.channelId) => {
  const at = (provider: string) => `/vc/${channelId}/customers/oauth/${encodeURIComponent(provider)}`
  const setUp = (provider: string, providerConfig?: object, more: object = {}) =>
    shop.call("POST", "/v1/oauth-providers", {
      body: { provider, clientId, clientSecret, ...(providerConfig === undefined ? {} : { providerConfig }), ...more }
    })
  const authorize = (provider: string, query: Readonly<Record<string, string>> = { redirectUrl }, token?: string) =>
    shop.call("GET", `${at(provider)}/authorize?${new URLSearchParams(query)}`, { headers: bearer(token) })
  const callback = (provider: string, body: object, token?: string) =>
    shop.call("POST", `${at(provider)}/callback`, { body, headers: bearer(token) })
  /** The address at the provider, of a sign-in that has begun. */
  const begun = async (provider: string, token?: string): Promise<string> => {
    const { body, text } = await authorize(provider, { redirectUrl }, token)
    if (body?.url === undefined) throw new Error(`authorize: ${text}`)
    return body.url
  }
  /** The whole way of somebody who signs in; a customer's token goes with both of its requests. */
  const signIn = async (issuer: FakeIssuer, provider: string, person: Person, token?: string) =>
    callback(provider, issuer.logIn(await begun(provider, token), { person }), token)
  const rows = (table: "oauth_identity" | "customer" | "oauth_used_state") =>
    rowsOf(shop, `SELECT * FROM ${table} WHERE store_id = $1`, [shop.storeId])
  /** What a refused sign-in must leave as it was. */
  const written = async () => {
    const [{ events } = { events: 0 }] = await rowsOf(
      shop,
      "SELECT count(*)::int AS events FROM event WHERE store_id = $1",
      [shop.storeId]
    )
    return { customers: (await rows("customer")).length, identities: (await rows("oauth_identity")).length, events }
  }
  return { ...customersOf(shop), path: at, setUp, authorize, callback, begun, signIn, rows, written }
}
