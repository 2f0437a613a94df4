/** How to reach PostgreSQL and the settings of our sessions. The only module that knows the driver's options. */
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import type { Redacted } from "effect"
import { readText } from "../kernel/OneEffect.ts"

/**
 * A URL, or the parts of one. `path` is the full path of a Unix socket (`/run/x/.s.PGSQL.5432`), as the embedded server
 * gives it.
 */
export interface ConnectionOptions {
  readonly url?: Redacted.Redacted | undefined
  readonly path?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly username?: string | undefined
  readonly password?: Redacted.Redacted | undefined
  readonly database?: string | undefined
  /** The name in pg_stat_activity; `commerce` by default. */
  readonly applicationName?: string | undefined
}

/**
 * The role every statement of the application runs as: no superuser, not exempt from row-level security. Made by the
 * migrations.
 */
export const applicationRole = "commerce_app"

/** Bounds of a session, milliseconds. */
export interface SessionBounds {
  readonly statementTimeout: number
  /** Statement timeout of a heavy read (HeavyReads.ts). */
  readonly heavyReadTimeout: number
  readonly lockTimeout: number
  readonly idleInTransactionTimeout: number
}

/**
 * The lock timeout is shorter than the statement timeout, so that the error tells the two apart. The idle timeout is
 * half of it: a process that is stopped in the middle of a transaction, frozen or paused by its machine, loses the
 * transaction and its locks before those who wait for them give up. No transaction of ours waits for anything but
 * the database, so a process that is well is never silent for so long. In a host's transaction (room `host`) the bound
 * holds while a call of ours runs, where the host has set none.
 */
export const defaultBounds: SessionBounds = {
  statementTimeout: 5_000,
  heavyReadTimeout: 3_000,
  lockTimeout: 4_000,
  idleInTransactionTimeout: 2_000
}

/** The bounds of a session for heavy reads. */
export const heavyBounds = (bounds: SessionBounds): SessionBounds => ({
  ...bounds,
  statementTimeout: bounds.heavyReadTimeout
})

const connectTimeout = "5 seconds"

/** Checks the redacted texts here: the driver would read them late, with its own error messages. */
const place = (options: ConnectionOptions): PgConnection.Config => {
  readUrl(options)
  readPassword(options)
  return { ...options, applicationName: options.applicationName ?? "commerce", connectTimeout }
}

const readUrl = ({ url }: ConnectionOptions): string | undefined =>
  url === undefined ? undefined : readText("the URL of the database", url)

const readPassword = ({ password }: ConnectionOptions): string | undefined =>
  password === undefined ? undefined : readText("the password of the database", password)

/** A session without settings: the connecting role, no timeouts. For LISTEN, the launcher and inspection. */
export const plainSession = (options: ConnectionOptions): PgConnection.Config => ({
  ...place(options),
  startupParameters: { timezone: "UTC" }
})

/** How long one process waits for another that migrates. */
export const migrationWait = "10min"

/**
 * A session that changes the schema. Its timeout is a startup parameter, so that a transaction pooler rejects the
 * session: the migrations' lock would stay with a connection that the pooler keeps, and block the next migration.
 */
export const migratingSession = (options: ConnectionOptions): PgConnection.Config => ({
  ...place(options),
  startupParameters: { timezone: "UTC", lock_timeout: migrationWait }
})

/**
 * PostgreSQL's random_page_cost. Tables are in memory or on an SSD, so a random page costs hardly more than the next
 * one; the default of 4 makes PostgreSQL read whole tables where an index serves.
 */
export const randomPageCost = "1.1"

/** A session of the application: bounded, and under row-level security whatever role connects. */
const applicationSession = (options: ConnectionOptions, bounds: SessionBounds): PgConnection.Config => ({
  ...place(options),
  startupParameters: {
    timezone: "UTC",
    role: applicationRole,
    jit: "off",
    random_page_cost: randomPageCost,
    statement_timeout: String(bounds.statementTimeout),
    lock_timeout: String(bounds.lockTimeout),
    idle_in_transaction_session_timeout: String(bounds.idleInTransactionTimeout)
  }
})

/**
 * A session through a transaction pooler such as PgBouncer, which rejects startup parameters and forgets settings made
 * later. Transactions set theirs themselves (`pooledSettings`); reads run as the connecting role, under its timeouts.
 */
const pooledSession = (options: ConnectionOptions): PgConnection.Config => ({
  ...place(options),
  prepare: false
})

/** A session as the application opens it; `direct` is set if its connections go through a pooler. */
export const servingSession = (
  options: ConnectionOptions,
  direct: ConnectionOptions | undefined,
  bounds: SessionBounds
): PgConnection.Config => (direct === undefined ? applicationSession(options, bounds) : pooledSession(options))

/** The remedy for a session of the application that cannot be opened, if it is known. */
export const sessionRemedy = (message: string): string | undefined =>
  /unsupported startup parameter/.test(message)
    ? "DATABASE_URL leads through a connection pooler: set COMMERCE_DIRECT_DATABASE_URL to the PostgreSQL behind it"
    : /permission denied to set role|role ".*" does not exist/.test(message)
      ? "run `commerce migrate`, then `commerce doctor`, which says what its role still needs"
      : undefined

/** The settings that a transaction through a pooler makes itself. */
export const pooledSettings = (
  bounds: SessionBounds
): ReadonlyArray<readonly [sql: string, params: ReadonlyArray<unknown>]> => [
  [
    "SELECT set_config('role', $1, true), set_config('statement_timeout', $2, true), set_config('lock_timeout', $3, " +
      "true), set_config('idle_in_transaction_session_timeout', $4, true), set_config('random_page_cost', $5, true)",
    [
      applicationRole,
      String(bounds.statementTimeout),
      String(bounds.lockTimeout),
      String(bounds.idleInTransactionTimeout),
      randomPageCost
    ]
  ]
]

/** The same connection as options of node-postgres, for hosts and tests that use that driver. */
export const nodePostgresConfig = (options: ConnectionOptions) => {
  const url = readUrl(options)
  return url === undefined
    ? { ...nodePostgresAddress(options), ...nodePostgresLogin(options) }
    : { connectionString: url }
}

const nodePostgresAddress = ({ path, host, port }: ConnectionOptions) => {
  const socket = path === undefined ? null : /^(.*)\/\.s\.PGSQL\.(\d+)$/.exec(path)
  return socket === null
    ? { host: host ?? "localhost", port: port ?? 5432 }
    : { host: socket[1] ?? "", port: Number(socket[2]) }
}

const nodePostgresLogin = (options: ConnectionOptions) => {
  const { username = "postgres", database = username } = options
  const password = readPassword(options)
  return { user: username, database, ...(password === undefined ? {} : { password }) }
}
