/**
 * The two ways in which our statements get a transaction on a host's node-postgres: one of our own on a client lent by
 * its pool, and a savepoint in the one that the host has open. Settings are made for the transaction only; in the
 * host's they are put back when control returns.
 */
import { Effect, Exit, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { applicationRole, type SessionBounds } from "../ConnectionOptions.ts"
import { HostTransactionUnusable } from "../DatabaseErrors.ts"
import type { HostClient, HostPool } from "../HostClient.ts"
import { sqlStateOf } from "../SqlErrors.ts"
import { HostConnection, type HostConnectionOptions } from "./hostConnection.ts"
import { lend } from "./hostLending.ts"
import { type BorrowedSetting, quoteIdentifier, quoteLiteral } from "./hostValues.ts"
import type { Acquirers, OpeningStatements, TransactionalConnection } from "./transactionalClient.ts"

/**
 * Role, schema, bounds and time zone of a transaction of ours on the host's client; what the host has set as bounds of
 * its own stays.
 */
export const hostSettings = (bounds: SessionBounds, schema: string | undefined): OpeningStatements => [
  [`SELECT ${settingsFor(bounds, schema)}`, []]
]

const settingsFor = (bounds: SessionBounds, schema: string | undefined): string =>
  [
    `set_config('role', '${applicationRole}', true)`,
    `set_config('timezone', 'UTC', true)`,
    boundsFor(bounds, schema)
  ].join(", ")

const boundsFor = (bounds: SessionBounds, schema: string | undefined): string =>
  [
    ...(schema === undefined ? [] : [`set_config('search_path', ${quoteLiteral(quoteIdentifier(schema))}, true)`]),
    unlessSet("statement_timeout", bounds.statementTimeout),
    unlessSet("lock_timeout", bounds.lockTimeout),
    unlessSet("idle_in_transaction_session_timeout", bounds.idleInTransactionTimeout)
  ].join(", ")

/** The same for statements outside of a transaction: bounds, where the host has none, and the schema. */
export const readSettings = (
  { statementTimeout, lockTimeout }: SessionBounds,
  schema: string | undefined
): ReadonlyArray<BorrowedSetting> => [
  { name: "statement_timeout", value: String(statementTimeout), replaces: "0" },
  { name: "lock_timeout", value: String(lockTimeout), replaces: "0" },
  ...(schema === undefined ? [] : [{ name: "search_path", value: quoteIdentifier(schema), replaces: "any" }])
]

/** Zero is PostgreSQL's word for "no bound". */
const unlessSet = (name: string, millis: number): string =>
  `set_config('${name}', CASE current_setting('${name}') WHEN '0' THEN ` +
  `'${millis}' ELSE current_setting('${name}') END, true)`

/** Parameters written into the text, because several statements in one message can have none. */
const inline = ([sql, params]: OpeningStatements[number]): string =>
  sql.replaceAll(/\$(\d+)/g, (_, i) => quoteLiteral(String(params[Number(i) - 1] ?? "")))

const notCommitted = () => {
  const message = "COMMIT rolled back an aborted transaction"
  return new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause: new Error(message), message, operation: "commit" })
  })
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

  /** Behind a statement that nobody waits for it is not asked: the client's end takes everything back. */
  readonly rollback: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    this.abandoned ? Effect.void : this.control("ROLLBACK")
  ).pipe(
    Effect.tapError(() => Effect.sync(() => this.#distrust())),
    Effect.asVoid
  )

  /** Whether the pool's next borrower may have this client. */
  get usable(): boolean {
    return this.#isTrusted && !this.abandoned
  }
  #isTrusted = true
  #distrust(): void {
    this.#isTrusted = false
  }
}

/** A client of the pool for one transaction; it is ended where it cannot be trusted afterwards. */
export const lendTransaction = (
  pool: HostPool,
  options: HostConnectionOptions
): Effect.Effect<LentTransaction, SqlError.SqlError, Scope.Scope> =>
  Effect.suspend(() => {
    const lent: Array<LentTransaction> = []
    return Effect.flatMap(
      lend(pool, () => lent.every(({ usable }) => usable)),
      (client) => {
        const transaction = new LentTransaction(client, options)
        lent.push(transaction)
        return Effect.acquireRelease(Effect.succeed(transaction), ({ end }) => end)
      }
    )
  })

/**
 * Each statement outside of a transaction in one of its own, which makes the settings and forgets them. It runs as the
 * pool's own user like any read.
 */
export const readsInTransactions = (
  transaction: Effect.Effect<LentTransaction, SqlError.SqlError, Scope.Scope>,
  bounds: SessionBounds,
  schema: string | undefined
): Pick<Acquirers, "acquirer" | "borrower"> => {
  const begun = Effect.tap(transaction, ({ open }) =>
    open([
      ["BEGIN", []],
      [`SELECT ${boundsFor(bounds, schema)}`, []]
    ])
  )
  return {
    acquirer: Effect.acquireRelease(begun, ({ commit, rollback }, exit) =>
      Effect.ignore(Exit.isSuccess(exit) ? commit : rollback)
    ),
    borrower: (use) =>
      Effect.scoped(
        Effect.flatMap(begun, (alone) =>
          Effect.tap(
            Effect.onError(use(alone), () => Effect.ignore(alone.rollback)),
            () => alone.commit
          )
        )
      )
  }
}

const savepoint = "commerce_call"
const undo = [`ROLLBACK TO SAVEPOINT ${savepoint}`, `RELEASE SAVEPOINT ${savepoint}`]

/** What of the host's session we change, and put back. */
const borrowed = [
  "role",
  "timezone",
  "search_path",
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "app.store_id"
] as const

const refusals: Readonly<Record<string, string>> = {
  "25P01": "no transaction is open on this client: send BEGIN first",
  "25P02": "the transaction of this client is aborted: nothing but ROLLBACK helps",
  "42501":
    `this client's user may not act as the role ${applicationRole}: ` +
    `as an administrator run GRANT ${applicationRole} TO that user`
}

export interface GuestOptions extends HostConnectionOptions {
  readonly bounds: SessionBounds
  readonly schema: string | undefined
}

/**
 * One call inside the host's open transaction: a savepoint of its own, and afterwards the host's settings as they were.
 */
export class GuestTransaction extends HostConnection implements TransactionalConnection {
  readonly #settings: string
  #before: ReadonlyArray<string> = []

  constructor(client: HostClient, { bounds, schema, ...options }: GuestOptions) {
    super(client, { ...options, isGuest: true })
    this.#settings = settingsFor(bounds, schema)
  }

  /**
   * The host has sent BEGIN already. The values of before are read by a step of its own in the plan, so they are those
   * of before.
   */
  readonly open = (_opening: OpeningStatements): Effect.Effect<void, SqlError.SqlError> => {
    const before = borrowed.map((name, i) => `coalesce(current_setting('${name}', true), '') AS v${i}`).join(", ")
    const changed = `${this.#settings}, set_config('app.store_id', '', true)`
    return this.control(
      `SAVEPOINT ${savepoint}`,
      `WITH before AS MATERIALIZED (SELECT ${before}) SELECT before.*, ${changed} FROM before`
    ).pipe(
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
    const restored = borrowed
      .map((name, i) => `set_config('${name}', ${quoteLiteral(this.#before[i] ?? "")}, true)`)
      .join(", ")
    return Effect.asVoid(this.control(`SELECT ${restored}`, `RELEASE SAVEPOINT ${savepoint}`))
  }).pipe(Effect.tapError(() => Effect.ignore(this.rollback)))

  /** A savepoint's settings go with it. */
  readonly rollback: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() => Effect.asVoid(this.control(...undo)))
}
