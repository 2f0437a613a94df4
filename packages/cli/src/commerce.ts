/**
 * The `commerce` command. Exit code 0: done; 1: failed, with one line; 2: wrong usage. Nothing heavy is loaded before a
 * command needs it.
 */
import { readFileSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { app } from "./commands/app.ts"
import { audit } from "./commands/audit.ts"
import { payments } from "./commands/payments.ts"
import { catalog } from "./commands/catalog.ts"
import { channel } from "./commands/channel.ts"
import { doctor } from "./commands/doctor.ts"
import { explain } from "./commands/explain.ts"
import { init } from "./commands/init.ts"
import { keys } from "./commands/keys.ts"
import { migrate } from "./commands/migrate.ts"
import { openapi } from "./commands/openapi.ts"
import { owner } from "./commands/owner.ts"
import { seed } from "./commands/seed.ts"
import { serve } from "./commands/serve.ts"
import { store } from "./commands/store.ts"
import { webhook } from "./commands/webhook.ts"
import { flushed, note, printText, refusalLine } from "./print.ts"
import { WrongUsage } from "./Refused.ts"
import { root } from "./root.ts"

const commerce = root.pipe(
  Command.withSubcommands([
    init,
    serve,
    migrate,
    seed,
    store,
    channel,
    keys,
    app,
    owner,
    webhook,
    openapi,
    catalog,
    payments,
    explain,
    audit,
    doctor
  ])
)

const version = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : ""
}

/** Requested help goes to standard output; everything else about usage goes to standard error, an error as one line. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    Effect.sync(() => {
      const formatter = CliOutput.defaultFormatter()
      if (event._tag === "Version") printText(event.version)
      else if (event._tag === "InvalidInvocation")
        note(usageLine(event.errors.map((error) => error.message).join("; "), event.commandPath))
      else (event.reason === "Requested" ? printText : note)(formatter.formatHelpDoc(event.helpDoc))
    })
}

const usageLine = (problem: string, command: ReadonlyArray<string>): string =>
  refusalLine(`${problem} (${command.join(" ")} --help)`)

/**
 * `--help` is handled before the other words are checked, so that an unknown command would show the help of the command
 * above it.
 */
const unknownCommand = (args: ReadonlyArray<string>): string | undefined => {
  const words = args.filter(
    (word, i) => !word.startsWith("-") && !["--database-url", "--data-dir"].includes(args[i - 1] ?? "")
  )
  const path: Array<string> = []
  let at: Command.Command.Any = commerce
  for (const word of words) {
    path.push(at.name)
    const below: ReadonlyArray<Command.Command.Any> = at.subcommands.flatMap(({ commands }) => commands)
    const next = below.find(({ name }) => name === word)
    if (next === undefined)
      return below.length === 0 ? undefined : usageLine(`Unknown subcommand "${word}" for "${path.join(" ")}"`, path)
    at = next
  }
  return undefined
}

const asksForHelp = (args: ReadonlyArray<string>): boolean => args.includes("--help") || args.includes("-h")

const frame = Layer.mergeAll(
  NodeServices.layer,
  CliOutput.layerPresenter(presenter),
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
)

/** Ends the process when the command has ended. */
export const runCommerce = async (args: ReadonlyArray<string>): Promise<never> => {
  // A reader that closes the pipe, such as `head`, is not a failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))

  const unknown = asksForHelp(args) ? unknownCommand(args) : undefined
  if (unknown !== undefined) {
    note(unknown)
    process.exit(2)
  }
  const exit = await Effect.runPromiseExit(
    Command.runWith(commerce, { version: version() })(args).pipe(Effect.provide(frame))
  )
  if (Exit.isFailure(exit)) {
    const error = Cause.squash(exit.cause)
    if (!CliError.isCliError(error)) note(refusalLine(error instanceof Error ? error.message : String(error)))
    process.exitCode = error instanceof WrongUsage || CliError.isCliError(error) ? 2 : 1
  }
  await flushed()
  // Sockets that linger must not keep a finished command alive.
  process.exit()
}
