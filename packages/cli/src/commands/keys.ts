import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { KeyRow } from "../keys.ts"
import { table } from "../print.ts"
import { runCommand } from "../runCommand.ts"

const work = () => import("../keys.ts")
const id = Argument.String("id").pipe(Argument.withDescription("The key's id, key_…"))
const store = Flag.String("store").pipe(
  Flag.withMetavar("id"),
  Flag.withDescription("Works for this store"),
  Flag.optional
)
const account = Flag.String("account").pipe(
  Flag.withMetavar("id"),
  Flag.withDescription("Works for every store of this account"),
  Flag.optional
)

const json = <A extends KeyRow>({ name: _name, storeId: _storeId, accountId: _accountId, ...row }: A) => row
const shownOnce = {
  json,
  lines: (made: KeyRow & { readonly key: string }) => [
    `id   ${made.id}`,
    `key  ${made.key}`,
    "The key is shown this once: keep it."
  ]
}

const create = Command.make(
  "create",
  {
    store,
    account,
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for")),
    scope: Flag.String("scope").pipe(
      Flag.withDescription("Such as products:read or orders:*; repeat for more"),
      Flag.atLeast(0)
    ),
    everyScope: Flag.Boolean("every-scope").pipe(
      Flag.withDescription("In place of --scope: every resource, for reading and writing, as the key of init has"),
      Flag.withDefault(false)
    ),
    tier: Flag.Literals("tier", ["FREE", "PRO", "GROWTH", "ENTERPRISE"]).pipe(
      Flag.withDescription("60, 500, 2,000 or 10,000 requests a minute; FREE by default"),
      Flag.withDefault("FREE")
    ),
    rateLimit: Flag.Int("rate-limit").pipe(
      Flag.withMetavar("count"),
      Flag.withDescription("Requests a minute, in place of the tier's"),
      Flag.optional
    ),
    expiresAt: Flag.String("expires-at").pipe(
      Flag.withMetavar("time"),
      Flag.withDescription("ISO 8601 time at which the key ends, such as 2030-01-31T12:00:00Z"),
      Flag.optional
    )
  },
  (flags) =>
    runCommand(
      async (settings) =>
        (await work()).createKey(settings, {
          storeId: Option.getOrUndefined(flags.store),
          accountId: Option.getOrUndefined(flags.account),
          name: flags.name,
          scopes: flags.scope,
          everyScope: flags.everyScope,
          tier: flags.tier,
          rateLimit: Option.getOrUndefined(flags.rateLimit),
          expiresAt: Option.getOrUndefined(flags.expiresAt)
        }),
      shownOnce
    )
).pipe(
  Command.withDescription(
    "Mints an admin key and shows it once. It works at once in servers that run. A key is for one store or for all " +
      "stores of an account; neither may be left out unless there is one store. The wildcard * is refused."
  ),
  Command.withExamples([
    {
      command: "commerce keys create --store store_… --name ERP --scope products:read --scope 'orders:*'",
      description: "A key for an ERP system"
    },
    {
      command: "commerce keys create --name admin --every-scope",
      description: "In place of the first key, where that is lost and there is one store"
    },
    {
      command:
        "commerce keys create --account acct_… --name BI --scope orders:read --tier PRO --expires-at " +
        "2030-01-01T00:00:00Z",
      description: "All stores, until then"
    }
  ])
)

const list = Command.make("list", { store, account }, (flags) =>
  runCommand(
    async (settings) =>
      (await work()).listKeys(settings, {
        storeId: Option.getOrUndefined(flags.store),
        accountId: Option.getOrUndefined(flags.account)
      }),
    {
      json: (rows) => rows.map(json),
      lines: (rows) =>
        table(
          rows.map(({ id: of, keyPrefix, tier, expiresAt, storeId, accountId, name, scopes }) => ({
            id: of,
            key: `${keyPrefix}…`,
            tier,
            expires: expiresAt,
            for: storeId ?? accountId,
            name,
            scopes
          }))
        )
    }
  )
).pipe(
  Command.withDescription(
    "Lists the keys that are not revoked, oldest first; the keys themselves cannot be shown again."
  ),
  Command.withExamples([{ command: "commerce keys list --store store_…", description: "Those of one store" }])
)

const rotate = Command.make(
  "rotate",
  {
    id,
    overlapHours: Flag.Int("overlap-hours").pipe(
      Flag.withMetavar("hours"),
      Flag.withDescription("How long the old key stays valid; 0 ends it at once; 24 by default"),
      Flag.withDefault(24)
    )
  },
  (flags) => runCommand(async (settings) => (await work()).rotateKey(settings, flags.id, flags.overlapHours), shownOnce)
).pipe(
  Command.withDescription("Replaces a key by a new one with the same rights, shown once."),
  Command.withExamples([
    { command: "commerce keys rotate key_… --overlap-hours 48", description: "Two days to change over" }
  ])
)

const revoke = Command.make("revoke", { id }, (flags) =>
  runCommand(async (settings) => (await work()).revokeKey(settings, flags.id))
).pipe(
  Command.withDescription("Ends a key, within five seconds in servers that run."),
  Command.withExamples([{ command: "commerce keys revoke key_…", description: "For good" }])
)

export const keys = Command.make("keys").pipe(
  Command.withDescription("Mints, lists, rotates and revokes admin keys."),
  Command.withSubcommands([create, list, rotate, revoke])
)
