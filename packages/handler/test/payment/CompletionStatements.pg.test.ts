import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { renewMemory, shopperOf } from "../Shopper.ts"

/** What a completion sends to the database: a payment that may begin before the shopper pays costs the others nothing. */
const statements = makeStatementCounter()
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

let keys = 0
const countOf = async (body: object) => {
  const lamp = await shopper.product({ price: 2_500n, stock: 9 })
  const sent = async () => {
    const checkoutId = await shopper.checkout(await shopper.cart([lamp, 1]))
    await renewMemory(shop)
    statements.reset()
    const done = await shopper.complete(checkoutId, `counted-${keys++}`, body)
    expect([done.status, done.text]).toEqual([200, done.text])
    return statements.statements()
  }
  await sent()
  return sent()
}

it("costs no more where no provider is called, and stores the answer of a provider with what settles it", async () => {
  expect((await countOf({})).length).toBe(9)
  const sent = await countOf({ paymentMethod: "test", paymentReference: "approve" })
  expect([sent.length, sent.filter((text) => text.includes("SET answer =")).length]).toEqual([14, 0])
})
