/** Counts what the workers have still to do, over all stores, in one statement. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many } from "../database/Repository.ts"
import { backlogKinds, mostCounted, type WaitingRows } from "./BacklogKinds.ts"

export interface WaitingRow {
  readonly kind: string
  readonly waiting: number
  /** When the oldest of them was due; null where none waits. */
  readonly oldest: Date | null
}

/** In the order of the partial index, which holds waiting rows alone: at most `mostCounted` of them are read. */
const counted = ({ table, condition, lines }: WaitingRows): string => {
  const order = lines.length === 0 ? "" : `ORDER BY ${lines.join(", ")}`
  return `(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${condition} ${order} LIMIT ${mostCounted}) w)`
}

/** The oldest of the first rows of all lines, each found by one probe of the index: exact, however many wait. */
const oldest = ({ table, condition, due = "NULL::timestamptz", lines, first }: WaitingRows): string => {
  if (first === undefined) return "NULL::timestamptz"
  if (lines.length === 0) return `(SELECT ${due} FROM ${table} WHERE ${condition} ORDER BY ${first} LIMIT 1)`
  const [columns, order] = [lines.join(", "), [...lines, first].join(", ")]
  const behind = lines.map((name) => `l.${name}`).join(", ")
  const next = (more: string) =>
    `(SELECT ${columns}, ${due} AS since FROM ${table} w WHERE ${condition}${more} ORDER BY ${order} LIMIT 1)`
  const further = next(` AND (${lines.map((name) => `w.${name}`).join(", ")}) > (${behind})`)
  return `(WITH RECURSIVE line AS (${next("")} UNION ALL SELECT n.* FROM line l, LATERAL ${further} n)
    SELECT min(since) FROM line)`
}

const question = Object.entries(backlogKinds)
  .map(
    ([kind, sources]) =>
      `SELECT '${kind}' AS kind, (${sources.map(counted).join(" + ")})::int AS waiting,
        least(${sources.map(oldest).join(", ")}) AS oldest`
  )
  .join(" UNION ALL ")

export class BacklogRepository extends Context.Service<BacklogRepository>()(
  "@effect-commerce/core/audit/BacklogRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        /** Outside of a transaction: it waits for no connection that writes. */
        waiting: many(sql.unsafe<WaitingRow>(question), (row) => row)
      }
    })
  }
) {
  static readonly layer = Layer.effect(BacklogRepository, BacklogRepository.make)
}
