/**
 * How a client of a host's pool is had for a while and given back as it was: with the host's own settings, and with
 * somebody who hears its errors at every moment. One that cannot be given back so is ended, and the pool makes another.
 */
import { Cause, Effect, Exit, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { quoteLiteral } from "../../database/SqlText.ts"
import type { HostPool, HostPoolClient } from "../HostClient.ts"
import { HostConnection, type HostConnectionOptions } from "./hostConnection.ts"
import { hostError } from "./hostErrors.ts"
import { type BorrowedSetting, type BorrowedSettings, hostTypes } from "./hostValues.ts"

/** How long a client of the pool is waited for: as long as for a connection of our own. */
const patience = 5_000

/** A client in our hands. Without a listener, the loss of its connection would end the host's process. */
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
   * The pool listens again once it has it. One that is ended keeps our listener: its connection may have something to
   * say still.
   */
  giveBack(isUsable: boolean): void {
    if (!isUsable || this.#isLost) return this.client.release(true)
    this.client.release()
    this.client.removeListener("error", this.#note)
  }

  /** After putting these settings back, which nobody waits for. */
  restore(settings: BorrowedSettings, isUsable: boolean): void {
    if (settings.length === 0 || !isUsable || this.#isLost) return this.giveBack(isUsable)
    const restored = settings.map(([name, value]) => `set_config('${name}', ${quoteLiteral(value)}, false)`)
    this.client.query({ text: `SELECT ${restored.join(", ")}`, types: hostTypes }).then(
      () => this.giveBack(true),
      () => this.giveBack(false)
    )
  }
}

/** A client until the scope ends. It is ended and not lent again when its connection failed, or `reusable` says no. */
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
 * node-postgres calls back in the moment in which its pool stops listening to the client; a promise would tell us a
 * moment later, and a connection can be lost in between. A pool that knows promises alone answers with one.
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
 * In real time, whatever clock is provided. A client that comes too late, or after the caller has stopped waiting, is
 * returned to the pool.
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
          // In a microtask of its own: the pool hands it to the next waiter at once, which may have stopped waiting as
          // well, and so on.
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
 * A connection for statements outside of a transaction, under these settings for as long as it is lent. What the host
 * has set is put back before the next borrower has the client, without anybody waiting for it.
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
 * The values of before are read by a step of its own in the plan, so they are those of before; what needs no change is
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
