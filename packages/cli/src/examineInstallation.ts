/** The work of `commerce doctor`: what the settings say, then what the database says. It changes nothing. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import { sealMark } from "@effect-commerce/core/crypto/RootSecret"
import {
  type Examined,
  examine,
  linksKnown,
  paymentsSettled,
  sameDatabase,
  sealedUnder
} from "@effect-commerce/core/migration/Diagnosis"
import { examineStorage } from "@effect-commerce/core/media/StorageDiagnosis"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { connectionOf } from "@effect-commerce/core/CommerceCore"
import { Effect } from "effect"
import { existingDatabase } from "./existingDatabase.ts"
import { examineCollector } from "./examineCollector.ts"
import { examineRedis } from "./examineRedis.ts"
import { examineReplica } from "./examineReplica.ts"
import { failureLine } from "./failureLine.ts"
import { needsDomains } from "./linkNotes.ts"
import { mediaOf as mediaPlace, settle } from "./openCore.ts"
import type { Settings } from "./Settings.ts"
import { senderProblem, senderRemedy } from "./settingNotes.ts"

/** Sets the exit code to 1 if something needs to be fixed. */
export const examineInstallation = async (settings: Settings): Promise<ReadonlyArray<Examined>> => {
  const examined = await settle(
    Effect.scoped(Effect.flatMap(existingDatabase(settings), (connection) => looks(settings, connection)))
  )
  if (examined.some(({ remedy }) => remedy !== null)) process.exitCode = 1
  return examined
}

const looks = Effect.fnUntraced(function* (settings: Settings, connection: ConnectionOptions) {
  const secret = yield* secretOf(settings)
  const { databaseUrl, directDatabaseUrl } = settings
  const serving = {
    connection: databaseUrl === undefined ? connection : connectionOf(databaseUrl),
    direct: directDatabaseUrl === undefined ? undefined : connectionOf(directDatabaseUrl)
  }
  const found = yield* examine(connection, serving)
  const isReached = found.every(({ check }) => check !== "database.reached")
  const seals = secret.mark === null || !isReached ? [] : [yield* sealedUnder(connection, secret.mark)]
  const payments = isReached ? [yield* paymentsSettled(connection)] : []
  const links = needsDomains(settings) && isReached ? [yield* linksKnown(connection)] : []
  const direct =
    databaseUrl === undefined || directDatabaseUrl === undefined
      ? []
      : [yield* sameDatabase(connectionOf(databaseUrl), connectionOf(directDatabaseUrl))]
  const media = yield* examineStorage(mediaPlace(settings))
  const redis = yield* examineRedis(settings)
  const replica = yield* examineReplica(settings)
  return [
    configurationOf(settings),
    ...mailOf(settings),
    media,
    ...redis,
    ...(yield* examineCollector(settings)),
    ...links,
    secret.examined,
    ...seals,
    ...found,
    ...payments,
    ...direct,
    ...replica
  ]
})

/** Invalid settings have been reported before: this lists the effective ones. */
const configurationOf = (settings: Settings): Examined => {
  const { databaseUrl, dataDir, rateLimitStore } = settings
  const where = databaseUrl === undefined ? `the embedded PostgreSQL in ${dataDir}` : "the PostgreSQL of DATABASE_URL"
  return { check: "configuration", says: `${where}, rates counted in ${rateLimitStore}`, remedy: null }
}

const mailOf = (settings: Settings): ReadonlyArray<Examined> => {
  const problem = senderProblem(settings)
  return problem === undefined ? [] : [{ check: "configuration.mail", says: problem, remedy: senderRemedy }]
}

/** `mark` is null where the secret cannot be read. */
const secretOf = (settings: Settings): Effect.Effect<{ readonly examined: Examined; readonly mark: string | null }> => {
  const check = "configuration.secret"
  const found = (says: string, mark: string) => ({ examined: { check, says, remedy: null }, mark })
  if (settings.secret !== undefined) return Effect.succeed(found("COMMERCE_SECRET is given", sealMark(settings.secret)))
  if (!existsSync(join(settings.dataDir, "secret")))
    return Effect.succeed(found("there is no root secret yet: the next start makes one", ""))
  return EmbeddedPostgres.rootSecret(settings.dataDir).pipe(
    Effect.map((secret) =>
      found("the root secret is kept in the data directory, for its owner's eyes alone", sealMark(secret))
    ),
    Effect.catch((error) =>
      Effect.succeed({
        examined: { check, says: failureLine(error), remedy: "mend the file, or give COMMERCE_SECRET" },
        mark: null
      })
    )
  )
}
