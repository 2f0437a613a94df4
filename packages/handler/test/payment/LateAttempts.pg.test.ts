import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf } from "../customer/SignedIn.ts"
import { answers, keyIn, meanwhile, noticeOf, refundedOf, scriptedPayments, stands, tell } from "./ScriptedProvider.ts"
import { sessionsOf } from "./sessions.ts"

/** Money of an earlier attempt to pay comes late, while the shopper is paying another way, or has done so. */
let shop: TestCommerce
let at: ReturnType<typeof customersOf>
let of: ReturnType<typeof sessionsOf>
beforeAll(async () => {
  shop = await openTestCommerce(scriptedPayments)
  at = customersOf(shop)
  of = sessionsOf(shop)
})
afterAll(() => shop.close())

const payScripted = (id: string, paymentReference: string) =>
  of.complete(id, { paymentMethod: "provider", providerId: "scripted", paymentReference })
const keyOf = (id: string, attempt = 1) => keyIn(shop.storeId, id, attempt)
/** The company declined the first attempt, and takes the money for it after all. */
const comesLate = async (id: string) => {
  stands(keyOf(id), { captured: 2_500n, reason: null })
  await tell(shop, noticeOf(keyOf(id)))
}

describe.each(["ON_PAYMENT", "ON_CART"])("under %s, money of an attempt that was declined", (strategy) => {
  const reserve = (name: string) =>
    shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: name, minutes: 15 } } })
  beforeAll(() => reserve(strategy))
  afterAll(() => reserve("ON_PAYMENT"))

  it("makes no second order of lines that another checkout of the cart has bought since: it is paid back", async () => {
    const { lamp, cartId, checkoutId } = await of.lampAndCheckout(2)
    const second = await of.shopper.checkout(cartId)
    expect((await payScripted(checkoutId, "decline")).status).toBe(422)
    expect((await of.pay(second, "approve")).status).toBe(200)
    await comesLate(checkoutId)
    await of.until(async () => (await of.operationsOf(checkoutId))[0] === "refunded")
    expect(refundedOf(keyOf(checkoutId))).toBe(2_500n)
    expect(await of.ordersOf(checkoutId, second)).toEqual(["test paid"])
    expect(await of.stockOf(lamp)).toEqual([1, 0, 1])
  })

  it("makes the order also while the company takes its time for another checkout of the cart: that one is paid back", async () => {
    const { lamp, cartId, checkoutId } = await of.lampAndCheckout(2)
    const second = await of.shopper.checkout(cartId)
    expect((await payScripted(checkoutId, "decline")).status).toBe(422)
    meanwhile.happens = () => comesLate(checkoutId)
    const answer = await payScripted(second, "slow")
    expect([answer.status, answer.body.code]).toEqual([409, "RESERVATION_EXPIRED"])
    await of.until(async () => (await of.operationsOf(second))[0] === "refunded")
    expect([refundedOf(keyOf(second)), refundedOf(keyOf(checkoutId))]).toEqual([2_500n, 0n])
    expect(await of.ordersOf(checkoutId, second)).toEqual(["scripted paid"])
    expect(await of.stockOf(lamp)).toEqual([1, 0, 1])
  })

  it("does not stand in the way of a checkout whose cart was only added to while the company took its time", async () => {
    const { lamp, cartId, checkoutId } = await of.lampAndCheckout(2)
    meanwhile.happens = async () => {
      const other = await of.shopper.product({ price: 2_500n, stock: 1 })
      await shop.call("POST", `${of.shopper.at}/cart/${cartId}/items`, { body: { productId: other, quantity: 1 } })
    }
    expect((await payScripted(checkoutId, "slow")).status).toBe(200)
    expect(await of.ordersOf(checkoutId)).toEqual(["scripted paid"])
    expect(await of.stockOf(lamp)).toEqual([1, 0, 1])
  })

  it("nor of lines that were taken along into the customer's cart, and bought there", async () => {
    const lamp = await of.shopper.product({ price: 2_500n, stock: 2 })
    const guest = (await shop.call("POST", `${of.shopper.at}/cart`)).body
    await shop.call("POST", `${of.shopper.at}/cart/${guest.id}/items`, { body: { productId: lamp, quantity: 1 } })
    const checkoutId = await of.shopper.checkout(guest.id)
    expect((await payScripted(checkoutId, "decline")).status).toBe(422)
    const customer = await at.known()
    const merged = await at.as(customer.token, "POST", `${at.vc}/cart/merge`, { sessionToken: guest.sessionToken })
    const own = await at.as(customer.token, "POST", `${at.vc}/checkout`, { cartId: merged.body.id })
    const second = own.body.id
    await at.as(customer.token, "PATCH", `${at.vc}/checkout/${second}/customer`, { email: "ada@example.com" })
    const shippingAddress = { firstName: "Ada", line1: "1 Main St", city: "Town", postalCode: "94105", country: "US" }
    await at.as(customer.token, "PATCH", `${at.vc}/checkout/${second}/shipping`, { shippingAddress })
    const done = await shop.call("POST", `${at.vc}/checkout/${second}/complete`, {
      body: { paymentMethod: "test", paymentReference: "approve" },
      headers: { authorization: `Bearer ${customer.token}`, "idempotency-key": second }
    })
    expect([done.status, done.text]).toEqual([200, done.text])
    await comesLate(checkoutId)
    await of.until(async () => (await of.operationsOf(checkoutId))[0] === "refunded")
    expect(refundedOf(keyOf(checkoutId))).toBe(2_500n)
    expect(await of.ordersOf(checkoutId, second)).toEqual(["test paid"])
    expect(await of.stockOf(lamp)).toEqual([1, 0, 1])
  })

  it("makes the order: a payment page that is open by then is closed at once", async () => {
    const { lamp, checkoutId } = await of.lampAndCheckout(2)
    expect((await payScripted(checkoutId, "decline")).status).toBe(422)
    expect((await of.begin(checkoutId)).status).toBe(200)
    await comesLate(checkoutId)
    expect([await of.ordersOf(checkoutId), await of.stockOf(lamp)]).toEqual([["scripted paid"], [1, 0, 1]])
    await of.until(async () => (await of.operationsOf(checkoutId))[1] === "failed")
    expect(await of.chargesOf(checkoutId)).toEqual(["2 voided 2500 0 0"])
    expect(await of.failuresOf(checkoutId)).toEqual(["card_declined"])
  })

  it("makes the order: a second card that is declined after that is no failed payment of it", async () => {
    const { checkoutId } = await of.lampAndCheckout(2)
    expect((await payScripted(checkoutId, "decline")).status).toBe(422)
    expect((await payScripted(checkoutId, "silence")).status).toBe(500)
    await comesLate(checkoutId)
    expect(await of.ordersOf(checkoutId)).toEqual(["scripted paid"])
    stands(keyOf(checkoutId, 2), { state: "failed", reason: "expired_card" })
    await tell(shop, noticeOf(keyOf(checkoutId, 2)))
    expect(await of.operationsOf(checkoutId)).toEqual(["succeeded", "declined"])
    expect(await of.failuresOf(checkoutId)).toEqual(["card_declined"])
  })
})

describe("an attempt that never arrived at the company, made again under its key", () => {
  it("has the checkout's whole time from then on", async () => {
    const { checkoutId } = await of.lampAndCheckout(1)
    expect((await payScripted(checkoutId, "silence")).status).toBe(500)
    answers(keyOf(checkoutId), "Absent")
    await of.advance(31_000)
    await of.until(async () => (await of.operationsOf(checkoutId))[0] === "absent")
    for (let hours = 0; hours < 20; hours += 5) await of.advance(5 * 3_600_000)
    await of.advance(3 * 3_600_000)
    expect((await payScripted(checkoutId, "silence")).status).toBe(500)
    const dueOf = async () =>
      (
        await of.rows<{ state: string; due: Date }>(
          (sql) => sql`SELECT state, check_at AS due FROM provider_operation WHERE subject_id = ${checkoutId}`
        )
      )[0]
    const before = await dueOf()
    await of.advance(2 * 3_600_000)
    await of.until(async () => (await dueOf())?.due?.getTime() !== before?.due.getTime())
    expect([(await dueOf())?.state, await of.statusOf(checkoutId)]).toEqual(["calling", "PROCESSING"])
    for (let hours = 0; hours < 25; hours += 5) await of.advance(5 * 3_600_000)
    await of.until(async () => (await of.statusOf(checkoutId)) === "EXPIRED")
    expect(await of.failuresOf(checkoutId)).toEqual(["expired"])
  })
})

it("leaves books that agree", async () => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  const found: Array<unknown> = []
  for (const law of laws)
    found.push(...findingsOf(law, shop.storeId, (await client.query(questionOf(law), [shop.storeId])).rows))
  await client.end()
  expect(found).toEqual([])
})
