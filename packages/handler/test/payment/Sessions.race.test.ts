import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf } from "../customer/SignedIn.ts"
import { sessionsOf } from "./sessions.ts"

/** A shopper, a provider and a shop that act at once, in two processes: one order or none, and no money without one. */
let shop: TestCommerce
let other: Commerce
let at: ReturnType<typeof customersOf>
let of: ReturnType<typeof sessionsOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  other = await shop.openTwin()
  at = customersOf(shop)
  of = sessionsOf(shop)
})
afterAll(() => shop.close())

let keys = 0
/** A POST in the other process. */
const there = async (path: string, body: object) => {
  const response = await other.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": `there-${keys++}` },
      body: JSON.stringify(body)
    })
  )
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any answer
  return { status: response.status, body: (await response.json()) as any }
}
const beginThere = (id: string) => there(`${of.pathOf(id)}/payment`, { providerId: "test" })
const completeThere = (id: string, body: object) => there(`${of.pathOf(id)}/complete`, body)

/** At the end each charge is an order's, voided, or paid back, and there is one order at most. */
const settles = async (...checkoutIds: ReadonlyArray<string>) => {
  await of.until(async () => {
    const [charges, orders] = [
      (await Promise.all(checkoutIds.map(of.chargesOf))).flat(),
      await of.ordersOf(...checkoutIds)
    ]
    const kept = charges.filter((charge) => charge.endsWith("captured 2500 2500 0")).length
    const open = charges.filter((charge) => charge.includes("awaiting_shopper")).length
    return open === 0 && kept === orders.filter((order) => order === "test paid").length
  })
  const orders = await of.ordersOf(...checkoutIds)
  expect(orders.length).toBeLessThanOrEqual(1)
  return orders
}
const rounds = Array.from({ length: 8 }, (_, round) => round)

describe("at once", () => {
  it.each(rounds)("two clicks in two processes begin one charge (%i)", async () => {
    const { lamp, checkoutId } = await of.lampAndCheckout(2)
    const clicks = await Promise.all([of.begin(checkoutId), beginThere(checkoutId), of.begin(checkoutId)])
    for (const { status, body } of clicks)
      expect([200, 409]).toContain(status === 409 && body.code !== "CONFLICT" ? body.code : status)
    const begun = clicks.filter(({ status }) => status === 200)
    expect([begun.length > 0, new Set(begun.map(({ body }) => body.clientSecret)).size]).toEqual([true, 1])
    expect([await of.chargesOf(checkoutId), await of.operationsOf(checkoutId), await of.stockOf(lamp)]).toEqual([
      ["1 awaiting_shopper 2500 0 0"],
      ["awaiting_shopper"],
      [2, 1, 1]
    ])
    expect((await of.begin(checkoutId)).body.clientSecret).toBe(begun[0]?.body.clientSecret)
  })

  it.each(rounds)("a click and a completion that pays (%i)", async () => {
    const { checkoutId } = await of.lampAndCheckout(2)
    const card = { paymentMethod: "test", paymentReference: "approve" }
    const acts = await Promise.all([of.begin(checkoutId), completeThere(checkoutId, card)])
    expect(acts.map(({ status }) => [200, 409].includes(status))).toEqual([true, true])
    if ((await of.ordersOf(checkoutId)).length === 0) expect((await completeThere(checkoutId, card)).status).toBe(200)
    expect(await settles(checkoutId)).toEqual(["test paid"])
    expect(await of.chargesOf(checkoutId)).toEqual(["1 captured 2500 2500 0"])
  })

  it.each(rounds)("a notice, the shopper's return and two completions (%i)", async () => {
    const { lamp, checkoutId } = await of.begun(2)
    const [told, , one, two] = await Promise.all([
      of.tell(checkoutId, "captured"),
      of.paymentStatus(checkoutId),
      of.complete(checkoutId),
      completeThere(checkoutId, { paymentMethod: "test" })
    ])
    expect(told.status).toBe(200)
    for (const done of [one, two]) if (done.status !== 200) expect([409, 500, done.body.code]).toContain(done.status)
    expect([await settles(checkoutId), await of.stockOf(lamp)]).toEqual([["test paid"], [1, 0, 1]])
    expect((await of.complete(checkoutId)).status).toBe(200)
  })

  it.each(rounds)("money and a bank transfer (%i)", async () => {
    const { lamp, checkoutId } = await of.begun(1)
    const [, done] = await Promise.all([
      of.tell(checkoutId, "captured"),
      completeThere(checkoutId, { paymentMethod: "manual" })
    ])
    expect(done.status).toBe(200)
    expect((await settles(checkoutId)).length).toBe(1)
    expect(await of.stockOf(lamp)).toEqual([0, 0, 0])
  })

  it.each(rounds)("money, an edit and a cancellation (%i)", async () => {
    const { lamp, checkoutId } = await of.begun(1)
    const path = of.pathOf(checkoutId)
    await Promise.all([
      of.tell(checkoutId, "captured"),
      shop.call("PATCH", `${path}/customer`, { body: { email: "b@example.com" } }),
      shop.call("DELETE", path)
    ])
    const orders = await settles(checkoutId)
    expect(await of.stockOf(lamp)).toEqual(orders.length === 1 ? [0, 0, 0] : [1, 0, 1])
    expect(await of.failuresOf(checkoutId)).toEqual([])
  })

  it.each(rounds)("money for one checkout of a cart and a completion of another (%i)", async () => {
    const { lamp, cartId, checkoutId } = await of.lampAndCheckout(1)
    const second = await of.shopper.checkout(cartId)
    await of.begin(checkoutId)
    const [, done] = await Promise.all([
      of.tell(checkoutId, "captured"),
      completeThere(second, { paymentMethod: "test", paymentReference: "approve" })
    ])
    expect([200, 409]).toContain(done.status)
    expect([await settles(checkoutId, second), await of.stockOf(lamp)]).toEqual([["test paid"], [0, 0, 0]])
  })

  it.each(rounds)("money and a sign-in that takes the cart along (%i)", async () => {
    const lamp = await of.shopper.product({ price: 2_500n, stock: 1 })
    const guest = (await shop.call("POST", `${of.shopper.at}/cart`)).body
    await shop.call("POST", `${of.shopper.at}/cart/${guest.id}/items`, { body: { productId: lamp, quantity: 1 } })
    const checkoutId = await of.shopper.checkout(guest.id)
    await of.begin(checkoutId)
    const customer = await at.known()
    const [, merged] = await Promise.all([
      of.tell(checkoutId, "captured"),
      at.as(customer.token, "POST", `${at.vc}/cart/merge`, { sessionToken: guest.sessionToken })
    ])
    expect([merged.status, await settles(checkoutId), await of.stockOf(lamp)]).toEqual([409, ["test paid"], [0, 0, 0]])
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
