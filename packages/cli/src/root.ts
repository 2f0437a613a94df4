/** The `commerce` command itself and the flags every command takes. */
import { Option } from "effect"
import { Command, Flag } from "effect/cli"

export const root = Command.make("commerce").pipe(
  Command.withDescription(
    "A commerce back end: set it up, run it, look after it. Without DATABASE_URL it keeps everything in an embedded PostgreSQL in the data directory."
  ),
  Command.withSharedFlags({
    databaseUrl: Flag.String("database-url").pipe(
      Flag.withDescription("PostgreSQL 15 or newer to use, postgres://… (environment: DATABASE_URL)"),
      Flag.optional
    ),
    dataDir: Flag.String("data-dir").pipe(Flag.withDescription("Folder of the embedded database; .commerce unless told"), Flag.optional),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON document on standard output, everything else on standard error"), Flag.withDefault(false))
  })
)

export interface SharedFlags {
  readonly databaseUrl: Option.Option<string>
  readonly dataDir: Option.Option<string>
  readonly json: boolean
}

export const settingFlags = (flags: SharedFlags) => ({ databaseUrl: Option.getOrUndefined(flags.databaseUrl), dataDir: Option.getOrUndefined(flags.dataDir) })
