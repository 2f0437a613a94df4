/**
 * The ring: one global middleware that sees every request, also those no route matches. Request id, preflight and CORS, sanity of the URL, the
 * envelope for whatever is still a failure (404, 405), and the headers every answer carries.
 */
import { uniqueName } from "@effect-commerce/core/crypto/Hashing"
import { admitsOrigin } from "@effect-commerce/core/store/SalesChannel"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Effect, Exit } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestMeter } from "../system/RequestMeter.ts"
import { clientAddress } from "./ClientAddress.ts"
import { enveloped } from "./Envelope.ts"
import { ClientAddress, Exchange, InProcess } from "./Exchange.ts"
import { makeCounted } from "./Limits.ts"
import { InstanceEnding, MethodNotAllowed, RequestInvalid, RouteUnknown } from "./Refusals.ts"
import { RequestGate } from "./RequestGate.ts"
import type { RouteMap } from "./RouteMap.ts"
import { HandlerSettings } from "./Settings.ts"

const exposed =
  "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Limit-long, X-RateLimit-Remaining-long, X-RateLimit-Reset-long, Retry-After, Idempotency-Replayed"
const preflightHeaders = {
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-Unmodified-Since, Accept-Language, X-Request-Id",
  "access-control-max-age": "600",
  vary: "Origin"
}

const decodesBadly = (text: string): boolean => {
  try {
    return decodeURIComponent(text).includes("\u0000")
  } catch {
    return true
  }
}

/** A path that a router would half-decode: refused before anything reads it. */
const isMalformed = (path: string): boolean => path.includes("%") && decodesBadly(path)

/** A query with escapes of bytes that are no UTF-8, or of NUL: they would be read as something else. A lone `%` is itself. */
const hasBadQuery = (url: string): boolean => {
  const at = url.indexOf("?")
  return at >= 0 && url.includes("%", at) && (url.slice(at).match(/(?:%[0-9a-f]{2})+/gi) ?? []).some(decodesBadly)
}

const urlErrors = (path: string, url: string): Record<string, string> | undefined => {
  if (isMalformed(path)) return { path: "contains a malformed or NUL escape" }
  return hasBadQuery(url) ? { query: "contains escapes of NUL or of bytes that are not UTF-8" } : undefined
}

const requestIdPattern = /^[\w.:-]{1,128}$/

export const ring = (routes: RouteMap) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const settings = yield* HandlerSettings
      const counted = yield* makeCounted
      const channels = yield* SalesChannels
      const meter = yield* RequestMeter
      const gate = yield* RequestGate

      /** Whether pages of this origin may read what the path answers. */
      const admits = (path: string, origin: string): Effect.Effect<boolean> => {
        const channelId = /^\/api\/vc\/([^/]+)/.exec(path)?.[1]
        if (channelId === undefined || isMalformed(path)) return Effect.succeed(path.startsWith("/api/stores/"))
        return channels.resolve(decodeURIComponent(channelId)).pipe(
          Effect.map((channel) => admitsOrigin(channel, origin)),
          Effect.catchTag("SalesChannelNotFound", () => Effect.succeed(false))
        )
      }

      const preflight = Effect.fnUntraced(function* (path: string, origin: string) {
        const headers = (yield* admits(path, origin)) ? { ...preflightHeaders, "access-control-allow-origin": origin } : { vary: "Origin" }
        return HttpServerResponse.empty({ status: 204, headers })
      })

      /** A refusal made before a channel was looked at says nothing to a page that may not read it: too many requests, no such route. */
      const openToPage = Effect.fnUntraced(function* (path: string, origin: string | undefined, headers: Record<string, string>) {
        if (origin === undefined || headers["access-control-allow-origin"] !== undefined) return
        const isAdmitted = yield* Effect.catchCause(admits(path, origin), () => Effect.succeed(false))
        if (isAdmitted) Object.assign(headers, { "access-control-allow-origin": origin, vary: "Origin" })
      })

      const unmatched = (request: HttpServerRequest.HttpServerRequest, path: string) => {
        const allow = routes.methodsOf(path)
        return counted(Effect.fail(allow.length === 0 || allow.includes(request.method) ? new RouteUnknown() : new MethodNotAllowed({ allow })))
      }

      const answer = Effect.fnUntraced(function* (
        request: HttpServerRequest.HttpServerRequest,
        next: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>
      ) {
        const peer = yield* ClientAddress
        const asked = request.headers["x-request-id"]
        const id = asked !== undefined && requestIdPattern.test(asked) ? asked : uniqueName("req_")
        const path = pathOf(request.originalUrl)
        const origin = request.headers["origin"]
        const headers: Record<string, string> = { "x-request-id": id, "access-control-expose-headers": exposed }
        const ip = (yield* InProcess) ? undefined : clientAddress(request, peer, settings.trustedProxies)
        const exchange: Exchange = { id, ip, path, headers }

        if (!gate.isOpen()) return HttpServerResponse.setHeaders(yield* enveloped(path)(Effect.fail(new InstanceEnding())), headers)
        if (request.method === "OPTIONS" && origin !== undefined && request.headers["access-control-request-method"] !== undefined && !isMalformed(path)) {
          return HttpServerResponse.setHeaders(yield* enveloped(path)(preflight(path, origin)), headers)
        }
        const invalid = urlErrors(path, request.originalUrl)
        const work =
          invalid === undefined
            ? Effect.catchIf(next, isRouteNotFound, () => unmatched(request, path))
            : counted(Effect.fail(new RequestInvalid({ errors: invalid })))
        const response = yield* enveloped(path)(Effect.provideService(work, Exchange, exchange))
        if (response.status >= 400) yield* openToPage(path, origin, headers)
        return HttpServerResponse.setHeaders(response, headers)
      })

      const metered = (request: HttpServerRequest.HttpServerRequest, next: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>) => {
        const began = performance.now()
        meter.began()
        return Effect.onExit(gate.around(answer(request, next)), (exit) => {
          if (Exit.isSuccess(exit)) meter.answered(request.method, exit.value.status, (performance.now() - began) / 1_000)
          else meter.left()
          return Effect.void
        })
      }

      return ((next: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => metered(request, next))) as never
    }),
    { global: true }
  )

const pathOf = (url: string): string => {
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  return path.startsWith("/") ? path : new URL(path, "http://in.process").pathname
}

const isRouteNotFound = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "reason" in error &&
  typeof error.reason === "object" &&
  error.reason !== null &&
  "_tag" in error.reason &&
  error.reason._tag === "RouteNotFound"
