/**
 * Core's services for a command: over DATABASE_URL or the embedded database, which another process may have started; it
 * is migrated first.
 */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { connectionOf, coreLayer, type CoreServices } from "@effect-commerce/core/CommerceCore"
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import * as Migrations from "@effect-commerce/core/migration/Migrations"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Cause, Effect, Exit, Layer, References } from "effect"
import { failureLine } from "./failureLine.ts"
import { Refused, WrongUsage } from "./Refused.ts"
import { ProgressLine } from "./seed/ProgressLine.ts"
import type { Settings } from "./Settings.ts"
import { whileWaiting } from "./whileWaiting.ts"

/** The database a command works on; attached to, or started for as long as the scope lasts. */
export const connectTo = (settings: Settings) =>
  settings.databaseUrl === undefined
    ? EmbeddedPostgres.start({ dataDir: settings.dataDir }).pipe(
        whileWaiting("Starting PostgreSQL"),
        Effect.map(({ connection }) => connection)
      )
    : Effect.succeed(connectionOf(settings.directDatabaseUrl ?? settings.databaseUrl))

/** Migrates the schema, with a progress bar on a terminal. Returns every migration. */
export const migrated = (connection: ConnectionOptions) =>
  Effect.suspend(() => {
    let line: ProgressLine | undefined
    return Effect.provideService(Migrations.up(connection), Migrations.MigrationProgress, (done, all) => {
      line ??= new ProgressLine(all, "migrations")
      line.to(done)
    })
  })

/** Runs `body` with core's services and then stops the database if it was started for it. Rejects with Refused. */
export const withCore = <A, E>(settings: Settings, body: Effect.Effect<A, E, CoreServices>): Promise<A> =>
  settle(
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* connectTo(settings)
        yield* migrated(connection)
        const secret = settings.secret ?? (yield* EmbeddedPostgres.rootSecret(settings.dataDir))
        const services = yield* Layer.build(
          coreLayer({ connection, secret, maxConnections: 4, ...outwardOf(settings) })
        )
        return yield* Effect.provideContext(body, services)
      })
    )
  )

/** What leaves the process: mail, calls to addresses that merchants have chosen, files, and payments. */
export const outwardOf = ({ smtpUrl, publicUrl, webhookAllowPrivate, stripe, ...settings }: Settings) => ({
  mail: { smtpUrl, publicUrl },
  outbound: { allowPrivate: webhookAllowPrivate },
  media: mediaOf(settings),
  payments: { stripe }
})

/** By default files are in a folder of the data directory, also if the database is elsewhere. */
export const mediaOf = ({
  mediaUrl,
  mediaCredentials,
  dataDir
}: Pick<Settings, "mediaUrl" | "mediaCredentials" | "dataDir">) => ({
  url: mediaUrl ?? pathToFileURL(resolve(dataDir, "media")).href,
  credentials: mediaCredentials
})

/** The one store of an installation that has one; `flag` names a store if there are several. */
export const onlyStore = Effect.fnUntraced(function* (flag: string) {
  const { items, total } = yield* (yield* Stores).first(1)
  const [store] = items
  if (store === undefined) return yield* Effect.fail(new Refused("there is no store yet: run `commerce init` first"))
  return total === 1
    ? store
    : yield* Effect.fail(new Refused(`there are ${total} stores: name one with ${flag} (\`commerce store list\`)`))
})

/** Runs an effect whose failures and defects become one line; its logs go to standard error. */
export const settle = async <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
  const exit = await Effect.runPromiseExit(Effect.provideService(effect, References.LogToStderr, true))
  if (Exit.isSuccess(exit)) return exit.value
  throw refusalOf(Cause.squash(exit.cause))
}

export const refusalOf = (error: unknown): Refused | WrongUsage =>
  error instanceof Refused || error instanceof WrongUsage ? error : new Refused(failureLine(error))
