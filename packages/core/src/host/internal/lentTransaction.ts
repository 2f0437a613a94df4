/** A transaction of ours on a client borrowed from the host's pool. */
import { Effect, Exit, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import type { SessionBounds } from "../../database/ConnectionOptions.ts"
import {
  notCommitted,
  type OpeningStatements,
  type Reads,
  type TransactionalConnection
} from "../../database/DatabaseDriver.ts"
import { quoteLiteral } from "../../database/SqlText.ts"
import type { HostPool } from "../HostClient.ts"
import { HostConnection, type HostConnectionOptions } from "./hostConnection.ts"
import { lend } from "./hostLending.ts"
import { boundsFor } from "./hostSettings.ts"

/** Writes parameters into the text, because several statements in one message cannot have any. */
const inline = ([sql, params]: OpeningStatements[number]): string =>
  sql.replaceAll(/\$(\d+)/g, (_, i) => quoteLiteral(String(params[Number(i) - 1] ?? "")))

/** A transaction of ours: BEGIN, the settings and the store are sent in one message. */
export class LentTransaction extends HostConnection implements TransactionalConnection {
  readonly open = (statements: OpeningStatements): Effect.Effect<void, SqlError.SqlError> =>
    Effect.asVoid(this.control(...statements.map(inline))).pipe(Effect.tapError(() => Effect.ignore(this.rollback)))

  readonly commit: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() => this.control("COMMIT")).pipe(
    Effect.flatMap((result) => (result.command === "COMMIT" ? Effect.void : Effect.fail(notCommitted()))),
    Effect.tapError(() => Effect.sync(() => this.#distrust()))
  )

  /** Not sent behind an abandoned statement: closing the client rolls everything back. */
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

/** Borrows a client of the pool for one transaction; closes it afterwards if it cannot be reused. */
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
 * Runs each statement outside of a transaction in a short transaction that limits the settings to it. It runs as the
 * pool's own user like any read.
 */
export const readsInTransactions = (
  transaction: Effect.Effect<LentTransaction, SqlError.SqlError, Scope.Scope>,
  bounds: SessionBounds,
  schema: string | undefined
): Reads => {
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
