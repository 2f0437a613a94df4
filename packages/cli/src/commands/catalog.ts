import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { runCommand } from "../runCommand.ts"

const rebuild = Command.make(
  "rebuild",
  {
    store: Flag.String("store").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("This store alone; every store when absent"),
      Flag.optional
    )
  },
  ({ store }) =>
    runCommand(async (settings) =>
      (await import("../rebuildCatalog.ts")).rebuildCatalog(settings, { storeId: Option.getOrUndefined(store) })
    )
).pipe(
  Command.withDescription(
    "Composes anew what storefronts read of each product: its row in lists and its document. They are written with " +
      "the product, so this is for when `commerce audit` finds that they differ. It may run while the service sells, " +
      "and may be ended at any time: a server composes what is left."
  ),
  Command.withExamples([
    { command: "commerce catalog rebuild", description: "Every store" },
    { command: "commerce catalog rebuild --store store_… --json", description: "{ products }" }
  ])
)

export const catalog = Command.make("catalog").pipe(
  Command.withDescription("What storefronts read of the catalogue."),
  Command.withSubcommands([rebuild])
)
