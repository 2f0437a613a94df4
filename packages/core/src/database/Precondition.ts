/**
 * The version that a caller has read, for use cases that lock the row themselves, such as those of carts and checkouts:
 * they judge it by `checkVersion` under their own lock, after they know that the caller may see the row, and at no cost
 * of a statement. For other use cases `RowVersions` locks and judges before they run.
 */
import { Context, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** Somebody has written since the caller read: `updatedAt` is what there is now. */
export class ResourceChanged extends Schema.TaggedError<ResourceChanged>()("ResourceChanged", {
  updatedAt: Schema.String
}) {}

/** Whether a row that was last changed at `updatedAt` may be written. */
export type Judgement = (updatedAt: Date) => boolean

/** The judgement that the caller asks for by If-Match or If-Unmodified-Since; undefined where it asks for none. */
export const Precondition = Context.Reference<Judgement | undefined>("@effect-commerce/core/database/Precondition", {
  defaultValue: () => undefined
})

/** Refuses where the version does not pass. */
export const judged = (isMet: Judgement, updatedAt: Date): Effect.Effect<void, ResourceChanged> =>
  isMet(updatedAt) ? Effect.void : Effect.fail(new ResourceChanged({ updatedAt: updatedAt.toISOString() }))

/** Inside the transaction that writes, with the row locked. */
export const checkVersion = (updatedAt: Date): Effect.Effect<void, ResourceChanged> =>
  Effect.flatMap(Precondition, (isMet) => (isMet === undefined ? Effect.void : judged(isMet, updatedAt)))

/**
 * The version that a write at `now` gives to a row of version `before`: always a later one, also within the same
 * millisecond.
 */
export const nextVersion = (before: Date, now: number): Date => new Date(Math.max(now, before.getTime() + 1))

/** `nextVersion` as a statement says it of the row that it writes, for rows whose version was not read. */
export const versionAfter = (sql: SqlClient.SqlClient, now: Date, column = "updated_at"): Statement.Fragment =>
  sql`greatest(${now}, ${sql.literal(column)} + interval '1 millisecond')`
