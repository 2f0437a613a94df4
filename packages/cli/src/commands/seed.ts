import { Argument, Command, Flag } from "effect/cli"
import { Option } from "effect"
import { runCommand } from "../runCommand.ts"

export const seed = Command.make(
  "seed",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A store description in JSON"), Argument.optional),
    demo: Flag.Boolean("demo").pipe(Flag.withDescription("The demo catalogue instead of a file"), Flag.withDefault(false)),
    store: Flag.String("store").pipe(Flag.withDescription("The store to fill; may be left out where there is one"), Flag.optional)
  },
  ({ file, demo, store }) =>
    runCommand(
      async (settings) => {
        const { seedStore } = await import("../seed.ts")
        return seedStore(settings, { file: Option.getOrUndefined(file), demo, storeId: Option.getOrUndefined(store) })
      },
      ({ created, updated }) => Object.keys(created).map((kind) => `${kind.padEnd(16)}${created[kind]} created, ${updated[kind] ?? 0} updated`)
    )
).pipe(
  Command.withDescription("Loads a store description, all of it or nothing; rows that are there already, by externalId, are brought up to date."),
  Command.withExamples([{ command: "commerce seed --demo", description: "More than 200 products, taxes and shipping zones" }])
)
