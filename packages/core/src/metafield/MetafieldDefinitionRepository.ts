/** The SQL of metafield_definition, and of the products that definitions are attached to. */
import { Context, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { anyRow, lockThenRead, many, none, one, storedJson } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { lockStoreFor } from "../database/StoreLocks.ts"
import { fieldsOf, makeStoreTable, selectedFields, type StoreTable } from "../database/StoreTable.ts"
import { sharedSize } from "../store/StoreBounds.ts"
import { listedProducts, maxAttachedProducts, MetafieldDefinitionInput } from "./MetafieldDefinition.ts"
import {
  DateAvailability,
  definitionBytes,
  type MetafieldDefinition,
  type MetafieldDefinitionState,
  MetafieldChoice,
  type MetafieldFields
} from "./MetafieldFields.ts"
import { MetafieldKeyTaken } from "./MetafieldErrors.ts"

/** How many definitions a store has, how many of them are filterable, and their total bytes. */
export interface MeasuredDefinitions {
  readonly count: number
  readonly filterable: number
  readonly bytes: number
}

type DefinitionRow = Omit<MetafieldDefinition, "enumValues" | "dateAvailability" | "minValue" | "maxValue"> & {
  readonly enumValues: unknown
  readonly dateAvailability: unknown
  readonly minValue: string | null
  readonly maxValue: string | null
}

const fields = fieldsOf(MetafieldDefinitionInput, "productIds")
/** With the bytes of its texts, whose total per store is limited. */
const table: StoreTable<MetafieldFields & { readonly size: number }> = {
  table: "metafield_definition",
  fields: [...fields, "size"],
  json: ["dateAvailability", "enumValues", "defaultValue", "translations"]
}

/** Columns of a row `d`: all except the bytes. */
const columns = `d.id, ${selectedFields({ ...table, fields }, "d")},
  d.created_at, d.updated_at`

const choices = storedJson("metafield_definition.enum_values", Schema.Array(MetafieldChoice))
const availability = storedJson("metafield_definition.date_availability", Schema.NullOr(DateAvailability))

const toDefinition = <R extends DefinitionRow>(row: R) => ({
  ...row,
  enumValues: choices(row.enumValues),
  dateAvailability: availability(row.dateAvailability),
  minValue: row.minValue === null ? null : Number(row.minValue),
  maxValue: row.maxValue === null ? null : Number(row.maxValue)
})

type StateRow = DefinitionRow &
  Pick<MetafieldDefinitionState, "valueCount"> & {
    readonly products: MetafieldDefinitionState["products"] | null
  }

/** metafield_value_store_id_definition_id_idx serves the count, the primary key the products. */
const dressed = (products: number) => `${columns},
  (SELECT count(*)::int FROM metafield_value mv
    WHERE mv.store_id = d.store_id AND mv.definition_id = d.id) AS value_count,
  (SELECT json_agg(json_build_object('id', f.id, 'name', f.name) ORDER BY f.id) FROM (
    SELECT p.id, p.name FROM metafield_definition_product dp
    JOIN product p ON p.store_id = dp.store_id AND p.id = dp.product_id AND p.deleted_at IS NULL
    WHERE dp.store_id = d.store_id AND dp.definition_id = d.id ORDER BY p.id LIMIT ${products}) f) AS products`

const toState = (row: StateRow): MetafieldDefinitionState => ({ ...toDefinition(row), products: row.products ?? [] })

const sized = (fields: MetafieldFields) => ({ ...fields, size: definitionBytes(fields) })

const taken = ({ key }: MetafieldFields) =>
  constraintViolations({
    ...sharedSize("metafieldDefinitions"),
    metafield_definition_store_id_key_key: () => new MetafieldKeyTaken({ key })
  })

export class MetafieldDefinitionRepository extends Context.Service<MetafieldDefinitionRepository>()(
  "@effect-commerce/core/metafield/MetafieldDefinitionRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const rows = makeStoreTable(sql, table)
      const ownColumns = sql.literal(columns)
      const whole = sql.literal(dressed(maxAttachedProducts))
      const listed = sql.literal(dressed(listedProducts))

      const find = (storeId: string, id: string) =>
        one(
          sql<StateRow>`SELECT ${whole} FROM metafield_definition d WHERE d.store_id = ${storeId} AND d.id = ${id}`,
          toState
        )

      const countValues = (storeId: string, id: string, which: Statement.Fragment) =>
        Effect.map(
          one(
            sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM metafield_value
              WHERE store_id = ${storeId} AND definition_id = ${id} AND ${which}`
          ),
          (row) => row?.n ?? 0
        )

      return {
        /** The count and size of a store's definitions: nobody else adds or changes one until the transaction ends. */
        measured: (storeId: string) =>
          Effect.map(
            lockThenRead(
              none(lockStoreFor(sql, "metafield_definition", storeId)),
              one(
                sql<MeasuredDefinitions>`SELECT count(*)::int AS count,
                  count(*) FILTER (WHERE filterable)::int AS filterable,
                  coalesce(sum(size), 0)::int AS bytes FROM metafield_definition WHERE store_id = ${storeId}`
              )
            ),
            ([, row]) => row ?? { count: 0, filterable: 0, bytes: 0 }
          ),
        insert: (storeId: string, id: string, fields: MetafieldFields, now: Date) =>
          none(rows.insert(storeId, id, sized(fields), now).pipe(taken(fields))),
        update: (storeId: string, id: string, fields: MetafieldFields, now: Date) =>
          none(rows.update(storeId, id, sized(fields), now).pipe(taken(fields))),
        /** Attaches exactly these products; returns those that were added or removed. */
        attach: (storeId: string, id: string, productIds: ReadonlyArray<string>) =>
          many(
            sql<{ readonly productId: string }>`WITH removed AS (
                DELETE FROM metafield_definition_product WHERE store_id = ${storeId} AND definition_id = ${id}
                AND NOT product_id = ANY(${productIds}::text[]) RETURNING product_id
              ), added AS (
                INSERT INTO metafield_definition_product (store_id, definition_id, product_id)
                SELECT ${storeId}, ${id}, product_id FROM unnest(${productIds}::text[]) AS w (product_id)
                ON CONFLICT (store_id, definition_id, product_id) DO NOTHING RETURNING product_id
              ) SELECT product_id FROM removed UNION ALL SELECT product_id FROM added`,
            ({ productId }) => productId
          ),
        /** Locked until the transaction ends: no value of the definition is written meanwhile. */
        findLocked: (storeId: string, id: string) =>
          Effect.map(
            lockThenRead(
              none(sql`SELECT 1 FROM metafield_definition WHERE store_id = ${storeId} AND id = ${id} FOR UPDATE`),
              find(storeId, id)
            ),
            ([, found]) => found
          ),
        find,
        /** All definitions of a store, by position, each with its first products. */
        list: (storeId: string) =>
          many(
            sql<StateRow>`SELECT ${listed} FROM metafield_definition d WHERE d.store_id = ${storeId}
              ORDER BY d.position, d.key`,
            toState
          ),
        active: (storeId: string) =>
          many(
            sql<DefinitionRow>`SELECT ${ownColumns} FROM metafield_definition d
              WHERE d.store_id = ${storeId} AND d.is_active
              ORDER BY d.position, d.key`,
            toDefinition
          ),
        /** The definitions with these keys: none of them changes until the transaction ends. */
        lockByKey: (storeId: string, keys: ReadonlyArray<string>) =>
          Effect.map(
            lockThenRead(
              none(sql`SELECT 1 FROM metafield_definition WHERE store_id = ${storeId} AND key = ANY(${keys}::text[])
                ORDER BY id FOR SHARE`),
              many(
                sql<DefinitionRow>`SELECT ${ownColumns} FROM metafield_definition d
                  WHERE d.store_id = ${storeId} AND d.key = ANY(${keys}::text[])`,
                toDefinition
              )
            ),
            ([, found]) => found
          ),
        /** How many products outside this list have a value. */
        countOutside: (storeId: string, id: string, productIds: ReadonlyArray<string>) =>
          countValues(storeId, id, sql`NOT product_id = ANY(${productIds}::text[])`),
        /** Products that have a value, at most `limit`. */
        productsWith: (storeId: string, id: string, limit: number) =>
          many(
            sql<{ readonly productId: string }>`SELECT product_id FROM metafield_value
              WHERE store_id = ${storeId} AND definition_id = ${id}
              ORDER BY product_id ${sql.literal(`LIMIT ${limit}`)}`,
            (row) => row.productId
          ),
        /** How many products have one of these choices. */
        countChoices: (storeId: string, id: string, removed: ReadonlyArray<string>) =>
          countValues(storeId, id, sql`value ?| ${removed}::text[]`),
        idsByKey: rows.idsBy("key"),
        /** Deletes it with its values, conflicts and attachments. Returns whether there was one. */
        remove: (storeId: string, id: string) =>
          anyRow(
            sql`WITH conflicts AS (
                DELETE FROM metafield_conflict WHERE store_id = ${storeId} AND definition_id = ${id}
              ), held AS (
                DELETE FROM metafield_value WHERE store_id = ${storeId} AND definition_id = ${id}
              ), attached AS (
                DELETE FROM metafield_definition_product WHERE store_id = ${storeId} AND definition_id = ${id}
              )
              DELETE FROM metafield_definition WHERE store_id = ${storeId} AND id = ${id} RETURNING id`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(MetafieldDefinitionRepository, MetafieldDefinitionRepository.make)
}
