/** Counts what the workers have still to do, over all stores, in one statement. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { planByIndex } from "../database/PlanByIndex.ts"
import { many } from "../database/Repository.ts"
import { backlogKinds, mostCounted } from "./BacklogKinds.ts"

export interface WaitingRow {
  readonly kind: string
  readonly waiting: number
  /** When the oldest of them was due; null where none waits. */
  readonly oldest: Date | null
}

/** Each branch reads a partial index that holds waiting rows alone, and at most `mostCounted` of them. */
const question = Object.entries(backlogKinds)
  .map(([kind, sources]) => {
    const rows = sources.map(
      ({ table, due, condition }) => `(SELECT ${due} AS due FROM ${table} WHERE ${condition} LIMIT ${mostCounted})`
    )
    return `SELECT '${kind}' AS kind, count(*)::int AS waiting, min(due) AS oldest FROM (${rows.join(" UNION ALL ")}) w`
  })
  .join(" UNION ALL ")

export class BacklogRepository extends Context.Service<BacklogRepository>()(
  "@effect-commerce/core/audit/BacklogRepository",
  {
    make: Effect.gen(function* () {
      const { sql, platform } = yield* Database
      return {
        waiting: platform(
          Effect.andThen(
            planByIndex(sql, { waitsForDisk: false }),
            many(sql.unsafe<WaitingRow>(question), (row) => row)
          )
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(BacklogRepository, BacklogRepository.make)
}
