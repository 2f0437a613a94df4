/**
 * The five routes, and the requests that measure them. Reads are sent round and round; writes once each, on carts and
 * checkouts made for them.
 */
import type { Client } from "pg"
import type { Request } from "./load.ts"
import {
  cartIdOf,
  checkoutIdOf,
  productIdOf,
  seedCarts,
  seedCheckouts,
  type Shop,
  simpleProduct,
  slugOf
} from "./seed.ts"

export type RouteName = "product list of 20" | "product by slug" | "cart get" | "add line" | "complete checkout"

export interface Scenario {
  readonly route: RouteName
  readonly kind: "read" | "write"
  /** Requests of a batch, and the rows that they need. Batches are named by letters and digits and used once. */
  readonly prepare: (seeder: Client, shop: Shop, batch: string, count: number) => Promise<ReadonlyArray<Request>>
}

const linesPerCart = 5
const get = (shop: Shop, path: string): Request => ({
  method: "GET",
  path: `/api/vc/${shop.channelId}${path}`,
  headers: { origin: shop.origin }
})
const post = (shop: Shop, path: string, body: object, headers: Readonly<Record<string, string>> = {}): Request => ({
  method: "POST",
  path: `/api/vc/${shop.channelId}${path}`,
  body: JSON.stringify(body),
  headers: { origin: shop.origin, ...headers }
})
const times = <A>(count: number, make: (i: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, i) => make(i))

/** Slugs spread over 1,000 products, in an order that is the same every time. */
const slugRequests = (shop: Shop): ReadonlyArray<Request> =>
  times(2_000, (i) => get(shop, `/products/slug/${slugOf(((i * 7_919) % 1_000) + 1)}`))

export const scenarios: ReadonlyArray<Scenario> = [
  {
    route: "product list of 20",
    kind: "read",
    prepare: async (_seeder, shop) => times(10, (i) => get(shop, `/products?page=${i + 1}&limit=20`))
  },
  { route: "product by slug", kind: "read", prepare: async (_seeder, shop) => slugRequests(shop) },
  {
    route: "cart get",
    kind: "read",
    prepare: async (seeder, shop, batch) => {
      await seedCarts(seeder, shop, batch, 200, 3)
      return times(200, (i) => get(shop, `/cart/${cartIdOf(batch, i)}`))
    }
  },
  {
    route: "add line",
    kind: "write",
    // Every cart gets its first line before any gets its second: callers do not meet in one cart.
    prepare: async (seeder, shop, batch, count) => {
      const carts = Math.ceil(count / linesPerCart)
      await seedCarts(seeder, shop, batch, carts, 0)
      return times(count, (i) => {
        const body = { productId: productIdOf(simpleProduct(i)), quantity: 1 + (i % 3) }
        return post(shop, `/cart/${cartIdOf(batch, i % carts)}/items`, body)
      })
    }
  },
  {
    route: "complete checkout",
    kind: "write",
    prepare: async (seeder, shop, batch, count) => {
      await seedCheckouts(seeder, shop, batch, count)
      return times(count, (i) =>
        post(
          shop,
          `/checkout/${checkoutIdOf(batch, i)}/complete`,
          { paymentMethod: "manual" },
          { "idempotency-key": `${batch}-${i}` }
        )
      )
    }
  }
]
