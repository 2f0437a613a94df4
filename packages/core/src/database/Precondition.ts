/**
 * The version that a caller has read (completions.md 2.0, Concurrency), for use cases which lock what it is of: they
 * judge it under their own lock, after they know that the caller may see the thing, and at no cost of a statement.
 * Where a use case does not, `RowVersions` locks and judges before it runs.
 */
import { Context, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** Somebody has written since the caller read: `updatedAt` is what there is now. */
export class ResourceChanged extends Schema.TaggedError<ResourceChanged>()("ResourceChanged", {
  updatedAt: Schema.String
}) {}

/** Whether what was last changed then may be written over; undefined where the caller does not mind. */
export type Judgement = (updatedAt: Date) => boolean

export const Precondition = Context.Reference<Judgement | undefined>("@effect-commerce/core/database/Precondition", {
  defaultValue: () => undefined
})

export const judged = (isMet: Judgement, updatedAt: Date): Effect.Effect<void, ResourceChanged> =>
  isMet(updatedAt) ? Effect.void : Effect.fail(new ResourceChanged({ updatedAt: updatedAt.toISOString() }))

/** Inside the transaction that writes, with the row locked. */
export const checkVersion = (updatedAt: Date): Effect.Effect<void, ResourceChanged> =>
  Effect.flatMap(Precondition, (isMet) => (isMet === undefined ? Effect.void : judged(isMet, updatedAt)))

/**
 * When a row is changed that was last changed at `before`: later than that, so that no two of its versions are one,
 * also within a millisecond.
 */
export const nextVersion = (before: Date, now: number): Date => new Date(Math.max(now, before.getTime() + 1))

/** `nextVersion` as a statement says it of the row that it writes, for rows whose version was not read. */
export const versionAfter = (sql: SqlClient.SqlClient, now: Date, column = "updated_at"): Statement.Fragment =>
  sql`greatest(${now}, ${sql.literal(column)} + interval '1 millisecond')`
