import { Argument, Command } from "effect/cli"
import { runCommand } from "../runCommand.ts"

export const migrate = Command.make(
  "migrate",
  {
    action: Argument.Literals("action", ["up", "status"]).pipe(
      Argument.withDescription("up, the default, applies what is pending; status lists"),
      Argument.withDefault("up")
    )
  },
  ({ action }) =>
    runCommand(async (settings) => (await import("../migrateDatabase.ts")).migrateDatabase(settings, action), {
      lines: (states) =>
        states.map(
          (state) => `${String(state.id).padStart(4, "0")}  ${(state.appliedAt ?? "pending").padEnd(24)}  ${state.name}`
        )
    })
).pipe(
  Command.withDescription(
    "Brings the database to this version's schema, or lists its migrations. The other commands migrate by " +
      "themselves; run it apart to look first."
  ),
  Command.withExamples([
    { command: "commerce migrate status", description: "What is applied and what is pending" },
    { command: "commerce migrate up", description: "Apply what is pending" }
  ])
)
