/**
 * What storefronts read of a catalogue, as requests: lists of 20 that were asked before, single products, repeated
 * reads, and lists that nobody asked before.
 */
import {
  collectionSize,
  collectionSlug,
  commonWord,
  composedProducts,
  kinds,
  productIdOf,
  slugOf,
  words
} from "./catalogueSeed.ts"
import type { Request } from "./load.ts"
import { send } from "./proof/Client.ts"
import type { Shop } from "./seed.ts"

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

const listRequests = (shop: Shop, count: number): ReadonlyArray<Request> =>
  pages(count).map((page) => get(shop, `/products?page=${page}&limit=20`))

const productRequests = (shop: Shop, count: number): ReadonlyArray<Request> =>
  times(1_000, (i) => get(shop, `/products/slug/${slugOf(((i * 7_919) % count) + 1)}`))

const inventoryRequests = (shop: Shop, count: number): ReadonlyArray<Request> =>
  times(50, (i) => {
    const ids = times(10, (k) => productIdOf(((i * 10 + k) % count) + 1))
    return get(shop, `/inventory?productIds=${ids.join(",")}`)
  })

/** Requests that repeat a read with the version of its answer. */
const repeated = async (port: number, requests: ReadonlyArray<Request>): Promise<ReadonlyArray<Request>> => {
  const asked: Array<Request> = []
  for (const request of requests.slice(0, 200)) {
    const { headers } = await send(port, "GET", request.path.slice(4), { headers: request.headers ?? {} })
    const etag = headers["etag"]
    if (etag === undefined) throw new Error(`${request.path} is answered without an ETag`)
    asked.push({ ...request, headers: { ...request.headers, "if-none-match": etag } })
  }
  return asked
}

/** Which read of the baseline a read is compared with. */
export type ReadKind = "list" | "product" | "inventory"

export const baselineRequests: Readonly<Record<ReadKind, (shop: Shop, count: number) => ReadonlyArray<Request>>> = {
  list: listRequests,
  product: productRequests,
  inventory: inventoryRequests
}

export interface CatalogueRead {
  readonly name: string
  readonly kind: ReadKind
  /** Of a catalogue of `count` products, from the server at `port`. */
  readonly requests: (shop: Shop, count: number, port: number) => Promise<ReadonlyArray<Request>>
}

const read = (
  name: string,
  kind: ReadKind,
  requests: (shop: Shop, count: number) => ReadonlyArray<Request>
): CatalogueRead => ({ name, kind, requests: async (shop, count) => requests(shop, count) })

const departments = (shop: Shop): ReadonlyArray<Request> =>
  times(20, (i) => get(shop, `/products?category=department-${i % 10}&limit=20`))
const searches = (shop: Shop): ReadonlyArray<Request> =>
  times(20, (i) => get(shop, `/products?search=${words[i % 10]}+${kinds[(i * 3) % 10]}&limit=20`))

/** Requested again and again. */
export const catalogueReads: ReadonlyArray<CatalogueRead> = [
  read("list of 20, pages 1 to 500", "list", listRequests),
  read("list of 20, page 1", "list", (shop) => [get(shop, "/products?page=1&limit=20")]),
  read("list of 20, the last page", "list", (shop, count) => [
    get(shop, `/products?page=${Math.min(5_000, count / 20)}&limit=20`)
  ]),
  read("search, two words", "list", searches),
  read("search, a misspelt word", "list", (shop) =>
    ["walnutt", "cotten", "coper", "marbel"].map((word) => get(shop, `/products?search=${word}&limit=20`))
  ),
  read("category page", "list", departments),
  read("list with facets, price and category", "list", (shop) =>
    times(10, (i) => get(shop, `/products?category=department-${i}&minPrice=10&maxPrice=60&facets=true&limit=20`))
  ),
  read("sorted by the price to pay", "list", (shop) =>
    times(10, (i) => get(shop, `/products?sortBy=displayPriceMin&page=${i + 1}&limit=20`))
  ),
  read("product by slug", "product", productRequests),
  read("inventory of 10 products", "inventory", inventoryRequests),
  {
    name: "product by slug, asked again with If-None-Match",
    kind: "product",
    requests: (shop, count, port) => repeated(port, productRequests(shop, count))
  }
]

/** Reads while prices change: pages that were requested before. */
export const shoppersReads: ReadonlyArray<CatalogueRead> = [
  read("list of 20, pages 1 to 500", "list", listRequests),
  read("category pages and searches", "list", (shop) => [...departments(shop), ...searches(shop)])
]

/** Lists that differ from one another by a range of prices, in which all products are. */
export interface FreshList {
  readonly name: string
  /** Products that match, of a catalogue of `count`. */
  readonly matching: (count: number) => number
  /** The n-th of them is requested nowhere else. */
  readonly request: (shop: Shop, n: number) => Request
}

/** Below the lowest and above the highest price, another one for each n. */
const range = (n: number): string =>
  `minPrice=${((n % 499) / 100 + 0.01).toFixed(2)}&maxPrice=${(1_000 + n / 100).toFixed(2)}`
const pageOf = (n: number): number => 1 + ((n * 7) % (Math.min(collectionSize, composedProducts) / 20))

const fresh = (name: string, filter: string, matching: FreshList["matching"]): FreshList => ({
  name,
  matching,
  request: (shop, n) => get(shop, `/products?${filter}${range(n)}&page=${pageOf(n)}&limit=20`)
})

const all = (count: number): number => count

/** Lists that were never requested before: the same n gives the same list, so no n is used twice. */
export const freshLists: ReadonlyArray<FreshList> = [
  fresh("a category of 500 and a price range", `category=${collectionSlug}&`, () => collectionSize),
  fresh("a price range, all match", "", all),
  fresh("a search and a price range, all match", `search=${commonWord}&`, all)
]
