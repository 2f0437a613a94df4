/**
 * The factory: a commerce back end as a value. `commerce serve` uses it, and so does any host that imports the library:
 * nothing is global, nothing happens at import, several instances live in one process.
 */
import "./requireNode.ts"
import { connectionOf, coreLayer, migrateTables } from "@effect-commerce/core/CommerceCore"
import type { HostClient } from "@effect-commerce/core/host/HostClient"
import { joinHostTransaction } from "@effect-commerce/core/host/HostTransaction"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { ownEffect } from "@effect-commerce/core/kernel/OneEffect"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Context, Effect, Exit, Layer, Logger, Metric, Redacted, Scope, Tracer } from "effect"
import { HttpEffect, HttpMiddleware, HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiClient } from "effect/http-api"
import { readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type ApiCaller, makeClient } from "./adapters/inProcess.ts"
import { type HostEvents, makeHostEvents } from "./adapters/hostEvents.ts"
import { handingOn } from "./adapters/nodeListener.ts"
import { untilAborted } from "./adapters/untilAborted.ts"
import { Api } from "./Api.ts"
import type { CommerceOptions, DatabaseChoice, HostPoolChoice } from "./CommerceOptions.ts"
import { ClientAddress } from "./middleware/Exchange.ts"
import { basePathOf, declaredBase } from "./middleware/RequestTarget.ts"
import { makeRequestGate, RequestGate } from "./middleware/RequestGate.ts"
import { defaultSettings, HandlerSettings } from "./middleware/Settings.ts"
import { optionProblem } from "./optionProblem.ts"
import { routes } from "./routes.ts"
import { logLayer } from "./system/LogLines.ts"
import { HostReferenceValues } from "./system/reference/ReferenceValues.ts"
import { CurrentTelemetry, openTelemetry } from "./system/telemetry/Telemetry.ts"
import { startEverywhere, startWorkers } from "./rooms.ts"

export type { CommerceOptions, DatabaseChoice, HostPoolChoice }

export interface Commerce {
  /** For hosts that speak web standards. `clientAddress` is what limits count by. */
  readonly fetch: (request: Request, info?: { readonly clientAddress?: string }) => Promise<Response>
  /**
   * For Node, Express, Fastify, Koa, Nest (docs/guides/embedding.md). With `next`, requests outside of the base path
   * are passed on. Mount it before body parsers; what one of them has left in `request.body` is used, and a body that
   * was consumed without that is an error.
   */
  readonly node: (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void
  /**
   * The same routes without HTTP, as effects, on behalf of a caller: `commerce.api({ apiKey }).orders.list({ query: {
   * limit: "5" } })`. Scopes, tenants, limits of keys and idempotency apply as over HTTP; limits per address do not,
   * because there is no address.
   */
  readonly api: (caller?: ApiCaller) => CommerceApi
  /**
   * Runs use cases of core inside the transaction that you have open on a node-postgres client: in a savepoint, so that
   * a failure undoes its own writes only. Your COMMIT keeps the writes and their events, your ROLLBACK undoes both.
   * Rejects with the use case's own error; with NeedsOwnTransaction where it would call out over the network. Any
   * `database` will do, as long as the client is connected to the same one.
   */
  readonly inTransaction: <A, E>(client: HostClient, work: Effect.Effect<A, E, CoreServices>) => Promise<A>
  /** Events in this process: `commerce.events.on("order.paid", async ({ data }) => …)`. docs/guides/embedding.md */
  readonly events: HostEvents
  /** The services of core, for what HTTP does not offer. */
  readonly services: Context.Context<CoreServices>
  /**
   * Waits for the requests under way, ten seconds at most, and refuses new ones with 503; then ends workers and
   * connections. A database that this instance started and nobody else uses is stopped.
   */
  readonly close: () => Promise<void>
}

/**
 * Groups of methods, one per endpoint: effects that succeed with the decoded answer, and fail with what the endpoint
 * declares or with the envelope.
 */
export type CommerceApi = HttpApiClient.ForApi<typeof Api>

type CoreServices = Layer.Success<ReturnType<typeof coreLayer>>
type App = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  unknown,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

const connect = Effect.fnUntraced(function* (choice: DatabaseChoice, secret: CommerceOptions["secret"]) {
  if ("dataDir" in choice) {
    const { connection } = yield* EmbeddedPostgres.start({ dataDir: choice.dataDir })
    return {
      connection,
      secret: secret === undefined ? yield* EmbeddedPostgres.rootSecret(choice.dataDir) : redacted(secret)
    }
  }
  if (secret === undefined)
    return yield* Effect.die(
      new TypeError("createCommerce: `secret` is required with a database of yours (at least 32 bytes)")
    )
  const kept = { secret: redacted(secret) }
  if ("connection" in choice) return { ...choice, ...kept }
  if ("pool" in choice) {
    if ((choice.pool.options?.max ?? leastClients) < leastClients) return yield* Effect.die(new TypeError(tooSmall))
    const { directUrl, migrate: _, ...connection } = choice
    return { connection, ...(directUrl === undefined ? {} : { direct: connectionOf(directUrl) }), ...kept }
  }
  return {
    connection: connectionOf(choice.url),
    ...(choice.directUrl === undefined ? {} : { direct: connectionOf(choice.directUrl) }),
    ...(choice.readUrl === undefined
      ? {}
      : { replica: { connection: connectionOf(choice.readUrl), maxLagMillis: choice.readMaxLag } }),
    ...kept
  }
})

/** One client listens for as long as the instance lives. */
const leastClients = 2
const tooSmall =
  `createCommerce: a pool needs \`max\` of ` + `${leastClients} or more: one client listens, and the others serve`

const migrates = (choice: DatabaseChoice): boolean =>
  !("connection" in choice) && !("migrate" in choice && choice.migrate === false)

const redacted = (secret: string | Redacted.Redacted): Redacted.Redacted =>
  typeof secret === "string" ? Redacted.make(secret) : secret

const settingsOf = (options: CommerceOptions): HandlerSettings => {
  const { perMinute, perHour } = options.rateLimit ?? {}
  const off = perMinute === "off"
  return {
    perIp: off ? null : { perMinute: perMinute ?? 60, perHour: perHour ?? 1_000 },
    failedAuth: off && options.testClock === true ? null : defaultSettings.failedAuth,
    trustedProxies: options.trustedProxies ?? [],
    basePath: basePathOf(options.basePath ?? declaredBase),
    compress: options.compress ?? true,
    storeTurns: options.storeTurns ?? true,
    ready: options.ready ?? defaultSettings.ready
  }
}

/**
 * Paths are compared exactly, case included (RequestTarget.ts). A segment may be of any length: slugs have up to 190
 * letters, and an id that is too long is an unknown id.
 */
const routerConfig = {
  maxParamLength: Number.MAX_SAFE_INTEGER,
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false
}

/** By default files are kept beside an embedded database. */
const mediaOf = ({ media, database }: CommerceOptions): CommerceOptions["media"] => {
  if (media?.url !== undefined || media?.store !== undefined || !("dataDir" in database)) return media
  return { ...media, url: pathToFileURL(resolve(database.dataDir, "media")).href }
}

/** Counters of this instance alone, and its tracer where it has one. */
const surroundingsOf = (tracer: Tracer.Tracer | undefined): Context.Context<never> => {
  const counted = Context.make(Metric.MetricRegistry, new Map())
  return tracer === undefined ? counted : Context.add(counted, Tracer.Tracer, tracer)
}

const ownVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : ""
}

const build = Effect.fnUntraced(function* (options: CommerceOptions) {
  const problem = optionProblem(options)
  if (problem !== undefined) return yield* Effect.die(new TypeError(`createCommerce: ${problem}`))
  const place = yield* connect(options.database, options.secret)
  if (migrates(options.database)) yield* migrateTables(place)
  const telemetry = yield* openTelemetry(options.telemetry, () => ({
    version: ownVersion(),
    role: options.role ?? "all"
  }))
  const core = coreLayer({
    ...place,
    maxConnections: options.maxConnections,
    statementLog: options.statementLog,
    rateLimits: { store: options.rateLimit?.store, redisUrl: options.rateLimit?.redisUrl },
    mail: options.mail,
    outbound: options.outbound,
    login: options.login,
    media: mediaOf(options),
    payments: options.payments,
    tax: options.tax,
    addresses: options.addresses,
    basePath: basePathOf(options.basePath ?? declaredBase)
  })
  const watched = surroundingsOf(telemetry.tracer)
  const built = Layer.provideMerge(core, logLayer(options.logger, telemetry.logs))
  const services = Context.merge(yield* Effect.provideContext(Layer.build(built), watched), watched)
  const gate = makeRequestGate()
  const settings = Layer.mergeAll(
    Layer.succeed(HandlerSettings, settingsOf(options)),
    Layer.succeed(RequestGate, gate),
    Layer.succeed(CurrentTelemetry, telemetry),
    Layer.succeed(HostReferenceValues, options.referenceValues ?? (() => undefined))
  )
  const served = routes({
    testClock: options.testClock === true,
    basePath: basePathOf(options.basePath ?? declaredBase)
  }).pipe(Layer.provide(settings), Layer.provideMerge(NodeHttpServer.layerHttpServices))
  const all = yield* Effect.context<Scope.Scope>()
  const ground = Context.add(Context.merge(all, services), HttpRouter.RouterConfig, routerConfig)
  const app = (yield* HttpRouter.toHttpEffect(served).pipe(Effect.provideContext(ground))) as App
  // The services a request needs; routes have taken all others when they were built.
  const surroundings = Context.make(Clock.Clock, Context.get(services, Clock.Clock)).pipe(
    Context.add(Logger.CurrentLoggers, Context.get(services, Logger.CurrentLoggers)),
    Context.merge(watched),
    // The ring makes the span of a request (serverSpan.ts).
    Context.add(HttpMiddleware.TracerDisabledWhen, () => true)
  )
  yield* Effect.forkScoped(Effect.provideContext(telemetry.run, services))
  yield* Effect.provideContext(startEverywhere, services)
  if (options.role !== "api") yield* Effect.provideContext(startWorkers, services)
  const scope = yield* Effect.scope
  const node = yield* Effect.updateContext(
    NodeHttpServer.makeHandler(app, { scope }),
    (_: Context.Context<never>): Context.Context<never> => surroundings
  )
  return { services, app: Effect.provideContext(app, surroundings), node, gate }
})

/** Opens the database, migrates it, and resolves once requests can be served. */
export const createCommerce = async (options: CommerceOptions): Promise<Commerce> => {
  const scope = await Effect.runPromise(Scope.make())
  const built = await Effect.runPromise(Scope.provide(build(options), scope)).catch(async (error: unknown) => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    throw error
  })
  const web = HttpEffect.toWebHandler(built.app)
  return {
    fetch: (request, info) =>
      untilAborted(request.signal, () =>
        web(request, Context.make(ClientAddress, info?.clientAddress) as Context.Context<never>)
      ),
    node: handingOn(built.node, basePathOf(options.basePath ?? declaredBase)),
    api: makeClient(Api, built.app),
    inTransaction: (client, work) =>
      Effect.runPromiseWith(built.services)(
        Effect.suspend(() => joinHostTransaction(client)(ownEffect("inTransaction: the work", work)))
      ),
    events: makeHostEvents(built.services, scope),
    services: built.services,
    close: () => Effect.runPromise(Effect.andThen(built.gate.shut, Scope.close(scope, Exit.void)))
  }
}
