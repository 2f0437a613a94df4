/**
 * Between the write of a product's rows and that of what shops are shown of it, a transaction says that it composes the
 * product: its own changes need no note (migration 0041).
 */
import type { SqlClient, Statement } from "effect/sql"

/** Ends a statement that writes rows of products. */
export const beginsComposing = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`RETURNING set_config('app.composing', 'on', true)`

/** Ends a statement that writes what is shown of one. */
export const endsComposing = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`RETURNING set_config('app.composing', '', true)`

/** By itself. */
export const endComposing = (sql: SqlClient.SqlClient): Statement.Statement<object> =>
  sql`SELECT set_config('app.composing', '', true)`
