/**
 * What listing rows hold of metafields: values of filterable ones alone. What a definition becomes, or that it goes, is
 * composed by the worker, and nobody who reads waits for it.
 */
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import { StorefrontProductRepository } from "@effect-commerce/core/storefront/StorefrontProductRepository"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  // No workers: the test is one.
  shop = await openTestCommerce({ role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

const definitions = "/v1/metafield-definitions"
const send = async (method: string, path: string, body?: object) => {
  const answer = await shop.call(method, path, body === undefined ? {} : { body })
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text])
  return answer.body
}
const rows = async (text: string) => (await owner.query(text)).rows
const filterKeysOf = async (id: string) =>
  (await rows(`SELECT filter_keys FROM product_listing WHERE product_id = '${id}'`))[0]?.["filter_keys"]
const notes = () => rows("SELECT product_id, cause FROM product_stale ORDER BY product_id, id")
const compose = () => shop.run(ListingRepair.use((stale) => stale.pass) as unknown as Effect.Effect<void>)
const listed = async (query: string) => (await shop.call("GET", `/vc/${shop.channelId}/products?${query}`)).body

/** What facets count of the values of a definition, before it is put into words. */
const counted = async (id: string) => {
  const whole = { offset: 0, length: 10 }
  const filter = { statuses: ["active"], now: new Date() } as const
  const which = { filter, sortBy: "menuOrder", descending: false, facets: true, block: whole, page: whole } as const
  const reading = StorefrontProductRepository.use(({ read }) => read(shop.storeId, which, new Date(), false)).pipe(
    Effect.provide(StorefrontProductRepository.layer)
  )
  const { found } = await shop.run(reading as unknown as Effect.Effect<Effect.Success<typeof reading>>)
  return found?.facets?.keys.filter(([key]) => key.startsWith(id))
}

describe("a metafield that becomes filterable, and one that ceases to be", () => {
  it("finds the products with its values at once, and has them composed again by the worker when it ceases", async () => {
    const { id } = await send("POST", definitions, {
      name: "Wood",
      key: "wood",
      type: "SELECT",
      enumValues: [{ value: "Oak" }]
    })
    const product = { name: "Desk", basePrice: "9.00", status: "active" }
    const desk = await send("POST", "/v1/products", { ...product, metafields: { wood: "Oak" } })
    await send("POST", "/v1/products", { ...product, name: "Chair" })
    const found = async () => {
      const { meta, facets } = await listed("mf.wood=oak&facets=true")
      return [meta.total, facets.metafields.map(({ values }: { readonly values: unknown }) => values)]
    }
    expect([await filterKeysOf(desk.id), await found()]).toEqual([[], [0, []]])

    await send("PATCH", `${definitions}/${id}`, { filterable: true })
    expect([await notes(), await filterKeysOf(desk.id)]).toEqual([[], [`${id}=oak`]])
    expect(await found()).toEqual([1, [[{ value: "Oak", count: 1 }]]])

    expect(await counted(id)).toEqual([[`${id}=oak`, 0, 1]])
    await send("PATCH", `${definitions}/${id}`, { filterable: false })
    // At once, though the rows hold its values still, which are not counted any more.
    expect(await counted(id)).toEqual([])
    expect([await filterKeysOf(desk.id), await found()]).toEqual([[`${id}=oak`], [0, []]])
    expect(await notes()).toEqual([{ product_id: desk.id, cause: "again" }])
    // Who reads meanwhile composes nothing.
    await listed("limit=100")
    expect(await notes()).toHaveLength(1)
    await compose()
    expect([await notes(), await filterKeysOf(desk.id)]).toEqual([[], []])
    await send("PATCH", `${definitions}/${id}`, { name: "Timber" })
    expect(await notes()).toEqual([])
    await send("DELETE", `${definitions}/${id}?force=true`)
  })

  it("finds 500 products at once, and all others when the worker has composed them", async () => {
    const { id } = await send("POST", definitions, { name: "Size", key: "size", type: "TEXT" })
    await owner.query(
      `INSERT INTO product (store_id, id, type, status, name, slug, base_price, created_at, updated_at)
       SELECT '${shop.storeId}', 'prod_many' || i, 'SIMPLE', 'active', 'Bolt ' || i, 'bolt-' || i, 100, now(), now()
       FROM generate_series(1, 503) i`
    )
    await owner.query(
      `INSERT INTO metafield_value (store_id, product_id, definition_id, value, updated_at)
       SELECT '${shop.storeId}', 'prod_many' || i, '${id}', '"M8"', now() FROM generate_series(1, 503) i`
    )
    await compose()
    const found = async () => (await listed("mf.size=m8&limit=1")).meta.total
    await send("PATCH", `${definitions}/${id}`, { filterable: true })
    expect([await found(), (await notes()).length]).toEqual([500, 3])
    await compose()
    expect([await found(), await notes()]).toEqual([503, []])
    await owner.query("DELETE FROM metafield_value WHERE product_id LIKE 'prod_many%'")
    await owner.query("UPDATE product SET deleted_at = now() WHERE id LIKE 'prod_many%'")
    await send("DELETE", `${definitions}/${id}`)
    await compose()
  })

  it("counts among facets what rows hold of it only while it is filterable and active", async () => {
    const field = { name: "Width", key: "width", type: "NUMBER", filterable: true }
    const { id } = await send("POST", definitions, field)
    await send("POST", "/v1/products", { name: "Bed", basePrice: "9.00", status: "active", metafields: { width: 90 } })
    const widths = async () => (await listed("facets=true")).facets.metafields.length
    expect(await widths()).toBe(1)
    await send("PATCH", `${definitions}/${id}`, { isActive: false })
    expect(await widths()).toBe(0)
    await send("PATCH", `${definitions}/${id}`, { isActive: true })
    expect(await widths()).toBe(1)
    await send("DELETE", `${definitions}/${id}?force=true`)
    await compose()
  })

  it("ends with the right rows where values are written while it is switched", async () => {
    const field = { name: "Care", key: "care", type: "TEXT" }
    const { id } = await send("POST", definitions, field)
    const rug = await send("POST", "/v1/products", { name: "Rug", basePrice: "9.00", status: "active" })
    for (let i = 0; i < 20; i++) {
      const filterable = i % 2 === 0
      await Promise.all([
        send("PATCH", `${definitions}/${id}`, { filterable }),
        send("PUT", `/v1/products/${rug.id}/metafields`, { values: { care: `dust ${i}` } }),
        compose()
      ])
      await compose()
      expect([i, await filterKeysOf(rug.id)]).toEqual([i, filterable ? [`${id}=dust ${i}`] : []])
    }
    await send("DELETE", `${definitions}/${id}?force=true`)
    await compose()
  })
})

describe("a definition that is deleted with its values", () => {
  it("is gone from every answer at once, and nobody who reads composes the products that had a value", async () => {
    const field = { name: "Wood", key: "wood", type: "TEXT", filterable: true }
    const { id } = await send("POST", definitions, field)
    const product = { basePrice: "9.00", status: "active" }
    const desk = await send("POST", "/v1/products", { ...product, name: "Desk", metafields: { wood: "Oak" } })
    const sofa = await send("POST", "/v1/products", { ...product, name: "Sofa", metafields: { wood: "Ash" } })
    const input = { name: "Initials", key: "initials", type: "TEXT", isCustomerInput: true, productIds: [sofa.id] }
    const initials = await send("POST", definitions, input)
    const shown = async (productId: string) => {
      const { metafields, customizationFields } = (
        await shop.call("GET", `/vc/${shop.channelId}/products/${productId}`)
      ).body
      return [metafields, customizationFields.length]
    }
    const answers = async () => {
      const { meta, facets } = await listed("mf.wood=oak&facets=true")
      return [await shown(desk.id), await shown(sofa.id), meta.total, facets.metafields.length]
    }
    expect(await answers()).toEqual([[{ wood: "Oak" }, 0], [{ wood: "Ash" }, 1], 1, 1])
    await send("DELETE", `${definitions}/${id}?force=true`)
    await send("DELETE", `${definitions}/${initials.id}`)
    const noted = [desk.id, sofa.id, sofa.id].map((one) => ({ product_id: one, cause: "again" }))
    expect(await notes()).toEqual(noted)
    expect(await answers()).toEqual([[{}, 0], [{}, 0], 0, 0])
    // The readers above have composed nothing, and what the worker composes says the same.
    expect(await notes()).toEqual(noted)
    await compose()
    expect([await notes(), await answers(), await filterKeysOf(desk.id)]).toEqual([[], [[{}, 0], [{}, 0], 0, 0], []])
  })

  it("whose values somebody deletes by statements of their own is read anew at once", async () => {
    const { id } = await send("POST", definitions, { name: "Wood", key: "wood", type: "TEXT" })
    const product = { name: "Desk", basePrice: "9.00", status: "active", metafields: { wood: "Oak" } }
    const desk = await send("POST", "/v1/products", product)
    await owner.query(`DELETE FROM metafield_value WHERE definition_id = '${id}'`)
    expect(await notes()).toEqual([{ product_id: desk.id, cause: "rows" }])
    expect((await shop.call("GET", `/vc/${shop.channelId}/products/${desk.id}`)).body.metafields).toEqual({})
    expect(await notes()).toEqual([])
  })
})
