/**
 * The file of a store: NDJSON, one object a line. The first is the header, then come the rows table by table, in an
 * order in which foreign keys hold, then the files of the library in parts, and at the end a line with the counts and
 * the SHA-256 of all lines before it. Whole numbers of eight bytes and decimals are texts, so that no reader rounds
 * them.
 */
import { Schema } from "effect"

export const formatName = "effect-commerce store"
export const formatVersion = 1

/** Bytes of one line. A row is at most as long as PostgreSQL may send one; a part of a file is far shorter. */
export const longestLine = 18 * 1_048_576
/** Bytes of a file that one line carries. */
export const partBytes = 786_432
/** Bytes of one file: far above what an upload may have. */
export const largestFile = 64 * 1_048_576

/** Something that is not carried and must be made again, or set again. */
const Again = Schema.Struct({ what: Schema.String, name: Schema.String })
export type Again = typeof Again.Type

export const Header = Schema.Struct({
  format: Schema.Literal(formatName),
  version: Schema.Literal(formatVersion),
  /** The newest migration of the database that it comes from. */
  schema: Schema.Struct({ id: Schema.Int, name: Schema.String }),
  storeId: Schema.String,
  name: Schema.String,
  exportedAt: Schema.String,
  anonymised: Schema.Boolean,
  /** Says which root secret opens what is sealed; null where nothing that is sealed is carried. */
  seal: Schema.NullOr(Schema.String),
  tables: Schema.Array(Schema.String),
  /** What is to be made again in any case. */
  again: Schema.Array(Again),
  /** What is to be set again where the root secret is another. */
  sealed: Schema.Array(Again)
})
export type Header = typeof Header.Type

/** A row as it is stored, by column. */
export type Row = Readonly<Record<string, unknown>>

/** A row whose JSON is known already. */
export const rowLine = (table: string, row: string): string => `${rowStart(table)}${row}}`
/** How the line of a row begins. */
export const rowStart = (table: string): string => `{"table":${JSON.stringify(table)},"row":`

export const FilePart = Schema.Struct({
  file: Schema.String,
  type: Schema.String,
  part: Schema.Int,
  last: Schema.Boolean,
  /** In base64. */
  bytes: Schema.String
})
export type FilePart = typeof FilePart.Type

export const EndLine = Schema.Struct({
  end: Schema.Struct({
    /** By table; a table without rows is left out. */
    rows: Schema.Record(Schema.String, Schema.Int),
    files: Schema.Int,
    sha256: Schema.String
  })
})
export type End = (typeof EndLine.Type)["end"]
