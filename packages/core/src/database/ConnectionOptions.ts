/** Where PostgreSQL is and how a session of ours begins. The only module that knows the driver's settings. */
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
  /** Of a heavy read (HeavyReads.ts). */
  readonly heavyReadTimeout: number
  readonly lockTimeout: number
  readonly idleInTransactionTimeout: number
}

/** A lock is given up before its statement is, so that a refusal says which of the two it was. */
export const defaultBounds: SessionBounds = {
  statementTimeout: 5_000,
  heavyReadTimeout: 3_000,
  lockTimeout: 4_000,
  idleInTransactionTimeout: 15_000
}

/** The bounds of a session for heavy reads. */
export const heavyBounds = (bounds: SessionBounds): SessionBounds => ({
  ...bounds,
  statementTimeout: bounds.heavyReadTimeout
})

const connectTimeout = "5 seconds"

/** The driver reads the hidden texts late and in words of its own: what it could not read is refused here. */
const place = (options: ConnectionOptions): PgConnection.Config => {
  readUrl(options)
  readPassword(options)
  return { ...options, applicationName: options.applicationName ?? "commerce", connectTimeout }
}

const readUrl = ({ url }: ConnectionOptions): string | undefined =>
  url === undefined ? undefined : readText("the URL of the database", url)

const readPassword = ({ password }: ConnectionOptions): string | undefined =>
  password === undefined ? undefined : readText("the password of the database", password)

/** A session as it comes: the connecting role, no bounds. For LISTEN, the launcher and a look at what is there. */
export const plainSession = (options: ConnectionOptions): PgConnection.Config => ({
  ...place(options),
  startupParameters: { timezone: "UTC" }
})

/** How long one process waits for another that migrates. */
export const migrationWait = "10min"

/**
 * A session that changes the schema. Its bound is said at the start, where a transaction pooler refuses it: the lock
 * that migrations take would stay with a connection that the pooler keeps, and whoever migrates next would wait for it.
 */
export const migratingSession = (options: ConnectionOptions): PgConnection.Config => ({
  ...place(options),
  startupParameters: { timezone: "UTC", lock_timeout: migrationWait }
})

/**
 * What a page of an index costs beside the next page of a table. Tables lie in memory, or on a disk without a head to
 * move, so it is hardly more; PostgreSQL's own 4 makes it read whole tables where an index serves.
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
 * A session through a transaction pooler such as PgBouncer, which refuses settings at the start of a session and
 * forgets those made later. Transactions make theirs themselves (`pooledSettings`); reads run as the connecting role,
 * under the bounds that it has.
 */
const pooledSession = (options: ConnectionOptions): PgConnection.Config => ({
  ...place(options),
  prepare: false
})

/** A session as the application opens it: `direct` says that its connections lead through a pooler. */
export const servingSession = (
  options: ConnectionOptions,
  direct: ConnectionOptions | undefined,
  bounds: SessionBounds
): PgConnection.Config => (direct === undefined ? applicationSession(options, bounds) : pooledSession(options))

/** What helps where a session of the application cannot be opened, if that is known. */
export const sessionRemedy = (message: string): string | undefined =>
  /unsupported startup parameter/.test(message)
    ? "DATABASE_URL leads through a connection pooler: set COMMERCE_DIRECT_DATABASE_URL to the PostgreSQL behind it"
    : /permission denied to set role|role ".*" does not exist/.test(message)
      ? "run `commerce migrate`, then `commerce doctor`, which says what its role still needs"
      : undefined

/** What a transaction through a pooler sets for itself. */
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

/** The same place in the words of node-postgres, for hosts and tests that bring that driver. */
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
