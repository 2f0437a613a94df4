/**
 * A real PostgreSQL that needs no installation: npm's binaries, started on a data directory and reached over a Unix
 * socket only. Any number of processes may use one directory: the first starts the server, the others attach, and the
 * last to leave stops it. A server that outlived a killed process is attached to. As root it works too: the server then
 * runs as another user.
 */
import { Effect, Redacted, Schedule, type Scope } from "effect"
import type { ConnectionOptions } from "../database/ConnectionOptions.ts"
import type { EmbeddedOptions } from "./EmbeddedOptions.ts"
import { EmbeddedPostgresError } from "../database/DatabaseErrors.ts"
import { openDataDirectory, readRootSecret } from "./internal/dataDirectory.ts"
import { openEmbeddedSite } from "./internal/embeddedSite.ts"

export type { EmbeddedOptions }

export interface EmbeddedServer {
  /**
   * For `Database.layer`, `Migrations.up` and others; `nodePostgresConfig` converts it to options of node-postgres.
   */
  readonly connection: ConnectionOptions
  /** False if it attached to a server that was running already. */
  readonly started: boolean
}

/**
 * Starts or attaches, and keeps one session open so that no other process stops the server meanwhile; a server that
 * dies is started again. The end of the scope closes that session and, if no other session is left, stops the server.
 * Fails with a message of one line.
 */
export const start = Effect.fn("EmbeddedPostgres.start")(function* (
  options: EmbeddedOptions
): Effect.fn.Return<EmbeddedServer, EmbeddedPostgresError, Scope.Scope> {
  const site = yield* attempt(() => openEmbeddedSite(options))
  yield* Effect.addFinalizer(() => Effect.ignore(promise(site.leave)))
  const started = yield* promise(site.enter)
  yield* Effect.forkScoped(
    Effect.andThen(promise(site.lost), promise(site.enter).pipe(Effect.retry(reviving))).pipe(Effect.forever)
  )
  return { connection: site.connection(), started }
})

/**
 * The root secret kept beside the embedded data: made once, 48 random bytes in base64url, mode 0600. Fails with a
 * message of one line.
 */
export const rootSecret = (dataDir: string): Effect.Effect<Redacted.Redacted, EmbeddedPostgresError> =>
  Effect.map(
    attempt(() => readRootSecret(openDataDirectory(dataDir))),
    (secret) => Redacted.make(secret)
  )

const reviving = Schedule.spaced("500 millis")

const refusal = (cause: unknown) =>
  new EmbeddedPostgresError({ reason: cause instanceof Error ? cause.message : String(cause) })

const attempt = <A>(body: () => A) => Effect.try({ try: body, catch: refusal })

const promise = <A>(body: () => Promise<A>) => Effect.tryPromise({ try: body, catch: refusal })
