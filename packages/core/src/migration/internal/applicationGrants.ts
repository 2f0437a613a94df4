/**
 * The role that the application runs as, and its grants: reading and writing rows of our own tables and nothing else,
 * not even TRUNCATE.
 */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { applicationRole } from "../../database/ConnectionOptions.ts"
import { MigrationRefused } from "../../database/DatabaseErrors.ts"
import { platformTables } from "../../database/PlatformTables.ts"

/**
 * The connection that migrations need, for any driver. `prepare` false: the statement cannot be prepared.
 */
export interface Session {
  readonly query: (
    sql: string,
    params?: ReadonlyArray<unknown>,
    prepare?: boolean
  ) => Effect.Effect<{ readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>> }, SqlError.SqlError>
}

/**
 * Roles belong to the whole server, so another database's migration may create this role at the same moment: then it
 * exists.
 */
export const ensureRole = Effect.fnUntraced(function* (connection: Session) {
  const found = yield* readRole(connection)
  if (found === undefined) {
    yield* ignoreRace(connection.query(`CREATE ROLE ${applicationRole} NOSUPERUSER NOBYPASSRLS NOLOGIN`))
  }
  const role = yield* readRole(connection)
  if (role === undefined) {
    return yield* refuse(
      `the role ${applicationRole} does not exist and this user may not create it`,
      (me) => `${createRole} ${grantTo(me)}`,
      connection
    )
  }
  if (role["rolsuper"] === true || role["rolbypassrls"] === true) {
    return yield* refuse(`the role ${applicationRole} is exempt from row-level security`, () => subjectRole, connection)
  }
  if (role["member"] !== true) yield* ignoreRace(connection.query(`GRANT ${applicationRole} TO CURRENT_USER`))
  const granted = yield* readRole(connection)
  if (granted?.["member"] !== true)
    return yield* refuse(`this user may not act as the role ${applicationRole}`, grantTo, connection)
})

/** The statement that an administrator runs if we may not. */
export const createRole = `CREATE ROLE ${applicationRole} NOSUPERUSER NOBYPASSRLS NOLOGIN;`
export const subjectRole = `ALTER ROLE ${applicationRole} NOSUPERUSER NOBYPASSRLS;`
export const grantTo = (me: string): string => `GRANT ${applicationRole} TO ${me};`

/**
 * `member`: may act as the role. Since PostgreSQL 16 being a member is not enough, and the creator of a role is only a
 * member.
 */
const readRole = (connection: Session) =>
  Effect.map(
    connection.query(
      `SELECT rolsuper, rolbypassrls,
         pg_has_role(CURRENT_USER, oid, CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE
           'MEMBER' END) AS member
       FROM pg_roles WHERE rolname = $1`,
      [applicationRole]
    ),
    (result) => result.rows[0]
  )

/** Ignores a failed statement, because the role is read afterwards; only a lost connection still fails. */
const ignoreRace = <A>(self: Effect.Effect<A, SqlError.SqlError>) =>
  Effect.catch(self, (error) => (error.reason._tag === "ConnectionError" ? Effect.fail(error) : Effect.void))

const refuse = (what: string, remedy: (me: string) => string, connection: Session) =>
  Effect.flatMap(connection.query("SELECT quote_ident(CURRENT_USER) AS me"), (result) =>
    Effect.fail(
      new MigrationRefused({ reason: `${what}; as an administrator run: ${remedy(String(result.rows[0]?.["me"]))}` })
    )
  )

/**
 * Tenant tables are known by their policy, platform tables by their list; other tables of a shared schema are left
 * alone.
 */
export const grantTables = Effect.fnUntraced(function* (connection: Session) {
  yield* connection.query(
    `DO $$
     DECLARE name regclass;
     BEGIN
       EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${applicationRole}', current_schema());
       FOR name IN
         SELECT c.oid::regclass FROM pg_class c WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND
           c.relkind IN ('r', 'p')
           AND (c.relname IN (${platformTables.map((table) => `'${table}'`).join(", ")})
             OR EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant_insert'))
       LOOP
         EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO ${applicationRole}', name);
       END LOOP;
       REVOKE INSERT, UPDATE, DELETE ON commerce_migration FROM ${applicationRole};
     END $$`,
    [],
    false
  )
})
