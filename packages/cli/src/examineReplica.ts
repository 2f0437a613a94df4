/** What `commerce doctor` says of the replica that storefronts read from. */
import { connectionOf } from "@effect-commerce/core/CommerceCore"
import type { Examined } from "@effect-commerce/core/migration/Diagnosis"
import { defaultMaxLag } from "@effect-commerce/core/replica/ReadReplica"
import { lookAtReplica } from "@effect-commerce/core/replica/ReplicaDiagnosis"
import { Effect } from "effect"
import type { Settings } from "./Settings.ts"

const check = "database.replica"
const until = "until then storefronts read from the primary"

/** Nothing where there is no replica. */
export const examineReplica = ({
  databaseUrl,
  directDatabaseUrl,
  readDatabaseUrl,
  readMaxLagMillis = defaultMaxLag
}: Settings): Effect.Effect<ReadonlyArray<Examined>> => {
  if (databaseUrl === undefined || readDatabaseUrl === undefined) return Effect.succeed([])
  const direct = directDatabaseUrl === undefined ? undefined : connectionOf(directDatabaseUrl)
  const primary = direct ?? connectionOf(databaseUrl)
  return lookAtReplica(primary, { connection: connectionOf(readDatabaseUrl), direct }, readMaxLagMillis).pipe(
    Effect.map(
      (lagMillis): ReadonlyArray<Examined> =>
        lagMillis <= readMaxLagMillis
          ? [{ check, says: `storefronts read from a replica that is ${lagMillis} ms behind`, remedy: null }]
          : [
              {
                check,
                says: `the replica is more than ${readMaxLagMillis} ms behind`,
                remedy: `see why it does not keep up, or raise COMMERCE_READ_MAX_LAG_MS; ${until}`
              }
            ]
    ),
    Effect.catch((why) =>
      Effect.succeed([
        {
          check,
          says: `COMMERCE_READ_DATABASE_URL: ${why}`,
          remedy: `let it name a running streaming replica of DATABASE_URL, or leave it out; ${until}`
        }
      ])
    )
  )
}
