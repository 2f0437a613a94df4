/**
 * One page of a list, and the total number of rows. The page's rows are first found by key, and only these are read in
 * full with their related data: a row that OFFSET skips costs its key, not its variants, items or counts. The two
 * statements are sent together.
 */
import type { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { offsetOf, type Page, type PageOf } from "../kernel/Pagination.ts"
import { heavyRead } from "./HeavyReads.ts"
import { many, page } from "./Repository.ts"

/** A table with `store_id` and `id`, and the columns read for each row. */
export interface ListedTable {
  readonly name: string
  /** The alias of a row in columns, conditions and orders. */
  readonly alias: string
  /** Sub-selects among them run only for the rows of the page. */
  readonly columns: string
}

/** The rows of a store to list, and their order, which ends with the id, so that no row is on two pages. */
export interface Listing {
  /** In addition to the store. */
  readonly conditions: ReadonlyArray<Statement.Fragment>
  readonly order: Statement.Fragment
  readonly page: Page
  /** A text searched in all rows; with a search the list is a heavy read. */
  readonly search?: string | undefined
  /** The total, where something that is kept knows it; by default the rows are counted. */
  readonly counted?: Statement.Fragment
}

export interface PageReader<Row> {
  readonly page: (storeId: string, listing: Listing) => Effect.Effect<PageOf<Row>>
  /** The rows without the total. */
  readonly rows: (storeId: string, listing: Listing) => Effect.Effect<ReadonlyArray<Row>>
}

/** Reads pages of one table. */
export const makePageReader = <Row extends object>(
  sql: SqlClient.SqlClient,
  { name, alias, columns }: ListedTable
): PageReader<Row> => {
  const keys = sql.literal(`SELECT ${columns} FROM (SELECT ${alias}.id AS key FROM ${name} ${alias}`)
  // LATERAL finds each row by the primary key: in a plain join the planner may read a whole table for twenty rows.
  const found = sql.literal(`found, LATERAL (SELECT * FROM ${name} ${alias} WHERE ${alias}.id = found.key`)
  const count = sql.literal(`SELECT count(*)::int AS total FROM ${name} ${alias}`)
  const ofStore = sql.literal(`${alias}.store_id`)
  const named = sql.literal(alias)
  const conditionOf = (storeId: string, { conditions }: Listing) =>
    sql.and([sql`${ofStore} = ${storeId}`, ...conditions])

  const select = (storeId: string, listing: Listing) => {
    const { order, page: at } = listing
    // The limit is part of the text: for a parameter PostgreSQL assumes a tenth of the table, which would be expensive,
    // and plans again for each page.
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
        sql<{ readonly total: number }>`${listing.counted ?? sql`${count} WHERE ${conditionOf(storeId, listing)}`}`
      )
      return (listing.search ?? "") === "" ? read : heavyRead(storeId)(read)
    }
  }
}
