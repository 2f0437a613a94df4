/** Quotas of a store, in the tests of a shop. */
import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import { Quotas } from "@effect-commerce/core/quota/Quotas"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import pg from "pg"
import type { Called, TestCommerce } from "../../src/testing/TestCommerce.ts"

export const quotasOf = (shop: TestCommerce) => {
  const use = <A, E, R>(effect: Effect.Effect<A, E, R>) => shop.run(effect as unknown as Effect.Effect<A>)
  return {
    set: (quotas: { readonly maxProducts?: number | null; readonly maxOrdersPerMonth?: number | null }) =>
      use(
        Effect.gen(function* () {
          const stores = yield* Stores
          yield* stores.setQuotas(yield* stores.context(shop.storeId), quotas)
        })
      ),
    used: () =>
      use(
        Effect.gen(function* () {
          const stores = yield* Stores
          return yield* (yield* Quotas).usage(yield* stores.context(shop.storeId))
        })
      ),
    /** What the audit finds in the store's books. */
    findings: async () => {
      const client = new pg.Client(shop.database.nodePostgres)
      await client.connect()
      try {
        const found = []
        for (const law of laws) {
          const { rows } = await client.query(questionOf(law), [shop.storeId])
          found.push(...findingsOf(law, shop.storeId, rows))
        }
        return found
      } finally {
        await client.end()
      }
    }
  }
}

export const answerOf = ({ status, body }: Called) => (status < 300 ? [status] : [status, body.code, body.details])

export const noProduct = (most: number, used: number) => [
  402,
  "PLAN_LIMIT_REACHED",
  {
    limit: "products",
    most,
    used,
    remedy: "Delete products that are not needed, or ask the operator of the server for more."
  }
]

export const noOrder = (most: number, used: number, resetsAt: string) => [
  402,
  "PLAN_ORDERS_EXHAUSTED",
  {
    limit: "ordersPerMonth",
    most,
    used,
    resetsAt,
    remedy: "Wait until the next month, or ask the operator of the server for more."
  }
]
