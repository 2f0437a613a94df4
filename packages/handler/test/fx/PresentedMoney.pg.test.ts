/** The money of orders whose payment provider is asked in the currency of the shopper's region. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { rowsOf } from "../customer/SignedIn.ts"
import { openPresentedShop } from "./presentedShop.ts"

/** The payments that a person has to look at, as the audit names them. */
let attention: ReadonlyArray<string> = []
let at: Awaited<ReturnType<typeof openPresentedShop>>
beforeAll(async () => {
  at = await openPresentedShop()
})
afterEach(() => at.expectCleanBooks(attention))
afterAll(() => at.shop.close())

const moneyOf = async (orderId: string) => {
  const order = await at.orderOf(orderId)
  const { totalAmount, currency, financialStatus, paymentAmount, paymentCurrency, paymentRefundedAmount } = order
  const [{ captured_amount, refunded_amount }] = (await rowsOf(
    at.shop,
    "SELECT captured_amount::int, refunded_amount::int FROM orders WHERE id = $1",
    [orderId]
  )) as unknown as [{ captured_amount: number; refunded_amount: number }]
  return {
    total: `${totalAmount} ${currency}`,
    financialStatus,
    paid: `${paymentAmount} ${paymentCurrency}`,
    returned: paymentRefundedAmount,
    captured: captured_amount,
    refunded: refunded_amount
  }
}
const paid = {
  total: "49.48 EUR",
  financialStatus: "paid",
  paid: "8231 JPY",
  returned: "0",
  captured: 4_948,
  refunded: 0
}
const refundsOf = async (orderId: string) =>
  (await at.orderOf(orderId)).refunds.map(({ amount, status, type }: Record<string, string>) => [amount, status, type])

describe("a provider is asked for the presented total", () => {
  it("and what it captures in full is all that is due, in the order's currency", async () => {
    const { id } = await at.inJapan()
    const done = await at.pay(id, "approve")
    expect([done.status, done.body.status, done.body.total]).toEqual([200, "PAID", "49.48"])
    expect(await at.chargesOf(id)).toEqual([
      { state: "succeeded", amount: 8_231, currency: "JPY", captured: 8_231, refunded: 0 }
    ])
    expect(await moneyOf(done.body.orderId)).toEqual(paid)
    expect(
      await rowsOf(at.shop, "SELECT amount::int, currency FROM payment WHERE order_id = $1", [done.body.orderId])
    ).toEqual([{ amount: 4_948, currency: "EUR" }])
  })

  it("also where the shopper pays at the provider, who is told the amount in his currency", async () => {
    const { id } = await at.inJapan()
    const begin = () =>
      at.shop.call("POST", `${at.shopper.at}/checkout/${id}/payment`, { body: { providerId: "test" } })
    const begun = await begin()
    expect([begun.status, begun.body.amount, begun.body.currency]).toEqual([200, "8231", "JPY"])
    expect((await begin()).body).toEqual(begun.body)
    expect((await at.chargesOf(id)).length).toBe(1)
    const told = await at.tell({ checkoutId: id, type: "captured" })
    expect(await moneyOf(told.body.orderId)).toEqual(paid)
    const offline = await at.inJapan()
    const manual = await at.shop.call("POST", `${at.shopper.at}/checkout/${offline.id}/payment`, {
      body: { providerId: "manual" }
    })
    expect([manual.body.amount, manual.body.currency]).toEqual(["49.48", "EUR"])
  })

  it("and a rate that changes while the shopper pays does not change what he pays", async () => {
    const { id } = await at.inJapan()
    const begun = await at.shop.call("POST", `${at.shopper.at}/checkout/${id}/payment`, {
      body: { providerId: "test" }
    })
    await at.admin("PUT", "/v1/fx-rates", { quote: "JPY", rate: "200" })
    const again = await at.shop.call("POST", `${at.shopper.at}/checkout/${id}/payment`, {
      body: { providerId: "test" }
    })
    expect(again.body).toEqual(begun.body)
    const told = await at.tell({ checkoutId: id, type: "captured" })
    expect(await moneyOf(told.body.orderId)).toEqual(paid)
    await at.admin("PUT", "/v1/fx-rates", { quote: "JPY", rate: "161.5", bufferPercent: "3" })
  })
})

describe("a part of the money", () => {
  it("is booked in proportion, and the rest completes the amount exactly", async () => {
    const { id } = await at.inJapan()
    const done = await at.pay(id, "authorize")
    expect(await moneyOf(done.body.orderId)).toMatchObject({ financialStatus: "authorized", captured: 0 })
    const capture = (amount: string) => at.tell({ orderId: done.body.orderId, type: "captured", amount })
    // 2743 of 8231 yen of 49.48: 16.4892…
    expect((await capture("2743")).status).toBe(200)
    expect(await moneyOf(done.body.orderId)).toMatchObject({ financialStatus: "pending", captured: 1_649 })
    await capture("5487")
    expect(await moneyOf(done.body.orderId)).toMatchObject({ captured: 4_947 })
    await capture("1")
    expect(await moneyOf(done.body.orderId)).toEqual(paid)
  })

  it("goes back in the provider's currency, and the last refund takes the remainder", async () => {
    const { id } = await at.inJapan()
    const { orderId } = (await at.pay(id, "approve")).body
    const refund = (amount?: string) =>
      at.tell({ orderId, type: "refunded", ...(amount === undefined ? {} : { amount }) })
    await refund("2743")
    expect(await moneyOf(orderId)).toEqual({
      ...paid,
      financialStatus: "partially_refunded",
      returned: "2743",
      refunded: 1_649
    })
    await refund("2743")
    await refund("2744")
    expect(await moneyOf(orderId)).toMatchObject({
      financialStatus: "partially_refunded",
      returned: "8230",
      refunded: 4_947
    })
    await refund()
    expect(await moneyOf(orderId)).toEqual({ ...paid, financialStatus: "refunded", returned: "8231", refunded: 4_948 })
    const rows = await refundsOf(orderId)
    expect(rows).toEqual([
      ["16.49", "succeeded", "partial"],
      ["16.49", "succeeded", "partial"],
      ["16.49", "succeeded", "partial"],
      ["0.01", "succeeded", "full"]
    ])
    await at.tell({ orderId, type: "refund_failed" })
    expect(await moneyOf(orderId)).toMatchObject({
      financialStatus: "partially_refunded",
      returned: "8230",
      refunded: 4_947
    })
  })

  it("is disputed in the order's currency", async () => {
    const { id } = await at.inJapan()
    const { orderId } = (await at.pay(id, "approve")).body
    await at.tell({ orderId, type: "disputed", amount: "2743" })
    expect((await at.orderOf(orderId)).disputes).toMatchObject([{ amount: "16.49", status: "open" }])
    expect((await at.orderOf(orderId)).syncWarning).toContain("16.49 is disputed")
    await at.tell({ orderId, type: "dispute_lost" })
    expect(await moneyOf(orderId)).toEqual(paid)
  })

  it("that is paid by hand leaves the rest of it to the charge", async () => {
    const { id } = await at.inJapan()
    const { orderId } = (await at.pay(id, "authorize")).body
    const recorded = await at.shop.call("POST", `/v1/orders/${orderId}/payments`, {
      body: { amount: "9.48", method: "cash" }
    })
    expect(recorded.status).toBe(200)
    // All of the charge is 49.48, of which 40.00 is the order's and the rest is surplus.
    await at.tell({ orderId, type: "captured" })
    expect(await moneyOf(orderId)).toMatchObject({ financialStatus: "paid", captured: 4_948, refunded: 0 })
    expect((await at.orderOf(orderId)).syncWarning).toBe("test captured 49.48 where 40.00 was asked for")
    await at.tell({ orderId, type: "refunded", amount: "1577" })
    expect(await moneyOf(orderId)).toMatchObject({ financialStatus: "paid", refunded: 0 })
    expect((await at.orderOf(orderId)).syncWarning).toBe(null)
  })
})

describe("money that comes late", () => {
  it("after a decline makes the order as it was presented then", async () => {
    const { id } = await at.inJapan()
    expect((await at.pay(id, "decline")).status).toBe(422)
    await at.admin("PUT", "/v1/fx-rates", { quote: "JPY", rate: "200" })
    const told = await at.tell({ checkoutId: id, type: "captured" })
    expect(told.status).toBe(200)
    expect(await moneyOf(told.body.orderId)).toEqual(paid)
    await at.admin("PUT", "/v1/fx-rates", { quote: "JPY", rate: "161.5", bufferPercent: "3" })
  })

  it("after the provider was silent is found and booked", async () => {
    const { id } = await at.inJapan()
    expect((await at.pay(id, "timeout")).status).toBe(500)
    const told = await at.tell({ checkoutId: id, type: "captured" })
    expect(await moneyOf(told.body.orderId)).toEqual(paid)
  })

  it("where the store refunds it is refunded in the provider's currency", async () => {
    await at.admin("PATCH", "/v1/store", { lateCapture: "refund" })
    const { id } = await at.inJapan()
    const begun = await at.shop.call("POST", `${at.shopper.at}/checkout/${id}/payment`, {
      body: { providerId: "test" }
    })
    expect(begun.status).toBe(200)
    await at.shop.call("DELETE", `${at.shopper.at}/checkout/${id}`)
    const told = await at.tell({ checkoutId: id, type: "captured" })
    expect([told.status, told.body.orderId]).toEqual([200, null])
    const [charge] = await at.chargesOf(id)
    expect(charge).toMatchObject({ amount: 8_231, currency: "JPY", captured: 8_231 })
    expect(["refund_due", "refunded"]).toContain(charge?.["state"])
    await at.admin("PATCH", "/v1/store", { lateCapture: "create_order" })
  })
})

describe("a small amount", () => {
  it("of which nothing is left in the other currency is asked for as one unit of it", async () => {
    await at.admin("PUT", "/v1/fx-rates", { quote: "JPY", rate: "0.01" })
    const { id } = await at.begin(100n, 1)
    expect((await at.send(id, "JP")).presentment).toMatchObject({ total: "0", subtotal: "0" })
    const done = await at.pay(id, "approve")
    expect((await at.chargesOf(id))[0]).toMatchObject({ amount: 1, currency: "JPY", captured: 1 })
    expect(await moneyOf(done.body.orderId)).toMatchObject({ financialStatus: "paid", captured: 660, paid: "1 JPY" })
    await at.admin("PUT", "/v1/fx-rates", { quote: "JPY", rate: "161.5", bufferPercent: "3" })
  })

  it("that would be too large in the other currency is refused before a provider is asked", async () => {
    await at.admin("PUT", "/v1/fx-rates", { quote: "JPY", rate: "999999999999" })
    const { id } = await at.begin(99_999_999_999n, 2)
    await at.send(id, "JP")
    const refused = await at.pay(id, "approve")
    expect([refused.status, refused.body.details.errors]).toEqual([400, { total: "is more than an order can come to" }])
    expect(await at.chargesOf(id)).toEqual([])
    await at.admin("PUT", "/v1/fx-rates", { quote: "JPY", rate: "161.5", bufferPercent: "3" })
  })
})

describe("a provider that speaks of another amount or currency", () => {
  it("is not believed: nothing is booked, and a person is asked", async () => {
    for (const reference of ["wrong_amount", "wrong_currency"]) {
      const { id } = await at.inJapan()
      expect((await at.pay(id, reference)).status).toBe(500)
      expect(await rowsOf(at.shop, "SELECT id FROM orders WHERE checkout_id = $1", [id])).toEqual([])
    }
    attention = ["test has 8232 JPY where 8231 JPY was asked for", "test has 82.31 EUR where 8231 JPY was asked for"]
  })
})
