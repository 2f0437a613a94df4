import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { loyaltyShop } from "./LoyaltyShop.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

/** A store of its own, with a programme: a point for each dollar. */
const opened = async (program: object = {}, currency = "USD") => {
  const at = loyaltyShop(shop, await shop.openStore({ currency }))
  await at.putProgram({ isEnabled: true, pointsPerUnit: 1, currencyUnit: 1, redeemRate: "0.01", ...program })
  return at
}

describe("points of a customer", () => {
  it("begin at nothing, with a referral code that stays", async () => {
    const at = await opened({ tiers: [{ name: "Gold", threshold: 100, multiplier: 2 }] })
    const ada = await at.known()
    const { status, body } = await at.me(ada.token, "GET", "/loyalty")
    const code = body.referralCode
    expect(code).toMatch(/^REF-[A-Z0-9]{8}$/)
    const account = { customerId: ada.id, balance: 0, pending: 0, lifetime: 0, tier: null, referralCode: code }
    const { createdAt: _, updatedAt: __, ...program } = (await at.admin("GET", "/loyalty/program")).body
    expect([status, body]).toEqual([200, { ...account, program }])
    expect((await at.admin("GET", `/loyalty/customers/${ada.id}`)).body).toEqual(account)
    expect((await at.admin("GET", `/loyalty/customers/${ada.id}/transactions`)).body).toEqual({
      data: [],
      meta: { page: 1, limit: 20, total: 0, totalPages: 0 }
    })
    expect((await at.me(undefined, "GET", "/loyalty")).status).toBe(401)
  })

  it("of an unknown customer, of another store's and of a deleted one are 404", async () => {
    const [at, other] = [await opened(), await opened()]
    const [theirs, gone] = [await other.known(), await at.known()]
    await at.admin("GET", `/loyalty/customers/${gone.id}`)
    await at.admin("DELETE", `/customers/${gone.id}`)
    for (const id of ["cust_none", theirs.id, gone.id]) {
      const path = `/loyalty/customers/${id}`
      const answers = [
        await at.admin("GET", path),
        await at.admin("GET", `${path}/transactions`),
        await at.adjust(id, 5)
      ]
      for (const { status, body } of answers) expect([status, body.code]).toEqual([404, "CUSTOMER_NOT_FOUND"])
    }
  })

  it("are adjusted by the merchant, never below zero", async () => {
    const at = await opened({ expiryDays: 10 })
    const ada = await at.known()
    const added = await at.adjust(ada.id, 120, " Goodwill ")
    expect([added.status, added.body.balance, added.body.lifetime]).toEqual([200, 120, 0])
    expect((await at.adjust(ada.id, -20)).body.balance).toBe(100)
    const below = await at.adjust(ada.id, -101)
    expect([below.status, below.body.code, below.body.details]).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      { reason: "balance", points: -101, bound: 100 }
    ])
    const above = await at.adjust(ada.id, 1_000_000_000_000)
    expect([above.status, above.body.details.reason]).toEqual([422, "maximum"])
    for (const points of [0, 1.5, 1_000_000_000_001]) expect((await at.adjust(ada.id, points)).status).toBe(400)
    expect((await at.adjust(ada.id, 1, "x".repeat(501))).status).toBe(400)
    const { body } = await at.admin("GET", `/loyalty/customers/${ada.id}/transactions?limit=1&page=2`)
    expect(body.meta).toEqual({ page: 2, limit: 1, total: 2, totalPages: 2 })
    const [first] = body.data
    expect(first).toEqual({
      id: first.id,
      type: "ADJUST",
      points: 120,
      orderId: null,
      reason: "Goodwill",
      expiresAt: new Date(Date.parse(first.createdAt) + 864_000_000).toISOString(),
      createdAt: first.createdAt
    })
    expect(await at.audited()).toEqual([])
  })
})

describe("an order earns points once it is paid", () => {
  it("through a provider: floor of the lines, not of shipping, however often the money is told", async () => {
    const at = await opened()
    const ada = await at.known()
    const checkoutId = await at.checkout(ada, await at.product(1_999n), await at.product(1_050n))
    const { body } = await at.charge(ada, checkoutId)
    expect(await at.pointsOf(ada.id)).toEqual([30, 0, 30])
    await at.tell({ checkoutId, type: "captured" })
    await at.charge(ada, checkoutId)
    expect(await at.ledgerOf(ada.id)).toEqual([["EARN", 30]])
    const [row] = (await at.admin("GET", `/loyalty/customers/${ada.id}/transactions`)).body.data
    expect([row.orderId, row.reason, row.expiresAt]).toEqual([body.orderId, null, null])
    expect(await at.audited()).toEqual([])
  })

  it("by hand: pending until the last part is recorded", async () => {
    const at = await opened()
    const ada = await at.known()
    const { body } = await at.complete(ada, await at.checkout(ada, await at.product(4_200n)))
    expect(await at.pointsOf(ada.id)).toEqual([0, 42, 0])
    const pay = (amount: string) => at.admin("POST", `/orders/${body.orderId}/payments`, { amount, method: "cash" })
    await pay("41.99")
    expect(await at.pointsOf(ada.id)).toEqual([0, 42, 0])
    await pay("0.01")
    expect(await at.pointsOf(ada.id)).toEqual([42, 0, 42])
    expect(await at.audited()).toEqual([])
  })

  it("by an admin key for a customer: what it takes off counts, another currency earns nothing", async () => {
    const at = await opened()
    const ada = await at.known()
    const order = (body: object) =>
      at.admin("POST", "/orders", {
        customerId: ada.id,
        items: [{ name: "Work", quantity: 2, price: "30.00" }],
        ...body
      })
    const [made, euros] = [
      await order({ discountAmount: "5.50", shippingAmount: "9.00" }),
      await order({ currency: "EUR" })
    ]
    expect([made.status, euros.status]).toEqual([201, 201])
    expect(await at.pointsOf(ada.id)).toEqual([0, 54, 0])
    for (const { body } of [made, euros])
      await at.admin("POST", `/orders/${body.id}/payments`, { amount: body.totalAmount, method: "cash" })
    expect(await at.pointsOf(ada.id)).toEqual([54, 0, 54])
  })

  it("but a guest's, a disabled programme's and a free one earn none", async () => {
    const at = await opened()
    const ada = await at.known()
    expect((await at.charge(undefined, await at.checkout(undefined, await at.product(5_000n)))).status).toBe(200)
    expect((await at.complete(ada, await at.checkout(ada, await at.product(0n)))).body.status).toBe("PAID")
    await at.relayed()
    await at.putProgram({ isEnabled: false })
    await at.charge(ada, await at.checkout(ada, await at.product(5_000n)))
    expect(await at.ledgerOf(ada.id)).toEqual([])
    expect(await at.audited()).toEqual([])
  })

  it("by the tier reached before it, in units of the programme", async () => {
    const at = await opened({
      currencyUnit: "2.50",
      pointsPerUnit: 3,
      tiers: [
        { name: "Silver", threshold: 10, multiplier: 1.5 },
        { name: "Gold", threshold: 100, multiplier: 2 }
      ]
    })
    const ada = await at.known()
    const buy = async (price: bigint) => {
      await at.charge(ada, await at.checkout(ada, await at.product(price)))
      const { balance, tier } = await at.accountOf(ada.id)
      return [balance, tier]
    }
    expect(await buy(999n)).toEqual([9, null])
    expect(await buy(250n)).toEqual([12, "Silver"])
    // floor(49.99 x 1.5 / 2.50) = 29 units.
    expect(await buy(4_999n)).toEqual([99, "Silver"])
    // floor(1.67 x 1.5 / 2.50) = 1 unit.
    expect(await buy(167n)).toEqual([102, "Gold"])
    expect(await buy(250n)).toEqual([108, "Gold"])
  })

  it("in a currency without minor units, and in one with three digits", async () => {
    for (const [currency, unit, price, points] of [
      ["JPY", "100", 1_990n, 19],
      ["KWD", "0.500", 1_999n, 3]
    ] as const) {
      const at = await opened({ currencyUnit: unit, redeemRate: currency === "JPY" ? "1" : "0.005" }, currency)
      const ada = await at.known()
      expect((await at.charge(ada, await at.checkout(ada, await at.product(price)))).status).toBe(200)
      expect(await at.pointsOf(ada.id)).toEqual([points, 0, points])
    }
  })
})

describe("a refund takes earned points back", () => {
  it("also where a part was refunded before the order was paid whole", async () => {
    const at = await opened()
    const ada = await at.known()
    const checkoutId = await at.checkout(ada, await at.product(10_000n))
    await at.charge(ada, checkoutId, "pending")
    for (const event of [
      { type: "captured", amount: "50.00" },
      { type: "refunded", amount: "20.00" },
      { type: "captured", amount: "50.00" }
    ])
      expect((await at.tell({ checkoutId, ...event })).status).toBe(200)
    expect(await at.ledgerOf(ada.id)).toEqual([
      ["EARN", 100],
      ["REVERSE", -20]
    ])
    expect(await at.audited()).toEqual([])
  })

  it("by cumulative floor, whole at the end", async () => {
    const at = await opened()
    const ada = await at.known()
    const checkoutId = await at.checkout(ada, await at.product(10_000n))
    await at.charge(ada, checkoutId)
    expect(await at.pointsOf(ada.id)).toEqual([100, 0, 100])
    const balances: Array<number> = []
    for (const amount of ["33.33", "33.33", undefined]) {
      await at.tell({ checkoutId, type: "refunded", ...(amount === undefined ? {} : { amount }) })
      balances.push((await at.accountOf(ada.id)).balance)
    }
    expect(balances).toEqual([67, 34, 0])
    expect(await at.ledgerOf(ada.id)).toEqual([
      ["EARN", 100],
      ["REVERSE", -33],
      ["REVERSE", -33],
      ["REVERSE", -34]
    ])
    expect(await at.pointsOf(ada.id)).toEqual([0, 0, 0])
    expect(await at.audited()).toEqual([])
  })

  it("as far as the customer still has them; the tier goes by all of them", async () => {
    const at = await opened({ tiers: [{ name: "Gold", threshold: 50, multiplier: 2 }] })
    const ada = await at.known()
    const checkoutId = await at.checkout(ada, await at.product(10_000n))
    await at.charge(ada, checkoutId)
    await at.relayed()
    await at.adjust(ada.id, -70)
    await at.tell({ checkoutId, type: "refunded" })
    const { balance, lifetime, tier } = await at.accountOf(ada.id)
    expect([balance, lifetime, tier]).toEqual([0, 0, null])
    expect(await at.audited()).toEqual([])
  })
})

describe("points expire", () => {
  const day = 86_400_000
  const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })

  it("those that expire first are spent first; what is left of them goes in time", async () => {
    const at = await opened({ expiryDays: 30 })
    const ada = await at.known()
    await at.adjust(ada.id, 100)
    await at.putProgram({ expiryDays: 10 })
    await at.adjust(ada.id, 40)
    await at.adjust(ada.id, -25)
    await advance(11 * day)
    expect((await at.accountOf(ada.id)).balance).toBe(100)
    await expect
      .poll(() => at.ledgerOf(ada.id), { timeout: 20_000 })
      .toEqual([
        ["ADJUST", 100],
        ["ADJUST", 40],
        ["ADJUST", -25],
        ["EXPIRE", -15]
      ])
    expect((await at.adjust(ada.id, -101)).status).toBe(422)
    await advance(20 * day)
    await expect.poll(async () => (await at.ledgerOf(ada.id)).at(-1), { timeout: 20_000 }).toEqual(["EXPIRE", -100])
    expect(await at.pointsOf(ada.id)).toEqual([0, 0, 0])
    expect(await at.audited()).toEqual([])
  })
})

describe("a referral", () => {
  it("pays both with the new customer's first paid order, once", async () => {
    const at = await opened({ referralPoints: 50 })
    const ada = await at.known()
    const { referralCode } = (await at.me(ada.token, "GET", "/loyalty")).body
    const bob = await at.signUp({ referralCode: referralCode.toLowerCase() })
    expect(await at.pointsOf(ada.id)).toEqual([0, 0, 0])
    for (let i = 0; i < 2; i++) await at.charge(bob, await at.checkout(bob, await at.product(1_000n)))
    expect(await at.ledgerOf(bob.id)).toEqual([
      ["EARN", 10],
      ["EARN", 50],
      ["EARN", 10]
    ])
    expect(await at.ledgerOf(ada.id)).toEqual([["EARN", 50]])
    expect(await at.pointsOf(ada.id)).toEqual([50, 0, 50])
    expect(await at.audited()).toEqual([])
  })

  it("by a code that nobody has, or by one's own, refers nobody; registration goes on", async () => {
    const at = await opened({ referralPoints: 50 })
    const bob = await at.signUp({ referralCode: "REF-ZZZZZZZZ" })
    await at.charge(bob, await at.checkout(bob, await at.product(1_000n)))
    expect(await at.ledgerOf(bob.id)).toEqual([["EARN", 10]])
  })
})

describe("a customer who is deleted", () => {
  it("leaves books that add up, no points and no reasons, and earns nothing later", async () => {
    const at = await opened()
    const ada = await at.known()
    await at.adjust(ada.id, 80, "For Ada's birthday")
    const { body } = await at.complete(ada, await at.checkout(ada, await at.product(1_000n)))
    await at.relayed()
    expect((await at.admin("DELETE", `/customers/${ada.id}`)).status).toBe(200)
    await at.admin("POST", `/orders/${body.orderId}/payments`, { amount: "10.00", method: "cash" })
    await at.relayed()
    expect((await at.admin("GET", `/loyalty/customers/${ada.id}`)).status).toBe(404)
    const rows = await rowsOf(
      shop,
      "SELECT type, points::int, reason FROM loyalty_transaction WHERE customer_id = $1 ORDER BY seq",
      [ada.id]
    )
    expect(rows).toEqual([
      { type: "ADJUST", points: 80, reason: null },
      { type: "ADJUST", points: -80, reason: null }
    ])
    expect(await at.audited()).toEqual([])
  })
})
