/**
 * One page of a list, and how many rows the whole list has. The page's rows are found by their keys alone, and only
 * they are read whole and dressed with what belongs to them: what OFFSET skips costs its key, not its variants, items
 * or counts. The two statements travel together.
 */
import type { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { offsetOf, type Page, type PageOf } from "../kernel/Pagination.ts"
import { heavyRead } from "./HeavyReads.ts"
import { many, page } from "./Repository.ts"

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
  /** What is searched in the text of all rows: a heavy read where there is something. */
  readonly search?: string | undefined
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

  const select = (storeId: string, listing: Listing) => {
    const { order, page: at } = listing
    // The limit is part of the text: PostgreSQL assumes a tenth of the table for an unknown number, which would be
    // expensive, and plans again for each page.
    const shown = sql`${sql.literal(`LIMIT ${at.limit}`)} OFFSET ${offsetOf(at)}`
    const which = conditionOf(storeId, listing)
    return sql<Row>`${keys} WHERE ${which} ORDER BY
      ${order} ${shown}) ${found} AND ${ofStore} = ${storeId} OFFSET 0) ${named} ORDER BY ${order}`
  }

  return {
    rows: (storeId, listing) => many(select(storeId, listing)),
    page: (storeId, listing) => {
      const read = page(
        select(storeId, listing),
        sql<{ readonly total: number }>`${count} WHERE ${conditionOf(storeId, listing)}`
      )
      return (listing.search ?? "") === "" ? read : heavyRead(storeId)(read)
    }
  }
}
