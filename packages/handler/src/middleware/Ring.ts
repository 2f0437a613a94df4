/**
 * The ring: one global middleware that sees every request, also those no route matches. Request id, preflight and CORS,
 * the one reading of the target (RequestTarget.ts), the envelope for whatever is still a failure (404, 405), and the
 * headers of every response.
 */
import { uniqueName } from "@effect-commerce/core/crypto/Hashing"
import { RequestOrigin } from "@effect-commerce/core/media/MediaUrls"
import { admitsOrigin } from "@effect-commerce/core/store/SalesChannel"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Effect, Exit } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AnswerBytes, withinAnswer } from "./AnswerBytes.ts"
import { clientAddress, isForwarded } from "./ClientAddress.ts"
import { Envelope } from "./Envelope.ts"
import { compressed } from "./Compressed.ts"
import { ClientAddress, Exchange, InProcess } from "./Exchange.ts"
import { makeCounted } from "./Limits.ts"
import { addressedOrigin, originOf } from "./Origin.ts"
import { InstanceEnding, MethodNotAllowed, RequestInvalid, RouteUnknown } from "./Refusals.ts"
import { RequestGate } from "./RequestGate.ts"
import { RequestMeter } from "./RequestMeter.ts"
import { makeProxyWatch } from "./ProxyWatch.ts"
import { declaredBase, hasBadQuery, type RequestTarget, sizeProblem, targetOf } from "./RequestTarget.ts"
import type { RouteMap } from "./RouteMap.ts"
import { makeServerSpans } from "./serverSpan.ts"
import { HandlerSettings } from "./Settings.ts"

type Response = HttpServerResponse.HttpServerResponse

const exposed =
  "ETag, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Limit-long, " +
  "X-RateLimit-Remaining-long, X-RateLimit-Reset-long, Retry-After, Idempotency-Replayed"
const preflightHeaders = {
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers":
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Unmodified-Since, Accept-Language, " +
    "X-Request-Id",
  "access-control-max-age": "600",
  vary: "Origin"
}

const malformed = { path: "contains a malformed or NUL escape" }
const unreadable = { query: "contains escapes of NUL or of bytes that are not UTF-8" }

/** Why a request is rejected whatever its method; undefined if the router decides. */
const targetProblem = ({ url, problem }: RequestTarget): RequestInvalid | RouteUnknown | undefined => {
  const size = sizeProblem(url)
  if (size !== undefined) return new RequestInvalid({ errors: { url: size } })
  if (problem === "malformed") return new RequestInvalid({ errors: malformed })
  if (problem === "unknown") return new RouteUnknown()
  return hasBadQuery(url) ? new RequestInvalid({ errors: unreadable }) : undefined
}

const requestIdPattern = /^[\w.:-]{1,128}$/

export const ring = (routes: RouteMap) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const settings = yield* HandlerSettings
      const { enveloped } = yield* Envelope
      const counted = yield* makeCounted
      const channels = yield* SalesChannels
      const meter = yield* RequestMeter
      const spanned = yield* makeServerSpans
      const gate = yield* RequestGate
      const bytes = yield* AnswerBytes
      const proxyWarning = makeProxyWatch(settings.trustedProxies)

      const channelAdmits = (id: string, origin: string) =>
        channels.resolve(id).pipe(
          Effect.map((channel) => admitsOrigin(channel, origin)),
          Effect.catchTag("SalesChannelNotFound", () => Effect.succeed(false))
        )

      const channelRemembered = (id: string, origin: string) =>
        Effect.map(channels.remembered(id), (channel) => channel !== undefined && admitsOrigin(channel, origin))

      /** Whether pages of this origin may read the response of the path. */
      const admits = (
        { path, problem }: RequestTarget,
        origin: string,
        ofChannel: typeof channelAdmits
      ): Effect.Effect<boolean> => {
        if (problem !== undefined) return Effect.succeed(false)
        const channelId = /^\/api\/vc\/([^/]+)/.exec(path)?.[1]
        return channelId === undefined
          ? Effect.succeed(path.startsWith("/api/stores/"))
          : ofChannel(decodeURIComponent(channelId), origin)
      }

      const preflight = (target: RequestTarget, origin: string) =>
        Effect.map(admits(target, origin, channelAdmits), (admitted) => {
          const headers = admitted ? { ...preflightHeaders, "access-control-allow-origin": origin } : { vary: "Origin" }
          return HttpServerResponse.empty({ status: 204, headers })
        })

      /**
       * Lets the page read an error that was raised before its channel was looked up (too many requests, no such
       * route). Without the header a browser hides the reason from the page. Only a cached channel is used: a caller
       * over its limit costs no statement.
       */
      const openToPage = Effect.fnUntraced(function* (
        target: RequestTarget,
        origin: string | undefined,
        headers: Record<string, string>
      ) {
        if (origin === undefined || headers["access-control-allow-origin"] !== undefined) return
        const isAdmitted = yield* admits(target, origin, channelRemembered)
        if (isAdmitted) Object.assign(headers, { "access-control-allow-origin": origin, vary: "Origin" })
      })

      const unmatched = (request: HttpServerRequest.HttpServerRequest, target: RequestTarget) => {
        const allow = routes.methodsOf(target.path)
        const refusal =
          allow.length === 0 || allow.includes(request.method) ? new RouteUnknown() : new MethodNotAllowed({ allow })
        const origin = originOf(request)
        const lookedAt = origin === undefined ? Effect.succeed(false) : admits(target, origin, channelAdmits)
        return counted(Effect.andThen(lookedAt, Effect.fail(refusal)))
      }

      /** The result of the request, inside of the envelope: an error, a preflight, or the response of its route. */
      const workOf = (
        request: HttpServerRequest.HttpServerRequest,
        target: RequestTarget,
        next: Effect.Effect<Response, unknown>
      ): Effect.Effect<Response, unknown> => {
        const problem = targetProblem(target)
        if (problem !== undefined) return counted(Effect.fail(problem))
        const origin = originOf(request)
        const isPreflight =
          request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined
        if (isPreflight && origin !== undefined) return counted(preflight(target, origin))
        const routed =
          target.url === request.url
            ? next
            : Effect.provideService(next, HttpServerRequest.HttpServerRequest, request.modify({ url: target.url }))
        return Effect.catchIf(routed, isRouteNotFound, () => unmatched(request, target))
      }

      const watched = (request: HttpServerRequest.HttpServerRequest, peer: string | undefined): Effect.Effect<void> => {
        const warning = proxyWarning(request, peer)
        return warning === undefined ? Effect.void : Effect.logWarning(warning)
      }

      const answer = Effect.fnUntraced(function* (
        request: HttpServerRequest.HttpServerRequest,
        next: Effect.Effect<Response, unknown>,
        noted: Noted
      ) {
        const inProcess = yield* InProcess
        const target = targetOf(request, inProcess ? declaredBase : settings.basePath)
        const asked = request.headers["x-request-id"]
        const id = asked !== undefined && requestIdPattern.test(asked) ? asked : uniqueName("req_")
        const headers: Record<string, string> = { "x-request-id": id, "access-control-expose-headers": exposed }
        const peer = yield* ClientAddress
        const ip = inProcess ? undefined : clientAddress(request, peer, settings.trustedProxies)
        const forwarded = () => isForwarded(request, peer, settings.trustedProxies)
        yield* inProcess ? Effect.void : watched(request, peer)
        const exchange: Exchange = { id, ip, path: target.shown, headers }
        noted.exchange = exchange

        const work = gate.isOpen()
          ? Effect.andThen(bytes.before(request, exchange), workOf(request, target, next)).pipe(
              Effect.flatMap((answered) => withinAnswer(request, target.shown, answered)),
              Effect.flatMap((answered) => bytes.sending(request, exchange, answered)),
              Effect.provideService(Exchange, exchange),
              Effect.provideService(RequestOrigin, () => (inProcess ? "" : addressedOrigin(request, forwarded())))
            )
          : Effect.fail(new InstanceEnding())
        const response = yield* enveloped(target.shown)(work)
        if (response.status >= 400) {
          yield* openToPage(target, originOf(request), headers)
          // Errors are in English, whatever language was requested.
          delete headers["content-language"]
        }
        // Without `no-store` a cache may keep some errors (RFC 9111, 4.2.2).
        if (response.headers["cache-control"] === undefined) headers["cache-control"] = "no-store"
        // The last answer on its connection: the instance ends.
        if (!gate.isOpen()) headers["connection"] = "close"
        if (inProcess || !settings.compress || exchange.showsSecret === true)
          return HttpServerResponse.setHeaders(response, headers)
        const sent = yield* compressed(response, request.headers["accept-encoding"], headers["vary"])
        if (sent.body._tag === "Uint8Array") exchange.resized?.(sent.body.contentLength)
        return HttpServerResponse.setHeaders(sent, { ...headers, ...varying(sent) })
      })

      const metered = (request: HttpServerRequest.HttpServerRequest, next: Effect.Effect<Response, unknown>) => {
        const began = performance.now()
        const noted: Noted = { exchange: undefined }
        meter.began()
        const answering = spanned(request, noted, answer(request, next, noted))
        return Effect.onExit(gate.around(answering), (exit) => {
          const { method } = request
          const seconds = (performance.now() - began) / 1_000
          const route = noted.exchange?.route
          if (Exit.isSuccess(exit)) meter.answered({ method, route, status: exit.value.status, seconds })
          else meter.left()
          return Effect.void
        })
      }

      return ((next: Effect.Effect<Response, unknown>) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => metered(request, next))) as never
    }),
    { global: true }
  )

/** The exchange of a request, for who counts it from outside. */
interface Noted {
  exchange: Exchange | undefined
}

/** The response's own Vary, which its other headers add to. */
const varying = ({ headers: { vary } }: Response) => (vary === undefined ? {} : { vary })

const isRouteNotFound = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "reason" in error &&
  typeof error.reason === "object" &&
  error.reason !== null &&
  "_tag" in error.reason &&
  error.reason._tag === "RouteNotFound"
