import { laws } from "@effect-commerce/core/audit/Laws"
import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let twin: Commerce
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce()
  twin = await shop.openTwin()
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const completeOn = async (commerce: Commerce, path: string, key: string) => {
  const answer = await commerce.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: "{}"
    })
  )
  return { status: answer.status, body: (await answer.json()) as { readonly code?: string } }
}

describe("a kit of three components beside its components, forty buyers through two instances", () => {
  it("sells no unit twice and refuses nobody whose units are there", async () => {
    const shopper = shopperOf(shop)
    const units = [20, 13, 9]
    const components = await Promise.all(units.map((stock) => shopper.product({ stock })))
    const parts = [3, 2, 1]
    const made = await shop.call("POST", "/v1/products", {
      body: {
        name: "Kit",
        type: "KIT",
        status: "active",
        basePrice: "30.00",
        kitComponents: components.map((productId, i) => ({ productId, quantity: parts[i] }))
      }
    })
    const kit = made.body.id as string
    const wants = Array.from({ length: 40 }, (_, i) => {
      const single = [components[i % 3] ?? "", 1 + (i % 2)] as const
      return i % 4 === 0 ? [single, [kit, 1] as const] : i % 4 === 1 ? [[kit, 1] as const] : [single]
    })
    const ids: Array<string> = []
    for (const lines of wants) ids.push(await shopper.checkout(await shopper.cart(...lines)))
    const answers = await Promise.all(
      ids.map((id, i) =>
        completeOn(i % 2 === 0 ? shop.commerce : twin, `${shopper.at}/checkout/${id}/complete`, `kit-race-${i}`)
      )
    )
    const needed = (lines: ReadonlyArray<readonly [string, number]>, component: string) =>
      lines.reduce((sum, [id, quantity]) => {
        const each = id === kit ? (parts[components.indexOf(component)] ?? 0) : id === component ? 1 : 0
        return sum + quantity * each
      }, 0)
    const sold = wants.filter((_, i) => answers[i]?.status === 200)
    const refused = wants.filter((_, i) => answers[i]?.body.code === "INSUFFICIENT_STOCK")
    expect(sold.length + refused.length).toBe(40)
    expect(refused.length).toBeGreaterThan(0)
    const left = new Map<string, number>()
    for (const [i, component] of components.entries()) {
      const { rows } = await client.query("SELECT total, reserved FROM stock WHERE key = $1", [component])
      const gone = sold.reduce((sum, lines) => sum + needed(lines, component), 0)
      expect(rows[0]).toEqual({ total: (units[i] ?? 0) - gone, reserved: 0 })
      left.set(component, Number(rows[0]?.["total"]))
    }
    const needless = refused.filter((lines) =>
      components.every((component) => needed(lines, component) <= (left.get(component) ?? 0))
    )
    expect(needless).toEqual([])
    for (const law of laws)
      expect(findingsOf(law, shop.storeId, (await client.query(questionOf(law), [shop.storeId])).rows)).toEqual([])
  })
})
