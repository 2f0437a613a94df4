import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** Facets of random catalogues, beside counts that are made of the answers of every product. */
const statements = makeStatementCounter()
let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
})
afterAll(() => shop.close())

/** Numbers from a seed, which a failing test prints. */
const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

interface Category {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly parentId: string | null
  readonly isActive: boolean
}
interface Product {
  readonly name: string
  readonly displayPriceMin: string
  readonly categories: ReadonlyArray<{ readonly id: string }>
  readonly brands: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly inventory: { readonly canPurchase: boolean }
}
interface Catalogue {
  readonly categories: ReadonlyArray<Category>
  readonly brands: ReadonlyArray<{ readonly id: string; readonly slug: string; readonly name: string }>
  readonly at: string
  readonly all: ReadonlyArray<Product>
}

const catalogueOf = async (seed: number): Promise<Catalogue> => {
  const next = random(seed)
  const some = <A>(from: ReadonlyArray<A>, most: number): ReadonlyArray<A> => {
    const chosen = Array.from({ length: Math.floor(next() * (most + 1)) }, () => from[Math.floor(next() * from.length)])
    return [...new Set(chosen)].filter((one): one is A => one !== undefined)
  }
  const { apiKey: key, channelId } = await shop.openStore()
  const post = async (path: string, body: object) => (await shop.call("POST", path, { key, body })).body
  const categories: Array<Category> = []
  for (let i = 0; i < 7; i += 1) {
    const parentId = next() < 0.6 ? (some(categories, 1)[0]?.id ?? null) : null
    const isActive = next() < 0.85
    const { id, slug, name } = await post("/v1/categories", { name: `Category ${i}`, parentId, isActive })
    categories.push({ id, slug, name, parentId, isActive })
  }
  const brands: Array<{ readonly id: string; readonly slug: string; readonly name: string }> = []
  for (let i = 0; i < 3; i += 1) brands.push(await post("/v1/brands", { name: `Brand ${i}` }))
  for (let i = 0; i < 25; i += 1) {
    const made = await post("/v1/products", {
      name: `${next() < 0.5 ? "Lamp" : "Chair"} ${i}`,
      basePrice: `${Math.floor(next() * 9) + 1}.00`,
      status: next() < 0.9 ? "active" : "draft",
      categories: some(categories, 3).map(({ id }) => id),
      brands: some(brands, 2).map(({ id }) => id),
      inventory: { total: next() < 0.6 ? 3 : 0 }
    })
    if (made.id === undefined) throw new Error(JSON.stringify(made))
  }
  const at = `/vc/${channelId}/products`
  return { categories, brands, at, all: (await shop.call("GET", `${at}?limit=100`)).body.data }
}

type Asked = Partial<Record<"search" | "category" | "brand" | "minPrice" | "maxPrice" | "inStock", string>>

/** The naive evaluator: which filters a product meets, one after the other. */
const meets = ({ categories, brands }: Catalogue, asked: Asked, product: Product) => {
  const shown = (id: string | null): boolean => {
    const category = categories.find((one) => one.id === id)
    return id === null || (category?.isActive === true && shown(category.parentId))
  }
  const above = (id: string | null): ReadonlyArray<string> =>
    id === null ? [] : [id, ...above(categories.find((one) => one.id === id)?.parentId ?? null)]
  const filed = [...new Set(product.categories.filter(({ id }) => shown(id)).flatMap(({ id }) => above(id)))]
  const listed = (text: string | undefined) => text?.split(",") ?? []
  const named = (from: ReadonlyArray<{ readonly id: string; readonly slug: string }>, text: string | undefined) =>
    from.filter(({ id, slug }) => listed(text).some((one) => one === id || one === slug)).map(({ id }) => id)
  const price = Number(product.displayPriceMin)
  const { search, category, brand, minPrice, maxPrice, inStock } = asked
  return {
    filed,
    search: search === undefined || product.name.toLowerCase().startsWith(search),
    category: category === undefined || named(categories, category).some((id) => filed.includes(id)),
    brand: brand === undefined || product.brands.some(({ id }) => named(brands, brand).includes(id)),
    price:
      (minPrice === undefined || price >= Number(minPrice)) && (maxPrice === undefined || price <= Number(maxPrice)),
    stock: inStock === undefined || product.inventory.canPurchase === (inStock === "true")
  }
}

const bruteForce = (catalogue: Catalogue, asked: Asked) => {
  const judged = catalogue.all.map((product) => ({ product, ...meets(catalogue, asked, product) }))
  type Judged = (typeof judged)[number]
  const parts = ["category", "brand", "price", "stock"] as const
  const under = (own: (typeof parts)[number] | undefined) =>
    judged.filter((one) => one.search && parts.every((part) => part === own || one[part]))
  const counted = (rows: ReadonlyArray<Judged>, idsOf: (one: Judged) => ReadonlyArray<string>) => {
    const counts: Record<string, number> = {}
    for (const row of rows) for (const id of idsOf(row)) counts[id] = (counts[id] ?? 0) + 1
    return counts
  }
  const prices = under("price").map(({ product }) => Number(product.displayPriceMin))
  const stock = under("stock").map(({ product }) => product.inventory.canPurchase)
  return {
    total: under(undefined).length,
    categories: counted(under("category"), ({ filed }) => filed),
    brands: counted(under("brand"), ({ product }) => product.brands.map(({ id }) => id)),
    price:
      prices.length === 0
        ? { min: null, max: null }
        : { min: Math.min(...prices).toFixed(2), max: Math.max(...prices).toFixed(2) },
    stock: { inStock: stock.filter(Boolean).length, outOfStock: stock.filter((can) => !can).length }
  }
}

const told = async (at: string, asked: Asked) => {
  const query = new URLSearchParams({ ...asked, facets: "true", limit: "5" })
  const { status, body } = await shop.call("GET", `${at}?${query.toString()}`)
  expect(status).toBe(200)
  const byId = (choices: ReadonlyArray<{ readonly id: string; readonly count: number }>) =>
    Object.fromEntries(choices.map(({ id, count }) => [id, count]))
  const { categories, brands, price, stock } = body.facets
  return { total: body.meta.total, categories: byId(categories), brands: byId(brands), price, stock }
}

describe("facets", () => {
  it.each([11, 12, 13])(
    "are what counting every product gives, for random filters of a random catalogue: seed %i",
    async (seed) => {
      const catalogue = await catalogueOf(seed)
      const next = random(seed + 1_000)
      const maybe = <A>(value: () => A): A | undefined => (next() < 0.4 ? value() : undefined)
      const anyOf = (from: ReadonlyArray<{ readonly id: string; readonly slug: string }>) =>
        from
          .filter(() => next() < 0.4)
          .map(({ id, slug }) => (next() < 0.5 ? id : slug))
          .join(",") || "unknown"
      for (let i = 0; i < 25; i += 1) {
        const asked = Object.fromEntries(
          Object.entries({
            search: maybe(() => (next() < 0.5 ? "lamp" : "chair")),
            category: maybe(() => anyOf(catalogue.categories)),
            brand: maybe(() => anyOf(catalogue.brands)),
            minPrice: maybe(() => `${Math.floor(next() * 6)}`),
            maxPrice: maybe(() => `${Math.floor(next() * 9)}`),
            inStock: maybe(() => String(next() < 0.5))
          }).filter(([, value]) => value !== undefined)
        ) as Asked
        expect([asked, await told(catalogue.at, asked)]).toEqual([asked, bruteForce(catalogue, asked)])
        // Remembered, and the same.
        expect([asked, await told(catalogue.at, asked)]).toEqual([asked, bruteForce(catalogue, asked)])
      }
    },
    60_000
  )

  it("carry the names in the language asked for, most products first", async () => {
    const { apiKey: key, channelId } = await shop.openStore()
    const post = async (path: string, body: object) => (await shop.call("POST", path, { key, body })).body
    const lamps = await post("/v1/categories", { name: "Lamps", translations: { de: { name: "Lampen" } } })
    const desks = await post("/v1/categories", { name: "Desk lamps", parentId: lamps.id })
    const acme = await post("/v1/brands", { name: "Acme", translations: { de: { name: "Akme" } } })
    const active = { basePrice: "5.00", status: "active", inventory: { total: 1 } }
    await post("/v1/products", { ...active, name: "One", categories: [desks.id], brands: [acme.id] })
    await post("/v1/products", { ...active, name: "Two", categories: [lamps.id], inventory: { total: 0 } })
    const { body } = await shop.call("GET", `/vc/${channelId}/products?facets=true&locale=de`)
    expect(body.facets).toEqual({
      categories: [
        { id: lamps.id, name: "Lampen", slug: "lamps", parentId: null, count: 2 },
        { id: desks.id, name: "Desk lamps", slug: "desk-lamps", parentId: lamps.id, count: 1 }
      ],
      brands: [{ id: acme.id, name: "Akme", slug: "acme", count: 1 }],
      attributes: [],
      metafields: [],
      price: { min: "5.00", max: "5.00" },
      stock: { inStock: 1, outOfStock: 1 }
    })
    expect((await shop.call("GET", `/vc/${channelId}/products`)).body).not.toHaveProperty("facets")
  })

  it("cost one statement with the list, and none where nothing has changed since", async () => {
    const { apiKey: key, channelId } = await shop.openStore()
    const at = `/vc/${channelId}/products?facets=true&search=lamp`
    const add = (name: string) =>
      shop.call("POST", "/v1/products", { key, body: { name, basePrice: "1.00", status: "active" } })
    const cost = async () => {
      const before = statements.statements().length
      const { body } = await shop.call("GET", at)
      return [statements.statements().length - before, body.meta.total, body.facets.stock.outOfStock]
    }
    await add("Lamp")
    await cost()
    expect(await cost()).toEqual([1, 1, 1])
    await add("Lamp two")
    expect(await cost()).toEqual([2, 2, 2])
    expect(await cost()).toEqual([1, 2, 2])
  })

  it("follow a sale that begins, without a write", async () => {
    const { apiKey: key, channelId } = await shop.openStore()
    const { now } = (await shop.call("POST", "/test/clock", { body: { advanceMs: 0 } })).body
    const start = new Date(Date.parse(now) + 60_000)
    const body = {
      name: "Lamp",
      basePrice: "9.00",
      salePrice: "4.00",
      salePriceStartsAt: start.toISOString(),
      salePriceEndsAt: new Date(start.getTime() + 60_000).toISOString(),
      status: "active"
    }
    await shop.call("POST", "/v1/products", { key, body })
    const price = async () => (await shop.call("GET", `/vc/${channelId}/products?facets=true`)).body.facets.price
    expect(await price()).toEqual({ min: "9.00", max: "9.00" })
    await shop.call("POST", "/test/clock", { body: { advanceMs: 61_000 } })
    expect(await price()).toEqual({ min: "4.00", max: "4.00" })
  })
})
