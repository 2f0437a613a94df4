/**
 * A PATCH of a product's own words and prices reads the product once, before it writes. Everything that it leaves behind
 * is compared with what composing the product from its rows makes; and what somebody else writes of the product in
 * between is neither lost nor kept from shoppers.
 */
import { Products } from "@effect-commerce/core/catalog/Products"
import { StaleProducts } from "@effect-commerce/core/catalog/StaleProducts"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
let other: InstanceType<typeof pg.Client>
beforeAll(async () => {
  // No workers: what is right here is right without one.
  shop = await openTestCommerce({ role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  other = new pg.Client(shop.database.nodePostgres)
  await Promise.all([owner.connect(), other.connect()])
})
afterAll(async () => {
  await Promise.all([owner.end(), other.end()])
  await shop.close()
})

const run = <A>(effect: Effect.Effect<A, unknown, unknown>): Promise<A> =>
  shop.run(effect as unknown as Effect.Effect<A>)
const send = async (method: "POST" | "PATCH", path: string, body: unknown) => {
  const called = await shop.call(method, path, { body })
  expect([path, called.status < 300, called.text]).toEqual([path, true, called.text])
  return called.body
}
const rowsOf = async (text: string, id: string) => (await owner.query(text, [id])).rows as ReadonlyArray<unknown>

/** What lists and shoppers are told of the product, and the notes that are left of it. */
const shown = (id: string) =>
  rowsOf(
    `SELECT to_jsonb(l) AS listing, d.document, d.stock_keys,
      (SELECT count(*)::int FROM product_stale n WHERE n.product_id = l.product_id) AS notes
    FROM product_listing l LEFT JOIN product_document d ON d.product_id = l.product_id WHERE l.product_id = $1`,
    id
  )
const told = async (id: string) => {
  const [last] = await rowsOf(
    `SELECT data -> 'product' AS product FROM event WHERE type = 'product.updated' AND data ->> 'productId' = $1
      ORDER BY seq DESC LIMIT 1`,
    id
  )
  return (last as { readonly product: unknown }).product
}
/** From its rows, by a reading of its own. */
const read = (id: string, audience: "admin" | "subscriber") =>
  run(
    Effect.gen(function* () {
      const store = yield* (yield* Stores).context(shop.storeId)
      const product = yield* (yield* Products).get(store, { id }, audience)
      return JSON.parse(JSON.stringify(product)) as unknown
    })
  )

const patches: ReadonlyArray<Record<string, unknown>> = [
  { name: "  Größe „M“ \u2028 <b>&amp; 🎉  " },
  { basePrice: "30.10" },
  { salePrice: 12.5, salePriceStartsAt: "2020-01-01T00:00:00Z", salePriceEndsAt: "2090-01-01T12:30:00.125+02:00" },
  { tags: ["b", " a ", "b"], menuOrder: -3, sku: "S-1", gtin: "4006381333931", mpn: "M 1" },
  { description: '<p>Wool\u0001 and \\ "cotton"</p>', metaDescription: "é", costPrice: "1.05" },
  { salePriceStartsAt: null, salePriceEndsAt: null, sku: null, gtin: null, description: null, tags: [] },
  { salePrice: null, costPrice: null, name: "Last" },
  {}
]

describe("a PATCH of a product's own words and prices", () => {
  it("leaves what composing the product from its rows would, with its kits", async () => {
    const category = await send("POST", "/v1/categories", { name: "Rooms", taxBehavior: "exempt" })
    const bodies = [
      { name: "Plain", inventory: { total: 3 }, shippingWeightValue: 1.00005, salesChannelIds: [shop.channelId] },
      { name: "Varied", type: "VARIABLE", variants: [{ attributes: { Size: "S" } }, { attributes: { Size: "L" } }] },
      { name: "Draft", status: "draft", translations: { de: { name: "Entwurf" }, fr: { zz: 1, a: [null] } } }
    ]
    for (const body of bodies) {
      const made = await send("POST", "/v1/products", {
        status: "active",
        basePrice: "20.00",
        categories: [category.id],
        images: [{ url: "https://cdn.example.com/a.jpg", alt: "a" }],
        downloadData: { files: [{ name: "f", url: "https://cdn.example.com/f.pdf" }], downloadLimit: 3 },
        ...body
      })
      const id = String(made.id)
      const components = [{ productId: id, quantity: 2, variantId: made.variants?.[0]?.id ?? null }]
      const kit = await send("POST", "/v1/products", {
        name: `Kit of ${body.name}`,
        type: "KIT",
        status: "active",
        kitPricingMode: "COMPONENTS",
        kitComponents: components
      })
      for (const patch of patches) {
        const answered = await send("PATCH", `/v1/products/${id}`, patch)
        const [inHand, kits] = [await shown(id), await shown(String(kit.id))]
        expect(inHand).toMatchObject([{ notes: 0 }])
        expect(answered).toEqual(await read(id, "admin"))
        expect(await told(id)).toEqual(await read(id, "subscriber"))
        await run(Effect.flatMap(StaleProducts, (stale) => stale.rebuild(shop.storeId, () => undefined)))
        expect(await shown(id)).toEqual(inHand)
        expect(await shown(String(kit.id))).toEqual(kits)
      }
    }
  })

  it("leaves what somebody else has noted since it read, and shoppers are told of it at once", async () => {
    const category = await send("POST", "/v1/categories", { name: "Since" })
    const made = await send("POST", "/v1/products", { name: "Held", status: "active", basePrice: "5.00" })
    const id = String(made.id)
    await owner.query(`CREATE FUNCTION held_up() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(77); RETURN NEW; END $$`)
    await owner.query("CREATE TRIGGER held_up BEFORE UPDATE ON product FOR EACH ROW EXECUTE FUNCTION held_up()")
    await owner.query("SELECT pg_advisory_lock(77)")
    const changing = send("PATCH", `/v1/products/${id}`, { name: "Changed" })
    const waiting = "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = $1"
    for (let i = 0; i < 400 && (await rowsOf(waiting, "77")).every((row) => (row as { n: number }).n < 1); i++)
      await new Promise((done) => setTimeout(done, 10))
    await other.query(
      "INSERT INTO product_category (store_id, product_id, category_id, position) VALUES ($1, $2, $3, 1)",
      [shop.storeId, id, category.id]
    )
    await owner.query("SELECT pg_advisory_unlock(77)")
    await changing
    await owner.query("DROP TRIGGER held_up ON product")
    expect(await rowsOf("SELECT cause FROM product_stale WHERE product_id = $1", id)).toEqual([{ cause: "rows" }])
    const { body } = await shop.call("GET", `/vc/${shop.channelId}/products/${id}`)
    expect([body.name, body.categories]).toEqual(["Changed", [expect.objectContaining({ id: category.id })]])
    expect(await shown(id)).toMatchObject([{ notes: 0 }])
  })
})
