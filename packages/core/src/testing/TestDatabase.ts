/**
 * A migrated, empty database of its own for a test file: a copy of the run's template, dropped at the end. Gives the
 * application's `Database` on it, and the connection for a second, independent client.
 */
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { type ConnectionOptions, nodePostgresConfig } from "../database/ConnectionOptions.ts"
import { Database } from "../database/Database.ts"
import { connectionOf, currentTestServer, runStatement, type TestServer } from "./TestServer.ts"

export interface TestDatabaseMethods {
  /** As the superuser; `Database.layer(connection)` steps down to the application's role by itself. */
  readonly connection: ConnectionOptions
  /** The same for `new pg.Client(nodePostgres)`. */
  readonly nodePostgres: ReturnType<typeof nodePostgresConfig>
}

/** The root secret of every test instance, so that several on one database understand each other. */
export const testSecret = Redacted.make("a root secret for tests, of 32 bytes and more")

export interface TestDatabaseOptions {
  /** False gives an empty database without a schema. */
  readonly template?: boolean
  /** A server of the test's own; by default that of the run. */
  readonly server?: TestServer | undefined
}

/** The copy lives until the scope ends. */
const make = (options?: TestDatabaseOptions): Effect.Effect<TestDatabaseMethods, never, Scope.Scope> =>
  Effect.gen(function* () {
    const server = options?.server ?? currentTestServer()
    const admin = connectionOf(server, "postgres")
    const name = `test_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`
    const source = options?.template === false ? "template0" : server.template
    yield* Effect.acquireRelease(
      Effect.orDie(runStatement(admin, `CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY wal_log`)),
      () => Effect.ignore(runStatement(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
    )
    const connection = connectionOf(server, name)
    return { connection, nodePostgres: nodePostgresConfig(connection) }
  })

export class TestDatabase extends Context.Service<TestDatabase, TestDatabaseMethods>()(
  "@effect-commerce/core/testing/TestDatabase"
) {
  /** The copy alone. */
  static readonly layerCopy = Layer.effect(TestDatabase, make())

  /** The copy, and the application's `Database` on it. */
  static readonly layer = Layer.provideMerge(
    Layer.unwrap(Effect.map(TestDatabase, ({ connection }) => Database.layer(connection))),
    TestDatabase.layerCopy
  )
}

/** For tests without Effect: a copy, and a function that drops it. */
export const open = async (
  options?: TestDatabaseOptions
): Promise<TestDatabaseMethods & { readonly close: () => Promise<void> }> => {
  const scope = await Effect.runPromise(Scope.make())
  const database = await Effect.runPromise(Scope.provide(make(options), scope))
  return { ...database, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}
