/** An export: a job that writes what a store has to one file. Its state, its body, and how it is shown. */
import { Schema } from "effect"
import {
  clearable,
  integer,
  json,
  nullableString,
  nullableTimestamp,
  nullableUrl,
  oneOf,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

export const exportResources = ["orders", "customers", "products", "inventory"] as const
export type ExportResource = (typeof exportResources)[number]
export const exportFormats = ["csv", "ndjson"] as const
export type ExportFormat = (typeof exportFormats)[number]
export const exportStatuses = ["QUEUED", "RUNNING", "DONE", "FAILED"] as const
export type ExportStatus = (typeof exportStatuses)[number]

/** Exports that are under way, and those whose files are still kept. */
export const openExportBound: StoreBound = { field: "exports", most: 5, words: "exports under way" }
export const keptExportBound: StoreBound = {
  field: "exports",
  most: 50,
  words: "exports of the last day",
  says: "exports whose files are kept"
}

/** The most bytes of a file, and of all files of a store that are kept. */
export const mostExportBytes = 4_294_967_296n
export const mostKeptExportBytes = 2n * mostExportBytes

/** As it is stored: what is absent filters nothing. Times are ISO 8601. */
export const ExportFilters = Schema.Struct({
  status: Schema.optionalKey(Schema.Array(Schema.String)),
  createdFrom: Schema.optionalKey(Schema.String),
  createdTo: Schema.optionalKey(Schema.String),
  search: Schema.optionalKey(Schema.String)
})
export type ExportFilters = typeof ExportFilters.Type

export interface ExportState {
  readonly id: string
  readonly resource: ExportResource
  readonly format: ExportFormat
  readonly filters: ExportFilters
  readonly status: ExportStatus
  /** Why it failed. */
  readonly reason: string | null
  readonly rows: bigint
  readonly bytes: bigint
  readonly parts: number
  /** The key of the last row that is written; null before the first. */
  readonly after: string | null
  readonly tries: number
  readonly createdAt: Date
  /** When its file is deleted; null while it is under way. */
  readonly expiresAt: Date | null
}

const longestMoment = 40
const moment = (words: string) => clearable(text(longestMoment), words, "2026-01-01T00:00:00.000Z")

const FiltersInput = Schema.Struct({
  status: clearable(
    Schema.Union([text(200), Schema.Array(text(50)).pipe(Schema.check(Schema.isMaxLength(20)))]),
    "Only rows of these statuses: of orders, or active and draft of products. A list, or a text with commas.",
    ["PAID"]
  ),
  createdFrom: moment("Only what was created at this time or later: ISO 8601. Not for inventory."),
  createdTo: moment("Only what was created before this time: ISO 8601. Not for inventory."),
  search: clearable(text(200), "Only rows that the list of the resource finds by this text.", "ada@example.com")
}).annotate({ identifier: "ExportFilters", description: "Narrows an export, as the list of the resource does." })

export const ExportInput = Schema.Struct({
  resource: oneOf(exportResources, "What to export. The key needs the scope to read it."),
  format: oneOf(exportFormats, "`csv` for spreadsheets, `ndjson` for programs: one JSON object in each line."),
  filters: optional(FiltersInput, "Which rows; all of them by default.")
}).annotate({ identifier: "CreateExport", description: "An export to make." })
export type ExportInput = typeof ExportInput.Type

export const ExportView = Schema.Struct({
  id: string("Id of the export.", "exp_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  resource: oneOf(exportResources, "What is exported."),
  format: oneOf(exportFormats, "The format of the file."),
  filters: json("Which rows; empty: all of them."),
  status: oneOf(exportStatuses, "`DONE` once the file is whole. `FAILED` says why in `reason`."),
  reason: nullableString("Why it failed; null otherwise."),
  rows: integer("Rows that are written so far.", 1280),
  url: nullableUrl(
    "Where the file is fetched, without a credential: a secret that works until `expiresAt`. Null before it is " +
      "DONE and once the file is deleted."
  ),
  expiresAt: nullableTimestamp(
    "When the file is deleted: 24 hours after the export has ended, at once where it failed; null before that."
  ),
  createdAt: timestamp("When it was asked for.")
}).annotate({ identifier: "Export", description: "An export of what a store has." })
export type ExportView = typeof ExportView.Type
