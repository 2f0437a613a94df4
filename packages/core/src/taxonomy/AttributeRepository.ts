/** The SQL of attribute and attribute_option. */
import { Context, Effect, Layer, Record, String as Text } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { versionAfter } from "../database/Precondition.ts"
import { anyRow, containing, lockThenRead, many, none, one } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { lockStoreFor } from "../database/StoreLocks.ts"
import { fieldsOf, makeStoreTable, selectedFields, type StoreTable } from "../database/StoreTable.ts"
import type { Page } from "../kernel/Pagination.ts"
import { sharedSize } from "../store/StoreBounds.ts"
import {
  type AttributeFields,
  AttributeInput,
  AttributeOptionInput,
  type AttributeOptionState,
  type AttributeState
} from "./Attribute.ts"
import { AttributeTaken } from "./TaxonomyErrors.ts"

/** Undefined fields do not filter. */
export interface AttributeFilter {
  readonly search?: string | undefined
  readonly platform?: string | undefined
  readonly source?: string | undefined
}

/** How many attributes and options a store has. */
export interface AttributeTotals {
  readonly attributes: number
  readonly options: number
}

/** Fields of an option that are columns of the same name. */
const optionFields = ["id", "attributeId", ...fieldsOf(AttributeOptionInput)] as const
const optionColumns = [...optionFields, "createdAt", "updatedAt"].map(Text.camelToSnake)
const changedColumns = optionColumns.filter((column) => !["id", "attribute_id", "created_at"].includes(column))
const epoch = (column: string) => `round(extract(epoch FROM ${column}) * 1000)`
const optionPairs = optionFields.map((field) => `'${field}', o.${Text.camelToSnake(field)}`)
const optionJson = `json_build_object(${optionPairs.join(", ")}, 'createdAt', ${epoch("o.created_at")},
  'updatedAt', ${epoch("o.updated_at")})`
const table: StoreTable<AttributeFields> = {
  table: "attribute",
  fields: fieldsOf(AttributeInput, "options"),
  json: ["platformMetadata", "translations"],
  keepsDeleted: true
}

/** The indexes that begin with the attribute serve both sub-selects. */
const columns = `a.id, ${selectedFields(table, "a")}, a.created_at, a.updated_at,
  (SELECT count(*)::int FROM product_attribute pa JOIN product p ON p.store_id = pa.store_id AND p.id = pa.product_id
    WHERE pa.store_id = a.store_id AND pa.attribute_id = a.id AND p.deleted_at IS NULL) AS product_count,
  coalesce((SELECT json_agg(${optionJson} ORDER BY o.position, o.id) FROM attribute_option o
    WHERE o.store_id = a.store_id AND o.attribute_id = a.id AND o.deleted_at IS NULL), '[]') AS options`

type OptionJson = Omit<AttributeOptionState, "createdAt" | "updatedAt"> & {
  readonly createdAt: number
  readonly updatedAt: number
}
type AttributeRow = Omit<AttributeState, "options"> & { readonly options: ReadonlyArray<OptionJson> }
const toState = (row: AttributeRow): AttributeState => ({
  ...row,
  options: row.options.map((option) => ({
    ...option,
    createdAt: new Date(option.createdAt),
    updatedAt: new Date(option.updatedAt)
  }))
})

const taken = ({ name, externalId }: AttributeFields) =>
  constraintViolations({
    ...sharedSize("attributes"),
    attribute_store_id_name_key: () => new AttributeTaken({ thing: "attribute", field: "name", value: name }),
    attribute_store_id_external_id_key: () =>
      new AttributeTaken({ thing: "attribute", field: "externalId", value: externalId ?? "" })
  })

const fits = constraintViolations(sharedSize("options"))

export class AttributeRepository extends Context.Service<AttributeRepository>()(
  "@effect-commerce/core/taxonomy/AttributeRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const select = sql.literal(`SELECT ${columns} FROM attribute a`)
      const rows = makeStoreTable(sql, table)
      const optionList = sql.literal(optionColumns.join(", "))
      const changes = sql.literal(changedColumns.map((column) => `${column} = EXCLUDED.${column}`).join(", "))
      const reader = makePageReader<AttributeRow>(sql, { name: "attribute", alias: "a", columns })
      const find = (storeId: string, id: string) =>
        one(
          sql<AttributeRow>`${select} WHERE a.store_id = ${storeId} AND a.id = ${id} AND a.deleted_at IS NULL`,
          toState
        )

      /** Removes deleted rows that nothing refers to any more. */
      const purge = Effect.fnUntraced(function* (storeId: string, attributeId: string) {
        yield* many(sql`DELETE FROM attribute_option WHERE store_id = ${storeId} AND attribute_id = ${attributeId}
            AND deleted_at IS NOT NULL
            AND id <> ALL(ARRAY(SELECT DISTINCT unnest(pa.option_ids) FROM product_attribute pa
              WHERE pa.store_id = ${storeId} AND pa.attribute_id = ${attributeId}))
            AND id <> ALL(ARRAY(SELECT DISTINCT unnest(v.option_ids) FROM product_variant v
              WHERE v.store_id = ${storeId} AND v.option_ids <> '{}' AND v.option_ids && ARRAY(
                SELECT o.id FROM attribute_option o
                WHERE o.store_id = ${storeId} AND o.attribute_id = ${attributeId} AND o.deleted_at IS NOT NULL)))`)
        yield* many(sql`DELETE FROM attribute a WHERE a.store_id = ${storeId} AND a.id = ${attributeId}
            AND a.deleted_at IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM attribute_option o WHERE o.store_id = a.store_id AND o.attribute_id = a.id)
            AND NOT EXISTS (SELECT 1 FROM product_attribute pa
              WHERE pa.store_id = a.store_id AND pa.attribute_id = a.id)`)
      })

      const marked = (now: Date) => sql`deleted_at = ${now}, updated_at = ${versionAfter(sql, now)}, external_id = NULL`

      return {
        /**
         * The totals of the store, including this transaction's writes; locks them against other writers until it ends.
         */
        totalsLocked: (storeId: string) =>
          Effect.map(
            lockThenRead(
              none(lockStoreFor(sql, "attribute", storeId)),
              one(sql<AttributeTotals>`SELECT
                (SELECT count(*)::int FROM attribute WHERE store_id = ${storeId}) AS attributes,
                (SELECT count(*)::int FROM attribute_option WHERE store_id = ${storeId}) AS options`)
            ),
            ([, totals]) => totals ?? { attributes: 0, options: 0 }
          ),
        insert: (storeId: string, id: string, fields: AttributeFields, now: Date) =>
          none(taken(fields)(rows.insert(storeId, id, fields, now))),
        update: (storeId: string, id: string, fields: AttributeFields, now: Date) =>
          none(taken(fields)(rows.update(storeId, id, fields, now))),
        /** Inserts options whose ids are new, and updates the others. */
        writeOptions: (storeId: string, options: ReadonlyArray<AttributeOptionState>) => {
          const records = options.map((option) => Record.mapKeys({ ...option }, Text.camelToSnake))
          const rows = sql`jsonb_populate_recordset(NULL::attribute_option, ${JSON.stringify(records)}::jsonb)`
          return Effect.gen(function* () {
            // Names and values may pass from one option to another: the options that give theirs up are changed first.
            if (options.length > 1)
              yield* many(sql`UPDATE attribute_option o SET name = id, value = id
                WHERE o.store_id = ${storeId} AND o.id = ANY(${options.map(({ id }) => id)}::text[]) AND EXISTS (
                  SELECT FROM ${rows} n
                  WHERE n.id <> o.id AND n.attribute_id = o.attribute_id
                    AND (lower(n.name) = lower(o.name) OR n.value = o.value))`)
            yield* none(
              fits(sql`INSERT INTO attribute_option (store_id, ${optionList}) SELECT ${storeId}, ${optionList}
                FROM ${rows} o ON CONFLICT (store_id, id) DO UPDATE SET ${changes}`)
            )
          })
        },
        find,
        /**
         * `find`, with the row locked until the transaction ends: nobody else changes it, and no product starts to use
         * it.
         */
        findLocked: (storeId: string, id: string) =>
          Effect.map(
            lockThenRead(
              none(sql`SELECT 1 FROM attribute WHERE store_id = ${storeId} AND id = ${id} FOR NO KEY UPDATE`),
              find(storeId, id)
            ),
            ([, found]) => found
          ),
        list: (storeId: string, page: Page, { search, platform, source }: AttributeFilter) =>
          Effect.map(
            reader.page(storeId, {
              conditions: [
                sql`a.deleted_at IS NULL`,
                ...(platform === undefined ? [] : [sql`lower(a.platform) = ${platform.toLowerCase()}`]),
                ...(source === undefined ? [] : [sql`a.source = ${source.toUpperCase()}`]),
                ...(search === undefined ? [] : [sql`lower(a.name) LIKE ${containing(search.toLowerCase())}`])
              ],
              order: sql.literal("a.name, a.id"),
              page,
              search
            }),
            ({ items, total }) => ({ items: items.map(toState), total })
          ),
        idsByExternal: rows.idsBy("externalId"),
        // product_variant_option_ids_idx
        /** The number of variants of existing products that have one of the options, or any option of the attribute. */
        variantCount: (
          storeId: string,
          of: { readonly optionIds: ReadonlyArray<string> } | { readonly attributeId: string }
        ) => {
          const options =
            "optionIds" in of
              ? sql`${of.optionIds}::text[]`
              : sql`ARRAY(SELECT id FROM attribute_option WHERE store_id = ${storeId}
                AND attribute_id = ${of.attributeId})`
          return Effect.map(
            one(sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM product_variant v
              JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id
              WHERE v.store_id = ${storeId} AND v.option_ids <> '{}' AND v.option_ids && ${options}
                AND p.deleted_at IS NULL`),
            (row) => row?.n ?? 0
          )
        },
        /**
         * Deletes options, or the attribute with all of them. Those that a product or a variant uses stay as deleted
         * rows.
         */
        removeOptions: (storeId: string, attributeId: string, optionIds: ReadonlyArray<string>, now: Date) =>
          Effect.andThen(
            anyRow(sql`UPDATE attribute_option SET ${marked(now)} WHERE store_id = ${storeId}
              AND attribute_id = ${attributeId} AND id = ANY(${optionIds}::text[]) AND deleted_at IS NULL`),
            purge(storeId, attributeId)
          ),
        remove: Effect.fnUntraced(function* (storeId: string, id: string, now: Date) {
          yield* many(sql`UPDATE attribute_option SET ${marked(now)}
              WHERE store_id = ${storeId} AND attribute_id = ${id} AND deleted_at IS NULL`)
          yield* many(sql`UPDATE attribute SET ${marked(now)} WHERE store_id = ${storeId} AND id = ${id}`)
          yield* purge(storeId, id)
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(AttributeRepository, AttributeRepository.make)
}
