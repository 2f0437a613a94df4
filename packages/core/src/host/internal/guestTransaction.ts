/**
 * One call inside the transaction that a host has open: a savepoint, with our settings, and afterwards the host's
 * settings restored.
 */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { applicationRole } from "../../database/ConnectionOptions.ts"
import type { OpeningStatements, SessionSettings, TransactionalConnection } from "../../database/DatabaseDriver.ts"
import { HostTransactionUnusable } from "../../database/DatabaseErrors.ts"
import { sqlStateOf } from "../../database/SqlErrors.ts"
import { quoteLiteral } from "../../database/SqlText.ts"
import type { HostClient } from "../HostClient.ts"
import { HostConnection } from "./hostConnection.ts"
import { settingsFor } from "./hostSettings.ts"

const savepoint = "commerce_call"
const undo = [`ROLLBACK TO SAVEPOINT ${savepoint}`, `RELEASE SAVEPOINT ${savepoint}`]

/** The host's settings that we change and restore. */
const borrowed = [
  "role",
  "timezone",
  "search_path",
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "random_page_cost",
  "app.store_id"
] as const

const refusals: Readonly<Record<string, string>> = {
  "25P01": "no transaction is open on this client: send BEGIN first",
  "25P02": "the transaction of this client is aborted: nothing but ROLLBACK helps",
  "42501":
    `this client's user may not act as the role ${applicationRole}: ` +
    `as an administrator run GRANT ${applicationRole} TO that user`
}

export class GuestTransaction extends HostConnection implements TransactionalConnection {
  readonly #settings: string
  #before: ReadonlyArray<string> = []

  constructor(client: HostClient, { bounds, schema, log }: SessionSettings) {
    super(client, { prepare: false, log, isGuest: true })
    this.#settings = settingsFor(bounds, schema)
  }

  /**
   * The host has sent BEGIN already. The statement reads the old values in a separate plan step, before it changes
   * them.
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

  /** Undoes a call that could not begin; explains errors of the host. */
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

  /** Rolling back to the savepoint also restores the settings. */
  readonly rollback: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() => Effect.asVoid(this.control(...undo)))
}
