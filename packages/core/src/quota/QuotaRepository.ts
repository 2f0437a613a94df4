/** The SQL of what a store has used of its quotas. It reads tables of other rooms and writes none. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { lockThenRead, none, one } from "../database/Repository.ts"
import { countLocked, lockStoreFor } from "../database/StoreLocks.ts"
import { monthOf } from "./Month.ts"

/** Who asks for the place of an order. */
export interface OrderToCome {
  /** Its own payment, if one is under way, takes no second place. */
  readonly checkoutId: string | null
  readonly now: Date
  /** A payment keeps the place of its order when it began after this. */
  readonly heldSince: Date
}

export class QuotaRepository extends Context.Service<QuotaRepository>()("@effect-commerce/core/quota/QuotaRepository", {
  make: Effect.gen(function* () {
    const { sql } = yield* Database

    /** An order that was placed while the month turned may have begun the month that is still to come here. */
    const ordersOf = (storeId: string, now: Date) =>
      sql`coalesce((SELECT CASE WHEN c.month >= ${monthOf(now)} THEN c.month_orders ELSE 0 END
        FROM order_counter c WHERE c.store_id = ${storeId}), 0)::int`

    return {
      /** The products that are not deleted, and how many orders this month has. */
      usage: (storeId: string, now: Date) =>
        Effect.map(
          one(sql<{ readonly products: number; readonly orders: number }>`SELECT ${ordersOf(storeId, now)} AS orders,
            (SELECT count(*)::int FROM product WHERE store_id = ${storeId} AND deleted_at IS NULL) AS products`),
          (row) => row ?? { products: 0, orders: 0 }
        ),

      /** Counts the products that are not deleted; no other transaction adds one until this one ends. */
      countProductsToAdd: (storeId: string) =>
        countLocked(sql, {
          table: "product",
          ownerId: storeId,
          which: sql`store_id = ${storeId} AND deleted_at IS NULL`
        }),

      /**
       * Counts the orders of this month and those that are being paid for. No other transaction gets a place until this
       * one ends. An order and the end of its payment are committed together, so none is counted twice or missed.
       */
      countOrdersToAdd: (storeId: string, { checkoutId, now, heldSince }: OrderToCome) =>
        Effect.map(
          lockThenRead(
            none(lockStoreFor(sql, "order_quota", storeId)),
            one(sql<{ readonly n: number }>`SELECT ${ordersOf(storeId, now)} + (
                SELECT count(*) FROM provider_operation o
                WHERE o.store_id = ${storeId} AND o.check_at IS NOT NULL AND o.kind = 'authorize'
                  AND o.subject_type = 'checkout' AND o.state IN ('calling', 'awaiting_shopper')
                  AND o.open_since > ${heldSince} AND o.subject_id IS DISTINCT FROM ${checkoutId}::text)::int AS n`)
          ),
          ([, row]) => row?.n ?? 0
        )
    }
  })
}) {
  static readonly layer = Layer.effect(QuotaRepository, QuotaRepository.make)
}
