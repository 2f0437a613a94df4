/** Gift cards that pay a part of an order while a payment provider pays the rest: held, spent, released. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"
import { giftCardsOf, type Issued } from "./giftCards.ts"
import { faultsOnce } from "../faultsOnce.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let cards: ReturnType<typeof giftCardsOf>
const onceAt = faultsOnce()

beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  cards = giftCardsOf(shop)
})
afterEach(async () => {
  vi.restoreAllMocks()
  expect(await cards.findings()).toEqual([])
})
afterAll(() => shop.close())

let keys = 0
const completing = (checkoutId: string, body: object) => shopper.complete(checkoutId, `charge-${keys++}`, body)
const pay = (checkoutId: string, paymentReference: string) =>
  completing(checkoutId, { paymentMethod: "test", paymentReference })
/** A checkout of a lamp for 25.00 with these cards. */
const begin = async (...issued: ReadonlyArray<Issued>) => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock: 1 })
  const checkoutId = await shopper.checkout(await shopper.cart([lamp, 1]))
  for (const { code } of issued) expect((await cards.enter(checkoutId, code)).status).toBe(200)
  return { lamp, checkoutId }
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
const ordersOf = (checkoutId: string) => rowsOf(shop, "SELECT id FROM orders WHERE checkout_id = $1", [checkoutId])
const paymentsOf = async (orderId: string) => {
  const { tenders } = (await shop.call("GET", `/v1/orders/${orderId}`)).body
  return Object.fromEntries(tenders.map(({ type, amountBase }: Record<string, string>) => [type, amountBase]))
}
const chargesOf = (checkoutId: string) =>
  rowsOf(
    shop,
    `SELECT state, amount::int, captured::int, refunded::int FROM provider_operation WHERE subject_id = $1
      AND kind = 'authorize' ORDER BY created_at, id`,
    [checkoutId]
  )
/** The shopper is told that it is too late for the card, and nothing has become of the completion. */
const expectExhausted = async (
  { status, body }: Awaited<ReturnType<typeof pay>>,
  { checkoutId, lamp }: { readonly checkoutId: string; readonly lamp: string },
  { id }: Issued
) => {
  expect([status, body.code, body.details]).toEqual([409, "CONFLICT", { reason: "exhausted", tenderId: id }])
  expect([await chargesOf(checkoutId), await ordersOf(checkoutId)]).toEqual([[], []])
  expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0 })
  expect(await statusOf(checkoutId)).toBe("PENDING")
}
/** What is logged of a process that dies is not the test's output. */
const untold = () => {
  for (const name of ["log", "error"] as const) vi.spyOn(console, name).mockImplementation(() => undefined)
}

describe("a gift card and a charge", () => {
  it("pay an order together: the provider is asked for the rest, and the card is spent once", async () => {
    const card = await cards.issue("10.00")
    const { checkoutId } = await begin(card)
    const done = await pay(checkoutId, "approve")
    expect([done.status, done.body.status]).toEqual([200, "PAID"])
    expect(await paymentsOf(done.body.orderId)).toEqual({ test: "15.00", gift_card: "10.00" })
    expect(await chargesOf(checkoutId)).toEqual([{ state: "succeeded", amount: 1_500, captured: 1_500, refunded: 0 }])
    expect(await cards.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
    expect((await pay(checkoutId, "approve")).body.orderId).toBe(done.body.orderId)
    const { tenders } = (await shop.call("GET", `/v1/orders/${done.body.orderId}`)).body
    expect(tenders.map(({ giftCard }: { giftCard: unknown }) => giftCard)).toEqual([
      null,
      { id: card.id, codeLast4: card.codeLast4 }
    ])
  })

  it("that covers all asks no provider, even where one is named", async () => {
    const card = await cards.issue("30.00")
    const { checkoutId } = await begin(card)
    const done = await pay(checkoutId, "decline")
    expect([done.status, done.body.status]).toEqual([200, "PAID"])
    expect([await paymentsOf(done.body.orderId), await chargesOf(checkoutId)]).toEqual([{ gift_card: "25.00" }, []])
    expect(await cards.booksOf(card)).toEqual({ balance: 500, held: 0, spent: [2_500] })
  })
})

describe("a gift card is held from before the provider is asked", () => {
  it("is released when the charge is declined or fails, and can pay for another order", async () => {
    for (const reference of ["decline", "error"]) {
      const card = await cards.issue("10.00")
      const { checkoutId } = await begin(card)
      expect((await pay(checkoutId, reference)).status).toBeGreaterThan(400)
      expect(await cards.booksOf(card)).toEqual({ balance: 1_000, held: 0, spent: [] })
      const other = await begin(card)
      expect((await pay(other.checkoutId, "approve")).status).toBe(200)
      expect(await cards.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
    }
  })

  it("is spent all the same by money that comes after a decline", async () => {
    const card = await cards.issue("10.00")
    const { checkoutId } = await begin(card)
    expect((await pay(checkoutId, "decline")).status).toBe(422)
    const told = await tell({ checkoutId, type: "captured" })
    expect(await paymentsOf(told.body.orderId)).toEqual({ test: "15.00", gift_card: "10.00" })
    expect(await cards.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
  })

  it("cannot pay for another order meanwhile, and is spent once however often the money is told", async () => {
    const card = await cards.issue("10.00")
    const [{ checkoutId }, other] = [await begin(card), await begin(card)]
    expect((await pay(checkoutId, "timeout")).status).toBe(500)
    expect(await cards.booksOf(card)).toEqual({ balance: 1_000, held: 1_000, spent: [] })
    await expectExhausted(await pay(other.checkoutId, "approve"), other, card)
    const late = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
    expect((await cards.enter(late, card.code)).body.code).toBe("BAD_REQUEST")
    const told = await tell({ checkoutId, type: "captured" })
    expect((await tell({ checkoutId, type: "captured" })).body).toEqual(told.body)
    expect(await paymentsOf(told.body.orderId)).toEqual({ test: "15.00", gift_card: "10.00" })
    const { tenders } = (await shop.call("GET", `/v1/orders/${told.body.orderId}`)).body
    expect(tenders).toContainEqual(expect.objectContaining({ giftCard: { id: card.id, codeLast4: card.codeLast4 } }))
    expect(await cards.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
  })

  it("is spent by the charge that it was held for, although it was disabled or has expired meanwhile", async () => {
    for (const happen of [cards.disable, (id: string) => cards.change(id, { expiresAt: "2020-01-01" })]) {
      const card = await cards.issue("10.00")
      const { checkoutId } = await begin(card)
      expect((await pay(checkoutId, "timeout")).status).toBe(500)
      expect((await happen(card.id)).status).toBe(200)
      const told = await tell({ checkoutId, type: "captured" })
      expect(await paymentsOf(told.body.orderId)).toEqual({ test: "15.00", gift_card: "10.00" })
    }
  })

  it("until its time, though the process died: from then on others may have it", async () => {
    untold()
    const card = await cards.issue("10.00")
    const [{ checkoutId, lamp }, other] = [await begin(card), await begin(card)]
    onceAt("payment.begun", () => Promise.reject(new Error("the process died")))
    expect((await pay(checkoutId, "approve")).status).toBe(500)
    expect(await cards.booksOf(card)).toEqual({ balance: 1_000, held: 1_000, spent: [] })
    await expectExhausted(await pay(other.checkoutId, "approve"), other, card)
    await advance(31_000)
    await until(async () => (await statusOf(checkoutId)) === "PENDING")
    expect(await cards.booksOf(card)).toEqual({ balance: 1_000, held: 0, spent: [] })
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0 })
    expect((await pay(other.checkoutId, "approve")).status).toBe(200)
    expect(await cards.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
  })
})

describe("money that comes when the hold of a gift card has lapsed", () => {
  const lapsed = async (...issued: ReadonlyArray<Issued>) => {
    const begun = await begin(...issued)
    expect((await pay(begun.checkoutId, "timeout")).status).toBe(500)
    await advance(16 * 60_000)
    return begun
  }

  it("makes its order while the card has enough", async () => {
    const card = await cards.issue("10.00")
    const { checkoutId } = await lapsed(card)
    const told = await tell({ checkoutId, type: "captured" })
    expect(await paymentsOf(told.body.orderId)).toEqual({ test: "15.00", gift_card: "10.00" })
    expect(await cards.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [1_000] })
  })

  it("is refunded when the card was spent or disabled meanwhile: no order, nothing spent, the checkout is open", async () => {
    for (const happen of [
      async (card: Issued) => {
        const other = await begin(card)
        expect((await pay(other.checkoutId, "approve")).status).toBe(200)
      },
      async (card: Issued) => void (await cards.disable(card.id))
    ]) {
      const [full, card] = [await cards.issue("5.00"), await cards.issue("10.00")]
      const { checkoutId, lamp } = await lapsed(full, card)
      await happen(card)
      await tell({ checkoutId, type: "captured" })
      expect([await ordersOf(checkoutId), await statusOf(checkoutId)]).toEqual([[], "PENDING"])
      expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0 })
      expect(await cards.booksOf(full)).toEqual({ balance: 500, held: 0, spent: [] })
      await until(async () => (await chargesOf(checkoutId))[0]?.["state"] === "refunded")
      expect(await chargesOf(checkoutId)).toEqual([
        { state: "refunded", amount: 1_000, captured: 1_000, refunded: 1_000 }
      ])
    }
  })
})
