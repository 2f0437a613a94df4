import { Option, Record } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { note, printJson, printLines } from "../print.ts"
import { settingFlags } from "../root.ts"
import { runCommand, withFlags } from "../runCommand.ts"
import { placeFlags } from "./placeFlags.ts"

const work = () => import("../stores.ts")
const id = Argument.String("id").pipe(Argument.withDescription("The store's id, store_…"))

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the store")),
    ...placeFlags,
    account: Flag.String("account").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("The account that owns it; a new one by default"),
      Flag.optional
    )
  },
  ({ account, ...input }) =>
    runCommand(async (settings) =>
      (await work()).createStore(settings, { ...input, accountId: Option.getOrUndefined(account) })
    )
).pipe(
  Command.withDescription(
    "Creates a store, and an account unless one is named. It has no sales channel and no key yet: `channel create` " +
      "and `keys create` make them."
  ),
  Command.withExamples([
    {
      command: "commerce store create --name 'Outlet' --currency EUR --country DE --account acct_…",
      description: "A second store of the account"
    }
  ])
)

const list = Command.make("list", {}, () => runCommand(async (settings) => (await work()).listStores(settings))).pipe(
  Command.withDescription("Lists the stores, oldest first."),
  Command.withExamples([{ command: "commerce store list --json", description: "For scripts" }])
)

const suspend = Command.make("suspend", { id }, (input) =>
  runCommand(async (settings) => (await work()).suspendStore(settings, input.id, true))
).pipe(
  Command.withDescription(
    "Makes a store answer 403 STORE_SUSPENDED on every surface, within five seconds in servers that run."
  ),
  Command.withExamples([
    { command: "commerce store suspend store_…", description: "Until `commerce store resume store_…`" }
  ])
)

const resume = Command.make("resume", { id }, (input) =>
  runCommand(async (settings) => (await work()).suspendStore(settings, input.id, false))
).pipe(
  Command.withDescription("Ends a suspension."),
  Command.withExamples([{ command: "commerce store resume store_…", description: "The store answers again" }])
)

const quotaFlag = (name: string, what: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("n"),
    Flag.withDescription(`${what}, or none for no limit; unchanged unless given`),
    Flag.optional
  )

const quota = Command.make(
  "quota",
  {
    id,
    products: quotaFlag("products", "Products that the store may have"),
    ordersPerMonth: quotaFlag("orders-per-month", "Orders that it may get in a calendar month (UTC)"),
    storageMb: quotaFlag("storage-mb", "Megabytes of files that it may keep")
  },
  ({ id: storeId, ...quotas }) =>
    runCommand(async (settings) =>
      (await work()).setQuotas(settings, storeId, Record.map(quotas, Option.getOrUndefined))
    )
).pipe(
  Command.withDescription(
    "Sets what a store may have, and shows what it has. By default it may keep 5120 MB (5 GiB) of files, and nothing " +
      "else is limited. A product or an upload beyond a quota answers 402 PLAN_LIMIT_REACHED, an order 402 " +
      "PLAN_ORDERS_EXHAUSTED, within five seconds in servers that run. What is there already stays, and money that " +
      "was asked for before always becomes an order. The quota of products holds for `commerce seed` too. What " +
      "shoppers have uploaded and nothing names has a limit of its own, 256 MiB."
  ),
  Command.withExamples([
    {
      command: "commerce store quota store_… --products 1000 --orders-per-month 500",
      description: "At most 1,000 products, and 500 orders a month"
    },
    { command: "commerce store quota store_… --storage-mb none", description: "As many files as there is room for" }
  ])
)

const transfer = () => import("../transferStore.ts")

const exported = Command.make(
  "export",
  {
    id,
    out: Flag.String("out").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription(
        "Where to; standard output by default, whose reader should be quick: the snapshot stays open until it has " +
          "read everything, and keeps old rows from being tidied up. The file has its name once it is whole"
      ),
      Flag.optional
    ),
    anonymise: Flag.Boolean("anonymise").pipe(
      Flag.withDescription("A copy for staging: people are made up, secrets left out, channels set to test"),
      Flag.withDefault(false)
    ),
    media: Flag.Boolean("media").pipe(
      Flag.withDescription("With the bytes of its pictures; without it copy the folder or the bucket yourself"),
      Flag.withDefault(false)
    )
  },
  ({ out, ...flags }) =>
    withFlags(async (shared) => {
      const { checkExportFlags, exportStore, tellExported, underWayLine } = await transfer()
      const file = Option.getOrUndefined(out)
      checkExportFlags(file, shared.json)
      const { readSettings } = await import("../Settings.ts")
      const done = await exportStore(readSettings(settingFlags(shared)), { ...flags, out: file })
      if (shared.json) printJson(done)
      else note(tellExported(done))
      const underWay = underWayLine(done)
      if (underWay !== undefined) note(underWay)
    })
).pipe(
  Command.withDescription(
    "Writes everything that a store owns as NDJSON: one snapshot, one row a line, with the counts and a checksum at " +
      "the end. It may run while the store sells; what is sold afterwards is not in it. Keys, people of the " +
      "dashboard and tokens of apps stay behind. Secrets are written as they are sealed: they open where " +
      "COMMERCE_SECRET is the same."
  ),
  Command.withExamples([
    {
      command: "commerce store export store_… --out shop.ndjson --media",
      description: "To move it to another database"
    },
    { command: "commerce store export store_… --anonymise --out staging.ndjson", description: "A copy for staging" },
    { command: "commerce store export store_… | gzip > shop.ndjson.gz", description: "Compressed" }
  ])
)

const imported = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(Argument.withDescription("What `store export` has written")),
    account: Flag.String("account").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("The account that is to own it; a new one by default"),
      Flag.optional
    )
  },
  ({ file, account }) =>
    withFlags(async (shared) => {
      const { importLines, importStore } = await transfer()
      const { readSettings } = await import("../Settings.ts")
      const done = await importStore(readSettings(settingFlags(shared)), file, Option.getOrUndefined(account))
      if (shared.json) printJson(done)
      else printLines(importLines(done))
    })
).pipe(
  Command.withDescription(
    "Makes a store from a file of `store export`, with the same ids: all of it, or nothing. The database must have " +
      "the schema that the file was written with, and no store of that id. No mail and no webhook that was due is " +
      "sent. Lists what is to be made again: keys, log-ins, tokens of apps, and secrets if COMMERCE_SECRET is another."
  ),
  Command.withExamples([
    { command: "commerce store import shop.ndjson", description: "With an account of its own" },
    {
      command: "commerce store import shop.ndjson --account acct_… --json",
      description: "{ id, accountId, name, anonymised, rows, files, again }"
    }
  ])
)

export const store = Command.make("store").pipe(
  Command.withDescription("Creates, lists, limits, suspends and resumes stores, and moves them to another database."),
  Command.withSubcommands([create, list, quota, suspend, resume, exported, imported])
)
