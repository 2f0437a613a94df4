import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { runCommand } from "../runCommand.ts"
import { placeFlags } from "./placeFlags.ts"

export const init = Command.make(
  "init",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the store"), Flag.withDefault("My store")),
    ...placeFlags,
    email: Flag.String("email").pipe(
      Flag.withDescription("E-mail address of the dashboard's owner; needs --password"),
      Flag.optional
    ),
    password: Flag.String("password").pipe(
      Flag.withDescription("The owner's password; without it one is made and shown once"),
      Flag.optional
    )
  },
  ({ email, password, ...store }) =>
    runCommand(
      async (settings) => {
        const { checkSetUp, setUpInstallation } = await import("../setUp.ts")
        const asked = checkSetUp({
          ...store,
          email: Option.getOrUndefined(email),
          password: Option.getOrUndefined(password)
        })
        return setUpInstallation(settings, asked)
      },
      {
        lines: (made) => [
          `account        ${made.accountId}`,
          `store          ${made.storeId}`,
          `sales channel  ${made.salesChannelId}`,
          `owner          ${made.ownerEmail}`,
          `admin key      ${made.apiKey}`,
          "The admin key is shown this once: keep it.",
          ...(made.ownerPassword === undefined
            ? []
            : [`The owner's password for the dashboard, shown this once too: ${made.ownerPassword}`])
        ]
      }
    )
).pipe(
  Command.withDescription(
    "Migrates the database, then creates an account, a store, a test-mode sales channel, an admin key with every " +
      "scope, shown once, and the dashboard's owner. Refuses to do it twice: `commerce store create` adds stores."
  ),
  Command.withExamples([
    { command: "commerce init", description: "A store in US dollars in .commerce" },
    {
      command: "commerce init --name 'Corner shop' --currency EUR --country DE --email ada@example.com --password …",
      description: "A German store and its owner"
    }
  ])
)
