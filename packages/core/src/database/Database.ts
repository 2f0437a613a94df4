/**
 * The way to PostgreSQL for every room. Statements outside a transaction share connections (pipelined); `write` and `platform` open a transaction
 * on a connection of their own. A write names its store before its first statement, so the policies of row-level security hold; only
 * serialization failures and deadlocks are tried again, at most three times. An SqlError is a defect for all but the repository that means it.
 */
import { PgClient } from "@effect/sql-pg"
import { Cause, Context, Effect, Layer, Option, type Redacted, Schedule, Schema, String as Str } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

export interface DatabaseMethods {
  /** Tagged template; inside `write` and `platform` it runs on the transaction's connection. */
  readonly sql: SqlClient.SqlClient
  /** One transaction for one store: its rows and no other store's can be written. A nested call for the same store joins. */
  readonly write: (storeId: string) => <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** One transaction over platform tables. */
  readonly platform: <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs after the surrounding transaction has committed; at once outside of one. */
  readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
}

/** Where PostgreSQL is: a URL, or the socket of the embedded server. */
export interface DatabaseOptions {
  readonly url?: Redacted.Redacted | undefined
  readonly path?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly username?: string | undefined
  readonly password?: Redacted.Redacted | undefined
  readonly database?: string | undefined
  readonly maxConnections?: number | undefined
  readonly applicationName?: string | undefined
  /** The role every statement runs as; absent, the connecting one (migrations). */
  readonly role?: string | undefined
  /** Milliseconds; 5,000 unless told. 0 is no bound (migrations). */
  readonly statementTimeout?: number | undefined
}

export const applicationRole = "commerce_app"

/** Which store the open write transaction is for. */
const WritingFor = Context.Reference<string | undefined>("@effect-commerce/core/database/WritingFor", { defaultValue: () => undefined })

export class WriteOutsideStore extends Schema.TaggedError<WriteOutsideStore>()("WriteOutsideStore", { open: Schema.String, asked: Schema.String }) {}

export const clientLayer = (options: DatabaseOptions) => {
  const { role, statementTimeout, maxConnections, ...connection } = options
  const timeout = String(statementTimeout ?? 5_000)
  return PgClient.layer({
    ...connection,
    maxConnections: maxConnections ?? 12,
    multiplex: true,
    transformResultNames: Str.snakeToCamel,
    transformJson: false,
    applicationName: options.applicationName ?? "commerce",
    connectTimeout: "5 seconds",
    startupParameters: {
      statement_timeout: timeout,
      lock_timeout: timeout,
      idle_in_transaction_session_timeout: "15000",
      timezone: "UTC",
      ...(role === undefined ? {} : { role })
    }
  })
}

export class Database extends Context.Service<Database, DatabaseMethods>()("@effect-commerce/core/database/Database") {
  /** Needs a client; `layer` brings one. */
  static readonly layerClient = Layer.effect(
    Database,
    Effect.map(PgClient.PgClient, (sql) => {
      const transaction = <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        sql.withTransaction(body).pipe(
          Effect.retry({ while: isTransient, times: 3, schedule: jittered }),
          Effect.catchIf(isSqlError, Effect.die)
        ) as Effect.Effect<A, E, R>

      const write =
        (storeId: string) =>
        <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
          Effect.flatMap(WritingFor, (open) => {
            if (open === storeId) return body
            if (open !== undefined) return Effect.die(new WriteOutsideStore({ open, asked: storeId }))
            const scoped = Effect.andThen(sql`SELECT set_config('app.store_id', ${storeId}, true)`, surfaceTransient(body))
            return transaction(Effect.provideService(scoped, WritingFor, storeId)) as Effect.Effect<A, E, R>
          })

      const platform = <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
          Option.isSome(open) ? body : (transaction(surfaceTransient(body)) as Effect.Effect<A, E, R>)
        )

      return Database.of({ sql, write, platform, afterCommit: sql.afterCommit })
    })
  )

  static readonly layer = (options: DatabaseOptions) => Layer.provideMerge(Database.layerClient, clientLayer({ role: applicationRole, ...options }))
}

const jittered = Schedule.jittered(Schedule.exponential("10 millis"))

const isSqlError = (error: unknown): error is SqlError.SqlError => SqlError.isSqlError(error)

const isTransient = (error: unknown): boolean =>
  isSqlError(error) && (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError")

/** Repositories turn SqlErrors into defects; the transient ones come back as failures here, so that the transaction can be tried again. */
const surfaceTransient = <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.catchCause(body, (cause): Effect.Effect<A, E | SqlError.SqlError, R> => {
    const error = Cause.squash(cause)
    return isTransient(error) ? Effect.fail(error as SqlError.SqlError) : Effect.failCause(cause)
  })
