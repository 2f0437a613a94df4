/**
 * Checks of the server: its version, encoding and clock, this version's schema, and the sessions that the service
 * opens.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import {
  type ConnectionOptions,
  defaultBounds,
  servingSession,
  sessionRemedy
} from "../../database/ConnectionOptions.ts"
import { oldestServer, status } from "../Migrations.ts"
import type { Session } from "./applicationGrants.ts"
import { bad, type Examined, first, well, wordsOf } from "./finding.ts"

/** How the service connects. `direct` bypasses a pooler, if `connection` leads through one. */
export interface ServingConnection {
  readonly connection: ConnectionOptions
  readonly direct?: ConnectionOptions | undefined
}

const clockTolerance = 2_000

export const versionOf = (session: Session) =>
  Effect.map(first(session, "SELECT current_setting('server_version') AS value"), (version) =>
    Number.parseInt(version, 10) >= oldestServer
      ? well("database.version", `PostgreSQL ${version}`)
      : bad("database.version", `PostgreSQL ${version}`, `move to PostgreSQL ${oldestServer} or newer`)
  )

export const encodingOf = (session: Session) =>
  Effect.map(first(session, "SELECT current_setting('server_encoding') AS value"), (encoding) =>
    encoding === "UTF8"
      ? well("database.encoding", "texts are UTF8")
      : bad(
          "database.encoding",
          `the database's encoding is ${encoding}`,
          "make a database with ENCODING 'UTF8' and move there"
        )
  )

export const schemaOf = (options: ConnectionOptions): Effect.Effect<Examined, SqlError.SqlError> =>
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

/** Checks a session as `serve` opens it: only such a session shows what a pooler or the role rejects. */
export const servingOf = ({ connection, direct }: ServingConnection): Effect.Effect<Examined> => {
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

/** Compares the process's clock, at the middle of the round trip, with the server's. */
export const clockOf = Effect.fnUntraced(function* (session: Session) {
  const began = performance.timeOrigin + performance.now()
  const theirs = Number(yield* first(session, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS value"))
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
