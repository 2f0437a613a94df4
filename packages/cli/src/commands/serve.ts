import { Command, Flag } from "effect/cli"
import { Option } from "effect"
import { Effect } from "effect"
import { root, settingFlags } from "../root.ts"

export const serve = Command.make(
  "serve",
  {
    host: Flag.String("host").pipe(Flag.withDescription("Address to listen on; 127.0.0.1 unless told"), Flag.optional),
    port: Flag.Int("port").pipe(Flag.withDescription("Port to listen on; 4000 unless told"), Flag.optional),
    role: Flag.Literals("role", ["all", "api", "worker"]).pipe(Flag.withDescription("api answers requests, worker does the background work"), Flag.withDefault("all")),
    demo: Flag.Boolean("demo").pipe(Flag.withDescription("On the first run, fill the new store with the demo catalogue"), Flag.withDefault(false))
  },
  ({ host, port, role, demo }) =>
    Effect.flatMap(root, (flags) =>
      Effect.promise(async () => {
        const { readSettings } = await import("../Settings.ts")
        const settings = readSettings({ ...settingFlags(flags), host: Option.getOrUndefined(host), port: Option.getOrUndefined(port) })
        const { serveCommerce } = await import("../serveCommerce.ts")
        await serveCommerce(settings, { role, demo })
      })
    )
).pipe(
  Command.withDescription(
    "Starts the API and the workers. On an empty embedded database it sets up a store first and shows the admin key once. SIGTERM ends it after the requests under way."
  )
)
