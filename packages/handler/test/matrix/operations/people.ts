/** Customers and what is theirs, and the people of the dashboard. */
import { expect } from "vitest"
import type { TestCommerce } from "../../../src/testing/TestCommerce.ts"
import { customersOf } from "../../customer/SignedIn.ts"
import type { FakeIssuer } from "../../oauth/FakeIssuer.ts"
import { clientId, clientSecret } from "../../oauth/FakeIssuer.ts"
import { redirectUrl, somebody } from "../../oauth/LoginShop.ts"
import { knownToken, password as deskPassword } from "../../team/desk.ts"
import type { Ask } from "./asking.ts"
import { cartOf, checkoutOf } from "./selling.ts"

const password = "Corr3ct-Horse"
const changed = "N3w-Battery!"
const home = { line1: "1 Main St", city: "Town", country: "US", region: "CA", postalCode: "94105" }

/** An account from its beginning to a new password; resolves with its id and a token. */
const accounts = async (ask: Ask, shop: TestCommerce) => {
  const email = "grace@example.com"
  const at = "POST /vc/{}/customers"
  const made = await ask(`${at}/register`, 200, { body: { email, password, firstName: "Grace" } })
  const id: string = made.body.customer.id
  const mailed = async (kind: "verification" | "reset") => (await customersOf(shop).mailed(id, kind)).at(-1) ?? ""
  await ask(`${at}/resend-verification`, 200, { body: { email } })
  await ask(`${at}/verify-email`, 200, { body: { token: await mailed("verification") } })
  await ask(`${at}/forgot-password`, 200, { body: { email } })
  await ask(`${at}/reset-password`, 200, { body: { token: await mailed("reset"), newPassword: changed } })
  const first = await ask(`${at}/login`, 200, { body: { email, password: changed } })
  const body = { currentPassword: changed, newPassword: password }
  await ask(`${at}/change-password`, 200, { as: first.body.token, body })
  const second = (await ask(`${at}/login`, 200, { body: { email, password } })).body.token
  await ask(`${at}/logout`, 200, { as: second })
  const { token } = (await ask(`${at}/login`, 200, { body: { email, password } })).body
  return { id, email, token: token as string }
}

const profile = async (ask: Ask, as: string, lamp: string) => {
  const at = "/vc/{}/customers/me"
  expect((await ask(`GET ${at}`, 200, { as })).body).toMatchObject({ firstName: "Grace", emailVerified: true })
  await ask(`PATCH ${at}`, 200, { as, body: { lastName: "Hopper" } })
  const made = await ask(`POST ${at}/addresses`, 201, { as, body: home })
  const spare = await ask(`POST ${at}/addresses`, 201, { as, body: { ...home, label: "Work" } })
  expect((await ask(`GET ${at}/addresses`, 200, { as })).body).toHaveLength(2)
  await ask(`PATCH ${at}/addresses/{}`, 200, { as, ids: [made.body.id], body: { line2: "Back" } })
  await ask(`POST ${at}/addresses/{}/default`, 200, { as, ids: [spare.body.id] })
  await ask(`DELETE ${at}/addresses/{}`, 200, { as, ids: [made.body.id] })
  expect((await ask(`GET ${at}/checkout-prefill`, 200, { as })).body.defaultAddress.label).toBe("Work")
  const guest = await cartOf(ask, lamp)
  const merged = await ask("POST /vc/{}/cart/merge", 200, { as, body: { sessionToken: guest.session } })
  expect((await ask(`GET ${at}/cart`, 200, { as })).body).toMatchObject({ id: merged.body.id, itemCount: 1 })
  return merged.body.id as string
}

const bought = async (ask: Ask, as: string, cart: string) => {
  const checkout = await checkoutOf(ask, cart, as)
  const done = await ask("POST /vc/{}/checkout/{}/complete", 200, {
    as,
    ids: [checkout],
    body: { paymentMethod: "manual" }
  })
  const at = "/vc/{}/customers/me"
  expect((await ask(`GET ${at}/orders`, 200, { as })).body.data).toMatchObject([{ id: done.body.orderId }])
  expect((await ask(`GET ${at}/orders/{}`, 200, { as, ids: [done.body.orderId] })).body.id).toBe(done.body.orderId)
}

const points = async (ask: Ask, customerId: string, as: string, lamp: string) => {
  const program = { isEnabled: true, pointsPerUnit: 1, currencyUnit: 1, redeemRate: "0.01" }
  await ask("PUT /v1/loyalty/program", 200, { body: program })
  expect((await ask("GET /v1/loyalty/program", 200)).body.isEnabled).toBe(true)
  const ids = [customerId]
  await ask("POST /v1/loyalty/customers/{}/adjust", 200, { ids, body: { points: 200, reason: "Gift" } })
  expect((await ask("GET /v1/loyalty/customers/{}", 200, { ids })).body.balance).toBe(200)
  expect((await ask("GET /v1/loyalty/customers/{}/transactions", 200, { ids })).body.data[0].points).toBe(200)
  expect((await ask("GET /vc/{}/customers/me/loyalty", 200, { as })).body.balance).toBe(200)
  const checkout = [await checkoutOf(ask, (await cartOf(ask, lamp, as)).id, as)]
  await ask("POST /vc/{}/checkout/{}/loyalty", 200, { as, ids: checkout, body: { points: 100 } })
  await ask("DELETE /vc/{}/checkout/{}/loyalty", 200, { as, ids: checkout })
}

/** Customers as an admin key keeps them. */
const keptCustomers = async (ask: Ask) => {
  const { body } = await ask("POST /v1/customers", 201, { body: { email: "linus@example.com", firstName: "Linus" } })
  const ids = [body.id]
  expect((await ask("GET /v1/customers/by-email", 200, { query: "?email=linus@example.com" })).body.id).toBe(body.id)
  await ask("PATCH /v1/customers/{}", 200, { ids, body: { lastName: "T" } })
  expect((await ask("GET /v1/customers/{}", 200, { ids })).body.lastName).toBe("T")
  const address = (await ask("POST /v1/customers/{}/addresses", 201, { ids, body: home })).body.id
  expect((await ask("GET /v1/customers/{}/addresses", 200, { ids })).body.data).toMatchObject([{ id: address }])
  await ask("PATCH /v1/customers/{}/addresses/{}", 200, { ids: [...ids, address], body: { city: "Village" } })
  await ask("DELETE /v1/customers/{}/addresses/{}", 200, { ids: [...ids, address] })
  await ask("DELETE /v1/customers/{}", 200, { ids })
}

const logins = async (ask: Ask, issuer: FakeIssuer) => {
  const at = "/v1/oauth-providers"
  const provider = "CUSTOM:house"
  await ask(`POST ${at}`, 200, {
    body: { provider, clientId, clientSecret, providerConfig: { issuer: issuer.issuer } }
  })
  await ask(`POST ${at}`, 200, { body: { provider: "GITHUB", clientId, clientSecret } })
  expect((await ask(`GET ${at}`, 200)).body).toHaveLength(2)
  await ask(`PATCH ${at}/{}`, 200, { ids: ["GITHUB"], body: { isEnabled: false } })
  expect((await ask(`GET ${at}/{}`, 200, { ids: ["GITHUB"] })).body.isEnabled).toBe(false)
  await ask(`DELETE ${at}/{}`, 200, { ids: ["GITHUB"] })
  const channel = "/vc/{}/customers/oauth"
  expect((await ask(`GET ${channel}/providers`, 200)).body).toMatchObject([{ provider }])
  const query = `?${new URLSearchParams({ redirectUrl })}`
  const { url } = (await ask(`GET ${channel}/{}/authorize`, 200, { ids: [provider], query })).body
  const body = issuer.logIn(url, { person: somebody() })
  const signedIn = await ask(`POST ${channel}/{}/callback`, 200, { ids: [provider], body })
  expect(signedIn.body.token).toEqual(expect.any(String))
}

const team = async (ask: Ask, shop: TestCommerce, owner: string) => {
  const email = "clerk@example.com"
  const invited = await ask("POST /stores/{}/team", 201, { as: owner, body: { email, role: "staff" } })
  const token = await knownToken(shop, "team_member", `id = '${invited.body.id}'`)
  await ask("POST /auth/invitations/accept", 200, { as: null, body: { token, password: deskPassword } })
  expect((await ask("GET /stores/{}/team", 200, { as: owner })).text).toContain(email)
  await ask("PATCH /stores/{}/team/{}", 200, { as: owner, ids: [invited.body.id], body: { role: "admin" } })
  await ask("POST /auth/forgot-password", 200, { as: null, body: { email } })
  const reset = await knownToken(shop, "dashboard_reset", "true")
  await ask("POST /auth/reset-password", 200, { as: null, body: { token: reset, newPassword: `${deskPassword}2` } })
  const login = () => ask("POST /auth/login", 200, { as: null, body: { email, password: `${deskPassword}2` } })
  const [first, second] = [(await login()).body.token, (await login()).body.token]
  expect((await ask("GET /auth/me", 200, { as: first })).text).toContain(email)
  const sessions: ReadonlyArray<{ readonly id: string; readonly current: boolean }> = (
    await ask("GET /auth/sessions", 200, { as: first })
  ).body
  await ask("DELETE /auth/sessions/{}", 200, { as: first, ids: [sessions.find(({ current }) => !current)?.id ?? ""] })
  await ask("GET /auth/me", 401, { as: second })
  await ask("POST /auth/logout", 200, { as: first })
  await ask("DELETE /stores/{}/team/{}", 200, { as: owner, ids: [invited.body.id] })
}

/** Resolves with the token of a customer who has ordered. */
export const walkPeople = async (
  ask: Ask,
  shop: TestCommerce,
  { lamp, issuer, owner }: { readonly lamp: string; readonly issuer: FakeIssuer; readonly owner: string }
): Promise<{ readonly id: string; readonly email: string; readonly token: string }> => {
  const customer = await accounts(ask, shop)
  await bought(ask, customer.token, await profile(ask, customer.token, lamp))
  await points(ask, customer.id, customer.token, lamp)
  await keptCustomers(ask)
  await logins(ask, issuer)
  await team(ask, shop, owner)
  return customer
}

/** The last thing a customer does. */
export const leave = (ask: Ask, as: string) => ask("DELETE /vc/{}/customers/me", 200, { as, body: { password } })
