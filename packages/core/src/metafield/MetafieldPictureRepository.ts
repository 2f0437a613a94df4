/** The SQL that removes a deleted file of the media library from metafields: from values and definitions. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many, none } from "../database/Repository.ts"

/** `mark` is the part of a key that the file and its thumbnail share: an address with it refers to the file. */
export class MetafieldPictureRepository extends Context.Service<MetafieldPictureRepository>()(
  "@effect-commerce/core/metafield/MetafieldPictureRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      /** Values that show the file; only some types hold pictures. */
      const values = (storeId: string, mark: string) => sql`metafield_value mv
        JOIN metafield_definition d ON d.store_id = mv.store_id AND d.id = mv.definition_id
        WHERE mv.store_id = ${storeId} AND d.type IN ('IMAGE', 'GALLERY') AND strpos(mv.value::text, ${mark}) > 0`

      return {
        /** Products with a value that shows the file. */
        productsWith: (storeId: string, mark: string) =>
          many(
            sql<{ readonly id: string }>`SELECT DISTINCT mv.product_id AS id FROM ${values(storeId, mark)}`,
            ({ id }) => id
          ),

        /** Locks the definitions whose values are pictures, in the order of their ids, after the products. */
        lock: (storeId: string) =>
          none(sql`SELECT 1 FROM metafield_definition WHERE store_id = ${storeId} AND type IN ('IMAGE', 'GALLERY')
            ORDER BY id FOR NO KEY UPDATE`),

        /** Removes the file from the values of these products; a value without any other picture is deleted. */
        removeFrom: (storeId: string, productIds: ReadonlyArray<string>, mark: string, now: Date) =>
          none(sql`WITH pictures AS (
              SELECT mv.product_id, mv.definition_id, CASE WHEN jsonb_typeof(mv.value) = 'array' THEN (
                SELECT jsonb_agg(e.value ORDER BY e.at)
                FROM jsonb_array_elements(mv.value) WITH ORDINALITY AS e (value, at)
                WHERE strpos(e.value #>> '{}', ${mark}) = 0) END AS value
              FROM ${values(storeId, mark)} AND mv.product_id = ANY(${productIds}::text[])
            ), removed AS (
              DELETE FROM metafield_value v USING pictures f WHERE v.store_id = ${storeId}
                AND v.product_id = f.product_id AND v.definition_id = f.definition_id AND f.value IS NULL
            ) UPDATE metafield_value v SET value = f.value, updated_at = ${versionAfter(sql, now, "v.updated_at")}
              FROM pictures f WHERE v.store_id = ${storeId} AND v.product_id = f.product_id
                AND v.definition_id = f.definition_id AND f.value IS NOT NULL`),

        /** Ids of definitions that show it on a choice or as the default value. */
        definitionsWith: (storeId: string, mark: string) =>
          many(
            sql<{ readonly id: string }>`SELECT id FROM metafield_definition WHERE store_id = ${storeId}
              AND (strpos(enum_values::text, ${mark}) > 0
                OR (type IN ('IMAGE', 'GALLERY') AND strpos(default_value::text, ${mark}) > 0)) ORDER BY id`,
            ({ id }) => id
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(MetafieldPictureRepository, MetafieldPictureRepository.make)
}
