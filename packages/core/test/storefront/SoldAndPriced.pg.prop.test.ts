/**
 * What can be sold and what it costs are said twice: in TypeScript, for what carts, checkouts and product pages show,
 * and in SQL (`listing_buyable_at`, `price_at`, `kit_price_at`), for lists and alerts. Here both judge the same random
 * stock, kits and sales, and agree. So do the triggers of `stock`, whose conditions are written out, and the statement
 * that reads the components of a kit.
 */
import fc from "fast-check"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { canPurchase, type StockFacts } from "../../src/kernel/Availability.ts"
import { type KitPart, kitStock } from "../../src/kernel/Kit.ts"
import { priceAt } from "../../src/kernel/SalePrice.ts"
import { kitPrice } from "../../src/product/KitPrice.ts"
import { open, type TestDatabaseMethods } from "../../src/testing/TestDatabase.ts"

let database: TestDatabaseMethods & { readonly close: () => Promise<void> }
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  database = await open()
  client = new pg.Client(database.nodePostgres)
  await client.connect()
  await client.query("INSERT INTO account (id, name, created_at) VALUES ('acct', 'a', now())")
})
afterAll(async () => {
  await client.end()
  await database.close()
})

const epoch = Date.UTC(2026, 0, 1)
/** Few moments, so that sales and reservations often begin or end just when they are asked about. Sales end between. */
const moment = fc.integer({ min: 0, max: 6 }).map((n) => epoch + n * 1_000)
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

const stock = fc.record({
  trackingMode: fc.constantFrom("TRACKED", "TRACKED", "UNTRACKED", "DISABLED"),
  backorderMode: fc.constantFrom("DENY", "DENY", "ALLOW", "LIMITED"),
  backorderLimit: fc.option(fc.integer({ min: 0, max: 3 })),
  free: fc.integer({ min: 0, max: 4 }),
  /** Units held, each until its moment. */
  held: fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), moment), { maxLength: 2 })
})
const sale = fc.oneof(
  fc.constant([null, null] as const),
  fc.tuple(moment, moment).map(([a, b]) => [Math.min(a, b), Math.max(a, b) + 500] as const)
)
const prices = fc.record({
  price: fc.integer({ min: 0, max: 999 }),
  salePercent: fc.option(fc.integer({ min: 0, max: 100 }))
})
const thing = fc.record({
  isActive: fc.boolean(),
  isDeleted: fc.boolean(),
  sale,
  prices,
  stock: fc.option(stock, { freq: 5 }),
  variants: fc.array(fc.record({ isActive: fc.boolean(), prices, stock: fc.option(stock, { freq: 5 }) }), {
    maxLength: 3
  })
})
/** Of which thing, of which of its variants (-1: of none), and how many. */
const part = fc.tuple(fc.nat(9), fc.integer({ min: -1, max: 2 }), fc.integer({ min: 1, max: 3 }))
const kit = fc.record({
  parts: fc.array(part, { maxLength: 3 }),
  discount: fc.option(fc.integer({ min: 0, max: 10_000 }).map((n) => (n / 100).toFixed(2)))
})
const shop = fc.record({
  things: fc.array(thing, { minLength: 1, maxLength: 4 }),
  kits: fc.array(kit, { minLength: 1, maxLength: 3 }),
  at: fc.integer({ min: 0, max: 13 }).map((n) => epoch + n * 500),
  /** What becomes of a row of stock, one after the other. */
  later: fc.array(stock, { minLength: 8, maxLength: 8 })
})

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never
type Stock = Of<typeof stock>
type Thing = Of<typeof thing>

const saleOf = ({ price, salePercent }: Of<typeof prices>): number | null =>
  salePercent === null ? null : Math.floor((price * salePercent) / 100)

/** The row of stock as it is at a moment: what is held past its time is not held. */
const stockAt = (row: Stock | null, at: number): StockFacts | null => {
  if (row === null) return null
  const { trackingMode, backorderMode, backorderLimit, free, held } = row
  const units = (of: ReadonlyArray<readonly [number, number]>) => of.reduce((sum, [quantity]) => sum + quantity, 0)
  return {
    trackingMode: trackingMode as StockFacts["trackingMode"],
    backorderMode: backorderMode as StockFacts["backorderMode"],
    backorderLimit,
    total: free + units(held),
    reserved: units(held.filter(([, until]) => until > at))
  }
}

const insertStock = async (store: string, product: string, variant: string | null, row: Stock | null) => {
  if (row === null) return
  const key = variant ?? product
  const held = row.held.reduce((sum, [quantity]) => sum + quantity, 0)
  await client.query(
    `INSERT INTO stock (store_id, key, product_id, variant_id, tracking_mode, backorder_mode, backorder_limit, total,
      reserved, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())`,
    [store, key, product, variant, row.trackingMode, row.backorderMode, row.backorderLimit, row.free + held, held]
  )
  for (const [i, [quantity, until]] of row.held.entries())
    await client.query(
      "INSERT INTO reservation (store_id, holder_id, key, quantity, expires_at) VALUES ($1,$2,$3,$4,$5)",
      [store, `${key}_${i}`, key, quantity, iso(until)]
    )
}

/** All rows of stock of the product. */
const updateStock = async (store: string, product: string, row: Stock) => {
  const held = row.held.reduce((sum, [quantity]) => sum + quantity, 0)
  await client.query(
    `UPDATE stock SET tracking_mode = $3, backorder_mode = $4, backorder_limit = $5, total = $6, reserved = $7
     WHERE store_id = $1 AND product_id = $2`,
    [store, product, row.trackingMode, row.backorderMode, row.backorderLimit, row.free + held, held]
  )
}

const insertThing = async (store: string, id: string, one: Thing) => {
  const type = one.variants.length > 0 ? "VARIABLE" : "SIMPLE"
  await client.query(
    `INSERT INTO product (store_id, id, type, status, name, slug, base_price, sale_price, sale_price_starts_at,
      sale_price_ends_at, created_at, updated_at, deleted_at)
     VALUES ($1, $2, $3, $4, 'Thing', $2, $5, $6, $7, $8, now(), now(), $9)`,
    [
      store,
      id,
      type,
      one.isActive ? "active" : "draft",
      one.prices.price,
      saleOf(one.prices),
      iso(one.sale[0]),
      iso(one.sale[1]),
      one.isDeleted ? iso(epoch) : null
    ]
  )
  if (type === "SIMPLE") await insertStock(store, id, null, one.stock)
  for (const [i, variant] of one.variants.entries()) {
    await client.query(
      `INSERT INTO product_variant (store_id, id, product_id, name, attributes, price, sale_price, status, created_at,
        updated_at) VALUES ($1, $2, $3, 'V', $4, $5, $6, $7, now(), now())`,
      [
        store,
        `${id}_${i}`,
        id,
        JSON.stringify({ n: String(i) }),
        variant.prices.price,
        saleOf(variant.prices),
        variant.isActive ? "active" : "draft"
      ]
    )
    await insertStock(store, id, `${id}_${i}`, variant.stock)
  }
}

let stores = 0
const openStore = async ({ things, kits }: Of<typeof shop>): Promise<string> => {
  const store = `s${(stores += 1)}`
  await client.query(
    `INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at)
     VALUES ($1, 'acct', $1, 'USD', 'US', now(), now())`,
    [store]
  )
  for (const [i, one] of things.entries()) await insertThing(store, `${store}p${i}`, one)
  for (const [i, { parts, discount }] of kits.entries()) {
    const id = `${store}k${i}`
    await client.query(
      `INSERT INTO product (store_id, id, type, name, slug, kit_pricing_mode, kit_discount_value, created_at, updated_at)
       VALUES ($1, $2, 'KIT', 'Kit', $2, 'COMPONENTS', $3, now(), now())`,
      [store, id, discount]
    )
    for (const [position, [of, variant, quantity]] of parts.entries()) {
      const product = `${store}p${of % things.length}`
      await client.query(
        "INSERT INTO kit_component (store_id, kit_id, position, product_id, variant_id, quantity) VALUES ($1,$2,$3,$4,$5,$6)",
        [store, id, position, product, variant < 0 ? null : `${product}_${variant}`, quantity]
      )
    }
  }
  return store
}

/** What is known of a component, as `KitPart` and the prices of a kit want it. */
const partOf = (things: ReadonlyArray<Thing>, [of, index, quantity]: Of<typeof part>, at: number) => {
  const one = things[of % things.length]
  if (one === undefined) throw new Error("no such thing")
  const variant = index < 0 ? undefined : one.variants[index]
  const isVariable = one.variants.length > 0
  const priced = variant?.prices ?? one.prices
  const counted = index < 0 ? (isVariable ? null : one.stock) : (variant?.stock ?? null)
  return {
    productId: String(of),
    variantId: index < 0 ? null : String(index),
    quantity,
    isOffered:
      isVariable === index >= 0 && one.isActive && !one.isDeleted && (index < 0 || (variant?.isActive ?? false)),
    stock: stockAt(counted, at),
    price: String(priced.price),
    salePrice: saleOf(priced) === null ? null : String(saleOf(priced)),
    saleStartsAt: one.sale[0],
    saleEndsAt: one.sale[1]
  } satisfies KitPart & Record<string, unknown>
}

/** Whether a unit can be bought while nothing that is reserved has expired, as before the first moment. */
const sellsReserved = (row: Stock): boolean => canPurchase(stockAt(row, epoch - 1))

/** How often triggers have marked the product because its stock ran out or came back. */
const marks = async (store: string, product: string): Promise<number> =>
  Number(
    await asked("(SELECT count(*) FROM product_stale WHERE store_id = $1 AND product_id = $2 AND cause = 'stock')", [
      store,
      product
    ])
  )

const asked = async (sql: string, values: ReadonlyArray<unknown>) =>
  (await client.query(`SELECT ${sql} AS found`, [...values])).rows[0]?.found as unknown

it("whether a product or a kit can be sold, and what it costs, is the same in SQL and in TypeScript at every moment", async () => {
  await fc.assert(
    fc.asyncProperty(shop, async (given) => {
      const { things, kits, at, later } = given
      const store = await openStore(given)
      const sells = (id: string, type: string) =>
        asked("listing_buyable_at($1, $2, $3, $4)", [store, id, type, iso(at)])
      for (const [i, one] of things.entries()) {
        const rows = one.variants.length === 0 ? [one] : one.variants.filter(({ isActive }) => isActive)
        const canSell = rows.some((row) => canPurchase(stockAt(row.stock, at)))
        const type = one.variants.length === 0 ? "SIMPLE" : "VARIABLE"
        expect([i, type, await sells(`${store}p${i}`, type)]).toEqual([i, type, canSell])
        const held = rows.some((row) => row.stock !== null && sellsReserved(row.stock))
        expect(await asked("listing_buyable($1, $2, $3)", [store, `${store}p${i}`, type])).toBe(held)
        for (const row of [one, ...one.variants]) {
          const [price, salePrice, startsAt, endsAt] = [row.prices.price, saleOf(row.prices), ...one.sale]
          const found = await asked("price_at($1, $2, $3, $4, $5)", [
            price,
            salePrice,
            iso(startsAt),
            iso(endsAt),
            iso(at)
          ])
          const text = { price: String(price), salePrice: salePrice === null ? null : String(salePrice) }
          const priced = (when: number) => priceAt({ ...text, saleStartsAt: startsAt, saleEndsAt: endsAt }, when)
          expect(BigInt(String(found))).toBe(priced(at))
          const [since, until] = await Promise.all(
            ["price_since", "price_until"].map((name) =>
              asked(`extract(epoch FROM ${name}($1, $2, $3)) * 1000`, [iso(startsAt), iso(endsAt), iso(at)])
            )
          )
          for (let when = epoch - 500; when < epoch + 7_000; when += 500)
            if (Number(since) <= when && when < Number(until)) expect(priced(when)).toBe(priced(at))
          const changes = [startsAt, endsAt].filter((when) => when !== null)
          expect(Number(until)).toBe(Math.min(...changes.filter((when) => when > at)))
          expect(Number(since)).toBe(Math.max(...changes.filter((when) => when <= at)))
        }
      }
      for (const [i, { parts, discount }] of kits.entries()) {
        const components = parts.map((one) => partOf(things, one, at))
        expect([i, await sells(`${store}k${i}`, "KIT")]).toEqual([i, canPurchase(kitStock(components))])
        const found = await asked("kit_price_at($1, $2, $3)", [store, `${store}k${i}`, iso(at)])
        const price = kitPrice(components as unknown as Parameters<typeof kitPrice>[0], discount, at)
        expect([i, found === null ? null : BigInt(String(found))]).toEqual([i, components.length === 0 ? null : price])
        const read = "(SELECT kit_parts($1, $2, '-infinity', false))"
        const told = (await asked(read, [store, `${store}k${i}`])) as ReadonlyArray<KitPart>
        expect(told.map(({ isOffered }) => isOffered)).toEqual(components.map(({ isOffered }) => isOffered))
      }
      for (const [i, one] of things.entries()) {
        const rows = one.variants.length === 0 ? [one.stock] : one.variants.map(({ stock }) => stock)
        const counted = rows.filter((row) => row !== null)
        const began = counted.filter(sellsReserved).length
        expect(await marks(store, `${store}p${i}`)).toBe(began)
        if (counted.length === 0) continue
        let [before, marked] = [counted, began]
        for (const next of later) {
          await updateStock(store, `${store}p${i}`, next)
          marked += before.filter((row) => sellsReserved(row) !== sellsReserved(next)).length
          before = before.map(() => next)
          expect(await marks(store, `${store}p${i}`)).toBe(marked)
        }
      }
    }),
    { numRuns: 40 }
  )
})
