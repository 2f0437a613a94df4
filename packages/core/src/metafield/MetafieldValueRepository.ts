/**
 * The SQL of metafield_value. Whoever writes a value holds its product and, in the mode that keeps others from changing
 * them, its definitions; in that order, and each sorted by id.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { lockThenRead, many, none, one } from "../database/Repository.ts"
import { definitionColumns, type DefinitionRow, toDefinition } from "./internal/definitionRows.ts"

/** A product, and a definition that it has or shall have a value of. */
export interface ValueKey {
  readonly productId: string
  readonly definitionId: string
}

export interface StoredValue extends ValueKey {
  readonly value: unknown
  /** The platform that wrote it last; null is the merchant. */
  readonly source: string | null
}

/** Null takes the value away. */
export interface ValueWrite extends ValueKey {
  readonly value: unknown
  readonly source: string | null
}

export class MetafieldValueRepository extends Context.Service<MetafieldValueRepository>()(
  "@effect-commerce/core/metafield/MetafieldValueRepository",
  {
    make: Effect.gen(function* () {
      const { sql, withCommit } = yield* Database
      const columns = sql.literal(definitionColumns)

      return {
        /** Values of a product by key, by position; undefined without the product. */
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
        /** The definitions of these keys: none of them changes until the transaction ends. */
        definitions: (storeId: string, keys: ReadonlyArray<string>) =>
          Effect.map(
            lockThenRead(
              none(sql`SELECT 1 FROM metafield_definition WHERE store_id = ${storeId} AND key = ANY(${keys}::text[])
                ORDER BY id FOR SHARE`),
              many(
                sql<DefinitionRow>`SELECT ${columns} FROM metafield_definition d
                  WHERE d.store_id = ${storeId} AND d.key = ANY(${keys}::text[])`,
                toDefinition
              )
            ),
            ([, found]) => found
          ),
        /** What these products have of these definitions. */
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
        write: (storeId: string, writes: ReadonlyArray<ValueWrite>, now: Date) =>
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
        /** From now on the value counts as the platform's. */
        claim: (
          storeId: string,
          { productId, metafieldDefinitionId }: { readonly productId: string; readonly metafieldDefinitionId: string },
          source: string
        ) =>
          none(
            sql`UPDATE metafield_value SET source = ${source} WHERE store_id = ${storeId} AND product_id = ${productId}
              AND definition_id = ${metafieldDefinitionId}`
          ),
        /** Takes away what a deleted product has: values, attachments, conflicts. */
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
