/** The SQL of tax_class. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one, page } from "../database/Repository.ts"
import { constraintViolation, constraintViolations } from "../database/SqlErrors.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import { sharedSize } from "../store/StoreBounds.ts"
import type { TaxClassState } from "./TaxClass.ts"
import { TaxClassInUse, TaxClassNameTaken } from "./TaxErrors.ts"

const nameTaken = (name: string) =>
  constraintViolations({
    ...sharedSize("taxClasses"),
    tax_class_store_id_name_key: () => new TaxClassNameTaken({ name })
  })

export class TaxClassRepository extends Context.Service<TaxClassRepository>()(
  "@effect-commerce/core/tax/TaxClassRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal("id, name, created_at, updated_at")

      const list = (storeId: string, at: Page) =>
        page(
          sql<TaxClassState>`SELECT ${columns} FROM tax_class WHERE store_id = ${storeId}
          ORDER BY created_at, id LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
          sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM tax_class WHERE store_id = ${storeId}`
        )

      return {
        /** Counts the store's tax classes; no other transaction can add one until this one ends. */
        countToAdd: (storeId: string) =>
          countLocked(sql, { table: "tax_class", ownerId: storeId, which: sql`store_id = ${storeId}` }),
        insert: (storeId: string, row: TaxClassState) =>
          none(
            nameTaken(row.name)(sql`INSERT INTO tax_class (store_id, id, name, created_at, updated_at)
              VALUES (${storeId}, ${row.id}, ${row.name}, ${row.createdAt}, ${row.updatedAt})`)
          ),
        rename: (storeId: string, row: TaxClassState) =>
          none(
            nameTaken(row.name)(sql`UPDATE tax_class SET name = ${row.name},
                updated_at = ${row.updatedAt} WHERE store_id = ${storeId} AND id = ${row.id}`)
          ),
        /** Returns whether the class existed. Deleted products do not keep it from being removed. */
        remove: (storeId: string, id: string) =>
          constraintViolation(
            "product_store_id_tax_class_id_fkey",
            () => new TaxClassInUse({ id, by: "products" })
          )(
            Effect.andThen(
              sql`UPDATE product SET tax_class_id = NULL WHERE store_id = ${storeId} AND tax_class_id = ${id} AND
                deleted_at IS NOT NULL`,
              Effect.map(
                sql`DELETE FROM tax_class WHERE store_id = ${storeId} AND id = ${id} RETURNING id`,
                (rows) => rows.length > 0
              )
            )
          ),
        hasRates: (storeId: string, id: string) =>
          anyRow(sql`SELECT 1 FROM tax_rate WHERE store_id = ${storeId} AND tax_class_id = ${id} LIMIT 1`),
        existing: (storeId: string, ids: ReadonlyArray<string>) =>
          Effect.map(
            many(
              sql<{ readonly id: string }>`SELECT id FROM tax_class
                WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])`
            ),
            (rows): ReadonlySet<string> => new Set(rows.map(({ id }) => id))
          ),
        find: (storeId: string, id: string) =>
          one(sql<TaxClassState>`SELECT ${columns} FROM tax_class WHERE store_id = ${storeId} AND id = ${id}`),
        /** For a write: two that rename the class take turns, and each gives it a later version. */
        findLocked: (storeId: string, id: string) =>
          one(
            sql<TaxClassState>`SELECT ${columns} FROM tax_class WHERE store_id = ${storeId} AND id = ${id}
              FOR NO KEY UPDATE`
          ),
        list
      }
    })
  }
) {
  static readonly layer = Layer.effect(TaxClassRepository, TaxClassRepository.make)
}
