import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"
import { giftCardsOf, type Issued } from "./giftCards.ts"

let shop: TestCommerce
let twin: Commerce
let cards: ReturnType<typeof giftCardsOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  twin = await shop.openTwin()
  cards = giftCardsOf(shop)
})
afterAll(() => shop.close())

const sendTo = async (commerce: Commerce, path: string, key: string, body: object) => {
  const answer = await commerce.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "idempotency-key": key,
        ...(path.startsWith("/v1/") ? { authorization: `Bearer ${shop.apiKey}` } : {})
      },
      body: JSON.stringify(body)
    })
  )
  return { status: answer.status, body: (await answer.json()) as { code?: string; orderId?: string } }
}
const on = (i: number) => (i % 2 === 0 ? shop.commerce : twin)

/** Checkouts of one lamp each, with the same cards entered. */
const checkoutsOf = async (count: number, price: bigint, ...issued: ReadonlyArray<Issued>) => {
  const shopper = shopperOf(shop)
  const lamp = await shopper.product({ price, stock: count })
  const paths: Array<string> = []
  for (let i = 0; i < count; i++) {
    const id = await shopper.checkout(await shopper.cart([lamp, 1]))
    for (const { code } of i % 2 === 0 ? issued : [...issued].reverse())
      expect((await cards.enter(id, code)).status).toBe(200)
    paths.push(`${shopper.at}/checkout/${id}/complete`)
  }
  return { lamp, paths }
}
const statuses = (answers: ReadonlyArray<{ readonly status: number }>) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))].map((status) => [
      status,
      answers.filter((answer) => answer.status === status).length
    ])
  )
const stockOf = (lamp: string) => rowsOf(shop, "SELECT total, reserved FROM stock WHERE key = $1", [lamp])

describe("a card of 100.00 and thirty orders of 10.00 at once, through two instances", () => {
  it("pays exactly ten of them, is empty after, and nothing of the others is sold", async () => {
    const card = await cards.issue("100.00")
    const { lamp, paths } = await checkoutsOf(30, 1_000n, card)
    const answers = await Promise.all(paths.map((path, i) => sendTo(on(i), path, `ten-${i}`, {})))
    expect(statuses(answers)).toEqual({ 200: 10, 409: 20 })
    expect(await cards.booksOf(card)).toEqual({
      balance: 0,
      held: 0,
      spent: Array.from({ length: 10 }, () => 1_000)
    })
    expect(await stockOf(lamp)).toEqual([{ total: 20, reserved: 0 }])
    expect(await cards.findings()).toEqual([])
  })
})

describe("two cards, and sixteen orders that pay a part by both and the rest by any way", () => {
  it("are spent as often as both have enough, without waiting for each other in a circle", async () => {
    const [a, b] = [await cards.issue("11.00"), await cards.issue("10.00")]
    const { lamp, paths } = await checkoutsOf(16, 2_500n, a, b)
    const ways = [{ paymentMethod: "manual" }, { paymentMethod: "test", paymentReference: "approve" }]
    const answers = await Promise.all(paths.map((path, i) => sendTo(on(i), path, `two-${i}`, ways[(i >> 1) % 2] ?? {})))
    expect(statuses(answers)).toEqual({ 200: 1, 409: 15 })
    expect(await cards.booksOf(a)).toEqual({ balance: 0, held: 0, spent: [1_100] })
    expect(await cards.booksOf(b)).toEqual({ balance: 0, held: 0, spent: [1_000] })
    expect(await stockOf(lamp)).toEqual([{ total: 15, reserved: 0 }])
    expect(await cards.findings()).toEqual([])
  })
})

describe("one checkout that is completed sixteen times at once", () => {
  it("spends its card once, by every way to pay", async () => {
    for (const [w, body] of [{}, { paymentMethod: "test", paymentReference: "approve" }].entries()) {
      const card = await cards.issue("30.00")
      const { paths } = await checkoutsOf(1, w === 0 ? 2_500n : 5_000n, card)
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, i) => sendTo(on(i), paths[0] ?? "", `one-${w}-${i}`, body))
      )
      expect(new Set(answers.flatMap(({ body: { orderId } }) => orderId ?? [])).size).toBe(1)
      expect(await cards.booksOf(card)).toMatchObject({ held: 0, spent: [w === 0 ? 2_500 : 3_000] })
    }
    expect(await cards.findings()).toEqual([])
  })
})

describe("adjustments and orders at once", () => {
  it("never take more than the card has, and the ledger says what became of it", async () => {
    const card = await cards.issue("50.00")
    const { paths } = await checkoutsOf(8, 1_000n, card)
    const path = `/v1/gift-cards/${card.id}/adjust`
    const answers = await Promise.all([
      ...paths.map((at, i) => sendTo(on(i), at, `mixed-${i}`, {})),
      ...Array.from({ length: 8 }, (_, i) => sendTo(on(i), path, `taken-${i}`, { delta: "-10.00", reason: "Taken" }))
    ])
    expect(statuses(answers)).toEqual({ 200: 5, 409: 11 })
    const { data, meta } = await cards.transactions(card.id, "?limit=100")
    expect([data[0].balance, meta.total]).toEqual(["0.00", 6])
    expect(await cards.findings()).toEqual([])
  })
})
