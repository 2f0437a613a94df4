/** Gift cards on checkouts and orders: entered, removed, shown, and spent without a provider. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"
import { giftCardsOf } from "./giftCards.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let cards: ReturnType<typeof giftCardsOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  cards = giftCardsOf(shop)
})
afterAll(() => shop.close())

let keys = 0
const complete = (checkoutId: string, body: object = {}) => shopper.complete(checkoutId, `card-${keys++}`, body)
/** A checkout of a lamp for 25.00. */
const begin = async (price = 2_500n) => {
  const lamp = await shopper.product({ name: "Lamp", price, stock: 5 })
  return { lamp, checkoutId: await shopper.checkout(await shopper.cart([lamp, 1])) }
}
const read = async (checkoutId: string) => (await shop.call("GET", `${shopper.at}/checkout/${checkoutId}`)).body
const orderOf = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body
const ordersOf = (checkoutId: string) => rowsOf(shop, "SELECT id FROM orders WHERE checkout_id = $1", [checkoutId])
const eventsOf = async (orderId: string) =>
  rowsOf(shop, "SELECT type, data FROM event WHERE data ->> 'orderId' = $1 ORDER BY seq", [orderId])
const rejected = [400, "BAD_REQUEST", "This gift card cannot be used"]
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof cards.enter>>) => [status, body.code, body.message]

describe("a gift card on a checkout", () => {
  it("pays what it has; several pay in the order in which they were entered, and the rest is due", async () => {
    const { checkoutId } = await begin()
    const [first, second] = [await cards.issue("10.00"), await cards.issue("4.50")]
    const one = await cards.enter(checkoutId, first.code.toLowerCase())
    expect([one.status, one.body.tenders, one.body.providerAmountDue, one.body.total]).toEqual([
      200,
      [{ tenderId: first.id, amountApplied: "10.00" }],
      "15.00",
      "25.00"
    ])
    const two = await cards.enter(checkoutId, second.code)
    expect([two.body.tenders, two.body.providerAmountDue]).toEqual([
      [
        { tenderId: first.id, amountApplied: "10.00" },
        { tenderId: second.id, amountApplied: "4.50" }
      ],
      "10.50"
    ])
    expect((await read(checkoutId)).tenders).toEqual(two.body.tenders)
    const removed = await cards.remove(checkoutId, first.id)
    expect([removed.status, removed.body.tenders, removed.body.providerAmountDue]).toEqual([
      200,
      [{ tenderId: second.id, amountApplied: "4.50" }],
      "20.50"
    ])
    const again = await cards.remove(checkoutId, first.id)
    expect([again.status, again.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("that was entered already pays once", async () => {
    const { checkoutId } = await begin()
    const { id, code } = await cards.issue("10.00")
    await cards.enter(checkoutId, code)
    expect((await cards.enter(checkoutId, code)).body.tenders).toEqual([{ tenderId: id, amountApplied: "10.00" }])
  })

  it("pays no more than is due, and then nothing but `free` is offered", async () => {
    const { checkoutId } = await begin()
    const [card, spare] = [await cards.issue("100.00"), await cards.issue("5.00")]
    expect((await read(checkoutId)).paymentMethods.map(({ kind }: { kind: string }) => kind)).not.toEqual(["free"])
    await cards.enter(checkoutId, card.code)
    const { body } = await cards.enter(checkoutId, spare.code)
    expect([body.tenders, body.providerAmountDue]).toEqual([
      [
        { tenderId: card.id, amountApplied: "25.00" },
        { tenderId: spare.id, amountApplied: "0.00" }
      ],
      "0.00"
    ])
    expect(body.paymentMethods.map(({ kind }: { kind: string }) => kind)).toEqual(["free"])
  })

  it("is rejected by one error, whatever the reason, and nothing changes", async () => {
    const { checkoutId } = await begin()
    const other = await shop.openStore()
    const foreign = await shop.call("POST", "/v1/gift-cards", { body: { initialBalance: 5 }, key: other.apiKey })
    const [disabled, spent] = [await cards.issue("5.00"), await cards.issue("5.00")]
    await cards.disable(disabled.id)
    await cards.adjust(spent.id, -5)
    const codes = [
      "NOPE",
      "",
      "7".repeat(1_000),
      foreign.body.code,
      disabled.code,
      spent.code,
      (await cards.issue("5.00", { expiresAt: "2020-01-01" })).code,
      (await cards.issue("5.00", { currency: "EUR" })).code
    ]
    const before = await read(checkoutId)
    for (const code of codes) expect(refusalOf(await cards.enter(checkoutId, code))).toEqual(rejected)
    expect(await read(checkoutId)).toEqual(before)
  })

  it("is one of at most ten", async () => {
    const { checkoutId } = await begin(100_000n)
    for (let i = 0; i < 10; i++)
      expect((await cards.enter(checkoutId, (await cards.issue("1.00")).code)).status).toBe(200)
    expect(refusalOf(await cards.enter(checkoutId, (await cards.issue("1.00")).code))).toEqual(rejected)
    expect((await read(checkoutId)).providerAmountDue).toBe("990.00")
  })

  it("that is spent, disabled or expired since pays nothing, and the checkout says why", async () => {
    for (const [reason, happen] of [
      ["exhausted", (id: string) => cards.adjust(id, "-10.00")],
      ["not_active", (id: string) => cards.disable(id)],
      ["expired", (id: string) => cards.change(id, { expiresAt: "2020-01-01" })]
    ] as const) {
      const { checkoutId } = await begin()
      const { id, code, codeLast4 } = await cards.issue("10.00")
      await cards.enter(checkoutId, code)
      await happen(id)
      const { tenders, notApplied, providerAmountDue } = await read(checkoutId)
      expect([tenders, providerAmountDue]).toEqual([[], "25.00"])
      expect(notApplied).toEqual([
        {
          type: "gift_card",
          id,
          name: `Gift card ending in ${codeLast4}`,
          code: null,
          reason,
          missingAmount: null,
          missingQuantity: null,
          lostTo: []
        }
      ])
    }
  })
})

describe("an order that gift cards pay", () => {
  it("whole is PAID, says by which cards, and tells that it is paid", async () => {
    const { checkoutId, lamp } = await begin()
    const [first, second, spare] = [await cards.issue("10.00"), await cards.issue("40.00"), await cards.issue("5.00")]
    for (const { code } of [first, second, spare]) await cards.enter(checkoutId, code)
    const done = await complete(checkoutId, { paymentMethod: "gift_card", expectedTotal: "25.00" })
    expect([done.status, done.body.status, done.body.total]).toEqual([200, "PAID", "25.00"])
    const order = await orderOf(done.body.orderId)
    expect(order).toMatchObject({
      financialStatus: "paid",
      paymentMethod: "gift_card",
      numberOfPayments: 2,
      paymentProviderType: "gift_card"
    })
    const tender = (amountBase: string, { id, codeLast4 }: typeof first) => ({
      id: expect.stringMatching(/^pay_/),
      type: "gift_card",
      amountBase,
      currencyBase: "USD",
      giftCard: { id, codeLast4 }
    })
    const byAmount = [...order.tenders].sort((a, b) => a.amountBase.localeCompare(b.amountBase))
    expect(byAmount).toEqual([tender("10.00", first), tender("15.00", second)])
    const events = await eventsOf(order.id)
    expect(events.map(({ type }) => type)).toEqual(["order.created", "checkout.completed", "order.paid"])
    for (const { data } of events) expect((data as { order: object }).order).toMatchObject({ tenders: order.tenders })
    expect((await shop.call("GET", "/v1/orders")).body.data[0].tenders).toEqual(order.tenders)
    expect(await cards.booksOf(first)).toEqual({ balance: 0, held: 0, spent: [1_000] })
    expect(await cards.booksOf(second)).toEqual({ balance: 2_500, held: 0, spent: [1_500] })
    expect(await cards.booksOf(spare)).toEqual({ balance: 500, held: 0, spent: [] })
    expect((await cards.transactions(second.id)).data[0]).toMatchObject({
      type: "REDEEM",
      amount: "-15.00",
      balance: "25.00",
      orderId: order.id,
      reason: null
    })
    expect(await cards.get(first.id)).toMatchObject({ status: "REDEEMED", balance: "0.00" })
    expect((await shop.call("GET", `/v1/products/${lamp}/inventory`)).body).toMatchObject({ total: 4, reserved: 0 })
    expect((await complete(checkoutId)).body.orderId).toBe(order.id)
    expect(await cards.findings()).toEqual([])
  })

  it("whole is `free` by default, as every order with nothing due", async () => {
    const { checkoutId } = await begin()
    await cards.enter(checkoutId, (await cards.issue("25.00")).code)
    const done = await complete(checkoutId)
    expect([done.body.status, (await orderOf(done.body.orderId)).paymentMethod]).toEqual(["PAID", "free"])
  })

  it("in part is no way to pay it whole: 400 that names paymentMethod, and nothing is spent", async () => {
    const { checkoutId } = await begin()
    const card = await cards.issue("24.99")
    await cards.enter(checkoutId, card.code)
    const bare = await begin()
    const gratis = await begin(0n)
    for (const id of [checkoutId, bare.checkoutId, gratis.checkoutId]) {
      const refused = await complete(id, { paymentMethod: "gift_card" })
      expect([refused.status, refused.body.code, refused.body.details.errors]).toEqual([
        400,
        "VALIDATION_FAILED",
        { paymentMethod: "gift_card is for orders that gift cards pay whole" }
      ])
    }
    expect(await cards.booksOf(card)).toEqual({ balance: 2_499, held: 0, spent: [] })
    const done = await complete(checkoutId, { paymentMethod: "manual" })
    const order = await orderOf(done.body.orderId)
    expect([done.body.status, order.financialStatus, order.paymentMethod]).toEqual(["PENDING", "pending", "manual"])
    expect(order.tenders.map(({ type, giftCard }: Record<string, unknown>) => [type, giftCard])).toEqual([
      ["manual", null],
      ["gift_card", { id: card.id, codeLast4: card.codeLast4 }]
    ])
    expect(await cards.findings()).toEqual([])
  })

  it("is not made where a card has less than was shown: 409, nothing is charged or spent, until the shopper agrees", async () => {
    for (const [reason, happen] of [
      ["exhausted", (id: string) => cards.adjust(id, "-10.00")],
      ["exhausted", (id: string) => cards.adjust(id, "-0.01")],
      ["not_active", (id: string) => cards.disable(id)],
      ["expired", (id: string) => cards.change(id, { expiresAt: "2020-01-01" })]
    ] as const) {
      const { checkoutId, lamp } = await begin()
      const [card, whole] = [await cards.issue("10.00"), await cards.issue("3.00")]
      await cards.enter(checkoutId, whole.code)
      await cards.enter(checkoutId, card.code)
      await happen(card.id)
      for (const body of [{}, { paymentMethod: "test", paymentReference: "approve" }, { paymentMethod: "gift_card" }]) {
        const refused = await complete(checkoutId, body)
        expect([refused.status, refused.body.code, refused.body.details]).toEqual([
          409,
          "CONFLICT",
          { reason, tenderId: card.id }
        ])
      }
      expect(await ordersOf(checkoutId)).toEqual([])
      expect((await cards.booksOf(whole))?.["spent"]).toEqual([])
      expect((await shop.call("GET", `/v1/products/${lamp}/inventory`)).body).toMatchObject({ total: 5, reserved: 0 })
      const { status } = await cards.enter(checkoutId, card.code)
      if (status !== 200) await cards.remove(checkoutId, card.id)
      expect((await complete(checkoutId, { paymentMethod: "manual" })).status).toBe(200)
    }
  })

  it("is made where less is due since, and where other cards pay for what one lacks", async () => {
    const { checkoutId } = await begin()
    const [card, more] = [await cards.issue("20.00"), await cards.issue("30.00")]
    await cards.enter(checkoutId, card.code)
    await cards.enter(checkoutId, more.code)
    await cards.adjust(card.id, "-15.00")
    const done = await complete(checkoutId, { paymentMethod: "gift_card" })
    expect(done.status).toBe(200)
    expect(await cards.booksOf(card)).toEqual({ balance: 0, held: 0, spent: [500] })
    expect(await cards.booksOf(more)).toEqual({ balance: 1_000, held: 0, spent: [2_000] })
  })

  it("is not one that a merchant only calls so", async () => {
    const made = await shop.call("POST", "/v1/orders", {
      body: { items: [{ name: "Lamp", quantity: 1, price: "5.00" }], paymentMethod: "gift_card" }
    })
    const paid = await shop.call("POST", `/v1/orders/${made.body.id}/payments`, {
      body: { amount: "5.00", method: "gift_card", reference: "ABCD" }
    })
    expect(paid.body.tenders).toMatchObject([{ type: "gift_card", amountBase: "5.00", giftCard: null }])
    expect(await cards.findings()).toEqual([])
  })
})
