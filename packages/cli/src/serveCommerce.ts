/** The server: a commerce back end behind node:http, from start to a stop that loses nothing. */
import "effect/schema/SchemaJITCompiler/enable"
import { createServer, type Server } from "node:http"
import { setFlagsFromString } from "node:v8"
import { type Commerce, createCommerce } from "@effect-commerce/handler/createCommerce"
import { Effect } from "effect"
import { firstRun } from "./firstRun.ts"
import { linkNotes } from "./linkNotes.ts"
import { outwardOf, refusalOf, settle } from "./openCore.ts"
import { note, printLines } from "./print.ts"
import { Refused } from "./Refused.ts"
import type { Settings } from "./Settings.ts"
import { settingNotes } from "./settingNotes.ts"
import { stopAsked } from "./stopAsked.ts"

export interface ServeOptions {
  readonly role: "all" | "api" | "worker"
  readonly demo: boolean
}

/** How long, in milliseconds, requests under way are waited for after SIGTERM. */
const drainTime = 7_000

const open = (settings: Settings, role: ServeOptions["role"]): Promise<Commerce> =>
  createCommerce({
    database: settings.databaseUrl === undefined ? { dataDir: settings.dataDir } : { url: settings.databaseUrl, directUrl: settings.directDatabaseUrl },
    secret: settings.secret,
    rateLimit: { perMinute: settings.perMinute, perHour: settings.perHour, store: settings.rateLimitStore },
    trustedProxies: settings.trustedProxies,
    testClock: settings.testClock,
    ...outwardOf(settings),
    role
  }).catch((error: unknown) => {
    throw refusalOf(error)
  })

const whyNot: Readonly<Record<string, (settings: Settings) => string>> = {
  EADDRINUSE: ({ host, port }) => `port ${port} of ${host} is in use: choose another with --port`,
  EACCES: ({ port }) => `port ${port} needs rights that this user does not have: choose one above 1023 with --port`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine: choose another with --host`,
  ENOTFOUND: ({ host }) => `${host} cannot be resolved: choose another with --host`
}

/** Answers the port it listens on. */
const listen = (server: Server, settings: Settings): Promise<number> =>
  new Promise((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      fail(new Refused(whyNot[error.code ?? ""]?.(settings) ?? `cannot listen on ${settings.host}, port ${settings.port}: ${error.message}`))
    )
    server.listen(settings.port, settings.host, () => {
      const address = server.address()
      done(typeof address === "object" && address !== null ? address.port : settings.port)
    })
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

/**
 * V8 lets old space grow to four times of what lives in it where a machine has much memory. By half, with the small young space of the npm scripts, a
 * loaded server holds half the memory, and collects more often: that costs a tenth of the throughput of what only reads.
 */
const boundHeap = (): void => setFlagsFromString("--heap-growing-percent=50")

/** Resolves when it has stopped. */
export const serveCommerce = async (settings: Settings, options: ServeOptions): Promise<void> => {
  boundHeap()
  for (const line of settingNotes(settings)) note(line)
  const stop = stopAsked()
  const commerce = await open(settings, options.role)
  const begin = async (): Promise<ReadonlyArray<string>> => {
    const told = await firstRun(settings, commerce, options.demo)
    for (const line of await settle(Effect.provideContext(linkNotes(settings), commerce.services))) note(line)
    return told
  }
  try {
    if (options.role === "worker") {
      printLines(await begin())
      note("working")
      await stop
      return
    }
    const server = createServer({ requestTimeout: 30_000, headersTimeout: 15_000 }, commerce.node)
    const port = await listen(server, settings)
    const told = await begin()
    const host = settings.host.includes(":") ? `[${settings.host}]` : settings.host
    printLines([...told, `listening on http://${host}:${port}/api`])
    await stop
    await drain(server)
  } finally {
    await commerce.close()
  }
}
