import { questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { goodPassword, rowsOf } from "../customer/SignedIn.ts"
import { FakeIssuer, type Person } from "./FakeIssuer.ts"
import { loginsOf, openLoginShop, redirectUrl, somebody } from "./LoginShop.ts"

let shop: TestCommerce
let twin: Commerce
let issuer: FakeIssuer
let at: ReturnType<typeof loginsOf>
const acme = "CUSTOM:acme"
beforeAll(async () => {
  issuer = await new FakeIssuer().start()
  shop = await openLoginShop()
  twin = await shop.openTwin()
  at = loginsOf(shop)
  await at.setUp(acme, { issuer: issuer.issuer })
})
afterAll(async () => {
  await shop.close()
  await issuer.stop()
})

interface Sent {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any answer
  readonly body: any
}
type Ask = () => Promise<Sent>

/** Sends a request to one process or the other. */
const to =
  (commerce: Commerce, method: string, path: string, body?: object, token?: string): Ask =>
  async () => {
    const headers = {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await commerce.fetch(new Request(`http://commerce.test/api${path}`, { method, headers, ...sent }))
    return { status: response.status, body: await response.json() }
  }

/** Somebody who comes back from the provider, at one process or the other. */
const comingBack = async (person: Person, i: number, token?: string): Promise<Ask> =>
  to(
    i % 2 === 0 ? shop.commerce : twin,
    "POST",
    `${at.path(acme)}/callback`,
    issuer.logIn(await at.begun(acme), { person }),
    token
  )

const atOnce = (asks: ReadonlyArray<Ask>) => Promise.all(asks.map((ask) => ask()))

const identitiesOf = (subject: string) =>
  rowsOf(shop, "SELECT customer_id FROM oauth_identity WHERE store_id = $1 AND subject = $2", [shop.storeId, subject])
const countOf = async (email: string) =>
  (await rowsOf(shop, "SELECT id FROM customer WHERE store_id = $1 AND email = $2", [shop.storeId, email])).length
const broken = async () => {
  const found: Array<string> = []
  for (const law of laws.filter(({ law }) => /^(oauth|customer)\./.test(law))) {
    const rows = await rowsOf(shop, questionOf(law), [shop.storeId])
    if (rows.length > 0) found.push(law.law)
  }
  return found
}

describe("at once, in two processes", () => {
  it("sign-ins of one new person make one customer and one identity", async () => {
    const person = somebody()
    const asks = await Promise.all([0, 1, 2, 3, 4, 5].map((i) => comingBack(person, i)))
    const answers = await atOnce(asks)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.customer.id)).size).toBe(1)
    expect([await countOf(person.email), (await identitiesOf(person.sub)).length]).toEqual([1, 1])
    expect(await at.told(answers[0]?.body.customer.id, "customer.created")).toHaveLength(1)
    expect(await broken()).toEqual([])
  })

  it("the same way back, sent several times, signs in once", async () => {
    const returned = issuer.logIn(await at.begun(acme), { person: somebody() })
    const asks = [0, 1, 2, 3].map((i) =>
      to(i % 2 === 0 ? shop.commerce : twin, "POST", `${at.path(acme)}/callback`, returned)
    )
    expect((await atOnce(asks)).map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
  })

  it("a sign-in and a registration with the same address make one customer, whoever is first", async () => {
    for (let i = 0; i < 4; i += 1) {
      const person = somebody()
      const body = { email: person.email, password: goodPassword }
      const [signIn, registration] = await atOnce([
        await comingBack(person, i),
        to(i % 2 === 0 ? twin : shop.commerce, "POST", `${at.at}/register`, body)
      ])
      // The registered address is not verified, so that the provider's is not linked to it.
      expect([
        [200, 409],
        [409, 200]
      ]).toContainEqual([signIn?.status, registration?.status])
      expect([await countOf(person.email), (await identitiesOf(person.sub)).length]).toEqual([
        1,
        signIn?.status === 200 ? 1 : 0
      ])
    }
    expect(await broken()).toEqual([])
  })

  it("a link and a deletion leave no identity of a deleted customer", async () => {
    for (let i = 0; i < 4; i += 1) {
      const person = somebody()
      const { body: ada } = await at.admin("POST", "/customers", { email: person.email, emailVerified: true })
      const url = `/v1/customers/${ada.id}`
      const [signIn, deletion] = await atOnce([
        await comingBack(person, i),
        to(i % 2 === 0 ? twin : shop.commerce, "DELETE", url, undefined, shop.apiKey)
      ])
      expect([signIn?.status, deletion?.status]).toEqual([200, 200])
      // Deleted first: somebody new; linked first: deleted with its identity.
      const rows = await identitiesOf(person.sub)
      expect(rows.filter((row) => row["customer_id"] === ada.id)).toEqual([])
    }
    expect(await broken()).toEqual([])
  })

  it("an account is linked to one of two customers who both ask for it", async () => {
    const [ada, bob] = [await at.known(), await at.known()]
    const person = somebody()
    const asks = await Promise.all(
      [ada, bob].map(async ({ token }, i) => {
        const { body } = await at.authorize(acme, { redirectUrl }, token)
        const returned = issuer.logIn(body.url, { person })
        return to(i === 0 ? shop.commerce : twin, "POST", `${at.path(acme)}/callback`, returned, token)
      })
    )
    const answers = await atOnce(asks)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await identitiesOf(person.sub)).toHaveLength(1)
  })
})
