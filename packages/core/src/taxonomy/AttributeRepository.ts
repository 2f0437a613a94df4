/** The SQL of attribute and attribute_option. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { versionAfter } from "../database/Precondition.ts"
import { anyRow, containing, lockThenRead, many, none, one } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { lockStoreFor } from "../database/StoreLocks.ts"
import { fieldsOf, makeStoreTable, selectedFields, type StoreTable } from "../database/StoreTable.ts"
import type { Page } from "../kernel/Pagination.ts"
import { sharedSize } from "../store/StoreBounds.ts"
import { type AttributeFields, AttributeInput, type AttributeOptionState, type AttributeState } from "./Attribute.ts"
import { AttributeTaken } from "./TaxonomyErrors.ts"

/** Undefined fields do not filter. */
export interface AttributeFilter {
  readonly search?: string | undefined
  readonly platform?: string | undefined
  readonly source?: string | undefined
}

/** How much a store has of each. */
export interface AttributeTotals {
  readonly attributes: number
  readonly options: number
}

const epoch = (column: string) => `round(extract(epoch FROM ${column}) * 1000)`
const optionJson = `json_build_object('id', o.id, 'attributeId', o.attribute_id, 'externalId', o.external_id,
  'name', o.name, 'value', o.value, 'swatchColor', o.swatch_color, 'swatchColor2', o.swatch_color2,
  'swatchImageUrl', o.swatch_image_url, 'source', o.source, 'platform', o.platform, 'platformMetadata',
  o.platform_metadata, 'translations', o.translations, 'position', o.position, 'isActive', o.is_active,
  'createdAt', ${epoch("o.created_at")}, 'updatedAt', ${epoch("o.updated_at")})`
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
      const reader = makePageReader<AttributeRow>(sql, { name: "attribute", alias: "a", columns })
      const find = (storeId: string, id: string) =>
        one(
          sql<AttributeRow>`${select} WHERE a.store_id = ${storeId} AND a.id = ${id} AND a.deleted_at IS NULL`,
          toState
        )

      /** Rows that are deleted and that nobody names any more. */
      const purge = (storeId: string, attributeId: string) =>
        Effect.gen(function* () {
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
        /** What the store has, with what this transaction wrote; nobody else adds to it until the transaction ends. */
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
          const rows = JSON.stringify(options.map(optionRecord))
          return Effect.gen(function* () {
            // Names and values may pass from one option to another: who has one that goes lets go of it first.
            if (options.length > 1)
              yield* many(sql`UPDATE attribute_option o SET name = id, value = id
                WHERE o.store_id = ${storeId} AND o.id = ANY(${options.map(({ id }) => id)}::text[]) AND EXISTS (
                  SELECT FROM jsonb_to_recordset(${rows}::jsonb) AS n (id text, attribute_id text, name text,
                    value text)
                  WHERE n.id <> o.id AND n.attribute_id = o.attribute_id
                    AND (lower(n.name) = lower(o.name) OR n.value = o.value))`)
            yield* none(
              fits(sql`INSERT INTO attribute_option (store_id, id, attribute_id, external_id, name, value,
                  swatch_color, swatch_color2, swatch_image_url, source, platform, platform_metadata, translations,
                  position, is_active, created_at, updated_at)
                SELECT ${storeId}, o.* FROM jsonb_to_recordset(${rows}::jsonb) AS o (id text, attribute_id text,
                  external_id text, name text, value text, swatch_color text, swatch_color2 text, swatch_image_url text,
                  source text, platform text, platform_metadata jsonb, translations jsonb, position int,
                  is_active boolean, created_at timestamptz, updated_at timestamptz)
                ON CONFLICT (store_id, id) DO UPDATE SET external_id = EXCLUDED.external_id, name = EXCLUDED.name,
                  value = EXCLUDED.value, swatch_color = EXCLUDED.swatch_color, swatch_color2 = EXCLUDED.swatch_color2,
                  swatch_image_url = EXCLUDED.swatch_image_url, source = EXCLUDED.source, platform = EXCLUDED.platform,
                  platform_metadata = EXCLUDED.platform_metadata, translations = EXCLUDED.translations,
                  position = EXCLUDED.position, is_active = EXCLUDED.is_active, updated_at = EXCLUDED.updated_at`)
            )
          })
        },
        find,
        /**
         * `find`, with the row locked until the transaction ends: nobody else changes it, and no product begins to use
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
        /** Variants of products that are there which have one of the options, or any option of the attribute. */
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
         * Deletes options, or the attribute with all of them. What a product or a variant names stays as a deleted row.
         */
        removeOptions: (storeId: string, attributeId: string, optionIds: ReadonlyArray<string>, now: Date) =>
          Effect.andThen(
            anyRow(sql`UPDATE attribute_option SET ${marked(now)} WHERE store_id = ${storeId}
              AND attribute_id = ${attributeId} AND id = ANY(${optionIds}::text[]) AND deleted_at IS NULL`),
            purge(storeId, attributeId)
          ),
        remove: (storeId: string, id: string, now: Date) =>
          Effect.gen(function* () {
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

const optionRecord = (option: AttributeOptionState) => ({
  id: option.id,
  attribute_id: option.attributeId,
  external_id: option.externalId,
  name: option.name,
  value: option.value,
  swatch_color: option.swatchColor,
  swatch_color2: option.swatchColor2,
  swatch_image_url: option.swatchImageUrl,
  source: option.source,
  platform: option.platform,
  platform_metadata: option.platformMetadata,
  translations: option.translations,
  position: option.position,
  is_active: option.isActive,
  created_at: option.createdAt,
  updated_at: option.updatedAt
})
