/** The SQL of product_variant. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { anyRow, none } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { VariantAttributesTaken } from "./ProductErrors.ts"
import { variantJson, variantRecord } from "./internal/productRows.ts"
import type { VariantFields } from "./Product.ts"

/** A variant that is to be written. */
export interface NewVariant extends VariantFields {
  readonly id: string
  readonly productId: string
}

export type VariantRefused = VariantAttributesTaken | FieldRejected

const refusals = (productId: string) => {
  const taken = () => new VariantAttributesTaken({ productId })
  return constraintViolations({
    product_variant_store_id_product_id_attributes_key: taken,
    product_variant_store_id_product_id_option_ids_key: taken,
    product_variant_store_id_shipping_class_id_fkey: () =>
      FieldRejected.at("shippingClassId", "is not a shipping class of this store")
  })
}

export class VariantRepository extends Context.Service<VariantRepository>()(
  "@effect-commerce/core/product/VariantRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      /** Variants of one product, or of several that are made together. The error names the first of the products. */
      insert: (
        storeId: string,
        variants: ReadonlyArray<NewVariant>,
        now: Date
      ): Effect.Effect<void, VariantRefused> => {
        const [first] = variants
        if (first === undefined) return Effect.void
        const rows = variants.map((variant) => ({ product_id: variant.productId, ...variantJson(variant) }))
        const columns = Object.keys(rows[0] ?? {})
        return none(
          sql`INSERT INTO product_variant (store_id, created_at, updated_at, ${sql.literal(columns.join(", "))})
            SELECT ${storeId}, ${now}, ${now}, ${sql.literal(columns.map((name) => `r.${name}`).join(", "))}
            FROM jsonb_populate_recordset(NULL::product_variant, ${JSON.stringify(rows)}::jsonb) AS r`.pipe(
            refusals(first.productId)
          )
        )
      },

      update: (
        storeId: string,
        { id, productId }: { readonly id: string; readonly productId: string },
        fields: VariantFields,
        now: Date
      ): Effect.Effect<void, VariantRefused> =>
        none(
          sql`UPDATE product_variant SET ${sql.update(variantRecord(fields))}, updated_at = ${versionAfter(sql, now)}
            WHERE store_id = ${storeId} AND product_id = ${productId} AND id = ${id}`.pipe(refusals(productId))
        ),

      /** Whether there was one. */
      remove: (storeId: string, productId: string, id: string) =>
        anyRow(sql`DELETE FROM product_variant
          WHERE store_id = ${storeId} AND product_id = ${productId} AND id = ${id} RETURNING id`)
    }))
  }
) {
  static readonly layer = Layer.effect(VariantRepository, VariantRepository.make)
}
