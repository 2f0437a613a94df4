import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { addStoreCredit, openCredit, strangers, tendersOf } from "./storeCredit.ts"
import { faultsOnce } from "../faultsOnce.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let credit: Awaited<ReturnType<typeof openCredit>>
const onceAt = faultsOnce()

addStoreCredit()
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  credit = await openCredit(shop)
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await credit.close()
  await shop.close()
})

let keys = 0
const completing = (checkoutId: string, body: object) => shopper.complete(checkoutId, `tender-${keys++}`, body)
const pay = (checkoutId: string, paymentReference: string) =>
  completing(checkoutId, { paymentMethod: "test", paymentReference })
let buyers = 0
/** A checkout of a lamp for 25.00, paid in part by these credits. */
const begin = async (tenders: Readonly<Record<string, bigint>>, { price = 2_500n } = {}) => {
  const lamp = await shopper.product({ name: "Lamp", price, stock: 1 })
  const checkoutId = await shopper.checkout(await shopper.cart([lamp, 1]))
  const email = `buyer-${buyers++}@example.com`
  tendersOf.set(email, tenders)
  const { body } = await shop.call("PATCH", `${shopper.at}/checkout/${checkoutId}/customer`, { body: { email } })
  return { lamp, checkoutId, email, checkout: body }
}
const tell = (body: object) => shop.call("POST", "/test/provider-events", { body })
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
/** Waits for the background work, which is due by the clock. */
const until = (holds: () => Promise<boolean>) => expect.poll(holds, { timeout: 30_000 }).toBe(true)
const stockOf = async (productId: string) => {
  const { total, reserved } = (await shop.call("GET", `/v1/products/${productId}/inventory`)).body
  return { total, reserved }
}
const statusOf = async (checkoutId: string) =>
  (await shop.call("GET", `${shopper.at}/checkout/${checkoutId}`)).body.status
const ordersOf = (checkoutId: string) => credit.rows("SELECT id FROM orders WHERE checkout_id = $1", [checkoutId])
const paymentsOf = async (orderId: string) => {
  const { tenders } = (await shop.call("GET", `/v1/orders/${orderId}`)).body
  return Object.fromEntries(tenders.map(({ type, amountBase }: Record<string, string>) => [type, amountBase]))
}
const chargesOf = (checkoutId: string) =>
  credit.rows(
    `SELECT state, amount::int, captured::int, refunded::int FROM provider_operation WHERE subject_id = $1
      AND kind = 'authorize' ORDER BY created_at, id`,
    [checkoutId]
  )
const failuresOf = (checkoutId: string) =>
  credit.rows(
    "SELECT data ->> 'error' AS error FROM event WHERE type = 'payment.failed' AND data ->> 'checkoutId' = $1",
    [checkoutId]
  )
/** The shopper is told that it is too late for the tender, and nothing has become of the completion. */
const expectExhausted = async (
  { status, body }: Awaited<ReturnType<typeof pay>>,
  { checkoutId, lamp }: { readonly checkoutId: string; readonly lamp: string },
  tenderId: string
) => {
  expect([status, body.code, body.details]).toEqual([409, "CONFLICT", { reason: "exhausted", tenderId }])
  expect([await chargesOf(checkoutId), await ordersOf(checkoutId)]).toEqual([[], []])
  expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0 })
  expect(await statusOf(checkoutId)).toBe("PENDING")
}
/** What is logged of a process that dies is not the test's output. */
const untold = () => {
  for (const name of ["log", "error"] as const) vi.spyOn(console, name).mockImplementation(() => undefined)
}

describe("a tender pays a part of an order", () => {
  it("and the provider is asked for the rest: it is spent once, and is a payment of the order", async () => {
    const card = await credit.issue(3_000n)
    const { checkoutId, checkout } = await begin({ [card]: 1_000n })
    expect([checkout.tenders, checkout.providerAmountDue]).toEqual([
      [{ tenderId: card, amountApplied: "10.00" }],
      "15.00"
    ])
    const done = await pay(checkoutId, "approve")
    expect([done.status, done.body.status]).toEqual([200, "PAID"])
    expect(await paymentsOf(done.body.orderId)).toEqual({ test: "15.00", credit: "10.00" })
    expect(await chargesOf(checkoutId)).toEqual([{ state: "succeeded", amount: 1_500, captured: 1_500, refunded: 0 }])
    expect(await credit.booksOf(card)).toEqual({ balance: 2_000, held: 0, spent: [1_000] })
    expect((await pay(checkoutId, "approve")).body.orderId).toBe(done.body.orderId)
    expect(await credit.booksOf(card)).toEqual({ balance: 2_000, held: 0, spent: [1_000] })
  })

  it("or all of it: no provider is asked", async () => {
    const card = await credit.issue(3_000n)
    const { checkoutId } = await begin({ [card]: 2_500n })
    const done = await pay(checkoutId, "decline")
    expect([done.status, done.body.status]).toEqual([200, "PAID"])
    expect([await paymentsOf(done.body.orderId), await chargesOf(checkoutId)]).toEqual([{ credit: "25.00" }, []])
    expect(await credit.booksOf(card)).toEqual({ balance: 500, held: 0, spent: [2_500] })
  })

  it("and what is left is paid by hand", async () => {
    const card = await credit.issue(1_000n)
    const { checkoutId } = await begin({ [card]: 1_000n })
    const done = await completing(checkoutId, { paymentMethod: "manual" })
    expect(await paymentsOf(done.body.orderId)).toEqual({ manual: "15.00", credit: "10.00" })
    expect(await credit.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
  })

  it("but one exhausted before completion is refused, however the rest is paid: nothing is charged or spent", async () => {
    const [card, empty] = [await credit.issue(3_000n), await credit.issue(999n)]
    const begun = await begin({ [card]: 500n, [empty]: 1_000n })
    await expectExhausted(await pay(begun.checkoutId, "approve"), begun, empty)
    await expectExhausted(await completing(begun.checkoutId, { paymentMethod: "manual" }), begun, empty)
    const whole = await begin({ [card]: 1_500n, [empty]: 1_000n })
    await expectExhausted(await completing(whole.checkoutId, {}), whole, empty)
    expect(await credit.booksOf(card)).toEqual({ balance: 3_000, held: 0, spent: [] })
    expect(await credit.booksOf(empty)).toEqual({ balance: 999, held: 0, spent: [] })
  })

  it("of a kind that nobody has registered makes no order", async () => {
    untold()
    const { checkoutId, lamp, email } = await begin({})
    strangers.add(email)
    for (const paymentReference of ["approve", "manual"]) {
      const paymentMethod = paymentReference === "manual" ? paymentReference : "test"
      const refused = await completing(checkoutId, { paymentMethod, paymentReference })
      expect([refused.status, refused.body.code]).toEqual([500, "INTERNAL_SERVER_ERROR"])
    }
    expect([await chargesOf(checkoutId), await ordersOf(checkoutId), await stockOf(lamp)]).toEqual([
      [],
      [],
      { total: 1, reserved: 0 }
    ])
  })
})

describe("a tender is held from before the provider is asked", () => {
  it("is released when the card is declined, and can pay for another order", async () => {
    for (const reference of ["decline", "error"]) {
      const card = await credit.issue(1_000n)
      const { checkoutId } = await begin({ [card]: 1_000n })
      expect((await pay(checkoutId, reference)).status).toBeGreaterThan(400)
      expect(await credit.booksOf(card)).toEqual({ balance: 1_000, held: 0, spent: [] })
      const other = await begin({ [card]: 1_000n })
      expect((await pay(other.checkoutId, "approve")).status).toBe(200)
      expect(await credit.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
    }
  })

  it("is spent all the same by money that comes after the card was declined", async () => {
    const card = await credit.issue(1_000n)
    const { checkoutId } = await begin({ [card]: 1_000n })
    expect((await pay(checkoutId, "decline")).status).toBe(422)
    const told = await tell({ checkoutId, type: "captured" })
    expect(await paymentsOf(told.body.orderId)).toEqual({ test: "15.00", credit: "10.00" })
    expect(await credit.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
  })

  it("cannot pay for another order meanwhile, and is spent once however often the money is told", async () => {
    const card = await credit.issue(1_000n)
    const { checkoutId } = await begin({ [card]: 1_000n })
    expect((await pay(checkoutId, "timeout")).status).toBe(500)
    expect(await credit.booksOf(card)).toEqual({ balance: 1_000, held: 1_000, spent: [] })
    const other = await begin({ [card]: 1_000n })
    await expectExhausted(await pay(other.checkoutId, "approve"), other, card)
    const told = await tell({ checkoutId, type: "captured" })
    expect((await tell({ checkoutId, type: "captured" })).body).toEqual(told.body)
    expect(await paymentsOf(told.body.orderId)).toEqual({ test: "15.00", credit: "10.00" })
    expect(await credit.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
  })

  it("is what the shopper agreed to, whatever the quote says when the money comes", async () => {
    const [card, later] = [await credit.issue(1_000n), await credit.issue(2_000n)]
    const { checkoutId, email } = await begin({ [card]: 1_000n })
    await pay(checkoutId, "timeout")
    tendersOf.set(email, { [later]: 2_000n })
    const told = await tell({ checkoutId, type: "captured" })
    expect(await paymentsOf(told.body.orderId)).toEqual({ test: "15.00", credit: "10.00" })
    expect(await credit.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
    expect(await credit.booksOf(later)).toEqual({ balance: 2_000, held: 0, spent: [] })
  })

  it("until its time, though the process died: from then on others may have it", async () => {
    untold()
    const card = await credit.issue(1_000n)
    const { checkoutId, lamp } = await begin({ [card]: 1_000n })
    onceAt("payment.begun", () => Promise.reject(new Error("the process died")))
    expect((await pay(checkoutId, "approve")).status).toBe(500)
    expect(await credit.booksOf(card)).toEqual({ balance: 1_000, held: 1_000, spent: [] })
    const other = await begin({ [card]: 1_000n })
    await expectExhausted(await pay(other.checkoutId, "approve"), other, card)
    await advance(31_000)
    await until(async () => (await statusOf(checkoutId)) === "PENDING")
    expect(await credit.booksOf(card)).toEqual({ balance: 1_000, held: 0, spent: [] })
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0 })
    expect((await pay(other.checkoutId, "approve")).status).toBe(200)
    expect(await credit.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
  })
})

describe("money that comes when the hold of a tender has lapsed", () => {
  const lapsed = async (amounts: Readonly<Record<string, bigint>>) => {
    const begun = await begin(amounts)
    expect((await pay(begun.checkoutId, "timeout")).status).toBe(500)
    await advance(16 * 60_000)
    return begun
  }

  it("makes its order while the tender has enough", async () => {
    const card = await credit.issue(1_000n)
    const { checkoutId } = await lapsed({ [card]: 1_000n })
    const told = await tell({ checkoutId, type: "captured" })
    expect(await paymentsOf(told.body.orderId)).toEqual({ test: "15.00", credit: "10.00" })
    expect(await credit.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
  })

  it("is refunded when another order has spent the tender: no order, nothing sold, nothing spent, the checkout is open", async () => {
    const [full, card] = [await credit.issue(500n), await credit.issue(1_000n)]
    const { checkoutId, lamp } = await lapsed({ [full]: 500n, [card]: 1_000n })
    const other = await begin({ [card]: 400n })
    expect((await pay(other.checkoutId, "approve")).status).toBe(200)
    await tell({ checkoutId, type: "captured" })
    expect([await ordersOf(checkoutId), await statusOf(checkoutId)]).toEqual([[], "PENDING"])
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0 })
    expect(await credit.booksOf(full)).toEqual({ balance: 500, held: 0, spent: [] })
    expect(await credit.booksOf(card)).toEqual({ balance: 600, held: 0, spent: [400] })
    expect(await failuresOf(checkoutId)).toEqual([
      { error: `the credit ${card}, which was to pay a part of the order, has not enough left` }
    ])
    await until(async () => (await chargesOf(checkoutId))[0]?.state === "refunded")
    expect(await chargesOf(checkoutId)).toEqual([
      { state: "refunded", amount: 1_000, captured: 1_000, refunded: 1_000 }
    ])
    await tell({ checkoutId, type: "captured" })
    expect([await ordersOf(checkoutId), await credit.booksOf(full)]).toEqual([[], { balance: 500, held: 0, spent: [] }])
  })

  it("and a tender that is gone is told to the shopper who still waits: what was held for the checkout has passed", async () => {
    const card = await credit.issue(1_000n)
    const { checkoutId } = await begin({ [card]: 1_000n })
    const lapse = "UPDATE test_credit_hold SET held_until = to_timestamp(0) WHERE credit_id = $1"
    const empty = "UPDATE test_credit SET balance = 400 WHERE id = $1"
    onceAt("payment.answered", () => Promise.all([lapse, empty].map((sql) => credit.rows(sql, [card]))))
    const late = await pay(checkoutId, "approve")
    expect([late.status, late.body.code]).toEqual([409, "RESERVATION_EXPIRED"])
    await until(async () => (await chargesOf(checkoutId))[0]?.state === "refunded")
    expect([await ordersOf(checkoutId), await statusOf(checkoutId)]).toEqual([[], "PENDING"])
  })
})
