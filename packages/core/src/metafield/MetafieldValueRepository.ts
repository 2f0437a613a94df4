/**
 * The SQL of metafield_value. A write locks its product and then, in share mode, its definitions, each sorted by id.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, none, one } from "../database/Repository.ts"
import type { StoredValue, ValueKey } from "./MetafieldValue.ts"

export class MetafieldValueRepository extends Context.Service<MetafieldValueRepository>()(
  "@effect-commerce/core/metafield/MetafieldValueRepository",
  {
    make: Effect.gen(function* () {
      const { sql, withCommit } = yield* Database

      return {
        /** Values of a product by key, by position; undefined if there is no such product. */
        find: (storeId: string, productId: string) =>
          one(
            sql<{
              readonly values: ReadonlyArray<{ readonly key: string; readonly value: unknown }> | null
            }>`SELECT (
                SELECT json_agg(json_build_object('key', d.key, 'value', mv.value) ORDER BY d.position, d.key)
                FROM metafield_value mv
                JOIN metafield_definition d ON d.store_id = mv.store_id AND d.id = mv.definition_id
                WHERE mv.store_id = p.store_id AND mv.product_id = p.id) AS values
              FROM product p WHERE p.store_id = ${storeId} AND p.id = ${productId} AND p.deleted_at IS NULL`,
            (row) => row.values ?? []
          ),
        /** The values that these products have of these definitions. */
        values: (storeId: string, productIds: ReadonlyArray<string>, definitionIds: ReadonlyArray<string>) =>
          many(
            sql<StoredValue>`SELECT product_id, definition_id, value, source FROM metafield_value
              WHERE store_id = ${storeId} AND product_id = ANY(${productIds}::text[])
              AND definition_id = ANY(${definitionIds}::text[])`
          ),
        /** Which of these products are attached by name to which of these definitions. */
        attached: (storeId: string, productIds: ReadonlyArray<string>, definitionIds: ReadonlyArray<string>) =>
          many(
            sql<ValueKey>`SELECT product_id, definition_id FROM metafield_definition_product
              WHERE store_id = ${storeId} AND product_id = ANY(${productIds}::text[])
              AND definition_id = ANY(${definitionIds}::text[])`
          ),
        /** A value of null is deleted. */
        write: (storeId: string, writes: ReadonlyArray<StoredValue>, now: Date) =>
          none(
            sql`WITH w AS (
                SELECT * FROM jsonb_to_recordset(${JSON.stringify(writes)}::jsonb)
                  AS w ("productId" text, "definitionId" text, value jsonb, source text)
              ), removed AS (
                DELETE FROM metafield_value v USING w WHERE v.store_id = ${storeId} AND v.product_id = w."productId"
                  AND v.definition_id = w."definitionId" AND w.value IS NULL
              )
              INSERT INTO metafield_value (store_id, product_id, definition_id, value, source, updated_at)
              SELECT ${storeId}, w."productId", w."definitionId", w.value, w.source, ${now} FROM w
              WHERE w.value IS NOT NULL
              ON CONFLICT (store_id, product_id, definition_id)
                DO UPDATE SET value = EXCLUDED.value, source = EXCLUDED.source, updated_at = EXCLUDED.updated_at`
          ),
        /** Makes the platform the value's source. */
        claim: (
          storeId: string,
          { productId, metafieldDefinitionId }: { readonly productId: string; readonly metafieldDefinitionId: string },
          source: string
        ) =>
          none(
            sql`UPDATE metafield_value SET source = ${source} WHERE store_id = ${storeId} AND product_id = ${productId}
              AND definition_id = ${metafieldDefinitionId}`
          ),
        /** Deletes the values, attachments and conflicts of a deleted product. */
        forget: (storeId: string, productId: string) =>
          withCommit(
            sql`WITH named AS (
                SELECT definition_id FROM metafield_value WHERE store_id = ${storeId} AND product_id = ${productId}
                UNION SELECT definition_id FROM metafield_definition_product
                WHERE store_id = ${storeId} AND product_id = ${productId}
                UNION SELECT definition_id FROM metafield_conflict
                WHERE store_id = ${storeId} AND product_id = ${productId}
              ), held AS MATERIALIZED (
                SELECT id FROM metafield_definition WHERE store_id = ${storeId}
                  AND id IN (SELECT definition_id FROM named) ORDER BY id FOR SHARE
              ), conflicts AS (
                DELETE FROM metafield_conflict WHERE store_id = ${storeId} AND product_id = ${productId}
                  AND definition_id IN (SELECT id FROM held)
              ), attached AS (
                DELETE FROM metafield_definition_product WHERE store_id = ${storeId} AND product_id = ${productId}
                  AND definition_id IN (SELECT id FROM held)
              )
              DELETE FROM metafield_value WHERE store_id = ${storeId} AND product_id = ${productId}
                AND definition_id IN (SELECT id FROM held)`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(MetafieldValueRepository, MetafieldValueRepository.make)
}
