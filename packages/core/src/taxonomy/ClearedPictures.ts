/**
 * The statements that remove a deleted file of the media library from rows. `mark` is the part of a key that the file
 * and its thumbnail share: any URL or key that contains it refers to the file.
 */
import type { SqlClient, Statement } from "effect/sql"
import { versionAfter } from "../database/Precondition.ts"

interface RemovedFile {
  readonly storeId: string
  readonly mark: string
  readonly now: Date
}

/** Clears the URL and key columns of rows that are not deleted. */
export const clearedPicture = (
  sql: SqlClient.SqlClient,
  table: "category" | "brand",
  columns: readonly [address: string, key: string],
  { storeId, mark, now }: RemovedFile
): Statement.Statement<unknown> => {
  const [address, key] = columns.map((column) => sql(column))
  return sql`UPDATE ${sql(table)} SET updated_at = ${versionAfter(sql, now)},
      ${address} = CASE WHEN strpos(${address}, ${mark}) > 0 THEN NULL ELSE ${address} END,
      ${key} = CASE WHEN strpos(${key}, ${mark}) > 0 THEN NULL ELSE ${key} END
    WHERE store_id = ${storeId} AND deleted_at IS NULL
      AND (strpos(${address}, ${mark}) > 0 OR strpos(${key}, ${mark}) > 0)`
}

/** Rows that are shown as parts of an owner's row. */
export interface PicturedParts {
  readonly owner: string
  readonly part: string
  readonly ownerId: string
  readonly column: string
  /** Whether the parts have versions of their own. */
  readonly isVersioned: boolean
}

/**
 * Clears the column of the parts, and raises the version of their owner, which shows them. Locks owners before parts.
 */
export const clearedParts = (
  sql: SqlClient.SqlClient,
  { owner, part, ownerId, column, isVersioned }: PicturedParts,
  { storeId, mark, now }: RemovedFile
): Statement.Statement<unknown> => {
  const version = isVersioned ? sql`, updated_at = ${versionAfter(sql, now, "p.updated_at")}` : sql.literal("")
  return sql`WITH owners AS (
      SELECT o.id FROM ${sql(owner)} o WHERE o.store_id = ${storeId} AND EXISTS (
        SELECT FROM ${sql(part)} p WHERE p.store_id = o.store_id AND p.${sql(ownerId)} = o.id
          AND strpos(p.${sql(column)}, ${mark}) > 0)
      ORDER BY o.id FOR NO KEY UPDATE
    ), parts AS (
      UPDATE ${sql(part)} p SET ${sql(column)} = NULL ${version} FROM owners
      WHERE p.store_id = ${storeId} AND p.${sql(ownerId)} = owners.id AND strpos(p.${sql(column)}, ${mark}) > 0
    ) UPDATE ${sql(owner)} o SET updated_at = ${versionAfter(sql, now, "o.updated_at")}
      FROM owners WHERE o.store_id = ${storeId} AND o.id = owners.id`
}
