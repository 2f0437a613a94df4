import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { AppMinted } from "../apps.ts"
import { table } from "../print.ts"
import { runCommand } from "../runCommand.ts"

const work = () => import("../apps.ts")
const store = Flag.String("store").pipe(
  Flag.withMetavar("id"),
  Flag.withDescription("The store; may be left out where there is one"),
  Flag.optional
)

const install = Command.make(
  "install",
  {
    store,
    name: Flag.String("name").pipe(Flag.withDescription("What the app is called, once in a store")),
    scope: Flag.String("scope").pipe(
      Flag.withDescription(
        "What its manifest asks for: mappings:read, mappings:write, mappings:* or config:write; repeat for more"
      ),
      Flag.atLeast(0)
    ),
    tier: Flag.Literals("tier", ["first-party", "connector", "other"]).pipe(
      Flag.withDescription("1,000, 500 or 100 requests a minute; other by default"),
      Flag.withDefault("other")
    )
  },
  (flags) =>
    runCommand(
      async (settings) =>
        (await work()).installApp(settings, {
          storeId: Option.getOrUndefined(flags.store),
          name: flags.name,
          scopes: flags.scope,
          tier: flags.tier
        }),
      {
        lines: ({ installationId, token }: AppMinted) => [
          `installation  ${installationId}`,
          `token         ${token}`,
          "The token is shown this once: give it to the app."
        ]
      }
    )
).pipe(
  Command.withDescription(
    "Installs an app and shows its token once. The token opens /v1/installations/{installationId}/… and nothing " +
      "else, with the scopes of the app's manifest. It works at once in servers that run. The wildcard * is refused."
  ),
  Command.withExamples([
    {
      command:
        "commerce app install --store store_… --name 'Fulfilment connector' --scope 'mappings:*' --scope config:write",
      description: "An app that maps products and receives events"
    },
    {
      command: "commerce app install --name 'Shop sync' --scope 'mappings:*' --tier connector",
      description: "A connector of another platform, with 500 requests a minute"
    }
  ])
)

const list = Command.make("list", { store }, (flags) =>
  runCommand(async (settings) => (await work()).listApps(settings, Option.getOrUndefined(flags.store)), {
    lines: (rows) =>
      table(
        rows.map(({ installationId, tokenPrefix, tier, name, scopes }) => ({
          id: installationId,
          token: `${tokenPrefix}…`,
          tier,
          name,
          scopes
        }))
      )
  })
).pipe(
  Command.withDescription("Lists the installed apps of a store, newest first; their tokens cannot be shown again."),
  Command.withExamples([{ command: "commerce app list --store store_…", description: "Those of one store" }])
)

const remove = Command.make(
  "remove",
  { id: Argument.String("id").pipe(Argument.withDescription("The installation's id, inst_…")), store },
  (flags) =>
    runCommand(async (settings) => (await work()).removeApp(settings, Option.getOrUndefined(flags.store), flags.id))
).pipe(
  Command.withDescription(
    "Removes an app: its token ends within five seconds in servers that run, and its secrets, mappings and events " +
      "are deleted."
  ),
  Command.withExamples([{ command: "commerce app remove inst_…", description: "For good" }])
)

export const app = Command.make("app").pipe(
  Command.withDescription("Installs, lists and removes apps of a store."),
  Command.withSubcommands([install, list, remove])
)
