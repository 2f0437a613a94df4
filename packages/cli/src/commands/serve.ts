import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { settingFlags } from "../root.ts"
import { withFlags } from "../runCommand.ts"

export const serve = Command.make(
  "serve",
  {
    host: Flag.String("host").pipe(
      Flag.withMetavar("address"),
      Flag.withDescription("Address to listen on; 127.0.0.1 by default (COMMERCE_HOST)"),
      Flag.optional
    ),
    port: Flag.Int("port").pipe(
      Flag.withMetavar("port"),
      Flag.withDescription("Port to listen on, 0 for any that is free; 4000 by default (COMMERCE_PORT)"),
      Flag.optional
    ),
    role: Flag.Literals("role", ["all", "api", "worker"]).pipe(
      Flag.withDescription("api answers requests, worker does the background work, all does both"),
      Flag.withDefault("all")
    ),
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription(
        "On an empty database, make a store and fill it with more than 200 goods, taxes and shipping zones"
      ),
      Flag.withDefault(false)
    )
  },
  ({ host, port, role, demo }) =>
    withFlags(async (flags) => {
      const { readSettings } = await import("../Settings.ts")
      const settings = readSettings({
        ...settingFlags(flags),
        host: Option.getOrUndefined(host),
        port: Option.getOrUndefined(port),
        demo
      })
      const { serveCommerce } = await import("../serveCommerce.ts")
      await serveCommerce(settings, { role, demo })
    })
).pipe(
  Command.withDescription(
    "Starts the API and the workers. On an empty embedded database it sets up a store first and shows the ids and, " +
      "once, the admin key. SIGTERM and Ctrl-C end it after the requests under way. What is no flag here is a " +
      "variable, or stands in commerce.config.json: COMMERCE_PUBLIC_URL, COMMERCE_TRUSTED_PROXIES, " +
      "COMMERCE_RATE_LIMIT_PER_MINUTE, COMMERCE_SMTP_URL, COMMERCE_LOG_FORMAT and more (docs/guides/configuration.md)."
  ),
  Command.withExamples([
    { command: "commerce serve", description: "http://127.0.0.1:4000/api, data in .commerce" },
    {
      command: "commerce serve --host 0.0.0.0 --port 8080 --role api",
      description: "One of several behind a balancer, with DATABASE_URL and COMMERCE_SECRET"
    },
    { command: "commerce serve --demo", description: "With something to sell" }
  ])
)
