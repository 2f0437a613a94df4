/** The server: a commerce back end behind node:http, from start to a stop that loses nothing. */
import "effect/schema/SchemaJITCompiler/enable"
import type { RequestListener, Server } from "node:http"
import { openHttpServer } from "@effect-commerce/handler/adapters/httpServer"
import { type Commerce, type CommerceOptions, createCommerce } from "@effect-commerce/handler"
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import { logLayer } from "@effect-commerce/handler/system/LogLines"
import type { ReferenceValues } from "@effect-commerce/handler/system/reference/ReferenceValues"
import { Effect } from "effect"
import { drawPictures, firstRun, referenceOfDemo, runIn } from "./firstRun.ts"
import { linkNotes } from "./linkNotes.ts"
import { inUrl, originOf } from "./originOf.ts"
import { outwardOf, refusalOf, settle } from "./openCore.ts"
import { note, printLines } from "./print.ts"
import { progressOf } from "./rebuildCatalog.ts"
import { Refused } from "./Refused.ts"
import type { Settings } from "./Settings.ts"
import { settingNotes } from "./settingNotes.ts"
import { type Address, startLines } from "./startLines.ts"
import { stopAsked } from "./stopAsked.ts"
import { whileWaiting } from "./whileWaiting.ts"

export interface ServeOptions {
  readonly role: "all" | "api" | "worker"
  readonly demo: boolean
}

const open = (
  settings: Settings,
  host: Required<Pick<CommerceOptions, "role" | "ready" | "referenceValues">>
): Promise<Commerce> => {
  const opened = Effect.tryPromise({
    try: () =>
      createCommerce({
        database:
          settings.databaseUrl === undefined
            ? { dataDir: settings.dataDir }
            : {
                url: settings.databaseUrl,
                directUrl: settings.directDatabaseUrl,
                readUrl: settings.readDatabaseUrl,
                readMaxLag: settings.readMaxLagMillis
              },
        secret: settings.secret,
        rateLimit: {
          perMinute: settings.perMinute,
          perHour: settings.perHour,
          store: settings.rateLimitStore,
          redisUrl: settings.redisUrl
        },
        trustedProxies: settings.trustedProxies,
        testClock: settings.testClock,
        ...outwardOf(settings),
        logger: settings.logFormat,
        ...(settings.otlpEndpoint === undefined ? {} : { telemetry: { otlpEndpoint: settings.otlpEndpoint } }),
        ...host
      }),
    catch: refusalOf
  })
  return settle(whileWaiting("Opening the database")(opened))
}

const whyNot: Readonly<Record<string, (settings: Settings) => string>> = {
  EADDRINUSE: ({ host, port }) => `port ${port} of ${host} is in use: choose another with --port`,
  EACCES: ({ port }) => `port ${port} needs rights that this user does not have: choose one above 1023 with --port`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine: choose another with --host`,
  ENOTFOUND: ({ host }) => `${host} cannot be resolved: choose another with --host`
}

/** Returns the port it listens on. */
const listen = (server: Server, settings: Settings): Promise<number> =>
  new Promise((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      fail(
        new Refused(
          whyNot[error.code ?? ""]?.(settings) ??
            `cannot listen on ${settings.host}, port ${settings.port}: ${error.message}`
        )
      )
    )
    server.listen(settings.port, settings.host, () => {
      const address = server.address()
      done(typeof address === "object" && address !== null ? address.port : settings.port)
    })
  })

/** A line of the command among those of the log, in the log's own format. */
const sayIn = (format: Settings["logFormat"], level: "Info" | "Warn") => (line: string) =>
  format === "pretty" ? note(line) : Effect.runSync(Effect.provide(Effect.logWithLevel(level)(line), logLayer(format)))

/**
 * Progress that a person waits for: plain text on a terminal if the log goes elsewhere, else a line of the log. JSON on
 * a terminal is always a deliberate choice.
 */
const sayProgress = (format: Settings["logFormat"]) =>
  process.stderr.isTTY && !process.stdout.isTTY ? note : sayIn(format, "Info")

/** Products that a migration has marked stale are composed before storefronts read them. */
const composed = (commerce: Commerce, say: (line: string) => void): Promise<unknown> =>
  runIn(
    commerce,
    ListingRepair.use((stale) => stale.finish(undefined, progressOf(say)))
  )

/** The server is ready without the pictures of the demo store: they follow, until it stops. Does not reject. */
const drawn = (
  commerce: Commerce,
  { logFormat }: Settings,
  { origin, stop }: { readonly origin: string; readonly stop: Promise<void> }
): Promise<void> => {
  const stopped = Effect.as(
    Effect.promise(() => stop),
    0
  )
  const drawing = Effect.andThen(
    Effect.promise(() => referenceMade(commerce)),
    drawPictures(origin)
  )
  return runIn(commerce, Effect.raceFirst(drawing, stopped)).then(
    (count) => (count > 0 ? sayProgress(logFormat)(`The demo store has its pictures: ${count} drawn.`) : undefined),
    ({ message }: Error) =>
      sayIn(logFormat, "Warn")(`The demo store lacks pictures, the next start draws them: ${message}`)
  )
}

/** A newcomer opens the reference page next: its files are prepared before the first request. */
const referenceMade = (commerce: Commerce): Promise<unknown> =>
  commerce.fetch(new Request("http://127.0.0.1/api/docs/reference.json")).then((response) => response.arrayBuffer())

/** This server has no pages of its own, so `/` is answered with the page of `/api`. */
const withFrontDoor =
  (node: Commerce["node"]): RequestListener =>
  (request, response) => {
    if (request.url === "/") request.url = "/api"
    node(request, response)
  }

/** Resolves when it has stopped. */
export const serveCommerce = async (settings: Settings, options: ServeOptions): Promise<void> => {
  const say = sayIn(settings.logFormat, "Warn")
  for (const line of settingNotes(settings)) say(line)
  const stop = stopAsked()
  let isReady = false
  let reference: ReferenceValues | undefined
  const commerce = await open(settings, {
    role: options.role,
    ready: () => isReady,
    referenceValues: () => reference
  })
  let drawing: Promise<void> | undefined
  const begin = async (address: Address | undefined): Promise<ReadonlyArray<string>> => {
    const began = await firstRun(settings, commerce, { demo: options.demo, say: sayProgress(settings.logFormat) })
    await composed(commerce, sayProgress(settings.logFormat))
    if (options.demo) reference = await runIn(commerce, referenceOfDemo({ withKey: settings.isAlone }))
    isReady = true
    for (const line of await runIn(commerce, linkNotes(settings))) say(line)
    const lines = await runIn(commerce, startLines(settings, began, address))
    const origin = address === undefined ? originOf(settings, settings.port) : new URL(address.url).origin
    if (options.demo && began.notFilled === undefined) drawing = drawn(commerce, settings, { origin, stop })
    return lines
  }
  try {
    if (options.role === "worker") {
      printLines(await begin(undefined))
      note("working")
      await stop
      return
    }
    const { server, end } = openHttpServer(
      { services: commerce.services, node: withFrontDoor(commerce.node) },
      settings.httpMaxConnections === undefined ? {} : { connections: settings.httpMaxConnections }
    )
    const port = await listen(server, settings)
    printLines(
      await begin({
        url: `${originOf(settings, port)}/api`,
        listening: `http://${inUrl(settings.host)}:${port}/api`
      })
    )
    await stop
    await end()
  } finally {
    await drawing
    await commerce.close()
  }
}
