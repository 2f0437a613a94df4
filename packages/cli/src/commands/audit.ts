import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { settingFlags } from "../root.ts"
import { withFlags } from "../runCommand.ts"

export const audit = Command.make(
  "audit",
  {
    store: Flag.String("store").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("This store alone; every store when absent"),
      Flag.optional
    )
  },
  ({ store }) =>
    withFlags(async (flags) => {
      const { readSettings } = await import("../Settings.ts")
      const { auditBooks } = await import("../auditBooks.ts")
      await auditBooks(readSettings(settingFlags(flags)), { storeId: Option.getOrUndefined(store), json: flags.json })
    })
).pipe(
  Command.withDescription(
    "Checks the books: stock against its movements, orders against their lines, payments and events, money against " +
      "the provider's. Reads one snapshot, changes nothing, and may run while the service sells. Exits 1 where a law " +
      "is broken and names the row, what it says and what it should say; amounts are minor units."
  ),
  Command.withExamples([
    { command: "commerce audit", description: "Every store" },
    {
      command: "commerce audit --store store_… --json",
      description: "[{ law, says, storeId, table, id, expected, found }]"
    }
  ])
)
