/** The server: a commerce back end behind node:http, from start to a stop that loses nothing. */
import "effect/schema/SchemaJITCompiler/enable"
import { createServer, type Server } from "node:http"
import { Stores } from "@effect-commerce/core/store/Stores"
import { type Commerce, createCommerce } from "@effect-commerce/handler/createCommerce"
import { Effect } from "effect"
import { settle } from "./openCore.ts"
import { note, printLines } from "./print.ts"
import { Refused } from "./Refused.ts"
import type { Settings } from "./Settings.ts"
import { setUpInstallation } from "./setUp.ts"

export interface ServeOptions {
  readonly role: "all" | "api" | "worker"
  readonly demo: boolean
}

/** How long, in milliseconds, requests under way are waited for after SIGTERM. */
const drainTime = 8_000

const open = (settings: Settings, role: ServeOptions["role"]): Promise<Commerce> =>
  createCommerce({
    database:
      settings.databaseUrl === undefined ? { dataDir: settings.dataDir } : { url: settings.databaseUrl, directUrl: settings.directDatabaseUrl },
    rateLimit: { perMinute: settings.perMinute, perHour: settings.perHour, store: settings.rateLimitStore },
    trustedProxies: settings.trustedProxies,
    testClock: settings.testClock,
    role
  }).catch((error: unknown) => settle(Effect.fail(error)))

/** A first run on an embedded database: a store, its channel and key, and where asked the demo catalogue. */
const beginWith = async (settings: Settings, commerce: Commerce, demo: boolean): Promise<void> => {
  if (settings.databaseUrl !== undefined) return
  const present = await Effect.runPromise(Effect.provideContext(Effect.flatMap(Stores, (stores) => stores.list), commerce.services))
  if (present.length > 0) return
  const made = await setUpInstallation(settings, { name: demo ? "Demo store" : "My store", currency: "USD", country: "US", email: "owner@localhost.localdomain" })
  if (demo) {
    const { seedDemo } = await import("./seed.ts")
    await seedDemo(settings, made.storeId)
  }
  printLines([
    `store          ${made.storeId}`,
    `sales channel  ${made.salesChannelId}`,
    `admin key      ${made.apiKey}`,
    "The admin key is shown this once: keep it."
  ])
}

const listen = (server: Server, settings: Settings): Promise<number> =>
  new Promise((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      fail(new Refused(error.code === "EADDRINUSE" ? `port ${settings.port} of ${settings.host} is in use: choose another with --port` : `cannot listen: ${error.message}`))
    )
    server.listen(settings.port, settings.host, () => {
      const address = server.address()
      done(typeof address === "object" && address !== null ? address.port : settings.port)
    })
  })

const stopped = (): Promise<void> =>
  new Promise((done) => {
    process.once("SIGTERM", () => done())
    process.once("SIGINT", () => done())
  })

/** Takes no new connections, lets requests under way end, then cuts what is left. */
const drain = (server: Server): Promise<void> =>
  new Promise((done) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainTime)
    server.close(() => {
      clearTimeout(cut)
      done()
    })
    server.closeIdleConnections()
  })

export const serveCommerce = async (settings: Settings, options: ServeOptions): Promise<void> => {
  const ends = stopped()
  const commerce = await open(settings, options.role)
  try {
    const server = createServer({ requestTimeout: 30_000, headersTimeout: 15_000 }, commerce.node)
    if (options.role === "worker") {
      note("working")
      await ends
      return
    }
    const port = await listen(server, settings)
    await beginWith(settings, commerce, options.demo)
    const host = settings.host.includes(":") ? `[${settings.host}]` : settings.host
    printLines([`listening on http://${host}:${port}/api`])
    await ends
    await drain(server)
  } finally {
    await commerce.close()
  }
}
