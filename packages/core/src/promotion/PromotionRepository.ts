/**
 * The SQL of promotion. `readRules` reads the store's version and its active rules in one statement: one snapshot, so
 * they belong together.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { anyRow, many, none, one } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { makeStoreTable, type StoreTable } from "../database/StoreTable.ts"
import type { Page } from "../kernel/Pagination.ts"
import { sharedSize } from "../store/StoreBounds.ts"
import type { VersionedRules } from "../store/compiledRules.ts"
import { type PromotionFields, type PromotionState, promotionKind } from "./Promotion.ts"
import type { UseLimits } from "../redemption/Redemptions.ts"

/** A rule that is compiled. */
export interface StoredRule extends PromotionFields {
  readonly id: string
  readonly createdAt: Date
}

/** What pricing is compiled from. */
export interface PromotionRules extends VersionedRules {
  readonly currency: string
  readonly rules: ReadonlyArray<StoredRule>
}

const table: StoreTable<PromotionFields> = {
  table: "promotion",
  fields: [
    "name",
    "type",
    "percent",
    "amount",
    "config",
    "minimumOrderAmount",
    "applicableProducts",
    "applicableCategories",
    "applicableBrands",
    "startsAt",
    "endsAt",
    "usageLimit",
    "usageLimitPerCustomer",
    "isActive",
    "priority",
    "combinesWithOther"
  ],
  json: ["config"]
}

const stored = `m.id, m.name, m.type, m.percent::text AS percent, m.amount, m.config, m.minimum_order_amount,
  m.applicable_products, m.applicable_categories, m.applicable_brands, m.starts_at, m.ends_at, m.usage_limit,
  m.usage_limit_per_customer, m.is_active, m.priority, m.combines_with_other, m.created_at`

/** The named rows, in the order of their ids; one that was deleted keeps its place, so that the scope stays visible. */
const namesOf = (ids: string, named: string, as: string) => `(SELECT coalesce(json_agg(json_build_object(
  'id', x.id, 'name', coalesce(n.name, x.id)) ORDER BY x.at), '[]') FROM unnest(m.${ids}) WITH ORDINALITY AS x (id, at)
  LEFT JOIN ${named} n ON n.store_id = m.store_id AND n.id = x.id) AS ${as}`

const columns = `${stored}, m.updated_at, ${namesOf("applicable_products", "product", "products")},
  ${namesOf("applicable_categories", "category", "categories")}, ${namesOf("applicable_brands", "brand", "brands")},
  coalesce((SELECT c.uses FROM redemption_counter c WHERE c.store_id = m.store_id AND c.kind = '${promotionKind}'
    AND c.source_id = m.id), 0) AS usage_count`

export class PromotionRepository extends Context.Service<PromotionRepository>()(
  "@effect-commerce/core/promotion/PromotionRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const rows = makeStoreTable(sql, table)
      const reader = makePageReader<PromotionState>(sql, { name: "promotion", alias: "m", columns })
      const bounded = constraintViolations(sharedSize("promotions"))

      return {
        insert: (storeId: string, id: string, fields: PromotionFields, now: Date) =>
          none(bounded(rows.insert(storeId, id, fields, now))),
        update: (storeId: string, id: string, fields: PromotionFields, now: Date) =>
          none(bounded(rows.update(storeId, id, fields, now))),
        remove: (storeId: string, id: string) =>
          anyRow(sql`DELETE FROM promotion WHERE store_id = ${storeId} AND id = ${id} RETURNING id`),
        find: (storeId: string, id: string) =>
          one(
            sql<PromotionState>`SELECT ${sql.literal(columns)} FROM promotion m
              WHERE m.store_id = ${storeId} AND m.id = ${id}`
          ),
        count: (storeId: string) =>
          one(
            sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM promotion WHERE store_id = ${storeId}`,
            ({ n }) => n
          ),
        // promotion_store_id_priority_idx gives the order.
        list: (storeId: string, page: Page) =>
          reader.page(storeId, { conditions: [], order: sql.literal("m.priority, m.created_at, m.id"), page }),
        /** The limits of a rule as they are now; undefined if it was deleted. */
        limits: (storeId: string, id: string) =>
          one(
            sql<UseLimits>`SELECT usage_limit, usage_limit_per_customer FROM promotion
              WHERE store_id = ${storeId} AND id = ${id}`
          ),
        /** Those of the ids that are shipping zones, or shipping rates, of the store. */
        existingShipping: (of: "shipping_zone" | "shipping_rate") => (storeId: string, ids: ReadonlyArray<string>) =>
          Effect.map(
            many(
              sql<{ readonly id: string }>`SELECT id FROM ${sql(of)} WHERE store_id = ${storeId}
                AND id = ANY(${ids}::text[])`
            ),
            (found): ReadonlySet<string> => new Set(found.map(({ id }) => id))
          ),
        /** In the order in which they are applied; undefined: no such store. */
        readRules: (storeId: string) =>
          Effect.map(
            many(
              sql<
                Omit<PromotionRules, "rules"> & Omit<StoredRule, "id"> & { readonly id: string | null }
              >`SELECT s.rules_version, s.currency,
                  coalesce(s.xmin = pg_current_xact_id_if_assigned()::xid, false) AS uncommitted, ${sql.literal(stored)}
                FROM store s LEFT JOIN promotion m ON m.store_id = s.id AND m.is_active WHERE s.id = ${storeId}
                ORDER BY m.priority, m.created_at, m.id`
            ),
            (found): PromotionRules | undefined =>
              found[0] && {
                rulesVersion: found[0].rulesVersion,
                uncommitted: found[0].uncommitted,
                currency: found[0].currency,
                rules: found.flatMap(({ id, ...rule }) => (id === null ? [] : [{ ...rule, id }]))
              }
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(PromotionRepository, PromotionRepository.make)
}
