import { Argument, Command, Flag } from "effect/cli"
import { Option } from "effect"
import { runCommand } from "../runCommand.ts"

const work = () => import("../channels.ts")
const scopes = ["storefrontRead", "cart", "customerAuth", "ordersWrite"] as const
const domain = Flag.String("domain").pipe(Flag.withDescription("Host name of the storefront; its subdomains are admitted too"), Flag.optional)
const mode = Flag.Literals("mode", ["live", "test"]).pipe(Flag.withDescription("live needs an Origin; test takes any while no domain is set"), Flag.optional)
const disable = Flag.Literals("disable", scopes).pipe(Flag.withDescription("Switches a part of the channel off; repeat for more"), Flag.atLeast(0))

const create = Command.make(
  "create",
  {
    store: Flag.String("store").pipe(Flag.withDescription("The store's id")),
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
        disable: flags.disable
      })
    )
).pipe(Command.withDescription("Creates a sales channel, in test mode unless told."))

const list = Command.make("list", { store: Flag.String("store").pipe(Flag.withDescription("Of this store only"), Flag.optional) }, (flags) =>
  runCommand(async (settings) => (await work()).listChannels(settings, Option.getOrUndefined(flags.store)))
).pipe(Command.withDescription("Lists sales channels."))

const update = Command.make(
  "update",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The channel's id, vc_…")),
    name: Flag.String("name").pipe(Flag.withDescription("A new name"), Flag.optional),
    domain,
    mode,
    disable,
    enable: Flag.Literals("enable", scopes).pipe(Flag.withDescription("Switches a part of the channel on; repeat for more"), Flag.atLeast(0))
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
).pipe(Command.withDescription("Changes a sales channel; an empty --domain clears it."))

export const channel = Command.make("channel").pipe(Command.withDescription("Creates, lists and changes sales channels."), Command.withSubcommands([create, list, update]))
