/** A store goes to another database whole, by its file, and sells there. */
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { exported, fillWithPeople, findingsIn, imported, linesOf, openClient, rowsIn } from "./transferShops.ts"

let shop: TestCommerce
let other: TestCommerce
let made: Awaited<ReturnType<typeof fillWithPeople>>
let file: string
const theirs = memoryObjectStore()

beforeAll(async () => {
  shop = await openTestCommerce()
  other = await openTestCommerce({ media: { store: theirs } })
  made = await fillWithPeople(shop)
  file = await exported(shop, { media: true })
})
afterAll(async () => {
  await shop.close()
  await other.close()
})

/** Without what names the moment or the whole of a file. */
const carriedRows = (text: string) => linesOf(text).filter((line) => line.table !== undefined)

describe("a store that moves", () => {
  it("arrives with every row that it had, in the account that is named", async () => {
    const done = await imported(other, file, other.accountId)
    expect(done).toMatchObject({ id: shop.storeId, accountId: other.accountId, anonymised: false })
    expect(carriedRows(await exported(other, { storeId: shop.storeId, media: true }))).toEqual(carriedRows(file))
    expect(done.rows["orders"]).toBe(rowsIn(file, "orders").length)
    expect(done.rows["orders"]).toBeGreaterThan(2)
  })
  it("keeps the books in order on both sides", async () => {
    expect(await findingsIn(shop)).toEqual([])
    expect(await findingsIn(other)).toEqual([])
  })
})
