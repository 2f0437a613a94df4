/** The work of `commerce doctor`: what the settings say, then what the database says. Looks and changes nothing. */
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import { type Examined, examine, sameDatabase } from "@effect-commerce/core/database/Diagnosis"
import * as EmbeddedPostgres from "@effect-commerce/core/database/EmbeddedPostgres"
import { connectionOf } from "@effect-commerce/core/CommerceCore"
import { Effect } from "effect"
import { existingDatabase } from "./existingDatabase.ts"
import { failureLine } from "./failureLine.ts"
import { settle } from "./openCore.ts"
import type { Settings } from "./Settings.ts"

/** Sets the exit code to 1 where there is something to mend. */
export const examineInstallation = async (settings: Settings): Promise<ReadonlyArray<Examined>> => {
  const examined = await settle(Effect.scoped(Effect.flatMap(existingDatabase(settings), (connection) => looks(settings, connection))))
  if (examined.some(({ remedy }) => remedy !== null)) process.exitCode = 1
  return examined
}

const looks = (settings: Settings, connection: ConnectionOptions) =>
  Effect.gen(function* () {
    const own = yield* secretOf(settings)
    const found = yield* examine(connection)
    const { databaseUrl, directDatabaseUrl } = settings
    const direct =
      databaseUrl === undefined || directDatabaseUrl === undefined ? [] : [yield* sameDatabase(connectionOf(databaseUrl), connectionOf(directDatabaseUrl))]
    return [configurationOf(settings), own, ...found, ...direct]
  })

/** Settings that cannot be read were refused before: here stands what they amount to. */
const configurationOf = ({ databaseUrl, dataDir, rateLimitStore }: Settings): Examined => ({
  check: "configuration",
  says: `${databaseUrl === undefined ? `the embedded PostgreSQL in ${dataDir}` : "the PostgreSQL of DATABASE_URL"}, rates counted in ${rateLimitStore}`,
  remedy: null
})

const secretOf = (settings: Settings): Effect.Effect<Examined> => {
  const check = "configuration.secret"
  if (settings.secret !== undefined) return Effect.succeed({ check, says: "COMMERCE_SECRET is given", remedy: null })
  return EmbeddedPostgres.rootSecret(settings.dataDir).pipe(
    Effect.as({ check, says: "the root secret is kept in the data directory, for its owner's eyes alone", remedy: null }),
    Effect.catch((error) => Effect.succeed({ check, says: failureLine(error), remedy: "mend the file, or give COMMERCE_SECRET" }))
  )
}
