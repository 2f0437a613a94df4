/** Two stores of one process, of which one's requests take long. */
import { waitedFor } from "@effect-commerce/core/testing/LockWaits"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let other: TestStore
let session: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", storeTurns: true })
  other = await shop.openStore()
  session = new pg.Client(shop.database.nodePostgres)
  await session.connect()
})
afterAll(async () => {
  await session.end()
  await shop.close()
})

const listOf = ({ channelId }: TestStore) => shop.call("GET", `/vc/${channelId}/products`)

/** A write that waits for the row of its product while `work` goes on, and is answered after it. */
const whileOneWaits = async (productId: string, work: () => Promise<void>) => {
  await session.query("BEGIN")
  await session.query(`SELECT 1 FROM product WHERE id = '${productId}' FOR UPDATE`)
  const writing = shop.call("PATCH", `/v1/products/${productId}`, { body: { name: "Shade" } })
  await waitedFor(session)
  await work()
  await session.query("COMMIT")
  expect((await writing).status).toBe(200)
}

describe("requests of a store that take long", () => {
  it("hold up those of their own store, and not those of another", async () => {
    const { body: product } = await shop.call("POST", "/v1/products", { body: { name: "Lamp", basePrice: "1.00" } })
    // Alone in the process, it is not held up, however long its requests take.
    await whileOneWaits(product.id, async () => {
      expect((await listOf(shop)).status).toBe(200)
      await shop.call("POST", "/test/clock", { body: { advanceMs: 10_000 } })
    })
    await listOf(other)
    let own: Promise<number> = Promise.resolve(0)
    let isAnswered = false
    await whileOneWaits(product.id, async () => {
      own = listOf(shop).then(({ status }) => {
        isAnswered = true
        return status
      })
      for (let i = 0; i < 5; i++) expect((await listOf(other)).status).toBe(200)
      expect(isAnswered).toBe(false)
    })
    expect(await own).toBe(200)
  })
})
