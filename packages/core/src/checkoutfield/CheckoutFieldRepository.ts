/**
 * The SQL of checkout_field. `readRules` reads the version of the store's rules and its fields in one statement: one
 * snapshot, so they belong together.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one, page } from "../database/Repository.ts"
import { constraintViolation } from "../database/SqlErrors.ts"
import { makeStoreTable, selectedFields, type StoreTable } from "../database/StoreTable.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { VersionedRules } from "../store/compiledRules.ts"
import { type CheckoutFieldState, StoredField } from "./CheckoutField.ts"
import { CheckoutFieldKeyTaken } from "./CheckoutFieldErrors.ts"

/** What checkouts are shown, and values are read with. */
export interface CheckoutFieldRules extends VersionedRules {
  readonly fields: ReadonlyArray<StoredField>
}

const table: StoreTable<StoredField> = {
  table: "checkout_field",
  fields: ["key", "name", "type", "required", "options", "surcharge", "position"],
  json: ["options", "surcharge"]
}

const fieldOf = Schema.decodeUnknownSync(StoredField)
const columns = selectedFields(table, "f")

type Row = Omit<CheckoutFieldState, keyof StoredField> & Readonly<Record<keyof StoredField, unknown>>

const toState = ({ id, createdAt, updatedAt, ...row }: Row): CheckoutFieldState => ({
  id,
  createdAt,
  updatedAt,
  ...fieldOf(row)
})

const keyTaken = ({ key }: StoredField) =>
  constraintViolation("checkout_field_store_id_key_key", () => new CheckoutFieldKeyTaken({ key }))

export class CheckoutFieldRepository extends Context.Service<CheckoutFieldRepository>()(
  "@effect-commerce/core/checkoutfield/CheckoutFieldRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const rows = makeStoreTable(sql, table)
      const shown = sql.literal(`f.id, f.created_at, f.updated_at, ${columns}`)

      return {
        count: (storeId: string) =>
          Effect.map(
            one(
              sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM checkout_field
                WHERE store_id = ${storeId}`
            ),
            (row) => row?.count ?? 0
          ),
        insert: (storeId: string, id: string, field: StoredField, now: Date) =>
          none(keyTaken(field)(rows.insert(storeId, id, field, now))),
        update: (storeId: string, id: string, field: StoredField, now: Date) =>
          none(keyTaken(field)(rows.update(storeId, id, field, now))),
        remove: (storeId: string, id: string) =>
          anyRow(sql`DELETE FROM checkout_field WHERE store_id = ${storeId} AND id = ${id} RETURNING id`),
        find: (storeId: string, id: string) =>
          one(sql<Row>`SELECT ${shown} FROM checkout_field f WHERE f.store_id = ${storeId} AND f.id = ${id}`, toState),
        /** The ids of those of the keys that the store has. */
        idsByKey: rows.idsBy("key"),
        list: (storeId: string, at: Page) =>
          page(
            sql<Row>`SELECT ${shown} FROM checkout_field f WHERE f.store_id = ${storeId}
              ORDER BY f.position, f.created_at, f.id LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
            sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM checkout_field
              WHERE store_id = ${storeId}`,
            toState
          ),
        /** undefined: no such store. */
        readRules: (storeId: string): Effect.Effect<CheckoutFieldRules | undefined> =>
          Effect.map(
            many(
              sql<VersionedRules & Readonly<Record<keyof StoredField, unknown>>>`SELECT s.rules_version,
                  coalesce(s.xmin = pg_current_xact_id_if_assigned()::xid, false) AS uncommitted,
                  ${sql.literal(columns)}
                FROM store s LEFT JOIN checkout_field f ON f.store_id = s.id WHERE s.id = ${storeId}
                ORDER BY f.position, f.created_at, f.id`
            ),
            (found) =>
              found[0] && {
                rulesVersion: found[0].rulesVersion,
                uncommitted: found[0].uncommitted,
                fields: found.filter(({ key }) => key !== null).map((row) => fieldOf(row))
              }
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CheckoutFieldRepository, CheckoutFieldRepository.make)
}
