/** The SQL of redemption and redemption_counter. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, none, one } from "../database/Repository.ts"

/** One rule or coupon of a store. */
export interface Redeemed {
  readonly storeId: string
  readonly kind: string
  readonly sourceId: string
}

/** How often a source is used, with what is held for others, in all and by one customer. */
export interface Uses {
  readonly uses: number
  readonly byCustomer: number
}

/** Who uses it; the holder's own row does not count. */
export interface UsesBy {
  readonly holderId: string | null
  readonly customerId: string | null
  readonly now: Date
}

export class RedemptionRepository extends Context.Service<RedemptionRepository>()(
  "@effect-commerce/core/redemption/RedemptionRepository",
  {
    make: Effect.gen(function* () {
      const { sql, withCommit } = yield* Database

      /** Uses of the row `i` (store_id, kind, source_id). */
      const usesOf = ({ holderId, customerId, now }: UsesBy) => sql`coalesce((SELECT c.uses FROM redemption_counter c
            WHERE c.store_id = i.store_id AND c.kind = i.kind AND c.source_id = i.source_id), 0)
          + (SELECT count(*) FROM redemption r WHERE r.store_id = i.store_id AND r.kind = i.kind
              AND r.source_id = i.source_id AND r.order_id IS NULL AND r.held_until > ${now}
              AND r.holder_id IS DISTINCT FROM ${holderId}::text)::int AS uses,
          (SELECT count(*) FROM redemption r WHERE r.store_id = i.store_id AND r.kind = i.kind
            AND r.source_id = i.source_id AND r.customer_id = ${customerId}::text
            AND (r.order_id IS NOT NULL OR r.held_until > ${now} AND r.holder_id IS DISTINCT FROM ${holderId}::text)
          )::int AS by_customer`

      return {
        /** Locks a source until the transaction ends. */
        lock: ({ storeId, kind, sourceId }: Redeemed) =>
          none(
            sql`INSERT INTO redemption_counter AS c (store_id, kind, source_id)
              VALUES (${storeId}, ${kind}, ${sourceId})
              ON CONFLICT (store_id, kind, source_id) DO UPDATE SET uses = c.uses`
          ),
        uses: ({ storeId, kind, sourceId }: Redeemed, by: UsesBy) =>
          Effect.map(
            one(
              sql<Uses>`SELECT ${usesOf(by)} FROM (SELECT ${storeId}::text AS store_id, ${kind}::text AS kind,
                ${sourceId}::text AS source_id) i`
            ),
            (found) => found ?? { uses: 0, byCustomer: 0 }
          ),
        /** Of several sources of one kind, by their ids. */
        usesOfAll: (storeId: string, kind: string, sourceIds: ReadonlyArray<string>, by: UsesBy) =>
          Effect.map(
            many(
              sql<Uses & { readonly sourceId: string }>`SELECT i.source_id, ${usesOf(by)} FROM (
                SELECT ${storeId}::text AS store_id, ${kind}::text AS kind, source_id
                FROM unnest(${sourceIds}::text[]) AS u (source_id) OFFSET 0) i`
            ),
            (rows): ReadonlyMap<string, Uses> => new Map(rows.map((row) => [row.sourceId, row]))
          ),
        hold: (
          { storeId, kind, sourceId }: Redeemed,
          hold: {
            readonly holderId: string
            readonly customerId: string | null
            readonly until: Date
            readonly now: Date
          }
        ) =>
          withCommit(
            sql`INSERT INTO redemption AS r (store_id, kind, source_id, holder_id, customer_id, held_until, created_at)
              VALUES (${storeId}, ${kind}, ${sourceId}, ${hold.holderId}, ${hold.customerId}, ${hold.until},
                ${hold.now})
              ON CONFLICT (store_id, kind, source_id, holder_id) DO UPDATE SET held_until = EXCLUDED.held_until,
                customer_id = EXCLUDED.customer_id WHERE r.order_id IS NULL`
          ),
        /** The holder's use becomes one of its order. */
        spend: (
          { storeId, kind, sourceId }: Redeemed,
          use: {
            readonly holderId: string
            readonly orderId: string
            readonly customerId: string | null
            readonly now: Date
          }
        ) =>
          withCommit(
            sql`WITH used AS (
                INSERT INTO redemption (store_id, kind, source_id, holder_id, order_id, customer_id, created_at)
                VALUES (${storeId}, ${kind}, ${sourceId}, ${use.holderId}, ${use.orderId}, ${use.customerId},
                  ${use.now})
                ON CONFLICT (store_id, kind, source_id, holder_id) DO UPDATE SET order_id = EXCLUDED.order_id,
                  customer_id = EXCLUDED.customer_id, held_until = NULL)
              INSERT INTO redemption_counter AS c (store_id, kind, source_id, uses)
              VALUES (${storeId}, ${kind}, ${sourceId}, 1)
              ON CONFLICT (store_id, kind, source_id) DO UPDATE SET uses = c.uses + 1`
          ),
        /** The order's use is none any more. May be repeated. */
        giveBack: ({ storeId, kind, sourceId }: Redeemed, orderId: string) =>
          none(
            sql`WITH given AS (
                DELETE FROM redemption WHERE store_id = ${storeId} AND kind = ${kind} AND source_id = ${sourceId}
                  AND order_id = ${orderId} RETURNING 1
              )
              UPDATE redemption_counter SET uses = uses - (SELECT count(*) FROM given)::int
              WHERE store_id = ${storeId} AND kind = ${kind} AND source_id = ${sourceId}`
          ),
        // redemption_holder_idx finds them.
        release: (storeId: string, kind: string, holderId: string) =>
          withCommit(
            sql`DELETE FROM redemption WHERE store_id = ${storeId} AND holder_id = ${holderId} AND kind = ${kind}
              AND order_id IS NULL`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(RedemptionRepository, RedemptionRepository.make)
}
