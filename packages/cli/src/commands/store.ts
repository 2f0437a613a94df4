import { Argument, Command, Flag } from "effect/cli"
import { Option } from "effect"
import { runCommand } from "../runCommand.ts"

const work = () => import("../stores.ts")
const id = Argument.String("id").pipe(Argument.withDescription("The store's id"))

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the store")),
    currency: Flag.String("currency").pipe(Flag.withDescription("ISO 4217 code"), Flag.withDefault("USD")),
    country: Flag.String("country").pipe(Flag.withDescription("ISO 3166-1 alpha-2 code"), Flag.withDefault("US")),
    account: Flag.String("account").pipe(Flag.withDescription("The account that owns it; a new one unless told"), Flag.optional)
  },
  ({ account, ...input }) => runCommand(async (settings) => (await work()).createStore(settings, { ...input, accountId: Option.getOrUndefined(account) }))
).pipe(Command.withDescription("Creates a store, and an account unless one is named."))

const list = Command.make("list", {}, () => runCommand(async (settings) => (await work()).listStores(settings))).pipe(Command.withDescription("Lists the stores."))

const suspend = Command.make("suspend", { id }, (input) => runCommand(async (settings) => (await work()).suspendStore(settings, input.id, true))).pipe(
  Command.withDescription("Makes a store answer 403 STORE_SUSPENDED on every surface.")
)

const resume = Command.make("resume", { id }, (input) => runCommand(async (settings) => (await work()).suspendStore(settings, input.id, false))).pipe(
  Command.withDescription("Ends a suspension.")
)

export const store = Command.make("store").pipe(Command.withDescription("Creates, lists, suspends and resumes stores."), Command.withSubcommands([create, list, suspend, resume]))
