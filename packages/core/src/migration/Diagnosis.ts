/**
 * Checks whether PostgreSQL is as the product needs it: reachable and new enough, at this version's schema, with the
 * role, grants and policies that keep tenants apart, and a clock that agrees with ours. Changes nothing; connects as
 * the configured user, over a direct connection.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { type ConnectionOptions, plainSession } from "../database/ConnectionOptions.ts"
import { storesWithoutDomain } from "../database/StoreDomains.ts"
import type { Session } from "./internal/applicationGrants.ts"
import { bad, type Examined, first, orSaid, well, wordsOf } from "./internal/finding.ts"
import { clockOf, encodingOf, schemaOf, type ServingConnection, servingOf, versionOf } from "./internal/serverChecks.ts"
import { grantsOf, indexesOf, missingTables, ourTables, policiesOf, roleOf, tablesOf } from "./internal/tableChecks.ts"

export type { Examined, ServingConnection }

/** Every check in order; only the connection's finding if the database cannot be reached. Never fails. */
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
        // Tables that do not exist yet are not checked.
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

/** Checks that the direct connection, past a pooler, leads to the same database. */
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
 * Checks that this root secret, given by its mark (`sealMark`), opens the values that are sealed permanently: the
 * signing secrets of webhooks.
 */
export const sealedUnder = Effect.fn("Diagnosis.sealedUnder")((options: ConnectionOptions, mark: string) => {
  const check = "configuration.seals"
  const others = Effect.fnUntraced(function* (session: Session) {
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

/** Checks that mails have a base URL for links if there is no public URL. */
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

/** Checks that no payment and no notice of a payment provider waits for a person. */
export const paymentsSettled = Effect.fn("Diagnosis.paymentsSettled")((options: ConnectionOptions) => {
  const check = "payments"
  const counted = (session: Session) =>
    Effect.flatMap(first(session, "SELECT to_regclass('provider_notice') IS NOT NULL AS value"), (isThere) =>
      isThere === "true" ? Effect.map(first(session, neglectedPayments), Number) : Effect.succeed(0)
    )
  return Effect.scoped(Effect.flatMap(PgConnection.make(plainSession(options)), counted)).pipe(
    Effect.map((count) =>
      count === 0
        ? well(check, "every payment is settled, or will be")
        : bad(
            check,
            count === 1
              ? "1 payment or notice of a payment provider needs attention"
              : `${count} payments and notices of payment providers need attention`,
            "`commerce payments list` names them, with the reasons"
          )
    ),
    orSaid
  )
})

const neglectedPayments =
  "SELECT (SELECT count(*) FROM provider_operation WHERE attention_at IS NOT NULL) + (SELECT count(*) FROM " +
  "provider_notice WHERE state = 'set_aside' OR attention_at IS NOT NULL AND state = 'open') AS value"
