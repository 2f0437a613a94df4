/**
 * The two ways in which our statements get a transaction on a host's node-postgres: one of our own on a client lent by its pool, and a savepoint in
 * the one that the host has open. Settings are made for the transaction only; in the host's they are put back when control returns.
 */
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { applicationRole, type SessionBounds } from "../ConnectionOptions.ts"
import { HostTransactionUnusable } from "../DatabaseErrors.ts"
import type { HostClient } from "../HostClient.ts"
import { sqlStateOf } from "../SqlErrors.ts"
import { HostConnection, type HostConnectionOptions } from "./hostConnection.ts"
import { quoteIdentifier, quoteLiteral } from "./hostValues.ts"
import type { OpeningStatements, TransactionalConnection } from "./transactionalClient.ts"

/** Role, schema, bounds and time zone of a transaction of ours on the host's client; what the host has set as bounds of its own stays. */
export const hostSettings = (bounds: SessionBounds, schema: string | undefined): OpeningStatements => [[`SELECT ${settingsFor(bounds, schema)}`, []]]

const settingsFor = (bounds: SessionBounds, schema: string | undefined): string =>
  [
    `set_config('role', '${applicationRole}', true)`,
    `set_config('timezone', 'UTC', true)`,
    ...(schema === undefined ? [] : [`set_config('search_path', ${quoteLiteral(quoteIdentifier(schema))}, true)`]),
    unlessSet("statement_timeout", bounds.statementTimeout),
    unlessSet("lock_timeout", bounds.lockTimeout),
    unlessSet("idle_in_transaction_session_timeout", bounds.idleInTransactionTimeout)
  ].join(", ")

/** Zero is PostgreSQL's word for "no bound". */
const unlessSet = (name: string, millis: number): string =>
  `set_config('${name}', CASE current_setting('${name}') WHEN '0' THEN '${millis}' ELSE current_setting('${name}') END, true)`

/** Parameters written into the text, because several statements in one message can have none. */
const inline = ([sql, params]: OpeningStatements[number]): string => sql.replaceAll(/\$(\d+)/g, (_, i) => quoteLiteral(String(params[Number(i) - 1] ?? "")))

const notCommitted = () => {
  const message = "COMMIT rolled back an aborted transaction"
  return new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: new Error(message), message, operation: "commit" }) })
}

/** A transaction of ours: BEGIN, the settings and the store's name travel in one message. */
export class LentTransaction extends HostConnection implements TransactionalConnection {
  readonly open = (statements: OpeningStatements): Effect.Effect<void, SqlError.SqlError> =>
    Effect.asVoid(this.control(...statements.map(inline))).pipe(Effect.tapError(() => Effect.ignore(this.rollback)))

  /** A transaction that a refused statement has aborted answers COMMIT with ROLLBACK: that is a failure too. */
  readonly commit: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() => this.control("COMMIT")).pipe(
    Effect.flatMap((result) => (result.command === "COMMIT" ? Effect.void : Effect.fail(notCommitted()))),
    Effect.tapError(() => Effect.sync(() => this.#distrust()))
  )

  readonly rollback: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() => this.control("ROLLBACK")).pipe(
    Effect.tapError(() => Effect.sync(() => this.#distrust())),
    Effect.asVoid
  )

  /** Whether the pool's next borrower may have this client. */
  usable = true
  #distrust(): void {
    this.usable = false
  }
}

const savepoint = "commerce_call"
const undo = [`ROLLBACK TO SAVEPOINT ${savepoint}`, `RELEASE SAVEPOINT ${savepoint}`]

/** What of the host's session we change, and put back. */
const borrowed = ["role", "timezone", "search_path", "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "app.store_id"] as const

const refusals: Readonly<Record<string, string>> = {
  "25P01": "no transaction is open on this client: send BEGIN first",
  "25P02": "the transaction of this client is aborted: nothing but ROLLBACK helps",
  "42501": `this client's user may not act as the role ${applicationRole}: as an administrator run GRANT ${applicationRole} TO that user`
}

export interface GuestOptions extends HostConnectionOptions {
  readonly bounds: SessionBounds
  readonly schema: string | undefined
}

/** One call inside the host's open transaction: a savepoint of its own, and afterwards the host's settings as they were. */
export class GuestTransaction extends HostConnection implements TransactionalConnection {
  readonly #settings: string
  #before: ReadonlyArray<string> = []

  constructor(client: HostClient, { bounds, schema, ...options }: GuestOptions) {
    super(client, options)
    this.#settings = settingsFor(bounds, schema)
  }

  /** The host has sent BEGIN already. The values of before are read by a step of its own in the plan, so they are those of before. */
  readonly open = (_opening: OpeningStatements): Effect.Effect<void, SqlError.SqlError> => {
    const before = borrowed.map((name, i) => `coalesce(current_setting('${name}', true), '') AS v${i}`).join(", ")
    const changed = `${this.#settings}, set_config('app.store_id', '', true)`
    return this.control(`SAVEPOINT ${savepoint}`, `WITH before AS MATERIALIZED (SELECT ${before}) SELECT before.*, ${changed} FROM before`).pipe(
      Effect.map(({ rows }) => {
        const row = (rows[0] ?? {}) as Readonly<Record<string, string>>
        this.#before = borrowed.map((_, i) => row[`v${i}`] ?? "")
      }),
      Effect.catch((error) => this.#refuse(error))
    )
  }

  /** What cannot begin is undone as far as it went; a mistake of the host is told in words. */
  #refuse(error: SqlError.SqlError): Effect.Effect<never, SqlError.SqlError> {
    const reason = refusals[sqlStateOf(error)]
    const told = reason === undefined ? Effect.fail(error) : Effect.die(new HostTransactionUnusable({ reason }))
    return Effect.andThen(Effect.ignore(this.control(...undo)), told)
  }

  readonly commit: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() => {
    const restored = borrowed.map((name, i) => `set_config('${name}', ${quoteLiteral(this.#before[i] ?? "")}, true)`).join(", ")
    return Effect.asVoid(this.control(`SELECT ${restored}`, `RELEASE SAVEPOINT ${savepoint}`))
  }).pipe(Effect.tapError(() => Effect.ignore(this.rollback)))

  /** A savepoint's settings go with it. */
  readonly rollback: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() => Effect.asVoid(this.control(...undo)))
}
