import { Command } from "effect/cli"
import { runCommand } from "../runCommand.ts"

export const doctor = Command.make("doctor", {}, () =>
  runCommand(async (settings) => (await import("../examineInstallation.ts")).examineInstallation(settings), {
    json: (examined) => examined.filter(({ remedy }) => remedy !== null),
    lines: (examined) => {
      const width = Math.max(...examined.map(({ check }) => check.length))
      const findings = examined.filter(({ remedy }) => remedy !== null).length
      return [
        ...examined.flatMap(({ check, says, remedy }) => [
          `${remedy === null ? "ok" : "!!"}  ${check.padEnd(width)}  ${says}`,
          ...(remedy === null ? [] : [`    ${"".padEnd(width)}  ${remedy}`])
        ]),
        findings === 0 ? "Nothing to mend." : findings === 1 ? "One thing to mend." : `${findings} things to mend.`
      ]
    }
  })
).pipe(
  Command.withDescription(
    "Looks at the configuration, the database, what keeps tenants apart, and the clocks; says what is wrong and what " +
      "mends it, and exits 1 then. Changes nothing."
  ),
  Command.withExamples([
    { command: "commerce doctor", description: "Every check, a line each" },
    { command: "commerce doctor --json", description: "What is wrong alone: [{ check, says, remedy }]" }
  ])
)
