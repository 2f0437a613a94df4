/**
 * Checks of our tables: whether they exist, their indexes, and the role, grants and policies that keep tenants apart.
 */
import { Effect } from "effect"
import { applicationRole } from "../../database/ConnectionOptions.ts"
import { platformTables } from "../../database/PlatformTables.ts"
import { createRole, grantTo, type Session, subjectRole } from "./applicationGrants.ts"
import { bad, type Examined, namesOf, rowsOf, well } from "./finding.ts"
import { migrationsDirectory, readMigrationFiles, tableNames } from "./migrationFiles.ts"

const asAdministrator = (statements: string): string => `as an administrator run: ${statements}`

export const roleOf = (session: Session) =>
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
 * The names of our own tables, as the migrations create them: other tables of a shared schema are ignored.
 */
export const ourTables = (): ReadonlyArray<string> => tableNames(readMigrationFiles(migrationsDirectory()))
const tenantTables = () => ourTables().filter((name) => !platformTables.includes(name))

export const missingTables = (session: Session) =>
  Effect.map(
    rowsOf(
      session,
      "SELECT t.name FROM unnest($1::text[]) AS t (name) WHERE to_regclass(quote_ident(t.name)) IS NULL ORDER BY 1",
      [ourTables()]
    ),
    (rows) => rows.map(({ name }) => String(name))
  )

export const tablesOf = (missing: ReadonlyArray<string>): Examined =>
  missing.length === 0
    ? well("database.tables", `all ${ourTables().length} tables are there`)
    : bad(
        "database.tables",
        `gone, though their migrations were applied: ${missing.join(", ")}`,
        "restore the database from a backup"
      )

export const grantsOf = (session: Session) =>
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

export const policiesOf = (session: Session, made: ReadonlyArray<string>) =>
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

export const indexesOf = (session: Session) =>
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
