/**
 * Brings a database to the schema of this package: hand-written forward SQL files, each applied once, in order, in its
 * own transaction, under one advisory lock, so that of several processes exactly one migrates and the others find the
 * work done. Fails on a file that was changed after it was applied, and on a database that a newer version has
 * migrated. Also creates the role that the application runs as. Runs as the connecting role, over a direct connection
 * (not through a transaction pooler).
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Clock, Context, Effect } from "effect"
import { SqlError } from "effect/sql"
import { type ConnectionOptions, migratingSession, migrationWait, plainSession } from "../database/ConnectionOptions.ts"
import { Database } from "../database/Database.ts"
import { MigrationRefused } from "../database/DatabaseErrors.ts"
import { quoteIdentifier } from "../database/SqlText.ts"
import { ensureRole, grantTables, type Session } from "./internal/applicationGrants.ts"
import { type MigrationFile, migrationsDirectory, readMigrationFiles, usedNames } from "./internal/migrationFiles.ts"
import { splitStatements } from "./internal/splitStatements.ts"

export type { Session } from "./internal/applicationGrants.ts"

/** The oldest supported major version of PostgreSQL. */
export const oldestServer = 15

/** `appliedAt` is null while the migration is pending. */
export interface MigrationState {
  readonly id: number
  readonly name: string
  readonly appliedAt: Date | null
}

export interface MigrationOptions extends ConnectionOptions {
  /** Folder of the SQL files; by default the package's own. */
  readonly directory?: string | undefined
  /** The schema of the tables, if not the first of the session's search_path; created if missing. */
  readonly schema?: string | undefined
}

/** Called after each migration with the number of pending ones that are done, to show progress. */
export const MigrationProgress = Context.Reference<(done: number, all: number) => void>(
  "@effect-commerce/core/migration/MigrationProgress",
  { defaultValue: () => () => {} }
)

interface Applied {
  readonly id: number
  readonly name: string
  readonly checksum: string
  readonly appliedAt: Date
}

/**
 * Applies pending migrations; returns every migration and when it was applied. Fails with MigrationRefused or SqlError.
 */
export const up = Effect.fn("Migrations.up")(function* (options: MigrationOptions) {
  const session = PgConnection.make(migratingSession(placeOf(options)))
  return yield* Effect.scoped(Effect.flatMap(session, (open) => upOn(open, options)))
})

/**
 * `up` over an existing session, which must not be used for anything else afterwards. The lock is released explicitly,
 * not only by the end of the session: behind a pooler the session goes on.
 */
export const upOn = Effect.fn("Migrations.upOn")(function* (
  session: Session,
  options: Pick<MigrationOptions, "directory" | "schema"> = {}
) {
  const files = yield* filesOf(options)
  yield* refuseUnsuited(session)
  yield* lock(session)
  const end = yield* Effect.exit(applyAll(session, files, options.schema))
  yield* Effect.ignore(unlock(session))
  return yield* end
})

const applyAll = Effect.fnUntraced(function* (
  session: Session,
  files: ReadonlyArray<MigrationFile>,
  schema: string | undefined
) {
  if (schema !== undefined) yield* enterSchema(session, schema)
  yield* refuseNamesakes(session, files)
  yield* session.query(createRecord)
  const applied = yield* readApplied(session)
  yield* refuseDifferences(files, applied)
  yield* ensureRole(session)
  const pending = files.slice(applied.length)
  const tell = yield* MigrationProgress
  for (const [i, file] of pending.entries()) {
    yield* apply(session, file)
    tell(i + 1, pending.length)
  }
  yield* grantTables(session)
  return stateOf(files, yield* readApplied(session))
})

/** Every migration of this version, applied or pending; changes nothing. Fails with MigrationRefused or SqlError. */
export const status = Effect.fn("Migrations.status")(function* (options: MigrationOptions) {
  const files = yield* filesOf(options)
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make(plainSession(placeOf(options)))
      const known = yield* connection.query("SELECT to_regclass('commerce_migration') IS NOT NULL AS known")
      const applied = known.rows[0]?.["known"] === true ? yield* readApplied(connection) : []
      yield* refuseDifferences(files, applied)
      return stateOf(files, applied)
    })
  )
})

/** True when nothing is pending. */
export const isCurrent = (states: ReadonlyArray<MigrationState>): boolean =>
  states.every((state) => state.appliedAt !== null)

/**
 * Whether the database can be reached and has this version's schema; for readiness probes, over the application's own
 * connections.
 */
export const isReady = Effect.fnUntraced(function* (options?: Pick<MigrationOptions, "directory">) {
  const { sql } = yield* Database
  const head = (yield* Effect.orDie(filesOf(options ?? {}))).at(-1)?.id
  const rows = yield* Effect.catch(
    sql<{ readonly head: number | null }>`SELECT max(id) AS head FROM commerce_migration`,
    () => Effect.succeed([])
  )
  return rows[0]?.head === head
})

const filesOf = (options: Pick<MigrationOptions, "directory">) =>
  Effect.try({
    try: () => readMigrationFiles(options.directory ?? migrationsDirectory()),
    catch: (cause) =>
      new MigrationRefused({
        reason: `the migrations cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })

const placeOf = ({ directory: _, schema: __, ...options }: MigrationOptions): ConnectionOptions => ({
  ...options,
  applicationName: "commerce migrate"
})

/** The lock belongs to the session, so that a killed process releases it. Its number is "commerce" as a number. */
const lock = (connection: Session) =>
  Effect.andThen(
    connection.query(`SET lock_timeout = '${migrationWait}'`),
    connection.query("SELECT pg_advisory_lock(7165064744911531877)")
  )

const unlock = (connection: Session) => connection.query("SELECT pg_advisory_unlock(7165064744911531877)")

/**
 * Checks what no migration can fix, before anything is written: the encoding, because shoppers write in all scripts.
 */
const refuseUnsuited = (session: Session) =>
  Effect.flatMap(
    session.query(
      "SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding"
    ),
    ({ rows: [{ version, encoding } = {}] }) => {
      if (Number.parseInt(String(version), 10) < oldestServer)
        return refuse(`this is PostgreSQL ${String(version)}: move to ${oldestServer} or newer`)
      return encoding === "UTF8"
        ? Effect.void
        : refuse(
            `the database's encoding is ${String(encoding)}, and texts need UTF8: make a database with ENCODING ` +
              `'UTF8' TEMPLATE template0 and use that`
          )
    }
  )

/** Fails if the schema has other tables with our names: only before the first migration can they be told apart. */
const refuseNamesakes = (session: Session, files: ReadonlyArray<MigrationFile>) =>
  Effect.flatMap(
    session.query(
      `SELECT current_schema() AS schema, string_agg(relname, ', ' ORDER BY relname) AS names FROM pg_class
        WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relname = ANY($1) AND
          to_regclass('commerce_migration') IS NULL`,
      [usedNames(files)]
    ),
    ({ rows: [found] }) =>
      typeof found?.["names"] === "string"
        ? refuse(
            `the schema ${String(found["schema"])} has tables that are named like ours ` +
              `and are not ours (${found["names"]}): give ours a schema of their own`
          )
        : Effect.void
  )

/** Creates the schema only if it is missing: a user may be allowed to use a schema but not to create one. */
const enterSchema = Effect.fnUntraced(function* (session: Session, schema: string) {
  const name = quoteIdentifier(schema)
  const { rows } = yield* session.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema])
  if (rows.length === 0) yield* session.query(`CREATE SCHEMA IF NOT EXISTS ${name}`)
  yield* session.query("SELECT set_config('search_path', $1, false)", [name])
})

const createRecord = `CREATE TABLE IF NOT EXISTS commerce_migration (
  id int NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL,
  CONSTRAINT commerce_migration_pkey PRIMARY KEY (id)
)`

const readApplied = (connection: Session) =>
  Effect.map(
    connection.query('SELECT id, name, checksum, applied_at AS "appliedAt" FROM commerce_migration ORDER BY id'),
    (result) => result.rows as unknown as ReadonlyArray<Applied>
  )

const refuseDifferences = (files: ReadonlyArray<MigrationFile>, applied: ReadonlyArray<Applied>) => {
  for (const [i, row] of applied.entries()) {
    const file = files[i]
    if (file === undefined || (file.id !== row.id && !files.some(({ id }) => id === row.id))) {
      return refuse(
        `the database was migrated by a newer version (${row.name} is unknown here): update @effect-commerce/core`
      )
    }
    if (file.id !== row.id)
      return refuse(`migration ${file.name} lies before ${row.name}, which is applied already: give it a higher number`)
    if (file.name !== row.name)
      return refuse(
        `migration ${row.name} of the database is ${file.name} here: before the first release the migrations were ` +
          "written anew, so make a new database; a file of your own gets its name back"
      )
    if (file.checksum !== row.checksum)
      return refuse(
        `migration ${row.name} was changed after it was applied: restore the file and write a new migration`
      )
  }
  return Effect.void
}

const refuse = (reason: string) => Effect.fail(new MigrationRefused({ reason }))

/**
 * Applies a file completely or not at all. A statement that waits for a lock blocks all behind it, so it gives up
 * early.
 */
const apply = Effect.fnUntraced(
  function* (connection: Session, file: MigrationFile) {
    yield* connection.query("BEGIN")
    yield* connection.query("SET LOCAL lock_timeout = '10s'")
    for (const statement of splitStatements(file.sql)) yield* connection.query(statement, [], false)
    const now = new Date(yield* Clock.currentTimeMillis)
    yield* connection.query("INSERT INTO commerce_migration (id, name, checksum, applied_at) VALUES ($1, $2, $3, $4)", [
      file.id,
      file.name,
      file.checksum,
      now
    ])
    yield* connection.query("COMMIT")
  },
  (effect, connection, { name }) =>
    Effect.catchIf(effect, SqlError.isSqlError, (error) =>
      Effect.andThen(
        Effect.ignore(connection.query("ROLLBACK")),
        refuse(`migration ${name} failed and was undone: ${describe(error)}`)
      )
    )
)

const describe = (error: SqlError.SqlError): string => {
  const cause: unknown = error.reason.cause
  return cause instanceof Error || (typeof cause === "object" && cause !== null && "message" in cause)
    ? String(cause.message)
    : error.message
}

const stateOf = (files: ReadonlyArray<MigrationFile>, applied: ReadonlyArray<Applied>): ReadonlyArray<MigrationState> =>
  files.map((file) => ({
    id: file.id,
    name: file.name,
    appliedAt: applied.find((row) => row.id === file.id)?.appliedAt ?? null
  }))
