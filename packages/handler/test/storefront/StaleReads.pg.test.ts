/**
 * More products than a reader composes were written by somebody who composes nothing. What a reader shows is what the
 * rows say all the same: it composes that first.
 */
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** More than twice as many as one transaction composes. */
const count = 450
let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
/** In the order of their ids, and the other way round in the order of their names. */
let ids: ReadonlyArray<string>
let kit: string

const numbered = (i: number) => `N${String(count - i).padStart(4, "0")}`
const rows = async (text: string) => (await owner.query(text)).rows

beforeAll(async () => {
  // No workers: what is right here is right without one.
  shop = await openTestCommerce({ role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
  const products = Array.from({ length: count }, () => ({ name: "Lamp", basePrice: "2.00", status: "active" }))
  for (let at = 0; at < count; at += 100) {
    const body = { products: products.slice(at, at + 100) }
    expect((await shop.call("POST", "/v1/products/bulk", { body })).status).toBeLessThan(300)
  }
  const { ProductImports } = await import("@effect-commerce/core/product/ProductImports")
  await shop.run(ProductImports.use((imports) => imports.pass) as never)
  ids = (await rows("SELECT id FROM product ORDER BY id")).map(({ id }) => String(id))
  expect(ids.length).toBe(count)
  const kitComponents = [{ productId: ids.at(-1), quantity: 2 }]
  const body = { name: "AA", type: "KIT", status: "active", kitPricingMode: "COMPONENTS", kitComponents }
  kit = (await shop.call("POST", "/v1/products", { body })).body.id
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

interface Named {
  readonly name: string
}

const read = async (path: string) => (await shop.call("GET", `/vc/${shop.channelId}${path}`)).body
const noted = async () => (await rows("SELECT DISTINCT product_id FROM product_stale")).length
let round = 0
/** Writes each product but the kit, as a release before would. */
const writeAll = async (more = "") => {
  round += 1
  await owner.query(`UPDATE product SET description = 'Round ${round}', base_price = ${round * 100} ${more}
    WHERE id <> '${kit}'`)
  expect(await noted()).toBe(count)
}
beforeEach(async () => {
  for (const [i, id] of ids.entries())
    await owner.query("UPDATE product SET name = $1, slug = $2 WHERE id = $3", [numbered(i), `s${i}`, id])
  const { ListingRepair } = await import("@effect-commerce/core/storefront/ListingRepair")
  await shop.run(ListingRepair.use((stale) => stale.pass) as never)
  expect(await noted()).toBe(0)
})

describe("a reader of a store of which more than a transaction's products were written without composing", () => {
  it("shows a product as it is, whichever it is, by its id", async () => {
    await writeAll()
    expect((await read(`/products/${ids.at(-1)}`)).description).toBe(`Round ${round}`)
    // It has composed 200, and leaves the others to the worker.
    expect(await noted()).toBe(count - 200)
  })

  it("finds it by the slug that it has now, and no longer by the one that it had", async () => {
    await writeAll(", slug = 'new-' || slug")
    expect((await read(`/products/slug/new-s${count - 1}`)).description).toBe(`Round ${round}`)
    await writeAll(", slug = 'newer-' || slug")
    expect((await read(`/products/slug/new-s${count - 2}`)).code).toBe("PRODUCT_NOT_FOUND")
  })

  it("composes a document again that nobody can read", async () => {
    await owner.query("UPDATE product_document SET document = '{}' WHERE product_id = $1", [ids[7]])
    expect((await read(`/products/${ids[7]}`)).id).toBe(ids[7])
    await owner.query("UPDATE product_document SET document = 'not JSON' WHERE product_id = $1", [ids[7]])
    const found = await read(`/products?search=${numbered(7)}`)
    expect(found.data.map(({ id }: { readonly id: string }) => id)).toEqual([ids[7]])
    expect(await noted()).toBe(0)
  })

  it("finds a document broken that cannot be read after it was composed either, and marks it for nobody else", async () => {
    await owner.query(`CREATE SEQUENCE composed; SELECT setval('composed', 1);
      CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN PERFORM nextval('composed'); NEW.document := 'not JSON'; RETURN NEW; END $$;
      CREATE TRIGGER broken BEFORE INSERT ON product_document FOR EACH ROW WHEN (NEW.product_id = '${ids[9]}')
        EXECUTE FUNCTION broken()`)
    await owner.query("UPDATE product_document SET document = '' WHERE product_id = $1", [ids[9]])
    const composed = async () => Number((await rows("SELECT last_value FROM composed"))[0]?.last_value)
    for (const path of [`/products/${ids[9]}`, `/products?search=${numbered(9)}`]) {
      const before = await composed()
      const { status, body } = await shop.call("GET", `/vc/${shop.channelId}${path}`)
      expect([status, body.code]).toEqual([500, "INTERNAL_SERVER_ERROR"])
      expect(await composed()).toBe(before + 1)
      expect(await noted()).toBe(0)
    }
    expect((await read(`/products/${ids[10]}`)).id).toBe(ids[10])
    await owner.query("DROP TRIGGER broken ON product_document")
    expect((await read(`/products/${ids[9]}`)).id).toBe(ids[9])
  })

  it("is a merchant in a host's transaction, who is shown what the host has written, and composes in one turn", async () => {
    const { joinHostTransaction } = await import("@effect-commerce/core/host/HostTransaction")
    const { Products } = await import("@effect-commerce/core/product/Products")
    const { Stores } = await import("@effect-commerce/core/store/Stores")
    const names = async (how: (list: Effect.Effect<unknown>) => Effect.Effect<unknown, unknown, unknown>) => {
      const list = Effect.gen(function* () {
        const store = yield* (yield* Stores).context(shop.storeId)
        const page = { page: 1, limit: 3 }
        return yield* (yield* Products).list(store, { page, filter: {}, sortBy: "name", descending: true })
      })
      const { items } = (await shop.run(how(list as never) as never)) as { readonly items: ReadonlyArray<Named> }
      return items.map(({ name }) => name)
    }
    const joined = () => names(joinHostTransaction(owner))
    await owner.query("BEGIN")
    for (const i of [2, 1]) await owner.query("UPDATE product SET name = $1 WHERE id = $2", [`Z${i}`, ids[i]])
    expect(await joined()).toEqual(["Z2", "Z1", numbered(0)])
    expect(await noted()).toBe(0)
    await owner.query("UPDATE product SET name = 'Y' || name WHERE id <> $1", [kit])
    expect((await joined()).every((name) => name.startsWith("YZ") || name.startsWith("YN"))).toBe(true)
    expect(await noted()).toBe(count - 200)
    await owner.query("ROLLBACK")
    expect(await names((list) => list)).toEqual([0, 1, 2].map(numbered))
    expect(await noted()).toBe(0)
  })

  it("shows a kit at the price that its component has now", async () => {
    await writeAll()
    expect((await read(`/products/${kit}`)).displayPriceMin).toBe(`${2 * round}.00`)
  })

  it("shows every product of a page as it is, of a list that was asked for before as well", async () => {
    const page = async () => {
      const { data } = await read("/products?limit=100&page=4&sortBy=createdAt&sortOrder=asc")
      return data.map(({ description }: { description: string }) => description)
    }
    for (let i = 0; i < 3; i++) {
      await writeAll()
      expect(await page()).toEqual(Array.from({ length: 100 }, () => `Round ${round}`))
    }
  })

  it("shows those as they are, too, that come to the page because others leave it", async () => {
    // The first of the list are the last by their ids; they go to its end, and the next ones come.
    await writeAll(`, name = CASE WHEN id >= '${ids[count - 100]}' THEN 'Z' || name ELSE name END`)
    const { data } = await read("/products?limit=100&sortBy=name&sortOrder=asc")
    expect(data.map(({ name }: { name: string }) => name)).toEqual([
      "AA",
      ...Array.from({ length: 99 }, (_, i) => numbered(count - 101 - i))
    ])
    expect(new Set(data.slice(1).map(({ description }: { description: string }) => description))).toEqual(
      new Set([`Round ${round}`])
    )
  })
})
