import { Command, Flag } from "effect/cli"
import { Option } from "effect"
import { runCommand } from "../runCommand.ts"

export const init = Command.make(
  "init",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the store"), Flag.withDefault("My store")),
    currency: Flag.String("currency").pipe(Flag.withDescription("ISO 4217 code, such as USD"), Flag.withDefault("USD")),
    country: Flag.String("country").pipe(Flag.withDescription("ISO 3166-1 alpha-2 code, such as US"), Flag.withDefault("US")),
    email: Flag.String("email").pipe(Flag.withDescription("E-mail address of the dashboard's owner"), Flag.withDefault("owner@localhost.localdomain")),
    password: Flag.String("password").pipe(Flag.withDescription("The owner's password; one is made and shown when absent"), Flag.optional)
  },
  ({ name, currency, country, email, password }) =>
    runCommand(async (settings) => {
      const { setUpInstallation } = await import("../setUp.ts")
      return setUpInstallation(settings, { name, currency, country, email, password: Option.getOrUndefined(password) })
    })
).pipe(
  Command.withDescription("Migrates the database, then creates an account, a store, a test-mode sales channel and an admin key, shown once. Refuses to do it twice."),
  Command.withExamples([{ command: "commerce init --name 'Corner shop' --currency EUR --country DE", description: "A German store" }])
)
