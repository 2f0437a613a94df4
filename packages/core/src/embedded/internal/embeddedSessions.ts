/**
 * The launcher's own sessions on its server: a long one that shows that a process uses the server, and short ones for
 * queries.
 */
import { setTimeout as sleep } from "node:timers/promises"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Exit, Queue, Scope } from "effect"
import { type ConnectionOptions, plainSession } from "../../database/ConnectionOptions.ts"

export interface Keeper {
  readonly lost: Promise<void>
  readonly close: () => Promise<void>
}

const keeperName = "commerce keeper"

/** A session that is held open; `lost` resolves when it ends. */
export const openKeeper = async (options: ConnectionOptions): Promise<Keeper> => {
  const scope = await Effect.runPromise(Scope.make())
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  try {
    const connection = await Effect.runPromise(
      Scope.provide(PgConnection.make(plainSession({ ...options, applicationName: keeperName })), scope)
    )
    const notices = await Effect.runPromise(Scope.provide(connection.listen("commerce_keeper"), scope))
    const lost = Effect.runPromise(Effect.exit(Effect.forever(Queue.take(notices)))).then(() => undefined)
    return { lost, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

const ask = (options: ConnectionOptions, sql: string) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.map(
        Effect.flatMap(
          PgConnection.make(plainSession({ ...options, applicationName: "commerce launcher" })),
          (connection) => connection.query(sql, [], false)
        ),
        (result) => result.rows
      )
    )
  )

const settleTries = 25
const settleMillis = 20

/**
 * Counts sessions of others. Sessions of this process may still be closing, so all but another process's keeper get
 * half a second to end.
 */
export const countOtherSessions = async (options: ConnectionOptions): Promise<number> => {
  for (let i = 0; ; i++) {
    const [row] = await ask(
      options,
      `SELECT count(*)::int AS sessions, count(*) FILTER (WHERE application_name = '${keeperName}')::int AS keepers
       FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
    )
    const [sessions, keepers] = [Number(row?.["sessions"]), Number(row?.["keepers"])]
    if (sessions === 0 || keepers > 0 || i >= settleTries) return sessions
    await sleep(settleMillis)
  }
}

export const ensureDatabase = async (admin: ConnectionOptions, database: string): Promise<void> => {
  const name = `"${database.replaceAll('"', '""')}"`
  const found = await ask(admin, `SELECT 1 FROM pg_database WHERE datname = '${database.replaceAll("'", "''")}'`)
  if (found.length === 0) await ask(admin, `CREATE DATABASE ${name}`)
}
