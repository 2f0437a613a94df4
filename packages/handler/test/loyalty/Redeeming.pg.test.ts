import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { loyaltyShop } from "./LoyaltyShop.ts"
import { faultsOnce } from "../faultsOnce.ts"

let shop: TestCommerce
const onceAt = faultsOnce()

beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

/** A store of its own: a point for each dollar, worth a cent, at least ten at once. */
const opened = async (program: object = {}, currency = "USD") => {
  const at = loyaltyShop(shop, await shop.openStore({ currency }))
  const base = { isEnabled: true, pointsPerUnit: 1, currencyUnit: 1, redeemRate: "0.01", minRedeem: 10 }
  await at.putProgram({ ...base, ...program })
  /** A customer with points, and a checkout of theirs. */
  const shopper = async (points: number, price = 2_500n) => {
    const ada = await at.known()
    if (points > 0) await at.adjust(ada.id, points)
    return { ada, id: await at.checkout(ada, await at.product(price)) }
  }
  const read = async (token: string | undefined, id: string) =>
    (await at.as(token, "GET", `${at.vc}/checkout/${id}`)).body
  const holdsOf = (id: string) =>
    rowsOf(shop, "SELECT points::int, amount::int FROM loyalty_hold WHERE holder_id = $1", [id])
  const ordersOf = (id: string) => rowsOf(shop, "SELECT id FROM orders WHERE checkout_id = $1", [id])
  return { ...at, shopper, read, holdsOf, ordersOf }
}
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })

describe("points pay a part of a checkout", () => {
  it("are shown as a tender, replaced and removed, and paid as such: the rest is asked of the provider", async () => {
    const at = await opened()
    const { ada, id } = await at.shopper(1_000)
    const first = await at.redeem(ada, id, 100)
    expect([first.status, first.body.providerAmountDue, first.body.total]).toEqual([200, "24.00", "25.00"])
    const { body } = await at.redeem(ada, id, 500)
    const [tender] = body.tenders
    expect([body.tenders, body.notApplied]).toEqual([[{ tenderId: tender.tenderId, amountApplied: "5.00" }], []])
    expect((await at.as(ada.token, "DELETE", `${at.vc}/checkout/${id}/loyalty`)).body.tenders).toEqual([])
    const again = await at.as(ada.token, "DELETE", `${at.vc}/checkout/${id}/loyalty`)
    expect([again.status, again.body.providerAmountDue]).toEqual([200, "25.00"])
    await at.redeem(ada, id, 500)
    const done = await at.charge(ada, id)
    expect([done.status, done.body.status, done.body.total]).toEqual([200, "PAID", "25.00"])
    const { body: order } = await at.admin("GET", `/orders/${done.body.orderId}`)
    expect(order.tenders.map(({ type, amountBase }: Record<string, string>) => [type, amountBase])).toEqual([
      ["test", "20.00"],
      ["loyalty", "5.00"]
    ])
    // 25.00 less 5.00 that points paid.
    expect(await at.ledgerOf(ada.id)).toEqual([
      ["ADJUST", 1_000],
      ["REDEEM", -500],
      ["EARN", 20]
    ])
    expect(await at.pointsOf(ada.id)).toEqual([520, 0, 20])
    expect(await at.audited()).toEqual([])
  })

  it("or all of it: whole points only, as many as it needs, and nothing is earned", async () => {
    const at = await opened({ redeemRate: "0.07" })
    const { ada, id } = await at.shopper(1_000)
    const { body } = await at.redeem(ada, id, 1_000)
    // 357 points are 24.99; another one would be more than is due.
    expect([body.tenders[0].amountApplied, body.providerAmountDue]).toEqual(["24.99", "0.01"])
    const { ada: bob, id: other } = await at.shopper(1_000, 700n)
    await at.redeem(bob, other, 1_000)
    const done = await at.complete(bob, other)
    expect([done.status, done.body.status]).toEqual([200, "PAID"])
    expect(await at.ledgerOf(bob.id)).toEqual([
      ["ADJUST", 1_000],
      ["REDEEM", -100]
    ])
    expect(await at.pointsOf(bob.id)).toEqual([900, 0, 0])
    expect(await at.audited()).toEqual([])
  })

  it("in a currency without minor units, and in one with three digits", async () => {
    for (const [currency, redeemRate, price, points, applied, due] of [
      ["JPY", "3", 2_500n, 100, "300", "2200"],
      ["KWD", "0.005", 2_500n, 100, "0.500", "2.000"]
    ] as const) {
      const at = await opened({ redeemRate, currencyUnit: currency === "JPY" ? "100" : "0.100" }, currency)
      const { ada, id } = await at.shopper(100, price)
      const { body } = await at.redeem(ada, id, points)
      expect([body.tenders[0].amountApplied, body.providerAmountDue]).toEqual([applied, due])
      expect((await at.charge(ada, id)).status).toBe(200)
      expect((await at.ledgerOf(ada.id))[1]).toEqual(["REDEEM", -100])
      expect(await at.audited()).toEqual([])
    }
  })

  it("none where one point is worth more than the total: the order is paid without them", async () => {
    const at = await opened({ redeemRate: "7.00", minRedeem: 0 })
    for (const body of [{}, { paymentMethod: "test", paymentReference: "approve" }]) {
      const { ada, id } = await at.shopper(10, 500n)
      expect((await at.redeem(ada, id, 5)).body.providerAmountDue).toBe("5.00")
      expect((await at.complete(ada, id, body)).status).toBe(200)
      expect((await at.ledgerOf(ada.id)).filter(([type]) => type === "REDEEM")).toEqual([])
    }
    expect(await at.audited()).toEqual([])
  })

  it("not fewer than the minimum, nor more than there are, nor for a guest, nor while the programme is disabled", async () => {
    const at = await opened()
    const { ada, id } = await at.shopper(100)
    const refused = async (answer: ReturnType<typeof at.redeem>) => {
      const { status, body } = await answer
      return [status, body.code, body.details]
    }
    const unprocessable = (details: object) => [422, "BUSINESS_RULE_VIOLATION", details]
    expect(await refused(at.redeem(ada, id, 9))).toEqual(unprocessable({ reason: "minimum", points: 9, bound: 10 }))
    expect(await refused(at.redeem(ada, id, 101))).toEqual(
      unprocessable({ reason: "balance", points: 101, bound: 100 })
    )
    const guest = await at.checkout(undefined, await at.product(1_000n))
    expect(await refused(at.redeem(undefined, guest, 10))).toEqual(
      unprocessable({ reason: "needs_customer", points: 10 })
    )
    for (const points of [0, -10, 10.5, "10", null]) expect((await at.redeem(ada, id, points)).status).toBe(400)
    expect((await at.redeem(undefined, id, 10)).status).toBe(404)
    expect((await at.read(ada.token, id)).tenders).toEqual([])
    await at.putProgram({ isEnabled: false })
    expect(await refused(at.redeem(ada, id, 10))).toEqual(unprocessable({ reason: "disabled", points: 10 }))
    const other = loyaltyShop(shop, await shop.openStore())
    const bob = await other.known()
    const theirs = await other.checkout(bob, await other.product(1_000n))
    expect(await refused(other.redeem(bob, theirs, 10))).toEqual(unprocessable({ reason: "disabled", points: 10 }))
  })

  it("but not those that are gone by now: the checkout says so, and completing it is a conflict", async () => {
    const at = await opened()
    const { ada, id } = await at.shopper(500)
    const { body: entered } = await at.redeem(ada, id, 500)
    await at.adjust(ada.id, -1)
    const now = await at.read(ada.token, id)
    expect([now.tenders, now.providerAmountDue, now.notApplied]).toEqual([
      [],
      "25.00",
      [
        {
          type: "loyalty",
          id: ada.id,
          name: "Loyalty points",
          code: null,
          reason: "exhausted",
          missingAmount: null,
          missingQuantity: null,
          lostTo: []
        }
      ]
    ])
    for (const body of [{}, { paymentMethod: "test", paymentReference: "approve" }]) {
      const refused = await at.complete(ada, id, body)
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        409,
        "CONFLICT",
        { reason: "exhausted", tenderId: entered.tenders[0].tenderId }
      ])
    }
    expect(await at.ordersOf(id)).toEqual([])
    await at.adjust(ada.id, 1)
    expect((await at.read(ada.token, id)).tenders).toEqual(entered.tenders)
    await at.putProgram({ isEnabled: false })
    expect((await at.read(ada.token, id)).notApplied[0].reason).toBe("not_active")
    expect((await at.complete(ada, id)).status).toBe(409)
  })
})

describe("points and a price that fell", () => {
  it("pay less of the new total after a refresh, and the order is placed", async () => {
    const at = await opened({ redeemRate: "0.10" })
    const ada = await at.known()
    await at.adjust(ada.id, 300)
    const product = await at.product(3_005n)
    const id = await at.checkout(ada, product)
    await at.redeem(ada, id, 300)
    const before = await at.read(ada.token, id)
    expect([before.tenders[0].amountApplied, before.providerAmountDue]).toEqual(["30.00", "0.05"])
    await at.admin("PATCH", `/products/${product}`, { basePrice: "20.05" })
    const drifted = await at.complete(ada, id)
    expect([drifted.status, drifted.body.code]).toEqual([400, "PRICE_DRIFT"])
    expect((await at.as(ada.token, "POST", `${at.vc}/cart/${before.cartId}/refresh-snapshots`)).status).toBe(200)
    const now = await at.read(ada.token, id)
    expect([now.tenders[0].amountApplied, now.providerAmountDue]).toEqual(["20.00", "0.05"])
    expect((await at.complete(ada, id)).status).toBe(200)
    expect(await at.pointsOf(ada.id)).toEqual([100, 0, 0])
  })

  it("pay less of a total that fell, where nothing more is left to pay, and are refused where there is", async () => {
    const at = await opened({ redeemRate: "0.10" })
    const rule = await at.admin("POST", "/promotions", {
      name: "Off",
      type: "AMOUNT_OFF",
      value: "10.00",
      isActive: false
    })
    const begun = async () => {
      const { ada, id } = await at.shopper(300, 3_005n)
      await at.redeem(ada, id, 300)
      return { ada, id }
    }
    const [fell, worth] = [await begun(), await begun()]
    await at.admin("PATCH", `/promotions/${rule.body.id}`, { isActive: true })
    const now = await at.read(fell.ada.token, fell.id)
    expect([now.total, now.tenders[0].amountApplied, now.providerAmountDue]).toEqual(["20.05", "20.00", "0.05"])
    expect((await at.complete(fell.ada, fell.id)).status).toBe(200)
    expect(await at.pointsOf(fell.ada.id)).toEqual([100, 0, 0])
    // Points that are worth less leave more to pay than was shown.
    await at.putProgram({ isEnabled: true, pointsPerUnit: 1, currencyUnit: 1, redeemRate: "0.05", minRedeem: 10 })
    const refused = await at.complete(worth.ada, worth.id)
    expect([refused.status, refused.body.details.reason]).toEqual([409, "exhausted"])
  })

  it("are compared with what was shown after the last refresh", async () => {
    const at = await opened({ redeemRate: "0.10" })
    const ada = await at.known()
    await at.adjust(ada.id, 300)
    const product = await at.product(4_000n)
    const id = await at.checkout(ada, product)
    expect((await at.redeem(ada, id, 300)).body.providerAmountDue).toBe("10.00")
    await at.admin("PATCH", `/products/${product}`, { basePrice: "25.00" })
    const { cartId } = await at.read(ada.token, id)
    await at.as(ada.token, "POST", `${at.vc}/cart/${cartId}/refresh-snapshots`)
    expect((await at.read(ada.token, id)).providerAmountDue).toBe("0.00")
    await at.putProgram({ isEnabled: true, pointsPerUnit: 1, currencyUnit: 1, redeemRate: "0.05", minRedeem: 10 })
    expect((await at.read(ada.token, id)).providerAmountDue).toBe("10.00")
    const refused = await at.complete(ada, id)
    expect([refused.status, refused.body.details.reason]).toEqual([409, "exhausted"])
  })

  it("are renewed when a guest refreshes the cart, also in the checkout of a customer", async () => {
    const at = await opened()
    const { ada, id } = await at.shopper(500)
    const product = await at.product(2_000n)
    const guest = (await at.as(undefined, "POST", `${at.vc}/cart`, {})).body
    await at.as(undefined, "POST", `${at.vc}/cart/${guest.id}/items`, { productId: product, quantity: 1 })
    const made = await at.as(ada.token, "POST", `${at.vc}/checkout`, { cartId: guest.id })
    expect([made.status, made.body.customerId, id === made.body.id]).toEqual([201, ada.id, false])
    await at.redeem(ada, made.body.id, 500)
    await at.admin("PATCH", `/products/${product}`, { basePrice: "3.00" })
    const refreshed = await at.as(undefined, "POST", `${at.vc}/cart/${guest.id}/refresh-snapshots`)
    expect([refreshed.status, refreshed.body.subtotal]).toEqual([200, "3.00"])
    const now = await at.read(ada.token, made.body.id)
    expect([now.total, now.tenders[0].amountApplied]).toEqual(["3.00", "3.00"])
  })
})

describe("points are held while a provider is asked", () => {
  it("cannot pay for another order meanwhile; a decline gives them back", async () => {
    const at = await opened()
    const { ada, id } = await at.shopper(500)
    await at.redeem(ada, id, 500)
    const other = await at.checkout(ada, await at.product(2_500n))
    await at.redeem(ada, other, 500)
    expect((await at.charge(ada, id, "timeout")).status).toBe(500)
    expect(await at.holdsOf(id)).toEqual([{ points: 500, amount: 500 }])
    expect((await at.charge(ada, other)).body.details.reason).toBe("exhausted")
    expect((await at.adjust(ada.id, -1)).status).toBe(422)
    expect((await at.accountOf(ada.id)).balance).toBe(500)
    await at.tell({ checkoutId: id, type: "captured" })
    await at.tell({ checkoutId: id, type: "captured" })
    expect(await at.ledgerOf(ada.id)).toEqual([
      ["ADJUST", 500],
      ["REDEEM", -500],
      ["EARN", 20]
    ])
    const { ada: bob, id: declined } = await at.shopper(500)
    await at.redeem(bob, declined, 500)
    expect((await at.charge(bob, declined, "decline")).status).toBe(422)
    expect(await at.holdsOf(declined)).toEqual([])
    expect(await at.ledgerOf(bob.id)).toEqual([["ADJUST", 500]])
    expect(await at.audited()).toEqual([])
  })

  it("as many as the shopper agreed to, whatever a point is worth when the money comes", async () => {
    const at = await opened()
    const { ada, id } = await at.shopper(1_000)
    await at.redeem(ada, id, 500)
    expect((await at.charge(ada, id, "timeout")).status).toBe(500)
    await at.putProgram({ redeemRate: "0.02" })
    await at.tell({ checkoutId: id, type: "captured" })
    expect((await at.ledgerOf(ada.id))[1]).toEqual(["REDEEM", -500])
    expect(await at.audited()).toEqual([])
  })

  it("and do not expire before the payment has ended", async () => {
    const at = await opened({ expiryDays: 1 })
    const { ada, id } = await at.shopper(500)
    await advance(86_400_000 - 60_000)
    const late = await at.checkout(ada, await at.product(2_500n))
    await at.redeem(ada, late, 300)
    expect((await at.charge(ada, late, "timeout")).status).toBe(500)
    await advance(120_000)
    expect((await at.accountOf(ada.id)).balance).toBe(300)
    expect((await at.redeem(ada, id, 10)).body.code).not.toBe("INTERNAL_SERVER_ERROR")
    await at.tell({ checkoutId: late, type: "captured" })
    expect((await at.ledgerOf(ada.id)).filter(([type]) => type !== "EARN").sort()).toEqual([
      ["ADJUST", 500],
      ["EXPIRE", -200],
      ["REDEEM", -300]
    ])
    expect(await at.audited()).toEqual([])
  })

  it("money that comes when they were spent elsewhere goes back: no order", async () => {
    const at = await opened()
    const { ada, id } = await at.shopper(500)
    await at.redeem(ada, id, 500)
    expect((await at.charge(ada, id, "timeout")).status).toBe(500)
    await advance(16 * 60_000)
    const other = await at.checkout(ada, await at.product(2_500n))
    await at.redeem(ada, other, 500)
    expect((await at.charge(ada, other)).status).toBe(200)
    await at.tell({ checkoutId: id, type: "captured" })
    expect(await at.ordersOf(id)).toEqual([])
    expect((await at.ledgerOf(ada.id)).filter(([type]) => type === "REDEEM")).toEqual([["REDEEM", -500]])
    expect(await at.audited()).toEqual([])
  })

  it("nothing is spent of an order that dies before it is written", async () => {
    const at = await opened()
    const { ada, id } = await at.shopper(500)
    await at.redeem(ada, id, 500)
    onceAt("completion.placed", () => Promise.reject(new Error("the process died")))
    expect((await at.complete(ada, id)).status).toBe(500)
    expect(await at.ledgerOf(ada.id)).toEqual([["ADJUST", 500]])
    expect((await at.complete(ada, id)).status).toBe(200)
    expect(await at.ledgerOf(ada.id)).toEqual([
      ["ADJUST", 500],
      ["REDEEM", -500]
    ])
  })
})

describe("points that paid return with a refund", () => {
  it("in the proportion of the money, whole at the end", async () => {
    const at = await opened()
    const { ada, id } = await at.shopper(500)
    await at.redeem(ada, id, 500)
    await at.charge(ada, id)
    await at.relayed()
    for (const amount of ["6.67", undefined, undefined]) {
      await at.tell({ checkoutId: id, type: "refunded", ...(amount === undefined ? {} : { amount }) })
      await at.relayed()
    }
    // 20 of 20.00 earned, and 500 spent: 6.67 of 20.00 are floor(6.67) and floor(166.75).
    expect((await at.ledgerOf(ada.id)).slice(2)).toEqual([
      ["EARN", 20],
      ["REVERSE", -6],
      ["REVERSE", 166],
      ["REVERSE", -14],
      ["REVERSE", 334]
    ])
    expect(await at.pointsOf(ada.id)).toEqual([500, 0, 0])
    expect(await at.audited()).toEqual([])
  })
})
