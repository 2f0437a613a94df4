import { Argument, Command } from "effect/cli"
import { runCommand } from "../runCommand.ts"

export const migrate = Command.make(
  "migrate",
  { action: Argument.Literals("action", ["up", "status"]).pipe(Argument.withDescription("up applies what is pending; status lists"), Argument.withDefault("up")) },
  ({ action }) =>
    runCommand(
      async (settings) => {
        const { migrateDatabase } = await import("../migrateDatabase.ts")
        return migrateDatabase(settings, action)
      },
      (states) => states.map((state) => `${String(state.id).padStart(4, "0")}  ${state.appliedAt ?? "pending"}  ${state.name}`)
    )
).pipe(Command.withDescription("Brings the database to this version's schema, or lists its migrations."))
