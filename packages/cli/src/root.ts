/** The `commerce` command itself and the flags every command takes. */
import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { SettingFlags } from "./Settings.ts"

export const root = Command.make("commerce").pipe(
  Command.withDescription(
    "A commerce back end: set it up, run it, look after it. Without DATABASE_URL it keeps everything in an embedded " +
      "PostgreSQL in the data directory."
  ),
  Command.withExamples([
    {
      command: "commerce serve --demo",
      description: "A back end with a demo store; the first run prints the ids and the admin key"
    },
    {
      command: "commerce keys create --store store_… --name ci --scope products:read",
      description: "A key for a program, while serve runs"
    },
    { command: "commerce keys create --help", description: "What a command does and takes" }
  ]),
  Command.withSharedFlags({
    databaseUrl: Flag.String("database-url").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription("PostgreSQL 15 or newer, postgres://… (DATABASE_URL; needs COMMERCE_SECRET)"),
      Flag.optional
    ),
    dataDir: Flag.String("data-dir").pipe(
      Flag.withMetavar("folder"),
      Flag.withDescription("Where the embedded PostgreSQL keeps its data; .commerce by default"),
      Flag.optional
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print one JSON document on standard output, everything else on standard error"),
      Flag.withDefault(false)
    )
  })
)

export interface SharedFlags {
  readonly databaseUrl: Option.Option<string>
  readonly dataDir: Option.Option<string>
  readonly json: boolean
}

export const settingFlags = (flags: SharedFlags): SettingFlags => ({
  databaseUrl: Option.getOrUndefined(flags.databaseUrl),
  dataDir: Option.getOrUndefined(flags.dataDir)
})
