/** Writes rows of one table after the other, many by one statement. A row that the database refuses names its lines. */
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { sqlStateOf } from "../../database/SqlErrors.ts"
import { ImportRefused } from "../TransferErrors.ts"
import type { TableFacts } from "../TransferRepository.ts"

/** Of one statement. */
const mostRows = 500
const mostCharacters = 4 * 1_048_576

export interface NewRow {
  readonly table: TableFacts
  /** Its JSON. */
  readonly text: string
  readonly line: number
}

type Insert = (table: TableFacts, rows: string) => Effect.Effect<unknown, SqlError.SqlError>

export const makeBatches = (insert: Insert) => {
  let rows: Array<NewRow> = []
  let characters = 0

  const flush = Effect.suspend(() => {
    const [first, last] = [rows[0], rows.at(-1)]
    if (first === undefined || last === undefined) return Effect.void
    const text = `[${rows.map((row) => row.text).join(",")}]`
    rows = []
    characters = 0
    return Effect.catch(insert(first.table, text), (error) => refusal(error, first, last.line))
  })

  const add = (row: NewRow): Effect.Effect<void, ImportRefused> => {
    const [first] = rows
    const isFull =
      first !== undefined &&
      (first.table !== row.table || rows.length >= mostRows || characters + row.text.length > mostCharacters)
    const place = Effect.sync(() => {
      rows.push(row)
      characters += row.text.length
    })
    return isFull ? Effect.andThen(flush, place) : place
  }

  return { add, flush }
}

/** Data that do not fit (22), and constraints (23): the file's fault. Anything else is a defect. */
const refusal = (
  error: SqlError.SqlError,
  { table, line }: NewRow,
  last: number
): Effect.Effect<void, ImportRefused> => {
  const state = sqlStateOf(error)
  if (!/^2[23]/.test(state)) return Effect.die(error)
  const { message, detail } = wordsOf(error.reason.cause)
  const lines = line === last ? `line ${line}` : `one of the lines ${line} to ${last}`
  const taken = state === "23505" || state === "23P01" ? "exists already" : "does not fit"
  return Effect.fail(new ImportRefused({ reason: `${lines}: a row of ${table.name} ${taken}: ${detail ?? message}` }))
}

const wordsOf = (cause: unknown): { readonly message: string; readonly detail: string | undefined } => {
  const facts: Readonly<Record<string, unknown>> =
    typeof cause === "object" && cause !== null ? (cause as Readonly<Record<string, unknown>>) : {}
  const { message, detail } = facts
  return { message: String(message ?? "refused"), detail: typeof detail === "string" ? detail : undefined }
}
