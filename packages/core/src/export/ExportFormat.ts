/**
 * How rows become the bytes of a file: CSV by RFC 4180 that no spreadsheet runs, or NDJSON. Pure.
 */
import type { ExportFormat } from "./Export.ts"

/** A value of a row. Numbers are our own and are written as they are; a text may be anybody's. */
export type Cell = string | number | boolean | null

/** A row: its values by the names of the columns. */
export type ExportRow = Readonly<Record<string, Cell>>

/** A column: its name, and whether it holds numbers and amounts, which nobody can write a formula into. */
export interface Column {
  readonly name: string
  readonly isNumber?: boolean
}

/** What begins a formula where a cell begins with it, also as it is typed in East Asian scripts. */
const formulaSign = /[=+\-@＝＋－＠](?<=(?:^|[;\t\r\n])[\s"]*.)/g
/** White space that a spreadsheet drops, and then reads what follows. */
const startsDropped = /^[\t\r\n]/
/**
 * The text with an apostrophe before each sign that a spreadsheet may find at the start of a cell. Cells begin behind
 * semicolons, tabs and line breaks too: programs that are set to separate by those see no quotes where ours are.
 */
const defused = (text: string): string => text.replace(startsDropped, "'$&").replace(formulaSign, "'$&")
/** A text that is quoted (RFC 4180): it has a quote, a comma, a line break, or white space at its ends. */
const needsQuotes = /["\n\r,;\t]|^\s|\s$/

/** Excel reads a file without this mark in the alphabet of its own country. */
const byteOrderMark = "\uFEFF"
const lineEnd = "\r\n"

const csvCell = (value: Cell | undefined, isNumber: boolean): string => {
  if (value === null || value === undefined) return ""
  const text = String(value)
  const harmless = isNumber ? text : defused(text)
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const csvLine = (columns: ReadonlyArray<Column>, row: ExportRow): string =>
  columns.map(({ name, isNumber = false }) => csvCell(row[name], isNumber)).join(",") + lineEnd

const jsonLine = (columns: ReadonlyArray<Column>, row: ExportRow): string =>
  `${JSON.stringify(Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null])))}\n`

/** What comes before the first row. */
export const headOf = (format: ExportFormat, columns: ReadonlyArray<Column>): string =>
  format === "csv" ? byteOrderMark + columns.map(({ name }) => name).join(",") + lineEnd : ""

export const linesOf = (format: ExportFormat, columns: ReadonlyArray<Column>, rows: ReadonlyArray<ExportRow>): string =>
  rows.map((row) => (format === "csv" ? csvLine(columns, row) : jsonLine(columns, row))).join("")

export const mediaTypeOf = (format: ExportFormat): string =>
  format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson"
