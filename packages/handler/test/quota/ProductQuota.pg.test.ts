/** A store has no more products than its operator allows, however they come to be. */
import { Effect } from "effect"
import { Database } from "@effect-commerce/core/database/Database"
import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, runWith, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { answerOf, noProduct, quotasOf } from "./quotas.ts"

let opened: TestCommerce
let twin: Commerce
/** A store of its own for each test. */
let shop: TestCommerce
let quotas: ReturnType<typeof quotasOf>
beforeAll(async () => {
  opened = await openTestCommerce({ role: "api" })
  twin = await opened.openTwin()
})
afterAll(() => opened.close())
beforeEach(async () => {
  const store = await opened.openStore()
  const call: TestCommerce["call"] = (method, path, options) =>
    opened.call(method, path, { key: path.startsWith("/v1/") ? store.apiKey : null, ...options })
  shop = { ...opened, ...store, call }
  quotas = quotasOf(shop)
})

const create = (body: object = {}) => shop.call("POST", "/v1/products", { body: { name: "Lamp", ...body } })
const eventsOf = (type: string) =>
  shop
    .run(
      Effect.map(
        Database,
        ({ sql }) =>
          sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM event
          WHERE store_id = ${shop.storeId} AND type = ${type}`
      ).pipe(Effect.flatten) as unknown as Effect.Effect<ReadonlyArray<{ readonly n: number }>>
    )
    .then(([row]) => row?.n)
/** What became of each product of a bulk call: its code, or that it was made. */
const bulk = async (products: ReadonlyArray<object>) => {
  const sent = await shop.call("POST", "/v1/products/bulk", { body: { products } })
  expect(sent.status).toBe(202)
  await runWith(shop.commerce, Effect.flatMap(ProductImports, ({ pass }) => pass) as never)
  const { body } = await shop.call("GET", `/v1/products/bulk/${sent.body.jobId}`)
  expect(body.status).toBe("COMPLETED")
  return body.results.map(({ error }: { error?: { code: string; message: string } }) => error?.code ?? "made")
}

describe("a store with a quota of products", () => {
  it("gets that many: one more is 402 and writes nothing, a variant is none, a deleted one leaves its place", async () => {
    await quotas.set({ maxProducts: 2 })
    const lamp = await create()
    expect(lamp.status).toBe(201)
    const variants = ["Oak", "Ash", "Elm"].map((name) => ({ name, attributes: { Wood: name }, price: "9.00" }))
    const desk = await create({ name: "Desk", type: "VARIABLE", variants })
    expect(desk.status).toBe(201)
    expect(answerOf(await create({ name: "Sofa" }))).toEqual(noProduct(2, 2))
    expect([await quotas.used(), await eventsOf("product.created")]).toEqual([{ products: 2, orders: 0 }, 2])
    const more = { name: "Fir", attributes: { Wood: "Fir" }, price: "9.00" }
    expect((await shop.call("POST", `/v1/products/${desk.body.id}/variants`, { body: more })).status).toBe(201)
    expect((await shop.call("PATCH", `/v1/products/${lamp.body.id}`, { body: { name: "Lamp 2" } })).status).toBe(200)
    expect((await shop.call("DELETE", `/v1/products/${lamp.body.id}`)).status).toBe(200)
    expect((await create({ name: "Sofa" })).status).toBe(201)
    expect(answerOf(await create({ name: "Rug" }))).toEqual(noProduct(2, 2))
  })

  it("is told first what is wrong with the body", async () => {
    await quotas.set({ maxProducts: 0 })
    const wrong = await create({ basePrice: "-1.00" })
    expect([wrong.status, wrong.body.code]).toEqual([400, "VALIDATION_FAILED"])
    expect(answerOf(await create())).toEqual(noProduct(0, 0))
    expect(answerOf(await create({ metafields: {}, attributes: [] }))).toEqual(noProduct(0, 0))
  })

  it("keeps what it has under a lower one, and gets more once it is lifted", async () => {
    for (const name of ["One", "Two", "Three"]) expect((await create({ name })).status).toBe(201)
    await quotas.set({ maxProducts: 1 })
    expect(answerOf(await create())).toEqual(noProduct(1, 3))
    await quotas.set({ maxProducts: null })
    expect((await create()).status).toBe(201)
    expect(await quotas.used()).toEqual({ products: 4, orders: 0 })
  })

  it("is of one store alone", async () => {
    await quotas.set({ maxProducts: 0 })
    const other = await opened.openStore()
    expect((await opened.call("POST", "/v1/products", { key: other.apiKey, body: { name: "Lamp" } })).status).toBe(201)
  })

  it("holds for bulk calls: the first rows that fit are made, the others fail alone", async () => {
    await quotas.set({ maxProducts: 3 })
    const kit = { name: "Kit", type: "KIT", kitPricingMode: "FIXED", basePrice: "5.00" }
    expect(
      await bulk([{ name: "A" }, { basePrice: "x" }, { name: "B" }, { name: "C" }, { name: "D" }, kit, { name: "E" }])
    ).toEqual(["made", "VALIDATION_FAILED", "made", "made", ...Array(3).fill("PLAN_LIMIT_REACHED")])
    expect(await quotas.used()).toEqual({ products: 3, orders: 0 })
    await quotas.set({ maxProducts: 4 })
    expect(await bulk([{ name: "D" }, { name: "E" }])).toEqual(["made", "PLAN_LIMIT_REACHED"])
  })

  it("gets exactly so many when many ask at once, through two instances", async () => {
    await quotas.set({ maxProducts: 5 })
    // The other instance learns of a quota as it learns of settings.
    await shop.call("POST", "/test/clock", { body: { advanceMs: 6_000 } })
    const there = async () => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${shop.apiKey}` }
      const request = new Request("http://commerce.test/api/v1/products", {
        method: "POST",
        headers,
        body: JSON.stringify({ name: "There" })
      })
      const { status } = await twin.fetch(request)
      return status
    }
    const answers = await Promise.all(
      Array.from({ length: 16 }, async (_, i) => (i % 2 === 0 ? there() : (await create({ name: `Here ${i}` })).status))
    )
    expect(answers.toSorted()).toEqual([...Array(5).fill(201), ...Array(11).fill(402)])
    expect(await quotas.used()).toEqual({ products: 5, orders: 0 })
  })
})
