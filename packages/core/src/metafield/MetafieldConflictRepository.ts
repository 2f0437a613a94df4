/** The SQL of metafield_conflict. Deleting a product or a definition deletes its conflicts. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many, none, one } from "../database/Repository.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { ConflictResolution, ConflictStatus, MetafieldConflictState } from "./MetafieldConflict.ts"
import type { ValueKey } from "./MetafieldValue.ts"

/** A value that a platform sent and that was not written. */
export interface NewConflict extends ValueKey {
  readonly id: string
  readonly sourceValue: unknown
}

/** An earlier decision about a value of the platform. */
export interface Decision extends ValueKey {
  readonly sourceValue: unknown
}

export interface Settlement {
  readonly status: ConflictStatus
  readonly resolution: ConflictResolution | null
}

const asKeys = (keys: ReadonlyArray<object>): string => JSON.stringify(keys)

export class MetafieldConflictRepository extends Context.Service<MetafieldConflictRepository>()(
  "@effect-commerce/core/metafield/MetafieldConflictRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const live = sql.literal(`(SELECT mv.value FROM metafield_value mv
        WHERE mv.store_id = c.store_id AND mv.product_id = c.product_id AND mv.definition_id = c.definition_id)`)
      const select = sql`SELECT c.id, c.product_id, c.definition_id AS metafield_definition_id, c.source_platform,
        c.source_value, CASE WHEN c.status = 'PENDING' THEN ${live} ELSE c.current_value END AS current_value, c.status,
        c.resolution, c.resolved_at, c.created_at, c.updated_at,
        json_build_object('id', p.id, 'name', p.name, 'sku', p.sku) AS product,
        json_build_object('id', d.id, 'name', d.name, 'key', d.key, 'type', d.type) AS definition
        FROM metafield_conflict c
        JOIN product p ON p.store_id = c.store_id AND p.id = c.product_id AND p.deleted_at IS NULL
        JOIN metafield_definition d ON d.store_id = c.store_id AND d.id = c.definition_id`

      return {
        /** Newest first. */
        list: (storeId: string, status: ConflictStatus, page: Page) =>
          many(
            sql<MetafieldConflictState>`${select} WHERE c.store_id = ${storeId} AND c.status = ${status}
              ORDER BY c.created_at DESC, c.id DESC LIMIT ${page.limit} OFFSET ${offsetOf(page)}`
          ),
        find: (storeId: string, id: string) =>
          one(sql<MetafieldConflictState>`${select} WHERE c.store_id = ${storeId} AND c.id = ${id}`),
        /** The newest settled conflict of each of these values with the platform. */
        decisions: (
          storeId: string,
          source: string,
          productIds: ReadonlyArray<string>,
          definitionIds: ReadonlyArray<string>
        ) =>
          many(
            sql<Decision>`SELECT DISTINCT ON (product_id, definition_id) product_id, definition_id, source_value
              FROM metafield_conflict WHERE store_id = ${storeId} AND product_id = ANY(${productIds}::text[])
              AND definition_id = ANY(${definitionIds}::text[]) AND source_platform = ${source} AND status <> 'PENDING'
              ORDER BY product_id, definition_id, resolved_at DESC, id DESC`
          ),
        /** Opens conflicts, or updates the value of open ones; returns their ids in this order. */
        open: (storeId: string, source: string, conflicts: ReadonlyArray<NewConflict>, now: Date) =>
          many(
            sql<ValueKey & { readonly id: string }>`INSERT INTO metafield_conflict (store_id, id, product_id,
                definition_id, source_platform, source_value, created_at, updated_at)
              SELECT ${storeId}, w.id, w."productId", w."definitionId", ${source}, w."sourceValue", ${now}, ${now}
              FROM jsonb_to_recordset(${asKeys(conflicts)}::jsonb)
                AS w (id text, "productId" text, "definitionId" text, "sourceValue" jsonb)
              ON CONFLICT (store_id, product_id, definition_id, source_platform) WHERE status = 'PENDING'
                DO UPDATE SET source_value = EXCLUDED.source_value,
                  updated_at = ${versionAfter(sql, now, "metafield_conflict.updated_at")}
              RETURNING id, product_id, definition_id`
          ),
        /** Settles the open conflicts of these values with the platform, which now sends the product's value. */
        agree: (storeId: string, source: string, keys: ReadonlyArray<ValueKey>, now: Date) =>
          none(
            sql`UPDATE metafield_conflict c SET status = 'RESOLVED', resolution = 'keep_current',
                current_value = ${live}, resolved_at = ${now}, updated_at = ${versionAfter(sql, now, "c.updated_at")}
              FROM jsonb_to_recordset(${asKeys(keys)}::jsonb) AS w ("productId" text, "definitionId" text)
              WHERE c.store_id = ${storeId} AND c.product_id = w."productId" AND c.definition_id = w."definitionId"
              AND c.source_platform = ${source} AND c.status = 'PENDING'`
          ),
        /** Writes the decision, and the value that the product has now. */
        settle: (storeId: string, id: string, { status, resolution }: Settlement, now: Date) =>
          none(
            sql`UPDATE metafield_conflict c SET status = ${status}, resolution = ${resolution}, current_value = ${live},
                resolved_at = ${now}, updated_at = ${versionAfter(sql, now, "c.updated_at")}
              WHERE c.store_id = ${storeId} AND c.id = ${id}`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(MetafieldConflictRepository, MetafieldConflictRepository.make)
}
