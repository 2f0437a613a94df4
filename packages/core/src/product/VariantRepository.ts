/** The SQL of product_variant. */
import { Context, Effect, Layer, Struct } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { makeStoreTable, type StoreTable } from "../database/StoreTable.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { emptyVariant, type VariantFields } from "./Product.ts"
import { VariantAttributesTaken } from "./ProductErrors.ts"

export interface NewVariant extends VariantFields {
  readonly id: string
  readonly productId: string
}

const refusals = (productId: string) => {
  const taken = () => new VariantAttributesTaken({ productId })
  return constraintViolations({
    product_variant_store_id_product_id_attributes_key: taken,
    product_variant_store_id_product_id_option_ids_key: taken,
    product_variant_store_id_shipping_class_id_fkey: () =>
      FieldRejected.at("shippingClassId", "is not a shipping class of this store")
  })
}

const { isNameMade: _, ...columns } = emptyVariant({ basePrice: 0n }, 0)

const table: StoreTable<VariantFields> = {
  table: "product_variant",
  fields: Struct.keys(columns),
  json: ["attributes", "downloadData"]
}

/** A name and attributes that come from options are not stored: they follow the names of the options. */
const stored = <Fields extends VariantFields>(fields: Fields): Fields => ({
  ...fields,
  name: fields.isNameMade ? "" : fields.name,
  attributes: fields.optionIds.length > 0 ? {} : fields.attributes
})

export class VariantRepository extends Context.Service<VariantRepository>()(
  "@effect-commerce/core/product/VariantRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const rows = makeStoreTable(sql, table)
      const newRows = makeStoreTable<NewVariant>(sql, { ...table, fields: ["productId", ...table.fields] })

      return {
        /** Variants of one product, or of several created together. The error names the first of the products. */
        insert: (storeId: string, variants: ReadonlyArray<NewVariant>, now: Date) => {
          const [first] = variants
          return first === undefined
            ? Effect.void
            : none(newRows.insertAll(storeId, variants.map(stored), now).pipe(refusals(first.productId)))
        },

        update: (
          storeId: string,
          { id, productId }: Pick<NewVariant, "id" | "productId">,
          fields: VariantFields,
          now: Date
        ) => none(rows.update(storeId, id, stored(fields), now).pipe(refusals(productId))),

        /** Returns whether the variant existed. */
        remove: (storeId: string, productId: string, id: string) =>
          anyRow(sql`DELETE FROM product_variant
            WHERE store_id = ${storeId} AND product_id = ${productId} AND id = ${id} RETURNING id`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(VariantRepository, VariantRepository.make)
}
