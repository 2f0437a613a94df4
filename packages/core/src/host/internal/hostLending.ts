/**
 * Borrows a client of a host's pool and returns it as it was: with the host's own settings, and with an error listener
 * at every moment. A client that cannot be returned like this is closed, and the pool opens another.
 */
import { Cause, Effect, Exit, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { quoteLiteral } from "../../database/SqlText.ts"
import type { HostPool, HostPoolClient } from "../HostClient.ts"
import { HostConnection, type HostConnectionOptions } from "./hostConnection.ts"
import { hostError } from "./hostErrors.ts"
import { type BorrowedSetting, type BorrowedSettings, hostTypes } from "./hostValues.ts"

/** How long to wait for a client of the pool: as long as for a connection of our own. */
const patience = 5_000

/** A borrowed client. Without a listener, the loss of its connection would end the host's process. */
export class LentClient {
  readonly client: HostPoolClient
  #isLost = false
  readonly #note = () => {
    this.#isLost = true
  }

  constructor(client: HostPoolClient) {
    this.client = client
    client.on("error", this.#note)
  }

  /**
   * The pool listens for errors again once it has the client. A closed client keeps our listener, because its
   * connection may still emit errors.
   */
  giveBack(isUsable: boolean): void {
    if (!isUsable || this.#isLost) return this.client.release(true)
    this.client.release()
    this.client.removeListener("error", this.#note)
  }

  /** Returns the client after restoring these settings, in the background. */
  restore(settings: BorrowedSettings, isUsable: boolean): void {
    if (settings.length === 0 || !isUsable || this.#isLost) return this.giveBack(isUsable)
    const restored = settings.map(([name, value]) => `set_config('${name}', ${quoteLiteral(value)}, false)`)
    this.client.query({ text: `SELECT ${restored.join(", ")}`, types: hostTypes }).then(
      () => this.giveBack(true),
      () => this.giveBack(false)
    )
  }
}

/** Borrows a client until the scope ends; closes it if its connection failed or it is not `reusable`. */
export const lend = (
  pool: HostPool,
  reusable: () => boolean = () => true,
  giveBack: (lent: LentClient, isUsable: boolean) => void = (lent, isUsable) => lent.giveBack(isUsable)
): Effect.Effect<HostPoolClient, SqlError.SqlError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      connect(pool),
      (lent, exit) =>
        Effect.sync(() => giveBack(lent, reusable() && !(Exit.isFailure(exit) && lostConnection(exit.cause)))),
      { interruptible: true }
    ),
    ({ client }) => client
  )

const lostConnection = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return SqlError.isSqlError(error) && error.reason._tag === "ConnectionError"
}

/**
 * node-postgres calls back at the moment its pool stops listening to the client; a promise would resolve a moment
 * later, and a connection can be lost in between. A pool that only supports promises returns one.
 */
const whenConnected = (
  pool: HostPool,
  connected: (client: HostPoolClient) => void,
  failed: (cause: unknown) => void
): void => {
  const { connect: ask } = pool as {
    connect: (
      answer: (cause: unknown, client: HostPoolClient | undefined) => void
    ) => Promise<HostPoolClient> | undefined
  }
  const promise = ask.call(pool, (cause, client) => (client === undefined ? failed(cause) : connected(client)))
  promise?.then(connected, failed)
}

/**
 * Waits in real time, whatever clock is provided. A client that arrives too late, or after the caller was interrupted,
 * is returned to the pool.
 */
const connect = (pool: HostPool): Effect.Effect<LentClient, SqlError.SqlError> =>
  Effect.suspend(() => {
    let isWaiting = true
    let granted: LentClient | undefined
    const asked = Effect.callback<LentClient, SqlError.SqlError>((resume) => {
      const settle = (answer: Effect.Effect<LentClient, SqlError.SqlError>) => {
        isWaiting = false
        clearTimeout(timer)
        resume(answer)
      }
      const timer = setTimeout(
        () => settle(Effect.fail(hostError(new Error("the host's pool had no client to lend within 5 s"), "connect"))),
        patience
      )
      whenConnected(
        pool,
        (client) => {
          const lent = new LentClient(client)
          // In a separate microtask: the pool hands the client to the next waiter at once, which may have stopped
          // waiting as well, and so on.
          if (!isWaiting) return queueMicrotask(() => lent.giveBack(true))
          granted = lent
          return settle(Effect.succeed(lent))
        },
        (cause) => (isWaiting ? settle(Effect.fail(hostError(cause, "connect"))) : undefined)
      )
      return Effect.sync(() => {
        isWaiting = false
        clearTimeout(timer)
      })
    })
    return Effect.onInterrupt(asked, () => Effect.sync(() => granted?.giveBack(true)))
  })

/**
 * A connection for statements outside of a transaction, with these settings while it is borrowed. The host's settings
 * are restored in the background, before the next borrower gets the client.
 */
export const lendUnder = (
  pool: HostPool,
  settings: ReadonlyArray<BorrowedSetting>,
  options: HostConnectionOptions
): Effect.Effect<HostConnection, SqlError.SqlError, Scope.Scope> =>
  Effect.suspend(() => {
    const used: Array<HostConnection> = []
    const before: Array<readonly [name: string, value: string]> = []
    const isUsable = () => used.every(({ abandoned }) => !abandoned)
    const lent = lend(pool, isUsable, (client, usable) => client.restore(before, usable))
    return Effect.flatMap(lent, (client) => {
      const setting = new HostConnection(client, { prepare: false })
      const connection = new HostConnection(client, options)
      used.push(setting, connection)
      return Effect.map(setting.executeRaw(changing(settings), []), ({ rows }) => {
        const was = (rows[0] ?? {}) as Readonly<Record<string, string | null>>
        for (const [i, { name }] of settings.entries()) {
          if (was[`changed${i}`] !== null) before.push([name, was[`v${i}`] ?? ""])
        }
        return connection
      })
    })
  })

/**
 * The statement reads the old values in a separate plan step, before it changes them; settings that need no change are
 * left alone.
 */
const changing = (settings: ReadonlyArray<BorrowedSetting>): string => {
  const before = settings.map(({ name }, i) => `current_setting('${name}') AS v${i}`)
  const changed = settings.map(({ name, value, replaces }, i) => {
    const isDue = replaces === "any" ? `v${i} <> ${quoteLiteral(value)}` : `v${i} = ${quoteLiteral(replaces)}`
    return `CASE WHEN ${isDue} THEN set_config('${name}', ${quoteLiteral(value)}, false) END AS changed${i}`
  })
  return `WITH before AS MATERIALIZED (SELECT ${before.join(", ")}) SELECT before.*, ${changed.join(", ")} FROM before`
}
