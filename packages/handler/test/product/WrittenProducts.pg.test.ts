/**
 * What is left of a product that was created or changed is compared with what composing it from its rows makes; and
 * what somebody else writes of the product in between is neither lost nor kept from shoppers.
 */
import { Products } from "@effect-commerce/core/product/Products"
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import { Database } from "@effect-commerce/core/database/Database"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { waitedFor } from "@effect-commerce/core/testing/LockWaits"
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
const read = (id: string, audience: "admin" | "subscriber", storeId = shop.storeId) =>
  run(
    Effect.gen(function* () {
      const store = yield* (yield* Stores).context(storeId)
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

const fabric = { name: "Fabric", options: [{ name: "Wool" }] }
const using = (attribute: { readonly id: string; readonly options?: ReadonlyArray<{ readonly id: string }> }) => [
  { attributeId: attribute.id, optionIds: [attribute.options?.[0]?.id] }
]
const wrapping = { name: "Wrapping", selectionType: "SINGLE", modifiers: [{ name: "Paper" }] }

describe("a PATCH of a product's own words and prices", () => {
  it("leaves what composing the product from its rows would, and its kits", async () => {
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
      const leavesAll = async (kitIds: ReadonlyArray<string>) => {
        for (const patch of patches) {
          const answered = await send("PATCH", `/v1/products/${id}`, patch)
          // Who writes a component locks no kit: whoever reads the kit has it composed.
          for (const kitId of kitIds) await shop.call("GET", `/vc/${shop.channelId}/products/${kitId}`)
          const inHand = await Promise.all([id, ...kitIds].map(shown))
          expect(inHand[0]).toMatchObject([{ notes: 0 }])
          expect(answered).toEqual(await read(id, "admin"))
          expect(await told(id)).toEqual(await read(id, "subscriber"))
          await run(Effect.flatMap(ListingRepair, (stale) => stale.rebuild(shop.storeId, () => undefined)))
          expect(await Promise.all([id, ...kitIds].map(shown))).toEqual(inHand)
        }
      }
      await leavesAll([])
      const kit = await send("POST", "/v1/products", {
        name: `Kit of ${body.name}`,
        type: "KIT",
        status: "active",
        kitPricingMode: "COMPONENTS",
        kitComponents: [{ productId: id, quantity: 2, variantId: made.variants?.[0]?.id ?? null }]
      })
      await leavesAll([String(kit.id)])
    }
  })

  it("leaves a product what it has, whatever the one before it had", async () => {
    const kinds: ReadonlyArray<(make: (path: string, body: unknown) => Promise<{ id: string }>) => Promise<object>> = [
      async () => ({}),
      async () => ({ type: "VARIABLE", variants: [{ attributes: { Size: "S" }, inventory: { total: 2 } }] }),
      async (make) => ({ categories: [(await make("/v1/categories", { name: "Rooms", taxBehavior: "exempt" })).id] }),
      async (make) => ({ brands: [(await make("/v1/brands", { name: "Nord" })).id] }),
      async (make) => ({ attributes: using(await make("/v1/attributes", fabric)) }),
      async (make) => ({
        type: "VARIABLE",
        attributes: using(await make("/v1/attributes", fabric)),
        variants: [{ attributes: { Fabric: "Wool" } }]
      }),
      async (make) => ({ modifierGroups: [{ groupId: (await make("/v1/modifier-groups", wrapping)).id }] }),
      async (make) => ({ shippingClassId: (await make("/v1/shipping/classes", { name: "Bulky", slug: "bulky" })).id }),
      async (make) => {
        await make("/v1/metafield-definitions", { key: "depth", name: "Depth", type: "NUMBER" })
        return { metafields: { depth: 3 } }
      }
    ]
    for (const kind of kinds) {
      const { storeId, apiKey, channelId } = await shop.openStore()
      const ask = async (method: "POST" | "PATCH", path: string, body: unknown) => {
        const called = await shop.call(method, path, { body, key: apiKey })
        expect([path, called.status < 300, called.text]).toEqual([path, true, called.text])
        return called.body
      }
      const post = (path: string, body: unknown) => ask("POST", path, body)
      const own = await kind(post)
      const make = async (body: object) => {
        const made = await post("/v1/products", { name: "Thing", status: "active", basePrice: 5, ...body })
        return String(made.id)
      }
      const plain = await make({})
      const ids = [plain, await make(own), await make({ ...own, salesChannelIds: [channelId] }), plain]
      for (const [i, id] of [...ids, ...ids].entries()) {
        const answered = await ask("PATCH", `/v1/products/${id}`, { basePrice: 6 + i })
        expect(answered).toEqual(await read(id, "admin", storeId))
        expect(await told(id)).toEqual(await read(id, "subscriber", storeId))
      }
      const inHand = await Promise.all(ids.map(shown))
      await run(Effect.flatMap(ListingRepair, (stale) => stale.rebuild(storeId, () => undefined)))
      expect(await Promise.all(ids.map(shown))).toEqual(inHand)
    }
  })

  it("finds a product that was created alone as composing it from its rows would leave it, whatever its stock", async () => {
    const stocks = [
      { total: 0 },
      { total: 2 },
      { total: 0, backorderMode: "ALLOW" },
      { total: 0, backorderMode: "LIMITED", backorderLimit: 0 },
      { total: 0, backorderMode: "LIMITED", backorderLimit: 1 },
      { trackingMode: "UNTRACKED" },
      { trackingMode: "DISABLED", total: 5 }
    ]
    const variant = (Size: string, inventory: object, status: string) => ({ attributes: { Size }, inventory, status })
    const bodies = [
      {},
      ...stocks.map((inventory) => ({ inventory })),
      { type: "VARIABLE" },
      ...stocks.map((one) => ({
        type: "VARIABLE",
        variants: [variant("S", one, "active"), variant("L", { total: 9 }, "draft")]
      }))
    ]
    const buyable: Array<unknown> = []
    for (const body of bodies) {
      const { id } = await send("POST", "/v1/products", { name: "Stocked", status: "active", ...body })
      const inHand = await shown(String(id))
      expect(inHand).toMatchObject([{ notes: 0 }])
      await run(Effect.flatMap(ListingRepair, (stale) => stale.rebuild(shop.storeId, () => undefined)))
      expect([body, await shown(String(id))]).toEqual([body, inHand])
      buyable.push((inHand[0] as { readonly listing: { readonly buyable: unknown } }).listing.buyable)
    }
    const each = [false, false, true, true, false, true, true, false]
    expect(buyable).toEqual([...each, ...each])
  })

  it("leaves stale marks that others have set since it read, and shoppers see the change at once", async () => {
    const category = await send("POST", "/v1/categories", { name: "Since" })
    const made = await send("POST", "/v1/products", { name: "Held", status: "active", basePrice: "5.00" })
    const id = String(made.id)
    await owner.query("BEGIN")
    await owner.query("SELECT 1 FROM product_listing WHERE product_id = $1 FOR UPDATE", [id])
    const changing = send("PATCH", `/v1/products/${id}`, { name: "Changed" })
    await waitedFor(owner)
    await other.query(
      "INSERT INTO product_category (store_id, product_id, category_id, position) VALUES ($1, $2, $3, 1)",
      [shop.storeId, id, category.id]
    )
    await owner.query("COMMIT")
    await changing
    expect(await rowsOf("SELECT cause FROM product_stale WHERE product_id = $1", id)).toEqual([{ cause: "rows" }])
    const { body } = await shop.call("GET", `/vc/${shop.channelId}/products/${id}`)
    expect([body.name, body.categories]).toEqual(["Changed", [expect.objectContaining({ id: category.id })]])
    expect(await shown(id)).toMatchObject([{ notes: 0 }])
  })

  it("brings in what a host's own SQL has changed before", async () => {
    const made = await send("POST", "/v1/products", { name: "Before", status: "active", basePrice: "5.00" })
    await owner.query("UPDATE product SET name = 'Zanzibar', updated_at = '2090-01-01' WHERE id = $1", [made.id])
    await send("PATCH", `/v1/products/${made.id}`, { basePrice: "6.00" })
    const again = await send("PATCH", `/v1/products/${made.id}`, { basePrice: "7.00" })
    expect([again.name, again.updatedAt]).toEqual(["Zanzibar", "2090-01-01T00:00:00.002Z"])
    const { body } = await shop.call("GET", `/vc/${shop.channelId}/products?search=zanzibar`)
    expect(body.data.map(({ id }: { readonly id: string }) => id)).toEqual([made.id])
  })

  it("shows what a host's triggers make of it, before and after its rows are written", async () => {
    const category = await send("POST", "/v1/categories", { name: "Triggered" })
    await owner.query(`CREATE FUNCTION loud() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.name := upper(NEW.name); RETURN NEW; END $$`)
    const made = await send("POST", "/v1/products", { name: "Quiet", status: "active", basePrice: "5.00" })
    const id = String(made.id)
    await owner.query("CREATE TRIGGER loud BEFORE INSERT OR UPDATE ON product FOR EACH ROW EXECUTE FUNCTION loud()")
    await owner.query("CREATE TRIGGER loud BEFORE INSERT ON product_variant FOR EACH ROW EXECUTE FUNCTION loud()")
    const answered = await send("PATCH", `/v1/products/${id}`, { name: "changed" })
    const born = await send("POST", "/v1/products", { name: "born", status: "active", inventory: { total: 1 } })
    await run(
      Effect.gen(function* () {
        const store = yield* (yield* Stores).context(shop.storeId)
        const inputs = ["one", "two"].map((name) => ({ name, slug: name, status: "active" as const }))
        return yield* (yield* Products).createMany(store, inputs)
      })
    )
    await owner.query("DROP TRIGGER loud ON product")
    const varied = await send("POST", "/v1/products", {
      name: "varied",
      status: "active",
      type: "VARIABLE",
      variants: [{ name: "small", attributes: { Size: "S" } }]
    })
    await owner.query("DROP TRIGGER loud ON product_variant")
    expect([answered.name, born.name, varied.variants[0].name]).toEqual(["CHANGED", "BORN", "SMALL"])
    expect(await shown(String(born.id))).toMatchObject([{ listing: { name: "BORN", buyable: true }, notes: 0 }])
    for (const slug of ["one", "two"])
      expect((await shop.call("GET", `/vc/${shop.channelId}/products/slug/${slug}`)).body.name).toBe(slug.toUpperCase())
    expect((await told(id)) as object).toMatchObject({ name: "CHANGED" })
    expect(await shown(id)).toMatchObject([{ listing: { name: "CHANGED" }, notes: 0 }])

    await owner.query(`CREATE FUNCTION filed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO product_category (store_id, product_id, category_id, position)
        VALUES (NEW.store_id, NEW.id, '${category.id}', 1) ON CONFLICT DO NOTHING;
      RETURN NULL; END $$`)
    await owner.query("CREATE TRIGGER filed AFTER INSERT OR UPDATE ON product FOR EACH ROW EXECUTE FUNCTION filed()")
    await send("PATCH", `/v1/products/${id}`, { basePrice: "6.00" })
    const another = await send("POST", "/v1/products", { name: "Born filed", status: "active", basePrice: "5.00" })
    await owner.query("DROP TRIGGER filed ON product")
    for (const one of [id, String(another.id)]) {
      const { body } = await shop.call("GET", `/vc/${shop.channelId}/products/${one}`)
      expect([one, body.categories]).toEqual([one, [expect.objectContaining({ id: category.id })]])
    }
  })

  it("brings in what somebody else did to the product while it waited", async () => {
    const make = async (name: string) =>
      String((await send("POST", "/v1/products", { name, status: "active", basePrice: "5.00" })).id)
    const [part, hidden] = [await make("Part"), await make("Hidden")]
    /** Sends the PATCHes behind another transaction that has the products. */
    const behind = async (work: () => Promise<unknown>, ids: ReadonlyArray<string>) => {
      await owner.query("BEGIN")
      await owner.query("SELECT 1 FROM product WHERE id = ANY($1) FOR NO KEY UPDATE", [ids])
      const waiting = ids.map((id) => send("PATCH", `/v1/products/${id}`, { basePrice: "7.00" }))
      await waitedFor(owner, ids.length)
      await work()
      await owner.query("COMMIT")
      await Promise.all(waiting)
    }
    const kit = await send("POST", "/v1/products", {
      name: "Kit of parts",
      type: "KIT",
      status: "active",
      kitPricingMode: "COMPONENTS",
      kitComponents: [{ productId: hidden, quantity: 1 }]
    })
    await behind(async () => {
      await owner.query("UPDATE kit_component SET product_id = $1 WHERE kit_id = $2", [part, kit.id])
      await owner.query("DELETE FROM product_stale")
      await owner.query("UPDATE product SET status = 'draft' WHERE id = $1", [hidden])
      await owner.query("DELETE FROM product_document WHERE product_id = $1", [hidden])
      await owner.query("DELETE FROM product_stale")
    }, [part, hidden])
    const { body } = await shop.call("GET", `/vc/${shop.channelId}/products/${kit.id}`)
    expect([body.basePrice, body.displayPrice]).toEqual(["7.00", "7.00"])
    expect((await shop.call("GET", `/vc/${shop.channelId}/products/${hidden}`)).status).toBe(404)
  })

  it("leaves later writes of its transaction to be marked stale", async () => {
    const made = await send("POST", "/v1/products", { name: "First", status: "active", basePrice: "5.00" })
    const behind = (write: (store: StoreContext, products: Products["Service"]) => Effect.Effect<unknown, unknown>) =>
      run(
        Effect.gen(function* () {
          const { sql, write: inTransaction } = yield* Database
          const [store, products] = [yield* (yield* Stores).context(shop.storeId), yield* Products]
          yield* inTransaction(store.id)(
            Effect.andThen(
              write(store, products),
              sql`UPDATE product SET name = 'Behind' WHERE store_id = ${store.id} AND id = ${made.id}`
            )
          )
        })
      )
    const input = { name: "Another", status: "draft" } as const
    const writes: ReadonlyArray<Parameters<typeof behind>[0]> = [
      (store, products) => products.update(store, String(made.id), { name: "Changed" }),
      (store, products) => products.create(store, input),
      (store, products) => products.createMany(store, [input, input]),
      (store, products) =>
        products.create(store, {
          ...input,
          type: "KIT",
          kitPricingMode: "COMPONENTS",
          kitComponents: [{ productId: String(made.id), quantity: 1 }]
        })
    ]
    for (const [i, write] of writes.entries()) {
      await behind(write)
      const { body } = await shop.call("GET", `/vc/${shop.channelId}/products/${made.id}`)
      expect([i, body.name]).toEqual([i, "Behind"])
      await send("PATCH", `/v1/products/${made.id}`, { name: `First ${i}` })
    }
  })
})

describe("a product that is created alone", () => {
  it("is found by who misspells it, also where a transaction that had the word first was taken back", async () => {
    const input = { name: "Zebrawood", status: "active", basePrice: 5 } as const
    const takenBack = run(
      Effect.gen(function* () {
        const { write } = yield* Database
        const [store, products] = [yield* (yield* Stores).context(shop.storeId), yield* Products]
        yield* write(store.id)(Effect.andThen(products.create(store, input), Effect.die(new Error("taken back"))))
      })
    )
    await expect(takenBack).rejects.toThrow("taken back")
    const made = await send("POST", "/v1/products", input)
    const { body } = await shop.call("GET", `/vc/${shop.channelId}/products?search=zebrawod`)
    expect(body.data.map(({ id }: { readonly id: string }) => id)).toEqual([made.id])
  })
})
