/**
 * The version that a caller has read, for use cases that lock the row themselves, such as those of carts and checkouts:
 * they check it by `checkVersion` under their own lock, after they know that the caller may see the row, and without
 * another statement. For other use cases `RowVersions` locks and checks before they run.
 */
import { Context, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** The row was changed after the caller read it; `updatedAt` is its current version. */
export class ResourceChanged extends Schema.TaggedError<ResourceChanged>()("ResourceChanged", {
  updatedAt: Schema.String
}) {}

/** Whether a row that was last changed at `updatedAt` may be written. */
export type Judgement = (updatedAt: Date) => boolean

/** The condition of the request's If-Match or If-Unmodified-Since; undefined without either. */
export const Precondition = Context.Reference<Judgement | undefined>("@effect-commerce/core/database/Precondition", {
  defaultValue: () => undefined
})

/** Fails with ResourceChanged if the version does not meet the condition. */
export const judged = (isMet: Judgement, updatedAt: Date): Effect.Effect<void, ResourceChanged> =>
  isMet(updatedAt) ? Effect.void : Effect.fail(new ResourceChanged({ updatedAt: updatedAt.toISOString() }))

/** Checks the row's version. Call it inside the transaction that writes, with the row locked. */
export const checkVersion = (updatedAt: Date): Effect.Effect<void, ResourceChanged> =>
  Effect.flatMap(Precondition, (isMet) => (isMet === undefined ? Effect.void : judged(isMet, updatedAt)))

/**
 * The version that a write at `now` gives to a row of version `before`: always later, also within the same millisecond.
 */
export const nextVersion = (before: Date, now: number): Date => new Date(Math.max(now, before.getTime() + 1))

/** `nextVersion` in SQL, for rows whose version was not read. */
export const versionAfter = (sql: SqlClient.SqlClient, now: Date, column = "updated_at"): Statement.Fragment =>
  sql`greatest(${now}, ${sql.literal(column)} + interval '1 millisecond')`
