/** What storefronts read of a catalogue, as requests: lists of 20 of every kind, single products, repeated reads. */
import { kinds, words } from "./catalogueSeed.ts"
import type { Request } from "./load.ts"
import type { Shop } from "./seed.ts"

export interface CatalogueRead {
  readonly name: string
  readonly requests: ReadonlyArray<Request>
  /** What of the baseline it is held against; a list also against a list of 20 of the release before. */
  readonly kind: "list" | "product" | "inventory"
}

const times = <A>(count: number, make: (i: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, i) => make(i))

const get = (shop: Shop, path: string, headers: Readonly<Record<string, string>> = {}): Request => ({
  method: "GET",
  path: `/api/vc/${shop.channelId}${path}`,
  headers: { origin: shop.origin, ...headers }
})

/** The pages of a list, as far as the first five hundred, in an order that is the same every time. */
const pages = (count: number): ReadonlyArray<number> => {
  const last = Math.min(500, count / 20)
  return times(50, (i) => 1 + ((i * 7_919) % last))
}

export const listRequests = (shop: Shop, count: number): ReadonlyArray<Request> =>
  pages(count).map((page) => get(shop, `/products?page=${page}&limit=20`))

export const productRequests = (shop: Shop, count: number): ReadonlyArray<Request> =>
  times(1_000, (i) => get(shop, `/products/slug/good-${((i * 7_919) % count) + 1}`))

export const inventoryRequests = (shop: Shop, count: number): ReadonlyArray<Request> =>
  times(50, (i) => {
    const ids = times(10, (k) => `prod_bench${String(((i * 10 + k) % count) + 1).padStart(8, "0")}`)
    return get(shop, `/inventory?productIds=${ids.join(",")}`)
  })

/** Reads of a catalogue of `count` products. */
export const catalogueReads = (shop: Shop, count: number): ReadonlyArray<CatalogueRead> => [
  { name: "list of 20, pages 1 to 500", kind: "list", requests: listRequests(shop, count) },
  { name: "list of 20, page 1", kind: "list", requests: [get(shop, "/products?page=1&limit=20")] },
  {
    name: "list of 20, the last page",
    kind: "list",
    requests: [get(shop, `/products?page=${Math.min(5_000, count / 20)}&limit=20`)]
  },
  {
    name: "search, two words",
    kind: "list",
    requests: times(20, (i) => get(shop, `/products?search=${words[i % 10]}+${kinds[(i * 3) % 10]}&limit=20`))
  },
  {
    name: "search, a misspelt word",
    kind: "list",
    requests: ["walnutt", "cotten", "coper", "marbel"].map((word) => get(shop, `/products?search=${word}&limit=20`))
  },
  {
    name: "category page",
    kind: "list",
    requests: times(20, (i) => get(shop, `/products?category=department-${i % 10}&limit=20`))
  },
  {
    name: "list with facets, price and category",
    kind: "list",
    requests: times(10, (i) =>
      get(shop, `/products?category=department-${i}&minPrice=10&maxPrice=60&facets=true&limit=20`)
    )
  },
  {
    name: "sorted by the price to pay",
    kind: "list",
    requests: times(10, (i) => get(shop, `/products?sortBy=displayPriceMin&page=${i + 1}&limit=20`))
  },
  { name: "product by slug", kind: "product", requests: productRequests(shop, count) },
  { name: "inventory of 10 products", kind: "inventory", requests: inventoryRequests(shop, count) }
]
