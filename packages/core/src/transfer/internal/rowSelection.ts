/** Which rows of a table are carried, as SQL. Whole numbers of eight bytes and decimals become texts. */
import type { TableFacts } from "../TableFacts.ts"
import { type Carried, carried, carriedAnonymised } from "../TransferredTables.ts"

const exact: ReadonlySet<string> = new Set(["bigint", "numeric"])
const quoted = (name: string): string => `"${name}"`

/** What is carried of a table; `anonymised`: with people made up. */
export const carriedOf = (table: string, anonymised: boolean): Carried => {
  const [always, more] = [carried[table] ?? {}, anonymised ? (carriedAnonymised[table] ?? {}) : {}]
  const rows = [always.rows, more.rows].filter((condition) => condition !== undefined)
  return {
    ...(rows.length === 0 ? {} : { rows: rows.join(" AND ") }),
    numbered: always.numbered === true,
    set: { ...always.set, ...more.set },
    without: [...(always.without ?? []), ...(more.without ?? [])]
  }
}

/** The columns that an import writes. */
const writtenOf = (table: TableFacts): TableFacts["columns"] => {
  const { numbered = false } = carriedOf(table.name, false)
  return table.columns.filter(({ made, counts }) => !made || (counts && numbered))
}

/** The columns that a row has in the file. */
export const columnsOf = (table: TableFacts): TableFacts["columns"] => {
  const { without = [] } = carriedOf(table.name, false)
  return writtenOf(table).filter(({ name }) => !without.includes(name))
}

/** The condition of the rows of `$1`. */
const belongs = (table: TableFacts): string => (table.name === "store" ? "t.id = $1" : "t.store_id = $1")

/**
 * How many rows are read at once, where they are small. Each row says how many bytes the next so many have, so that
 * whoever reads knows it before they are in memory.
 */
export const rowsAhead = 64

/**
 * Selects `row`, the JSON of a row, in an order in which parents come before their children, and `ahead`, the bytes of
 * the next `rowsAhead` rows.
 */
export const rowsOf = (table: TableFacts, anonymised: boolean): string => {
  const { rows, set = {} } = carriedOf(table.name, anonymised)
  const columns = columnsOf(table).map(({ name, type }) => {
    const plain = `t.${quoted(name)}`
    const value = set[name] ?? (exact.has(type.replace(/\(.*/, "")) ? `${plain}::text` : plain)
    return `${value} AS ${quoted(name)}`
  })
  const key = table.columns.find(({ counts }) => counts)
  const order = (key === undefined ? table.key : [key.name]).map((name) => `t.${quoted(name)}`)
  const from = table.parent === null ? quoted(table.name) : `depth d JOIN ${quoted(table.name)}`
  const joined = table.parent === null ? "" : "ON t.store_id = $1 AND t.id = d.id"
  const selected = `SELECT ${columns.join(", ")} FROM ${from} t ${joined}
    WHERE ${belongs(table)}${rows === undefined ? "" : ` AND (${rows})`}
    ORDER BY ${[...(table.parent === null ? [] : ["d.level"]), ...order].join(", ")}`
  return `${table.parent === null ? "" : depths(table.name, table.parent)}
    SELECT j.row, coalesce(sum(octet_length(j.row)) OVER
      (ROWS BETWEEN 1 FOLLOWING AND ${rowsAhead} FOLLOWING), 0)::float8 AS ahead
    FROM (SELECT row_to_json(r)::text AS row FROM (${selected}) r OFFSET 0) j`
}

/** How far a row is from one without a parent. */
const depths = (table: string, parent: string): string => `WITH RECURSIVE depth AS (
    SELECT p.id, 0 AS level FROM ${quoted(table)} p WHERE p.store_id = $1 AND p.${quoted(parent)} IS NULL
    UNION ALL
    SELECT c.id, d.level + 1 FROM depth d JOIN ${quoted(table)} c ON c.store_id = $1 AND c.${quoted(parent)} = d.id)`

/** How many rows `rowsOf` selects. */
export const countOf = (table: TableFacts, anonymised: boolean): string => {
  const { rows } = carriedOf(table.name, anonymised)
  return `SELECT count(*)::int AS n FROM ${quoted(table.name)} t
    WHERE ${belongs(table)}${rows === undefined ? "" : ` AND (${rows})`}`
}

/** Inserts rows, `$1`, a JSON array of objects. JSON null in a column that may not be empty is the document `null`. */
export const insertOf = (table: TableFacts): string => {
  const columns = writtenOf(table)
  const names = columns.map(({ name }) => quoted(name)).join(", ")
  const values = columns
    .map(({ name, type, required }) =>
      type === "jsonb" && required ? `coalesce(r.${quoted(name)}, 'null'::jsonb)` : `r.${quoted(name)}`
    )
    .join(", ")
  return `INSERT INTO ${quoted(table.name)} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM json_populate_recordset(NULL::${quoted(table.name)}, $1::json) r`
}
