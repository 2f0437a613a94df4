/**
 * Whether a PostgreSQL is as the product needs it: reachable and new enough, at this version's schema, with the role,
 * grants and policies that keep tenants apart, and a clock that agrees with ours. Looks and changes nothing; connects
 * as the user the settings name, over a direct connection.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import {
  applicationRole,
  type ConnectionOptions,
  defaultBounds,
  plainSession,
  servingSession,
  sessionRemedy
} from "../database/ConnectionOptions.ts"
import { createRole, grantTo, type Session, subjectRole } from "./internal/applicationGrants.ts"
import { migrationsDirectory, readMigrationFiles, tableNames } from "./internal/migrationFiles.ts"
import { oldestServer, status } from "./Migrations.ts"
import { platformTables } from "../database/PlatformTables.ts"
import { storesWithoutDomain } from "../database/StoreDomains.ts"

export interface Examined {
  /** What was looked at: `database.version`, `tenancy.policies`. */
  readonly check: string
  /** What was found, in a sentence. */
  readonly says: string
  /** What to do about it; null where all is well. */
  readonly remedy: string | null
}

/** How the service connects. `direct` is the way past a pooler, where `connection` leads through one. */
export interface ServingConnection {
  readonly connection: ConnectionOptions
  readonly direct?: ConnectionOptions | undefined
}

const clockTolerance = 2_000

/** Every check in its order; where the database does not answer, that alone. Never fails. */
export const examine = Effect.fn("Diagnosis.examine")(
  (options: ConnectionOptions, serving: ServingConnection = { connection: options }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const session: Session = yield* PgConnection.make(
          plainSession({ ...options, applicationName: "commerce doctor" })
        )
        const before = yield* Effect.forEach([versionOf(session), encodingOf(session), schemaOf(options)], orSaid)
        const isCurrent = before.every(({ check, remedy }) => check !== "database.schema" || remedy === null)
        const missing = yield* missingTables(session)
        // Nothing can be said of tables that are still to be made.
        const made = ourTables().filter((name) => !missing.includes(name))
        const ofTables = made.length === 0 ? [] : [grantsOf(session), policiesOf(session, made), indexesOf(session)]
        const after = yield* Effect.forEach([roleOf(session), ...ofTables, clockOf(session)], orSaid)
        const sessions = made.length === 0 ? [] : [yield* servingOf(serving)]
        return [...before, ...(isCurrent ? [tablesOf(missing)] : []), ...after, ...sessions]
      })
    ).pipe(
      Effect.catchIf(SqlError.isSqlError, (error) =>
        Effect.succeed([
          bad(
            "database.reached",
            wordsOf(error),
            "start PostgreSQL, or mend DATABASE_URL: host, port, user, password, database"
          )
        ])
      )
    )
)

/** A session as `serve` opens them: what a pooler or the role may refuse shows in no other. */
const servingOf = ({ connection, direct }: ServingConnection): Effect.Effect<Examined> => {
  const check = "database.session"
  const session = PgConnection.make({
    ...servingSession(connection, direct, defaultBounds),
    applicationName: "commerce doctor"
  })
  return Effect.scoped(Effect.flatMap(session, (open) => open.query("SELECT 1"))).pipe(
    Effect.as(well(check, "sessions open as the service opens them")),
    Effect.catch((error) => {
      const words = wordsOf(error)
      return Effect.succeed(
        bad(check, words, sessionRemedy(words) ?? "see the log of the database, or of the pooler before it")
      )
    })
  )
}

/** Whether another way to the database, past a pooler, ends in the same one. */
export const sameDatabase = Effect.fn("Diagnosis.sameDatabase")((one: ConnectionOptions, other: ConnectionOptions) => {
  const identity = (options: ConnectionOptions) =>
    Effect.scoped(
      Effect.flatMap(PgConnection.make(plainSession(options)), (session) =>
        first(
          session,
          "SELECT d.oid::text || ' ' || pg_postmaster_start_time() AS value FROM pg_database d WHERE d.datname = " +
            "current_database()"
        )
      )
    )
  return Effect.all([identity(one), identity(other)]).pipe(
    Effect.map(([a, b]) =>
      a === b
        ? well("database.direct", "COMMERCE_DIRECT_DATABASE_URL leads to the same database")
        : bad(
            "database.direct",
            "COMMERCE_DIRECT_DATABASE_URL leads to another database than DATABASE_URL",
            "let both name the same database"
          )
    ),
    Effect.catch((error) =>
      Effect.succeed(
        bad("database.direct", `COMMERCE_DIRECT_DATABASE_URL: ${wordsOf(error)}`, "mend it, or leave it out")
      )
    )
  )
})

/**
 * Whether this root secret, known by its mark (`sealMark`), opens what the tables keep sealed for good: the signing
 * secrets of webhooks.
 */
export const sealedUnder = Effect.fn("Diagnosis.sealedUnder")((options: ConnectionOptions, mark: string) => {
  const check = "configuration.seals"
  const others = (session: Session) =>
    Effect.gen(function* () {
      const isThere = yield* first(session, "SELECT to_regclass('webhook_subscription') IS NOT NULL AS value")
      return isThere === "true"
        ? Number(
            yield* first(session, "SELECT count(*) AS value FROM webhook_subscription WHERE secret NOT LIKE $1", [
              `${mark}.%`
            ])
          )
        : 0
    })
  return Effect.scoped(Effect.flatMap(PgConnection.make(plainSession(options)), others)).pipe(
    Effect.map((count) =>
      count === 0
        ? well(check, "what is kept sealed opens with this root secret")
        : bad(
            check,
            `${count} webhook ${count === 1 ? "secret was" : "secrets were"} sealed under another root secret: ` +
              "what they should sign is not sent",
            "go back to the root secret that was used before, or rotate the secrets of the subscriptions"
          )
    ),
    orSaid
  )
})

/** Whether mails know where links lead to, where there is no public URL to lead to. */
export const linksKnown = Effect.fn("Diagnosis.linksKnown")((options: ConnectionOptions) => {
  const check = "configuration.links"
  const counted = (session: Session) =>
    Effect.flatMap(first(session, "SELECT to_regclass('sales_channel') IS NOT NULL AS value"), (isThere) =>
      isThere === "true" ? Effect.map(first(session, storesWithoutDomain), Number) : Effect.succeed(0)
    )
  return Effect.scoped(Effect.flatMap(PgConnection.make(plainSession(options)), counted)).pipe(
    Effect.map((count) =>
      count === 0
        ? well(check, "mails lead to the domains of sales channels")
        : bad(check, linksUnknown(count), linksRemedy)
    ),
    orSaid
  )
})

export const linksUnknown = (stores: number): string =>
  `links in mails lead nowhere for ${stores === 1 ? "1 store" : `${stores} stores`}: ` +
  "no sales channel has a domain, and there is no public URL"
export const linksRemedy = "set COMMERCE_PUBLIC_URL, or give a sales channel its domain (`commerce channel update`)"

const well = (check: string, says: string): Examined => ({ check, says, remedy: null })
const bad = (check: string, says: string, remedy: string): Examined => ({ check, says, remedy })

const wordsOf = (error: SqlError.SqlError): string => {
  let at: { readonly cause?: unknown; readonly message?: unknown } = error.reason
  while (typeof at.cause === "object" && at.cause !== null) at = at.cause
  return typeof at.message === "string" && at.message !== "" ? at.message : "the database does not answer"
}

/** A check that the database refuses to answer is a finding of its own. */
const orSaid = (check: Effect.Effect<Examined, SqlError.SqlError>): Effect.Effect<Examined> =>
  Effect.catch(check, (error) =>
    Effect.succeed(bad("database.asked", wordsOf(error), "see that this user may read the catalogue and the tables"))
  )

const rowsOf = (session: Session, text: string, params: ReadonlyArray<unknown> = []) =>
  Effect.map(session.query(text, params), ({ rows }) => rows)
const first = (session: Session, text: string, params: ReadonlyArray<unknown> = []) =>
  Effect.map(rowsOf(session, text, params), (rows) => String(rows[0]?.["value"] ?? ""))
const namesOf = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>): string =>
  rows.map((row) => String(row["name"])).join(", ")

const versionOf = (session: Session) =>
  Effect.map(first(session, "SELECT current_setting('server_version') AS value"), (version) =>
    Number.parseInt(version, 10) >= oldestServer
      ? well("database.version", `PostgreSQL ${version}`)
      : bad("database.version", `PostgreSQL ${version}`, `move to PostgreSQL ${oldestServer} or newer`)
  )

const encodingOf = (session: Session) =>
  Effect.map(first(session, "SELECT current_setting('server_encoding') AS value"), (encoding) =>
    encoding === "UTF8"
      ? well("database.encoding", "texts are UTF8")
      : bad(
          "database.encoding",
          `the database's encoding is ${encoding}`,
          "make a database with ENCODING 'UTF8' and move there"
        )
  )

const schemaOf = (options: ConnectionOptions): Effect.Effect<Examined, SqlError.SqlError> =>
  status(options).pipe(
    Effect.map((states) => {
      const pending = states.filter(({ appliedAt }) => appliedAt === null)
      const newest = states.at(-1)?.name ?? ""
      return pending.length === 0
        ? well("database.schema", `${states.length} migrations are applied, up to ${newest}`)
        : bad(
            "database.schema",
            `${pending.length} of ${states.length} migrations are pending, from ${pending[0]?.name}`,
            "run `commerce migrate`"
          )
    }),
    Effect.catchTag("MigrationRefused", ({ reason }) =>
      Effect.succeed(bad("database.schema", reason, "run the version of the product that the database is at"))
    )
  )

const asAdministrator = (statements: string): string => `as an administrator run: ${statements}`

const roleOf = (session: Session) =>
  Effect.map(
    rowsOf(
      session,
      `SELECT quote_ident(CURRENT_USER) AS me, oid IS NOT NULL AS known, rolsuper OR rolbypassrls AS exempt,
        pg_has_role(CURRENT_USER, oid,
          CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) AS member
        FROM (SELECT) AS one LEFT JOIN pg_roles ON rolname = $1`,
      [applicationRole]
    ),
    ([role = {}]) => {
      const grant = grantTo(String(role["me"]))
      if (role["known"] !== true)
        return bad(
          "tenancy.role",
          `the role ${applicationRole} does not exist`,
          asAdministrator(`${createRole} ${grant}`)
        )
      if (role["exempt"] === true) {
        return bad(
          "tenancy.role",
          `the role ${applicationRole} is exempt from row-level security`,
          asAdministrator(subjectRole)
        )
      }
      return role["member"] === true
        ? well("tenancy.role", `statements run as ${applicationRole}, whom row-level security holds`)
        : bad("tenancy.role", `this user may not act as the role ${applicationRole}`, asAdministrator(grant))
    }
  )

/**
 * The names of our own tables, as the migrations make them: other tables of a shared schema are nobody's business here.
 */
const ourTables = (): ReadonlyArray<string> => tableNames(readMigrationFiles(migrationsDirectory()))
const tenantTables = () => ourTables().filter((name) => !platformTables.includes(name))

const missingTables = (session: Session) =>
  Effect.map(
    rowsOf(
      session,
      "SELECT t.name FROM unnest($1::text[]) AS t (name) WHERE to_regclass(quote_ident(t.name)) IS NULL ORDER BY 1",
      [ourTables()]
    ),
    (rows) => rows.map(({ name }) => String(name))
  )

const tablesOf = (missing: ReadonlyArray<string>): Examined =>
  missing.length === 0
    ? well("database.tables", `all ${ourTables().length} tables are there`)
    : bad(
        "database.tables",
        `gone, though their migrations were applied: ${missing.join(", ")}`,
        "restore the database from a backup"
      )

const grantsOf = (session: Session) =>
  Effect.map(
    rowsOf(
      session,
      `SELECT t.name FROM unnest($1::text[]) AS t (name) JOIN pg_roles r ON r.rolname = $2
        WHERE to_regclass(quote_ident(t.name)) IS NOT NULL AND (
          SELECT bool_and(has_table_privilege(r.oid, to_regclass(quote_ident(t.name)),
            p)) FROM unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS p) IS NOT TRUE ORDER BY t.name`,
      [ourTables(), applicationRole]
    ),
    (rows) =>
      rows.length === 0
        ? well("tenancy.grants", `${applicationRole} may read and write our tables`)
        : bad(
            "tenancy.grants",
            `${applicationRole} may not read and write ${namesOf(rows)}`,
            "run `commerce migrate`, which grants it"
          )
  )

const policiesOf = (session: Session, made: ReadonlyArray<string>) =>
  Effect.map(
    rowsOf(
      session,
      `SELECT t.name FROM unnest($1::text[]) AS t (name) JOIN pg_class c ON c.oid = to_regclass(quote_ident(t.name))
        WHERE NOT (c.relrowsecurity AND c.relforcerowsecurity)
          OR (SELECT count(DISTINCT p.polcmd) FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd IN ('a', 'w', 'd')
            AND coalesce(pg_get_expr(p.polqual, p.polrelid), '') || coalesce(pg_get_expr(p.polwithcheck, p.polrelid),
              '') LIKE '%app.store_id%') < 3
          OR NOT EXISTS
            (SELECT FROM pg_attribute a JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary AND i.indkey[0] =
            a.attnum
            WHERE a.attrelid = c.oid AND a.attname = 'store_id' AND a.attnotnull)
        ORDER BY 1`,
      [tenantTables()]
    ),
    (rows) =>
      rows.length === 0
        ? well(
            "tenancy.policies",
            `${tenantTables().filter((name) => made.includes(name)).length} tenant tables are keyed by store, ` +
              "and no store writes another's rows"
          )
        : bad(
            "tenancy.policies",
            `tenants are not kept apart in ${namesOf(rows)}`,
            "put key, policies and FORCE ROW LEVEL SECURITY back, as the migrations made them"
          )
  )

const indexesOf = (session: Session) =>
  Effect.map(
    rowsOf(
      session,
      `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN unnest($1::text[]) AS t (name) ON i.indrelid =
        to_regclass(quote_ident(t.name))
        WHERE NOT i.indisvalid ORDER BY 1`,
      [ourTables()]
    ),
    (rows) =>
      rows.length === 0
        ? well("database.indexes", "every index is valid")
        : bad(
            "database.indexes",
            `not valid, so not used: ${namesOf(rows)}`,
            `REINDEX INDEX CONCURRENTLY ${namesOf(rows.slice(0, 1))}`
          )
  )

/** The process's own clock, taken at the middle of the question's way there and back. */
const clockOf = (session: Session) =>
  Effect.gen(function* () {
    const began = performance.timeOrigin + performance.now()
    const theirs = Number(
      yield* first(session, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS value")
    )
    const ended = performance.timeOrigin + performance.now()
    const apart = Math.round(theirs - (began + ended) / 2)
    return Math.abs(apart) <= clockTolerance + (ended - began) / 2
      ? well("clocks", `this machine and the database are ${Math.abs(apart)} ms apart`)
      : bad(
          "clocks",
          `the database's clock is ${Math.abs(apart)} ms ${apart > 0 ? "ahead of" : "behind"} this machine's`,
          "let both keep their time by NTP; the service goes by the database's"
        )
  })
