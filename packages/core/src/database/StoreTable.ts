/**
 * Statements that many tables share: a row of a store is inserted, updated and read by one list of the resource's
 * fields. A repository adds its own statements.
 */
import { Effect, type Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { versionAfter } from "./Precondition.ts"
import { many } from "./Repository.ts"

/** A table with `store_id`, `id`, `created_at` and `updated_at`, and one column for each field. */
export interface StoreTable<Fields> {
  readonly table: string
  /** Each is a column with the field's name in snake case. */
  readonly fields: ReadonlyArray<keyof Fields & string>
  /** Fields whose columns have other names. */
  readonly columns?: Partial<Record<keyof Fields & string, string>>
  /** Fields that are stored as JSON. */
  readonly json?: ReadonlyArray<keyof Fields & string>
  /** Whether a deleted row stays, with `deleted_at`. */
  readonly keepsDeleted?: boolean
}

/** The fields of a body that are columns of a row: all but `except`. */
export const fieldsOf = <Fields extends Schema.Struct.Fields, Except extends keyof Fields & string = never>(
  body: Schema.Struct<Fields>,
  ...except: ReadonlyArray<Except>
) =>
  (Object.keys(body.fields) as ReadonlyArray<keyof Fields & string>).filter(
    (field): field is Exclude<keyof Fields & string, Except> => !(except as ReadonlyArray<string>).includes(field)
  )

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const columnOf = <Fields>({ columns }: Pick<StoreTable<Fields>, "columns">, field: keyof Fields & string): string =>
  columns?.[field] ?? snakeCase(field)

/** The fields of a row as SELECT lists them, each under its own name. `alias` is what the statement calls the row. */
export const selectedFields = <Fields>(table: StoreTable<Fields>, alias: string): string =>
  table.fields.map((field) => `${alias}.${columnOf(table, field)} AS ${snakeCase(field)}`).join(", ")

export const makeStoreTable = <Fields extends object>(sql: SqlClient.SqlClient, table: StoreTable<Fields>) => {
  const { table: name, fields: written, json = [], keepsDeleted = false } = table
  const present = sql.literal(keepsDeleted ? "AND deleted_at IS NULL" : "")

  const stored = (fields: Fields, field: keyof Fields & string): unknown => {
    const value = fields[field]
    return json.includes(field) && value !== null ? JSON.stringify(value) : value
  }
  const record = (fields: Fields) =>
    Object.fromEntries(written.map((field) => [columnOf(table, field), stored(fields, field)]))

  return {
    insert: (storeId: string, id: string, fields: Fields, now: Date) =>
      sql`INSERT INTO ${sql(name)}
        ${sql.insert({ store_id: storeId, id, created_at: now, updated_at: now, ...record(fields) })}`,

    /** Inserts several rows by one statement, which may be part of a larger one. */
    insertAll: (storeId: string, rows: ReadonlyArray<Fields & { readonly id: string }>, now: Date) => {
      const listed = sql.literal(["id", ...written.map((field) => columnOf(table, field))].join(", "))
      const inJson = rows.map((row) => ({
        id: row.id,
        ...Object.fromEntries(written.map((field) => [columnOf(table, field), row[field]]))
      }))
      // Minor units as text, which PostgreSQL reads exactly.
      const writtenRows = JSON.stringify(inJson, (_, value) => (typeof value === "bigint" ? String(value) : value))
      return sql`INSERT INTO ${sql(name)} (store_id, created_at, updated_at, ${listed})
        SELECT ${storeId}, ${now}, ${now}, ${listed}
        FROM jsonb_populate_recordset(NULL::${sql(name)}, ${writtenRows}::jsonb)`
    },

    /** Updates the row, gives it the next version and returns that. */
    update: (storeId: string, id: string, fields: Fields, now: Date) =>
      sql<{ readonly updatedAt: Date }>`UPDATE ${sql(name)}
        SET ${sql.update(record(fields))}, updated_at = ${versionAfter(sql, now)}
        WHERE store_id = ${storeId} AND id = ${id} RETURNING updated_at`,

    /** The ids that exist in the store. */
    existing: (storeId: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>> =>
      Effect.map(
        many(sql<{ readonly id: string }>`SELECT id FROM ${sql(name)}
          WHERE store_id = ${storeId} AND id = ANY(${ids}::text[]) ${present}`),
        (rows) => new Set(rows.map(({ id }) => id))
      ),

    /** Row ids by the value of a field, such as the name; values that no row has are left out. */
    idsBy:
      (field: keyof Fields & string) =>
      (storeId: string, values: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, string>> =>
        Effect.map(
          many(sql<{ readonly value: string; readonly id: string }>`SELECT id, ${sql(columnOf(table, field))} AS value
            FROM ${sql(name)}
            WHERE store_id = ${storeId} AND ${sql(columnOf(table, field))} = ANY(${values}::text[]) ${present}`),
          (rows) => new Map(rows.map(({ value, id }) => [value, id]))
        )
  }
}
