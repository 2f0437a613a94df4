import { questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { customersOf, freshEmail, goodPassword, rowsOf } from "./SignedIn.ts"

let shop: TestCommerce
let twin: Commerce
let at: ReturnType<typeof customersOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  twin = await shop.openTwin()
  at = customersOf(shop)
})
afterAll(() => shop.close())

interface Sent {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any answer
  readonly body: any
}
interface Ask {
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly token?: string
}

/** All at once, every other one to another process. */
const atOnce = (asks: ReadonlyArray<Ask>): Promise<ReadonlyArray<Sent>> =>
  Promise.all(
    asks.map(async ({ method = "POST", path, body, token }, i) => {
      const headers = {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
      }
      const request = new Request(`http://commerce.test/api${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const response = await (i % 2 === 0 ? shop.commerce : twin).fetch(request)
      return { status: response.status, body: await response.json() }
    })
  )
const times = <A>(count: number, make: (i: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, i) => make(i))
const statuses = (answers: ReadonlyArray<Sent>) => answers.map((answer) => answer.status).toSorted((a, b) => a - b)
const passwordOf = (i: number) => `Passw0rd-${i}`

describe("at once, in two processes", () => {
  it("registrations with one e-mail address make one customer", async () => {
    const email = freshEmail()
    const answers = await atOnce(
      times(6, (i) => ({
        path: `${at.at}/register`,
        body: { email: i % 2 === 0 ? email : email.toUpperCase(), password: passwordOf(i) }
      }))
    )
    expect(statuses(answers)).toEqual([200, 409, 409, 409, 409, 409])
    const winner = answers.findIndex((answer) => answer.status === 200)
    expect((await at.login(email, passwordOf(winner))).body.customer.id).toBe(answers[winner]?.body.customer.id)
    expect(await rowsOf(shop, "SELECT count(*)::int AS n FROM customer WHERE email = $1", [email])).toEqual([{ n: 1 }])
    expect((await at.events("customer.created")).filter((event) => event.data.customer.email === email)).toHaveLength(1)
  })

  it("resets with one token, or with two tokens of one customer, set one password", async () => {
    const customer = await at.known()
    for (const _ of times(2, String)) await at.post("forgot-password", { email: customer.email })
    const tokens = await at.mailed(customer.id, "reset")
    const answers = await atOnce(
      times(6, (i) => ({
        path: `${at.at}/reset-password`,
        body: { token: tokens[i % 3 === 0 ? 1 : 0], newPassword: passwordOf(i) }
      }))
    )
    expect(statuses(answers)).toEqual([200, 400, 400, 400, 400, 400])
    const logins = await Promise.all(times(6, (i) => at.login(customer.email, passwordOf(i))))
    expect(logins.map((login) => login.status)).toEqual(answers.map((answer) => (answer.status === 200 ? 200 : 401)))
    expect(await rowsOf(shop, "SELECT password_version FROM customer WHERE id = $1", [customer.id])).toEqual([
      { password_version: 2 }
    ])
  })

  it("requests for a new password mail five links, and all five are good", async () => {
    const customer = await at.known()
    await atOnce(times(10, () => ({ path: `${at.at}/forgot-password`, body: { email: customer.email } })))
    expect(await at.mailed(customer.id, "reset")).toHaveLength(5)
    expect(
      await rowsOf(shop, "SELECT count(*)::int AS n FROM customer_token WHERE customer_id = $1", [customer.id])
    ).toEqual([{ n: 5 }])
  })

  it("changes of one password make one change", async () => {
    const customer = await at.signUp()
    const body = (i: number) => ({ currentPassword: goodPassword, newPassword: passwordOf(i) })
    const answers = await atOnce(
      times(4, (i) => ({ path: `${at.at}/change-password`, body: body(i), token: customer.token }))
    )
    expect(statuses(answers)).toEqual([200, 401, 401, 401])
    expect(await rowsOf(shop, "SELECT password_version FROM customer WHERE id = $1", [customer.id])).toEqual([
      { password_version: 2 }
    ])
  })

  it("verifications, and first logins, tell of a customer once", async () => {
    const strict = customersOf(shop, await shop.openStore())
    await strict.admin("PATCH", "/store", { customerVerification: "required" })
    const verified = (await strict.register()).body.customer
    await strict.post("resend-verification", { email: verified.email })
    const tokens = await strict.mailed(verified.id, "verification")
    const answers = await atOnce(
      times(4, (i) => ({ path: `${strict.at}/verify-email`, body: { token: tokens[i % 2] } }))
    )
    expect(statuses(answers)).toEqual([200, 400, 400, 400])
    expect((await strict.told(verified.id)).map((event) => event.type)).toEqual(["customer.created"])

    const waiting = (await strict.register()).body.customer
    await strict.admin("PATCH", "/store", { customerVerification: "off" })
    // A store's settings take effect in another process within five seconds.
    const later = { method: "POST", path: "/test/clock", body: { advanceMs: 5_000 } }
    await atOnce([later, later])
    const logins = await atOnce(
      times(4, () => ({ path: `${strict.at}/login`, body: { email: waiting.email, password: goodPassword } }))
    )
    expect(statuses(logins)).toEqual([200, 200, 200, 200])
    expect((await strict.told(waiting.id)).map((event) => event.type)).toEqual(["customer.created"])
  })

  it("first looks into a cart make one cart", async () => {
    const customer = await at.known()
    const answers = await atOnce(times(8, () => ({ method: "GET", path: `${at.at}/me/cart`, token: customer.token })))
    expect(statuses(answers)).toEqual(times(8, () => 200))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect(await rowsOf(shop, "SELECT count(*)::int AS n FROM cart WHERE customer_id = $1", [customer.id])).toEqual([
      { n: 1 }
    ])
  })

  it("merges of one session add its lines once, for one customer", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product()
    const customers = [await at.known(), await at.known()]
    const { body: source } = await shop.call("POST", `${at.vc}/cart`)
    await shop.call("POST", `${at.vc}/cart/${source.id}/items`, { body: { productId: lamp, quantity: 3 } })
    const path = `${at.vc}/cart/merge`
    const answers = await atOnce(
      times(8, (i) => ({
        path,
        body: { sessionToken: source.sessionToken },
        token: customers[i % 4 < 2 ? 0 : 1]?.token ?? ""
      }))
    )
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 404, 404, 404, 404])
    const merged = answers.filter((answer) => answer.status === 200)
    expect(new Set(merged.map((answer) => answer.body.id)).size).toBe(1)
    expect(merged.map((answer) => answer.body.itemCount)).toEqual([3, 3, 3, 3])
    expect(await rowsOf(shop, "SELECT sum(quantity)::int AS n FROM cart_item WHERE product_id = $1", [lamp])).toEqual([
      { n: 3 }
    ])
  })

  it("first addresses are all kept, one of them the default", async () => {
    const customer = await at.known()
    const body = { line1: "1 Main St", city: "Town", country: "US", isDefault: true }
    const answers = await atOnce(times(6, () => ({ path: `${at.at}/me/addresses`, body, token: customer.token })))
    expect(statuses(answers)).toEqual(times(6, () => 201))
    const { body: kept } = await at.me(customer.token, "GET", "/addresses")
    expect(kept.map((one: { readonly isDefault: boolean }) => one.isDefault)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false
    ])
  })

  it("a deletion leaves no address behind, however late it was added", async () => {
    for (const _ of times(5, String)) {
      const { id, token } = await at.known()
      const body = { line1: "1 Main St", city: "Town", country: "US" }
      const gone: Ask = { method: "DELETE", path: `/v1/customers/${id}`, token: shop.apiKey }
      const answers = await atOnce([
        ...times(3, () => ({ path: `${at.at}/me/addresses`, body, token })),
        gone,
        ...times(3, () => ({ path: `${at.at}/me/addresses`, body, token }))
      ])
      expect(answers[3]?.status).toBe(200)
      expect(
        await rowsOf(shop, "SELECT count(*)::int AS n FROM customer_address WHERE customer_id = $1", [id])
      ).toEqual([{ n: 0 }])
    }
  })

  it("and after all of it the auditor has nothing to say", async () => {
    for (const law of laws)
      expect([law.law, await rowsOf(shop, questionOf(law), [shop.storeId])]).toEqual([law.law, []])
  })
})
