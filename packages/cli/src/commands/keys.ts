import { Argument, Command, Flag } from "effect/cli"
import { Option } from "effect"
import { runCommand } from "../runCommand.ts"

const work = () => import("../keys.ts")
const id = Argument.String("id").pipe(Argument.withDescription("The key's id"))
const store = Flag.String("store").pipe(Flag.withDescription("Works for this store"), Flag.optional)
const account = Flag.String("account").pipe(Flag.withDescription("Works for every store of this account"), Flag.optional)

const create = Command.make(
  "create",
  {
    store,
    account,
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for")),
    scope: Flag.String("scope").pipe(Flag.withDescription("Such as products:read or orders:*; repeat for more"), Flag.atLeast(1)),
    tier: Flag.Literals("tier", ["FREE", "PRO", "GROWTH", "ENTERPRISE"]).pipe(Flag.withDescription("60, 500, 2,000 or 10,000 requests a minute"), Flag.withDefault("FREE")),
    rateLimit: Flag.Int("rate-limit").pipe(Flag.withDescription("Requests a minute, in place of the tier's"), Flag.optional),
    expiresAt: Flag.String("expires-at").pipe(Flag.withDescription("ISO 8601 time after which the key is not valid"), Flag.optional)
  },
  (flags) =>
    runCommand(async (settings) =>
      (await work()).createKey(settings, {
        storeId: Option.getOrUndefined(flags.store),
        accountId: Option.getOrUndefined(flags.account),
        name: flags.name,
        scopes: flags.scope,
        tier: flags.tier,
        rateLimit: Option.getOrUndefined(flags.rateLimit),
        expiresAt: Option.getOrUndefined(flags.expiresAt)
      })
    )
).pipe(
  Command.withDescription("Mints an admin key; it is shown once. The wildcard * is refused."),
  Command.withExamples([{ command: "commerce keys create --store store_… --name 'ERP' --scope products:read --scope orders:*", description: "A key for an ERP system" }])
)

const list = Command.make("list", { store, account }, (flags) =>
  runCommand(async (settings) => (await work()).listKeys(settings, { storeId: Option.getOrUndefined(flags.store), accountId: Option.getOrUndefined(flags.account) }))
).pipe(Command.withDescription("Lists the keys that are not revoked; the keys themselves cannot be shown again."))

const rotate = Command.make(
  "rotate",
  { id, overlapHours: Flag.Int("overlap-hours").pipe(Flag.withDescription("How long the old key goes on; 0 ends it at once"), Flag.withDefault(24)) },
  (flags) => runCommand(async (settings) => (await work()).rotateKey(settings, flags.id, flags.overlapHours))
).pipe(Command.withDescription("Replaces a key by a new one with the same rights."))

const revoke = Command.make("revoke", { id }, (flags) => runCommand(async (settings) => (await work()).revokeKey(settings, flags.id))).pipe(
  Command.withDescription("Ends a key.")
)

export const keys = Command.make("keys").pipe(Command.withDescription("Mints, lists, rotates and revokes admin keys."), Command.withSubcommands([create, list, rotate, revoke]))
