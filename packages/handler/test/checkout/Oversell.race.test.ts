import { afterAll, beforeAll, describe, expect, it } from "vitest"
import pg from "pg"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let twin: Commerce
beforeAll(async () => {
  shop = await openTestCommerce()
  twin = await shop.openTwin()
})
afterAll(() => shop.close())

const completeOn = async (commerce: Commerce, path: string, key: string) => {
  const answer = await commerce.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: "{}"
    })
  )
  return {
    status: answer.status,
    body: (await answer.json()) as { code?: string; orderId?: string; orderNumber?: string }
  }
}

describe("forty buyers for seven units, through two instances", () => {
  it("make exactly seven orders with numbers without a gap, and leave the books in balance", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product({ stock: 7 })
    const ids: Array<string> = []
    for (let i = 0; i < 40; i++) ids.push(await shopper.checkout(await shopper.cart([lamp, 1])))
    const answers = await Promise.all(
      ids.map((id, i) =>
        completeOn(i % 2 === 0 ? shop.commerce : twin, `${shopper.at}/checkout/${id}/complete`, `race-${i}`)
      )
    )

    const sold = answers.filter((answer) => answer.status === 200)
    const refused = answers.filter((answer) => answer.status === 400)
    expect([sold.length, refused.length]).toEqual([7, 33])
    expect(new Set(refused.map((answer) => answer.body.code))).toEqual(new Set(["INSUFFICIENT_STOCK"]))
    expect(sold.map((answer) => Number(answer.body.orderNumber?.slice(1))).sort((a, b) => a - b)).toEqual([
      1001, 1002, 1003, 1004, 1005, 1006, 1007
    ])

    const client = new pg.Client(shop.database.nodePostgres)
    await client.connect()
    try {
      const one = async (sql: string) => (await client.query(sql, [lamp])).rows[0]
      expect(await one("SELECT total, reserved FROM stock WHERE key = $1")).toEqual({ total: 0, reserved: 0 })
      expect(await one("SELECT sum(delta)::int AS sum FROM stock_movement WHERE key = $1")).toEqual({ sum: 0 })
      expect(await one("SELECT count(*)::int AS n FROM order_item WHERE product_id = $1")).toEqual({ n: 7 })
      const events = await client.query("SELECT count(*)::int AS n FROM event WHERE type = 'order.created'")
      expect(events.rows[0]).toEqual({ n: 7 })
    } finally {
      await client.end()
    }
  })

  it("cannot complete one checkout twice, whatever the keys", async () => {
    const shopper = shopperOf(shop)
    const id = await shopper.checkout(await shopper.cart([await shopper.product({ stock: 50 }), 1]))
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        completeOn(i % 2 === 0 ? shop.commerce : twin, `${shopper.at}/checkout/${id}/complete`, `twice-${i}`)
      )
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.orderId)).size).toBe(1)
  })
})
