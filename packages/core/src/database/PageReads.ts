/**
 * One page of a list, and how many rows the whole list has. The page's rows are found by their keys alone, and only
 * they are read whole and dressed with what belongs to them: what OFFSET skips costs its key, not its variants, items
 * or counts. The two statements travel together.
 */
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { offsetOf, type Page, type PageOf } from "../kernel/Pagination.ts"

/** A table with `store_id` and `id`, and what is shown of each of its rows. */
export interface ListedTable {
  readonly name: string
  /** What columns, conditions and orders call a row. */
  readonly alias: string
  /** Sub-selects among them run for the rows of the page alone. */
  readonly columns: string
}

/** Which rows of a store, and in which order: one that ends with the id, so that no row is on two pages. */
export interface Listing {
  /** Beside the store. */
  readonly conditions: ReadonlyArray<Statement.Fragment>
  readonly order: Statement.Fragment
  readonly page: Page
}

export interface PageReader<Row> {
  readonly page: (storeId: string, listing: Listing) => Effect.Effect<PageOf<Row>>
  /** The same without the number of all. */
  readonly rows: (storeId: string, listing: Listing) => Effect.Effect<ReadonlyArray<Row>>
}

/** Reads pages of one table. */
export const makePageReader = <Row extends object>(
  sql: SqlClient.SqlClient,
  { name, alias, columns }: ListedTable
): PageReader<Row> => {
  const keys = sql.literal(`SELECT ${columns} FROM (SELECT ${alias}.id AS key FROM ${name} ${alias}`)
  // The primary key finds each row: joined freely, the planner reads a whole table for twenty of its rows.
  const found = sql.literal(`found, LATERAL (SELECT * FROM ${name} ${alias} WHERE ${alias}.id = found.key`)
  const count = sql.literal(`SELECT count(*)::int AS total FROM ${name} ${alias}`)
  const ofStore = sql.literal(`${alias}.store_id`)
  const named = sql.literal(alias)
  const conditionOf = (storeId: string, { conditions }: Listing) =>
    sql.and([sql`${ofStore} = ${storeId}`, ...conditions])

  const rows: PageReader<Row>["rows"] = (storeId, listing) => {
    const { order, page } = listing
    // Said in the text: of an unknown number PostgreSQL assumes a tenth of the table, and plans anew for each page
    // because that would be dear.
    const shown = sql`${sql.literal(`LIMIT ${page.limit}`)} OFFSET ${offsetOf(page)}`
    const which = conditionOf(storeId, listing)
    return Effect.orDie(
      sql<Row>`${keys} WHERE ${which} ORDER BY ${order} ${shown}) ${found} AND ${ofStore} = ${storeId} OFFSET 0) ${named} ORDER BY ${order}`
    )
  }

  const total = (storeId: string, listing: Listing) =>
    Effect.orDie(
      Effect.map(
        sql<{ readonly total: number }>`${count} WHERE ${conditionOf(storeId, listing)}`,
        ([counted]) => counted?.total ?? 0
      )
    )

  return {
    rows,
    page: (storeId, listing) =>
      Effect.all({ items: rows(storeId, listing), total: total(storeId, listing) }, { concurrency: 2 })
  }
}
