#!/usr/bin/env node
/** The `commerce` command. Exit code 0 done, 1 refused or failed with one line, 2 wrong usage. Nothing heavy is loaded before a command needs it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit } from "effect"
import { CliError, Command } from "effect/cli"
import { channel } from "./commands/channel.ts"
import { init } from "./commands/init.ts"
import { keys } from "./commands/keys.ts"
import { migrate } from "./commands/migrate.ts"
import { openapi } from "./commands/openapi.ts"
import { seed } from "./commands/seed.ts"
import { serve } from "./commands/serve.ts"
import { store } from "./commands/store.ts"
import { webhook } from "./commands/webhook.ts"
import { note } from "./print.ts"
import { Refused, WrongUsage } from "./Refused.ts"
import { root } from "./root.ts"

const commerce = root.pipe(Command.withSubcommands([init, serve, migrate, seed, store, channel, keys, webhook, openapi]))

const exit = await Effect.runPromiseExit(Command.runWith(commerce, { version: "0.1.0" })(process.argv.slice(2)).pipe(Effect.provide(NodeServices.layer)))
if (Exit.isFailure(exit)) {
  const error = Cause.squash(exit.cause)
  if (error instanceof WrongUsage) note(error.message)
  else if (error instanceof Refused) note(error.message)
  else if (!CliError.isCliError(error)) note(error instanceof Error ? error.message : String(error))
  process.exitCode = error instanceof WrongUsage || CliError.isCliError(error) ? 2 : 1
}
// An embedded server's child and idle sockets must not keep a finished command alive.
process.exit()
