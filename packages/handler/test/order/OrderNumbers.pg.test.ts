import { Database } from "@effect-commerce/core/database/Database"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const rows = <A>(query: (sql: Database["Service"]["sql"]) => Effect.Effect<unknown, unknown>) =>
  shop.run(Effect.flatMap(Database, ({ sql }) => query(sql)) as unknown as Effect.Effect<ReadonlyArray<A>>)
/** Which version of the store's row this is: every UPDATE makes another. */
const storeRow = async () =>
  (await rows((sql) => sql`SELECT xmin::text, ctid::text FROM store WHERE id = ${shop.storeId}`))[0]
const order = (body: object = {}) =>
  shop.call("POST", "/v1/orders", { body: { items: [{ name: "Lamp", price: "1.00", quantity: 1 }], ...body } })

describe("the number of an order", () => {
  it("begins at #1001 and leaves the store's row as it is, however the order is placed", async () => {
    const before = await storeRow()
    const numbers = [(await order()).body.orderNumber]
    const lamp = await shopper.product({ price: 2_500n, stock: 5 })
    numbers.push(
      (await shopper.complete(await shopper.checkout(await shopper.cart([lamp, 1])), "by-hand")).body.orderNumber
    )
    const card = { paymentMethod: "test", paymentReference: "approve" }
    numbers.push(
      (await shopper.complete(await shopper.checkout(await shopper.cart([lamp, 1])), "by-card", card)).body.orderNumber
    )
    expect(numbers).toEqual(["#1001", "#1002", "#1003"])
    expect(await storeRow()).toEqual(before)
  })

  it("is not used up by an order that is refused", async () => {
    const taken = await order({ externalId: "mine" })
    expect((await order({ externalId: "mine" })).status).toBe(409)
    const next = await order()
    expect(Number(next.body.orderNumber.slice(1))).toBe(Number(taken.body.orderNumber.slice(1)) + 1)
  })

  it("is one for each of twenty orders at once, the first of their store", async () => {
    const other = await shop.openStore()
    const placed = await Promise.all(
      Array.from({ length: 20 }, () =>
        shop.call("POST", "/v1/orders", {
          key: other.apiKey,
          body: { items: [{ name: "Lamp", price: "1.00", quantity: 1 }] }
        })
      )
    )
    expect(placed.map(({ body }) => body.orderNumber).sort()).toEqual(
      Array.from({ length: 20 }, (_, i) => `#${1_001 + i}`)
    )
  })
})
