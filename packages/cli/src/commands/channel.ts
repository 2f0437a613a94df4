import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { table } from "../print.ts"
import { runCommand } from "../runCommand.ts"

const work = () => import("../channels.ts")
const scopes = ["storefrontRead", "cart", "customerAuth", "ordersWrite"] as const
const domain = Flag.String("domain").pipe(
  Flag.withMetavar("host"),
  Flag.withDescription("Host name of the storefront, such as shop.example.com; its subdomains are admitted too"),
  Flag.optional
)
const mode = Flag.Literals("mode", ["live", "test"]).pipe(
  Flag.withDescription("live admits its domain only; test, while it has no domain, admits any page"),
  Flag.optional
)
const disable = Flag.Literals("disable", scopes).pipe(
  Flag.withDescription("Switches a part of the channel off; repeat for more"),
  Flag.atLeast(0)
)

const create = Command.make(
  "create",
  {
    store: Flag.String("store").pipe(Flag.withMetavar("id"), Flag.withDescription("The store's id")),
    name: Flag.String("name").pipe(Flag.withDescription("Name of the channel")),
    domain,
    mode,
    disable
  },
  (flags) =>
    runCommand(async (settings) =>
      (await work()).createChannel(settings, flags.store, {
        name: flags.name,
        domain: Option.getOrUndefined(flags.domain),
        mode: Option.getOrUndefined(flags.mode),
        disable: flags.disable,
        enable: []
      })
    )
).pipe(
  Command.withDescription(
    "Creates a sales channel, in test mode by default: one storefront of a store, called by browsers from its domain."
  ),
  Command.withExamples([
    {
      command: "commerce channel create --store store_… --name Web --domain shop.example.com --mode live",
      description: "A storefront that sells"
    },
    {
      command: "commerce channel create --store store_… --name Lookbook --disable cart --disable ordersWrite",
      description: "One that only shows"
    }
  ])
)

const list = Command.make(
  "list",
  {
    store: Flag.String("store").pipe(Flag.withMetavar("id"), Flag.withDescription("Of this store only"), Flag.optional)
  },
  (flags) =>
    runCommand(async (settings) => (await work()).listChannels(settings, Option.getOrUndefined(flags.store)), {
      lines: (channels) =>
        table(
          channels.map(({ id, storeId, mode: kind, domain: host, name }) => ({
            id,
            store: storeId,
            mode: kind,
            domain: host,
            name
          }))
        )
    })
).pipe(
  Command.withDescription("Lists sales channels, oldest first."),
  Command.withExamples([{ command: "commerce channel list --store store_…", description: "Those of one store" }])
)

const update = Command.make(
  "update",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The channel's id, vc_…")),
    name: Flag.String("name").pipe(Flag.withDescription("A new name"), Flag.optional),
    domain,
    mode,
    disable,
    enable: Flag.Literals("enable", scopes).pipe(
      Flag.withDescription("Switches a part of the channel on; repeat for more"),
      Flag.atLeast(0)
    )
  },
  (flags) =>
    runCommand(async (settings) =>
      (await work()).updateChannel(settings, flags.id, {
        name: Option.getOrUndefined(flags.name),
        domain: Option.getOrUndefined(flags.domain),
        mode: Option.getOrUndefined(flags.mode),
        disable: flags.disable,
        enable: flags.enable
      })
    )
).pipe(
  Command.withDescription(
    "Changes what is named of a sales channel, within five seconds in servers that run. An empty --domain clears it."
  ),
  Command.withExamples([
    { command: "commerce channel update vc_… --mode live --domain shop.example.com", description: "Going live" }
  ])
)

export const channel = Command.make("channel").pipe(
  Command.withDescription("Creates, lists and changes sales channels."),
  Command.withSubcommands([create, list, update])
)
