import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { OwnerRow } from "../owners.ts"
import { runCommand } from "../runCommand.ts"

const work = () => import("../owners.ts")
const store = Flag.String("store").pipe(
  Flag.withMetavar("id"),
  Flag.withDescription("The store; may be left out if there is one"),
  Flag.optional
)
const email = Flag.String("email").pipe(Flag.withDescription("E-mail address of the person"))
const password = Flag.String("password").pipe(
  Flag.withDescription("The password; without it one is made and shown once"),
  Flag.optional
)

const shownOnce = {
  lines: ({ email: address, password: made }: OwnerRow) => [
    `owner     ${address}`,
    ...(made === undefined ? [] : [`password  ${made}`, "The password is shown this once: keep it."])
  ]
}

const list = Command.make("list", { store }, (flags) =>
  runCommand(async (settings) => (await work()).listTeam(settings, Option.getOrUndefined(flags.store)))
).pipe(
  Command.withDescription("Lists the people in a store's team, with their roles, and who is invited."),
  Command.withExamples([{ command: "commerce owner list --store store_…", description: "Who may log in" }])
)

const add = Command.make("add", { store, email, password }, (flags) =>
  runCommand(
    async (settings) =>
      (await work()).addOwner(settings, Option.getOrUndefined(flags.store), {
        email: flags.email,
        password: Option.getOrUndefined(flags.password)
      }),
    shownOnce
  )
).pipe(
  Command.withDescription(
    "Makes a person an owner of a store, without an invitation. A person who has a password keeps it."
  ),
  Command.withExamples([
    { command: "commerce owner add --store store_… --email ada@example.com", description: "For a store without a team" }
  ])
)

const setPassword = Command.make("password", { email, password }, (flags) =>
  runCommand(
    async (settings) =>
      (await work()).setOwnerPassword(settings, {
        email: flags.email,
        password: Option.getOrUndefined(flags.password)
      }),
    shownOnce
  )
).pipe(
  Command.withDescription("Sets a new password for a person of the dashboard, and ends all their sessions at once."),
  Command.withExamples([
    { command: "commerce owner password --email ada@example.com", description: "For an owner who is locked out" }
  ])
)

export const owner = Command.make("owner").pipe(
  Command.withDescription("People of the dashboard: who may log in, owners of a store, forgotten passwords."),
  Command.withSubcommands([list, add, setPassword])
)
