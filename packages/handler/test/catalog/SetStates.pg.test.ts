/**
 * Products created in sets are shown as their states in hand say, without reading their rows. Here everything that is
 * written of them is compared with what composing them from their rows writes: nothing changes by a character, for
 * bodies with every field that goes this way.
 */
import { Products } from "@effect-commerce/core/catalog/Products"
import { ProductInput, VariantInput } from "@effect-commerce/core/catalog/ProductInput"
import { StaleProducts } from "@effect-commerce/core/catalog/StaleProducts"
import { Stores } from "@effect-commerce/core/store/Stores"
import { png } from "@effect-commerce/core/testing/TestImages"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { formOf, sendTo } from "../media/sendForm.ts"

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
const openSurroundings = async () => {
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
      { name: "North", translations: { de: { name: "Nord" }, a: { name: "x" } } },
      { name: "South", salesChannelIds: [] }
    ]),
    shippingClasses: await made("/v1/shipping/classes", [{ name: "Bulky", slug: "bulky" }]),
    taxClasses: await made("/v1/tax/classes", [{ name: "Reduced" }]),
    products: await made("/v1/products", [{ name: "First" }, { name: "Second" }]),
    files: [String((await sendTo(shop)("/v1/media", formOf({ bytes: png(12, 8) }, { name: "a.png" }))).body.key)]
  }
}
type Surroundings = Awaited<ReturnType<typeof openSurroundings>>

const marks = [
  "\u0001",
  "\u0003",
  "\u0004",
  '"',
  "\\",
  "\u2028",
  "é",
  "e\u0301",
  "ß",
  "🎉",
  "<b>",
  "&amp;",
  "{",
  "a",
  " "
]
const text = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12, unit: fc.constantFrom(...marks) }))
const filled = text.map((value) => `x${value}`)
const measure = fc.oneof(
  fc.double({ min: 0, max: 9_999_999, noNaN: true }),
  fc.constantFrom(0, 1.5, 1.00005, 0.00005, 0.00004999, 1e-7, 5e-324, 9_999_998.99995, 1.23455, 2.675)
)
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(1e21, -0, 1e-7, 1.5, 10))
const key = fc.oneof(text, fc.constantFrom("de", "fr", "DE-at", "10", "2", "name", "__proto__", "toString", "zz", "é"))
const json = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 2 }, text, number, fc.boolean(), fc.constant(null), tie("list"), tie("object")),
  list: fc.array(tie("any"), { maxLength: 3 }),
  object: fc.dictionary(key, tie("any"), { maxKeys: 4 })
})).any
const texts = fc
  .record({ extra: fc.dictionary(key, json, { maxKeys: 3 }), name: text, description: text })
  .map(({ extra, ...said }) => ({ ...extra, ...said, slug: null }))
const translations = fc.dictionary(key, fc.oneof({ weight: 4, arbitrary: texts }, text), { maxKeys: 4 })
const place = fc.integer({ min: -3, max: 3 })
const cents = fc.integer({ min: 0, max: 99_999 })
const amount = (minor: number) => (minor / 100).toFixed(2)
const downloads = fc.record({
  files: fc.array(
    fc.oneof(
      fc.record({ name: filled, url: filled, size: fc.nat(), mimeType: filled }),
      fc.record({ name: filled, storageKey: filled })
    ),
    { maxLength: 2 }
  ),
  downloadLimit: fc.constantFrom(null, 3),
  expiryDays: fc.constantFrom(null, 7)
})
const inventory = fc.record(
  {
    trackingMode: fc.constantFrom("TRACKED" as const, "UNTRACKED" as const, "DISABLED" as const),
    total: fc.integer({ min: 0, max: 3 }),
    lowStockThreshold: fc.constantFrom(null, 2),
    backorderMode: fc.constantFrom("DENY" as const, "ALLOW" as const, "LIMITED" as const),
    backorderLimit: fc.constantFrom(null, 0, 2)
  },
  { requiredKeys: [] }
)
const priced = (base: "basePrice" | "price") =>
  fc.tuple(cents, fc.option(fc.double({ min: 0, max: 1, noNaN: true })), cents).map(([price, part, cost]) => ({
    [base]: amount(price),
    ...(part === null ? {} : { salePrice: amount(Math.floor(price * part)) }),
    costPrice: amount(cost)
  }))
const sale = fc.constantFrom(
  {},
  { salePriceStartsAt: "2020-01-01T00:00:00.000Z", salePriceEndsAt: "2090-01-01T12:30:00.125+02:00" },
  { salePriceStartsAt: "2020-01-01T00:00:00Z", salePriceEndsAt: "2021-01-01T00:00:00Z" },
  { salePriceStartsAt: "2089-01-01T00:00:00Z", salePriceEndsAt: "2090-01-01T00:00:00Z" }
)

const some = (ids: ReadonlyArray<string>) => fc.array(fc.constantFrom(...ids), { maxLength: 4 })

const variantsOf = ({ shippingClasses }: Surroundings) => {
  const own = fc.record(
    {
      externalId: fc.uuid(),
      sku: filled,
      name: text,
      image: filled,
      position: place,
      status: fc.constantFrom("active" as const, "draft" as const),
      isDownloadable: fc.boolean(),
      downloadData: fc.option(downloads),
      shippingClassId: fc.constantFrom(null, ...shippingClasses),
      inventory
    },
    { requiredKeys: [] }
  )
  const words = fc.dictionary(key, text, { maxKeys: 3 })
  return fc
    .array(fc.tuple(own, priced("price"), words), { minLength: 1, maxLength: 4 })
    .map((all) => all.map(([one, prices, said], i) => ({ ...one, ...prices, attributes: { ...said, N: String(i) } })))
}

const bodiesOf = (around: Surroundings): fc.Arbitrary<Record<string, unknown>> => {
  const images = fc.array(
    fc.oneof(
      fc.record(
        { url: filled, alt: fc.option(text), position: place, isMain: fc.boolean() },
        { requiredKeys: ["url"] }
      ),
      fc.record({ key: fc.constantFrom(...around.files), alt: filled }, { requiredKeys: ["key"] }),
      fc.record({ url: filled, key: fc.constant("elsewhere/1") })
    ),
    { maxLength: 3 }
  )
  const own = fc.record(
    {
      slug: fc.uuid(),
      sku: fc.option(filled),
      gtin: fc.constantFrom(null, "4006381333931"),
      mpn: fc.option(filled),
      externalSourceId: fc.uuid(),
      description: fc.option(text),
      descriptionFormat: fc.constantFrom("html" as const, "markdown" as const, "text" as const),
      metaDescription: fc.option(text),
      shippingWeightValue: fc.option(measure),
      shippingWeightUnit: fc.constantFrom(null, "kg" as const),
      shippingLengthValue: fc.option(measure),
      shippingWidthValue: fc.option(measure),
      shippingHeightValue: fc.option(measure),
      shippingDimensionUnit: fc.constantFrom(null, 'in"', "🎉"),
      shippingClassId: fc.constantFrom(null, ...around.shippingClasses),
      status: fc.constantFrom("active" as const, "draft" as const),
      taxBehavior: fc.constantFrom(null, "taxable" as const, "exempt" as const),
      taxClassId: fc.constantFrom(null, ...around.taxClasses),
      isDownloadable: fc.boolean(),
      downloadData: fc.option(downloads),
      menuOrder: place,
      tags: fc.array(text, { maxLength: 3 }),
      images,
      translations,
      categories: some(around.categories),
      crossSells: some(around.products),
      upsells: some(around.products),
      related: some(around.products),
      brands: some(around.brands),
      salesChannelIds: fc.option(some(around.channels)),
      generateVariants: fc.boolean(),
      metafields: fc.constant({})
    },
    { requiredKeys: [] }
  )
  const kind = fc.oneof(
    fc.record({ inventory }, { requiredKeys: [] }),
    fc.record({ type: fc.constant("SIMPLE" as const), inventory }),
    fc.record({ type: fc.constant("VARIABLE" as const) }),
    fc.record({ variants: variantsOf(around) })
  )
  return fc.tuple(filled, own, priced("basePrice"), sale, kind).map(([name, ...parts]) => ({
    name,
    ...parts.reduce((all, part) => ({ ...all, ...part }), {})
  }))
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
      yield* (yield* StaleProducts).rebuild(shop.storeId, () => undefined)
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
    const waiting = "SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted"
    await expect.poll(async () => (await owner.query(waiting)).rows[0]?.n, { timeout: 10_000 }).toBe(1)
    await define("after")
    await other.query("COMMIT")
    await other.end()
    await compared
  })
})
