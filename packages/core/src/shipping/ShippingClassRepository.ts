/** The SQL of shipping_class. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, none, one, page } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import { sharedSize } from "../store/StoreBounds.ts"
import type { ShippingClassState } from "./ShippingClass.ts"
import { ShippingClassInUse, ShippingClassTaken } from "./ShippingErrors.ts"

const taken = ({ name, slug }: ShippingClassState) =>
  constraintViolations({
    ...sharedSize("shippingClasses"),
    shipping_class_store_id_name_key: () => new ShippingClassTaken({ field: "name", value: name }),
    shipping_class_store_id_slug_key: () => new ShippingClassTaken({ field: "slug", value: slug })
  })

export class ShippingClassRepository extends Context.Service<ShippingClassRepository>()(
  "@effect-commerce/core/shipping/ShippingClassRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal("id, name, slug, created_at, updated_at")

      const list = (storeId: string, at: Page) =>
        page(
          sql<ShippingClassState>`SELECT ${columns} FROM shipping_class WHERE store_id = ${storeId}
          ORDER BY created_at, id LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
          sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM shipping_class WHERE store_id = ${storeId}`
        )

      /** Returns whether the class existed. Deleted products and their variants do not keep it from being removed. */
      const remove = Effect.fnUntraced(function* (storeId: string, id: string) {
        const named = sql`store_id = ${storeId} AND shipping_class_id = ${id}`
        yield* many(sql`UPDATE product_variant v SET shipping_class_id = NULL WHERE ${named} AND EXISTS (
          SELECT 1 FROM product p WHERE p.store_id = v.store_id AND p.id = v.product_id AND p.deleted_at IS NOT NULL)`)
        yield* many(sql`UPDATE product SET shipping_class_id = NULL WHERE ${named} AND deleted_at IS NOT NULL`)
        const inRates = yield* many(
          sql`SELECT 1 FROM shipping_rate WHERE store_id = ${storeId} AND class_costs ? ${id} LIMIT 1`
        )
        if (inRates.length > 0) return yield* new ShippingClassInUse({ id, by: "rates" })
        const inUse = () => new ShippingClassInUse({ id, by: "products" })
        const gone = yield* constraintViolations({
          product_store_id_shipping_class_id_fkey: inUse,
          product_variant_store_id_shipping_class_id_fkey: inUse
        })(sql`DELETE FROM shipping_class WHERE store_id = ${storeId} AND id = ${id} RETURNING id`)
        return gone.length > 0
      })

      return {
        /** Counts the store's classes; no other transaction can add one until this one ends. */
        countToAdd: (storeId: string) =>
          countLocked(sql, { table: "shipping_class", ownerId: storeId, which: sql`store_id = ${storeId}` }),
        insert: (storeId: string, row: ShippingClassState) =>
          none(
            taken(row)(sql`INSERT INTO shipping_class (store_id, id, name, slug, created_at, updated_at)
              VALUES (${storeId}, ${row.id}, ${row.name}, ${row.slug}, ${row.createdAt}, ${row.updatedAt})`)
          ),
        update: (storeId: string, row: ShippingClassState) =>
          none(
            taken(row)(sql`UPDATE shipping_class SET name = ${row.name}, slug = ${row.slug},
              updated_at = ${row.updatedAt}
              WHERE store_id = ${storeId} AND id = ${row.id}`)
          ),
        remove,
        /** Locked until the transaction ends; use it to read a class before changing it. */
        findLocked: (storeId: string, id: string) =>
          one(
            sql<ShippingClassState>`SELECT ${columns} FROM shipping_class WHERE store_id = ${storeId} AND id = ${id}
              FOR UPDATE`
          ),
        find: (storeId: string, id: string) =>
          one(
            sql<ShippingClassState>`SELECT ${columns} FROM shipping_class WHERE store_id = ${storeId} AND id = ${id}`
          ),
        list,
        /** The given ids that are classes of the store. */
        existing: (storeId: string, ids: ReadonlyArray<string>) =>
          Effect.map(
            many(
              sql<{
                readonly id: string
              }>`SELECT id FROM shipping_class WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])`
            ),
            (rows) => new Set(rows.map((row) => row.id))
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ShippingClassRepository, ShippingClassRepository.make)
}
