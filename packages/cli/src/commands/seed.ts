import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { runCommand } from "../runCommand.ts"
import { sectionNames } from "../seed/sections.ts"

export const seed = Command.make(
  "seed",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("A store description in JSON; - reads standard input"),
      Argument.optional
    ),
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription(
        "The demo store in place of a file: more than 200 goods with pictures, kits, reviews and German names"
      ),
      Flag.withDefault(false)
    ),
    store: Flag.String("store").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("The store to fill; may be left out where there is one"),
      Flag.optional
    )
  },
  ({ file, demo, store }) =>
    runCommand(
      async (settings) =>
        (await import("../seedStore.ts")).seedStore(settings, {
          file: Option.getOrUndefined(file),
          demo,
          storeId: Option.getOrUndefined(store)
        }),
      {
        lines: ({ created, updated }) =>
          Object.keys(created).map(
            (kind) => `${kind.padEnd(22)}${created[kind]} created, ${updated[kind] ?? 0} updated`
          )
      }
    )
).pipe(
  Command.withDescription(
    `Loads a store description, all of it or nothing: { ${sectionNames.join(", ")} }, ` +
      "each a list of the API's create bodies plus externalId. Rows that are there already, by " +
      "externalId, are brought up to date; stock, a customer's addresses and the words of a review are set at first " +
      "and left alone from then on."
  ),
  Command.withExamples([
    { command: "commerce seed --demo", description: "Something to look at" },
    {
      command: "commerce seed catalogue.json --store store_…",
      description: `{"products":[{"externalId":"tea","name":"Tea","basePrice":"4.50","inventory":{"total":100}}]}`
    }
  ])
)
