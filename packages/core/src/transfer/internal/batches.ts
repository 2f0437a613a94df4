/** Writes rows of one table after the other, many by a statement. A refused row is named by line and key. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { sqlStateOf } from "../../database/SqlErrors.ts"
import { ImportRefused } from "../TransferErrors.ts"
import type { Row } from "../TransferFormat.ts"
import type { TableFacts } from "../TableFacts.ts"

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

/** `insert` leaves the transaction usable where it fails. */
export const makeBatches = (insert: Insert) => {
  let rows: Array<NewRow> = []
  let characters = 0

  const insertAll = (some: ReadonlyArray<NewRow>, table: TableFacts) =>
    insert(table, `[${some.map((row) => row.text).join(",")}]`)

  /** Finds the row that was refused: the database shows no key of a row that is protected. */
  const insertOneByOne = (some: ReadonlyArray<NewRow>) =>
    Effect.forEach(some, (row) => Effect.catch(insertAll([row], row.table), (error) => refusal(error, row)), {
      discard: true
    })

  const flush = Effect.suspend((): Effect.Effect<void, ImportRefused> => {
    const [first] = rows
    if (first === undefined) return Effect.void
    const some = rows
    rows = []
    characters = 0
    return Effect.catch(Effect.asVoid(insertAll(some, first.table)), (error) =>
      isOfTheFile(error) ? insertOneByOne(some) : Effect.die(error)
    )
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

/** Data that do not fit (22), and constraints (23). */
const isOfTheFile = (error: SqlError.SqlError): boolean => /^2[23]/.test(sqlStateOf(error))

const refusal = (error: SqlError.SqlError, { table, text, line }: NewRow): Effect.Effect<never, ImportRefused> => {
  if (!isOfTheFile(error)) return Effect.die(error)
  const row = JSON.parse(text) as Row
  const key = table.key.filter((name) => name !== "store_id").map((name) => String(row[name]))
  const isTaken = /^23(505|P01)$/.test(sqlStateOf(error))
  const { cause } = error.reason
  const message = cause instanceof Error ? cause.message : String(cause)
  return Effect.fail(
    new ImportRefused({
      reason: `line ${line}: ${table.name} ${key.join(" ")} ${isTaken ? "exists already" : "does not fit"}: ${message}`
    })
  )
}
