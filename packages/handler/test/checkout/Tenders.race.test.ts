import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { addStoreCredit, openCredit, tendersOf } from "./storeCredit.ts"

let shop: TestCommerce
let twin: Commerce
let credit: Awaited<ReturnType<typeof openCredit>>
addStoreCredit()
beforeAll(async () => {
  shop = await openTestCommerce()
  twin = await shop.openTwin()
  credit = await openCredit(shop)
})
afterAll(async () => {
  await credit.close()
  await shop.close()
})

const completeOn = async (commerce: Commerce, path: string, key: string, body: object) => {
  const answer = await commerce.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(body)
    })
  )
  return { status: answer.status, body: (await answer.json()) as { code?: string; orderId?: string } }
}

const checkoutOf = async (lamp: string, tenders: Readonly<Record<string, bigint>>, i: number) => {
  const shopper = shopperOf(shop)
  const id = await shopper.checkout(await shopper.cart([lamp, 1]))
  const email = `racer-${lamp}-${i}@example.com`
  tendersOf.set(email, tenders)
  await shop.call("PATCH", `${shopper.at}/checkout/${id}/customer`, { body: { email } })
  return `${shopper.at}/checkout/${id}/complete`
}

const ways = [{}, { paymentMethod: "test", paymentReference: "approve" }]

describe("sixteen shoppers with the same two cards, through two instances", () => {
  it("spend each card as often as it has enough, by whichever way they pay the rest", async () => {
    const lamp = await shopperOf(shop).product({ price: 2_500n, stock: 16 })
    const [a, b] = [await credit.issue(1_100n), await credit.issue(1_000n)]
    const paths: Array<string> = []
    // Named in either order, they are locked in one.
    for (let i = 0; i < 16; i++)
      paths.push(await checkoutOf(lamp, i % 2 === 0 ? { [a]: 200n, [b]: 100n } : { [b]: 100n, [a]: 200n }, i))
    const answers = await Promise.all(
      paths.map((path, i) => completeOn(i % 2 === 0 ? shop.commerce : twin, path, `two-${i}`, ways[(i >> 1) % 2] ?? {}))
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 200),
      ...Array.from({ length: 11 }, () => 409)
    ])
    expect(await credit.booksOf(a)).toMatchObject({ balance: 100, held: 0 })
    expect(await credit.booksOf(b)).toMatchObject({ balance: 500, held: 0 })
    expect(await credit.rows("SELECT count(*)::int AS n FROM orders", [])).toEqual([{ n: 5 }])
    expect(await credit.rows("SELECT total, reserved FROM stock WHERE key = $1", [lamp])).toEqual([
      { total: 11, reserved: 0 }
    ])
  })

  it("and one of them who completes many times at once spends it once", async () => {
    const lamp = await shopperOf(shop).product({ price: 2_500n, stock: 16 })
    const card = await credit.issue(5_000n)
    for (const [w, body] of ways.entries()) {
      const path = await checkoutOf(lamp, { [card]: 1_000n }, w)
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, i) =>
          completeOn(i % 2 === 0 ? shop.commerce : twin, path, `one-${w}-${i}`, body)
        )
      )
      expect(new Set(answers.flatMap(({ body: { orderId } }) => orderId ?? [])).size).toBe(1)
    }
    expect(await credit.booksOf(card)).toEqual({ balance: 3_000, held: 0, spent: [1_000, 1_000] })
  })
})
