/** How a client of a host's pool is had for a while and given back as it was. */
import { Cause, Effect, Exit, type Scope } from "effect"
import { SqlError } from "effect/sql"
import type { HostPool, HostPoolClient } from "../HostClient.ts"
import { HostConnection } from "./hostConnection.ts"
import { hostError } from "./hostErrors.ts"
import { hostTypes, quoteIdentifier, quoteLiteral } from "./hostValues.ts"

/** How long a client of the pool is waited for: as long as for a connection of our own. */
const patience = 5_000

/** A client until the scope ends. It is ended and not lent again when its connection failed, or `reusable` says no. */
export const lend = (
  pool: HostPool,
  reusable: () => boolean = () => true,
  release: (client: HostPoolClient, broken: boolean) => void = (client, broken) => client.release(broken)
): Effect.Effect<HostPoolClient, SqlError.SqlError, Scope.Scope> =>
  Effect.suspend(() => {
    let broken = false
    const note = () => {
      broken = true
    }
    const end = (client: HostPoolClient, exit: Exit.Exit<unknown, unknown>) =>
      Effect.sync(() => {
        client.removeListener("error", note)
        release(client, broken || !reusable() || (Exit.isFailure(exit) && lostConnection(exit.cause)))
      })
    return Effect.acquireRelease(
      Effect.tap(connect(pool), (client) => Effect.sync(() => client.on("error", note))),
      end
    )
  })

const lostConnection = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return SqlError.isSqlError(error) && error.reason._tag === "ConnectionError"
}

/** In real time, whatever clock is provided. A client that comes too late goes back. */
const connect = (pool: HostPool): Effect.Effect<HostPoolClient, SqlError.SqlError> =>
  Effect.callback<HostPoolClient, SqlError.SqlError>((resume) => {
    let waiting = true
    const settle = (answer: Effect.Effect<HostPoolClient, SqlError.SqlError>) => {
      waiting = false
      clearTimeout(timer)
      resume(answer)
    }
    const timer = setTimeout(() => settle(Effect.fail(hostError(new Error("the host's pool had no client to lend within 5 s"), "connect"))), patience)
    pool.connect().then(
      (client) => (waiting ? settle(Effect.succeed(client)) : client.release()),
      (cause: unknown) => (waiting ? settle(Effect.fail(hostError(cause, "connect"))) : undefined)
    )
  })

/**
 * `lend`, with statements finding their tables in this schema. The search_path of before is put back before the next borrower has the client, without
 * anybody waiting for it; a client whose own search_path is the schema is left alone.
 */
export const lendIn = (pool: HostPool, schema: string | undefined): Effect.Effect<HostPoolClient, SqlError.SqlError, Scope.Scope> =>
  schema === undefined
    ? lend(pool)
    : Effect.flatMap(
        lend(pool, () => true, giveBack),
        (client) => Effect.as(Effect.uninterruptible(enter(client, schema)), client)
      )

/** The search_path that a lent client had. */
const before = new WeakMap<HostPoolClient, string>()

/** Not to be interrupted: what was changed must be known. */
const enter = (client: HostPoolClient, schema: string): Effect.Effect<void, SqlError.SqlError> => {
  const path = quoteIdentifier(schema)
  const change = `WITH before AS MATERIALIZED (SELECT current_setting('search_path') AS path) SELECT path, set_config('search_path', $1, false) FROM before`
  return Effect.map(new HostConnection(client, { prepare: false }).executeRaw(change, [path]), ({ rows }) => {
    const was = (rows[0] as { readonly path?: string } | undefined)?.path
    if (was !== undefined && was !== path) before.set(client, was)
  })
}

const giveBack = (client: HostPoolClient, broken: boolean): void => {
  const was = before.get(client)
  before.delete(client)
  if (was === undefined || broken) return client.release(broken)
  client.query({ text: `SELECT set_config('search_path', ${quoteLiteral(was)}, false)`, types: hostTypes }).then(
    () => client.release(),
    () => client.release(true)
  )
}
