/** The SQL of product_attribute, and of the options that variants have. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { lockThenRead, many, none } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { VariantAttributesTaken } from "./ProductErrors.ts"
import type { DeclaredAttribute, Reassigned } from "./internal/variantOptions.ts"

/** The use of an attribute by a product. */
export interface AttributeUse {
  readonly attributeId: string
  readonly optionIds: ReadonlyArray<string>
}

export class ProductAttributeRepository extends Context.Service<ProductAttributeRepository>()(
  "@effect-commerce/core/product/ProductAttributeRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const asked = (uses: ReadonlyArray<AttributeUse>) => {
        const rows = uses.map(({ attributeId, optionIds }, position) => ({ attributeId, optionIds, position }))
        return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS u ("attributeId" text, "optionIds" text[], position int)`
      }

      return {
        /**
         * The requested attributes and options of the store that are not deleted, in order, locked: nobody renames or
         * deletes them until the transaction ends. Call it after locking the product.
         */
        held: (storeId: string, uses: ReadonlyArray<AttributeUse>) =>
          Effect.map(
            lockThenRead(
              none(sql`SELECT 1 FROM attribute WHERE store_id = ${storeId}
                AND id = ANY(${uses.map(({ attributeId }) => attributeId)}::text[]) ORDER BY id FOR SHARE`),
              many(sql<DeclaredAttribute>`SELECT a.id, a.name, (
                  SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'value', o.value)
                    ORDER BY k.n), '[]')
                  FROM unnest(u."optionIds") WITH ORDINALITY AS k (id, n) JOIN attribute_option o
                    ON o.store_id = a.store_id AND o.attribute_id = a.id AND o.id = k.id AND o.deleted_at IS NULL
                ) AS options
                FROM ${asked(uses)} JOIN attribute a
                  ON a.store_id = ${storeId} AND a.id = u."attributeId" AND a.deleted_at IS NULL
                ORDER BY u.position`)
            ),
            ([, found]) => found
          ),

        /** Replaces the attributes of the product. */
        set: (storeId: string, productId: string, uses: ReadonlyArray<AttributeUse>) =>
          none(sql`WITH gone AS (
              DELETE FROM product_attribute WHERE store_id = ${storeId} AND product_id = ${productId}
                AND NOT attribute_id = ANY(${uses.map(({ attributeId }) => attributeId)}::text[]))
            INSERT INTO product_attribute (store_id, product_id, attribute_id, option_ids, position)
            SELECT ${storeId}, ${productId}, u."attributeId", u."optionIds", u.position FROM ${asked(uses)}
            ON CONFLICT (store_id, product_id, attribute_id)
              DO UPDATE SET option_ids = EXCLUDED.option_ids, position = EXCLUDED.position`),

        /** Gives variants of the product other options. */
        reassign: (storeId: string, productId: string, variants: ReadonlyArray<Reassigned>, now: Date) => {
          if (variants.length === 0) return Effect.void
          const rows = variants.map(({ optionIds, ...variant }) => ({ ...variant, option_ids: optionIds }))
          const taken = () => new VariantAttributesTaken({ productId })
          return none(
            constraintViolations({
              product_variant_store_id_product_id_attributes_key: taken,
              product_variant_store_id_product_id_option_ids_key: taken
            })(sql`UPDATE product_variant v SET option_ids = r.option_ids, attributes = r.attributes, name = r.name,
                updated_at = ${now}
              FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
                AS r (id text, option_ids text[], attributes jsonb, name text)
              WHERE v.store_id = ${storeId} AND v.product_id = ${productId} AND v.id = r.id`)
          )
        }
      }
    })
  }
) {
  static readonly layer = Layer.effect(ProductAttributeRepository, ProductAttributeRepository.make)
}
