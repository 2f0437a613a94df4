/**
 * What is written of products that are created together is compared with what composing them from their rows again
 * writes: nothing changes by a character, for bodies with every field that is created so.
 */
import { Products } from "@effect-commerce/core/product/Products"
import { ProductInput } from "@effect-commerce/core/product/ProductInput"
import { VariantInput } from "@effect-commerce/core/product/VariantInput"
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import { Stores } from "@effect-commerce/core/store/Stores"
import { png } from "@effect-commerce/core/testing/TestImages"
import { waitedFor } from "@effect-commerce/core/testing/LockWaits"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { formOf, sendTo } from "../media/sendForm.ts"
import { bodiesOf, type Surroundings } from "./setBodies.ts"

let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

const run = <A>(effect: Effect.Effect<A, unknown, unknown>): Promise<A> =>
  shop.run(effect as unknown as Effect.Effect<A>)
const send = async (path: string, body: unknown) => {
  const called = await shop.call("POST", path, { body })
  expect([path, called.status < 300, called.text]).toEqual([path, true, called.text])
  return called.body
}

/** What bodies name by id. */
const openSurroundings = async (): Promise<Surroundings> => {
  const made = async (path: string, bodies: ReadonlyArray<object>) => {
    const ids: Array<string> = []
    for (const body of bodies) ids.push(String((await send(path, body)).id))
    return ids
  }
  const channels = [shop.channelId, ...(await made("/v1/sales-channels", [{ name: 'Trade "A"' }]))]
  return {
    channels,
    categories: await made("/v1/categories", [
      { name: "Rooms" },
      { name: "Hidden", isActive: false, taxBehavior: "exempt" },
      { name: "Traders", salesChannelIds: [channels[1]] }
    ]),
    brands: await made("/v1/brands", [
      { name: "North", translations: { de: { name: "Nord" }, fr: { name: "x" } } },
      { name: "South", salesChannelIds: [] }
    ]),
    shippingClasses: await made("/v1/shipping/classes", [{ name: "Bulky", slug: "bulky" }]),
    taxClasses: await made("/v1/tax/classes", [{ name: "Reduced" }]),
    products: await made("/v1/products", [{ name: "First" }, { name: "Second" }]),
    files: [String((await sendTo(shop)("/v1/media", formOf({ bytes: png(12, 8) }, { name: "a.png" }))).body.key)]
  }
}
/** Fields of a KIT, and those whose products are written alone. */
const otherWays = ["kitPricingMode", "kitDiscountValue", "kitComponents", "attributes", "modifierGroups"]

const createSet = (bodies: ReadonlyArray<Record<string, unknown>>) =>
  run(
    Effect.gen(function* () {
      const store = yield* (yield* Stores).context(shop.storeId)
      const results = yield* (yield* Products).createSet(store, bodies as never)
      return results.map((result, i) => {
        if (Result.isSuccess(result)) return result.success
        throw new Error(`${JSON.stringify(result.failure)} of ${JSON.stringify(bodies[i])}`)
      })
    })
  )

/** All that is written of products to be shown, and whether the rows are the ones that were there. */
const shown = async (ids: ReadonlyArray<string>) =>
  (
    await owner.query(
      `SELECT l.xmin::text AS listed, to_jsonb(l) AS listing, d.xmin::text AS written, d.document, d.stock_keys,
        (SELECT count(*)::int FROM product_stale n WHERE n.product_id = l.product_id) AS notes
      FROM product_listing l LEFT JOIN product_document d ON d.product_id = l.product_id
      WHERE l.product_id = ANY($1::text[]) ORDER BY l.product_id`,
      [ids]
    )
  ).rows
const told = async (ids: ReadonlyArray<string>) =>
  (
    await owner.query(
      `SELECT data -> 'product' AS product FROM event WHERE type = 'product.created'
        AND data ->> 'productId' = ANY($1::text[]) ORDER BY data ->> 'productId'`,
      [ids]
    )
  ).rows.map(({ product }) => product as unknown)

const compare = async (bodies: ReadonlyArray<Record<string, unknown>>) => {
  const ids = (await createSet(bodies)).toSorted()
  const inHand = await shown(ids)
  expect(inHand.map(({ notes }) => notes)).toEqual(ids.map(() => 0))
  const read = await run(
    Effect.gen(function* () {
      const store = yield* (yield* Stores).context(shop.storeId)
      const products = yield* Products
      const views = yield* Effect.forEach(ids, (id) => products.get(store, { id }, "subscriber"))
      yield* (yield* ListingRepair).rebuild(shop.storeId, () => undefined)
      return views
    })
  )
  expect(await told(ids)).toEqual(JSON.parse(JSON.stringify(read)))
  expect(await shown(ids)).toEqual(inHand)
}

describe("what is written of products created in a set", () => {
  it("is what composing them from their rows would write, whatever their bodies say", async () => {
    const around = await openSurroundings()
    const seed = Number(process.env["SET_SEED"] ?? Date.now() % 1_000_000)
    const sets = fc.sample(fc.array(bodiesOf(around), { minLength: 60, maxLength: 60 }), { seed, numRuns: 5 })
    const named = (bodies: ReadonlyArray<object>) => [...new Set(bodies.flatMap(Object.keys))].toSorted()
    expect(named(sets.flat())).toEqual(
      Object.keys(ProductInput.fields)
        .filter((field) => !otherWays.includes(field))
        .toSorted()
    )
    const variants = sets.flat().flatMap((body) => (body["variants"] as ReadonlyArray<object> | undefined) ?? [])
    expect(named(variants)).toEqual(Object.keys(VariantInput.fields).toSorted())
    try {
      for (const set of sets.slice(0, 3)) await compare(set)
      await openDefinitions()
      for (const set of sets.slice(3)) await compare(set)
    } catch (error) {
      throw new Error(`SET_SEED=${seed}`, { cause: error })
    }
  })
})

/** With defaults of many types, for all products and for one, for merchants and for shoppers. */
const openDefinitions = async () => {
  const define = (body: object) => send("/v1/metafield-definitions", body)
  const enumValues = ["oak", "ash"].map((value) => ({ value, label: value }))
  await define({ name: "Care", key: "care", type: "TEXT", defaultValue: 'Dust "dry"', position: 2, required: true })
  await define({ name: "Wood", key: "wood", type: "MULTI_SELECT", enumValues, defaultValue: ["oak"], filterable: true })
  await define({ name: "Facts", key: "facts", type: "JSON", defaultValue: { zz: 1, b: [1.5], a: null } })
  await define({ name: "Size", key: "size", type: "NUMBER", defaultValue: 2.5, position: -1 })
  await define({ name: "Bare", key: "bare", type: "TEXT" })
  await define({ name: "Engraving", key: "engraving", type: "TEXT", isCustomerInput: true, defaultValue: "Ada" })
  const { id } = await send("/v1/products", { name: "Attached" })
  await define({ name: "One", key: "one", type: "TEXT", defaultValue: "x", productIds: [id] })
}

describe("a definition that comes while a set is being written", () => {
  it("gives its products the default that they have a value of, and no other", async () => {
    const define = (key: string) =>
      send("/v1/metafield-definitions", { name: key, key, type: "TEXT", defaultValue: key, isCustomerInput: false })
    const { id } = await define("before")
    const other = new pg.Client(shop.database.nodePostgres)
    await other.connect()
    await other.query("BEGIN")
    await other.query("SELECT 1 FROM metafield_definition WHERE id = $1 FOR UPDATE", [id])
    const compared = compare([{ name: "Lamp", basePrice: "1.00", status: "active" }])
    await waitedFor(other)
    await define("after")
    await other.query("COMMIT")
    await other.end()
    await compared
  })
})
