/**
 * The span of a request, under its caller's where `traceparent` (or b3) names one. It begins with the method as its
 * name; the router adds the route, which the span is called by then (system/telemetry/safeTracer). Without a tracer
 * there is no span and nothing is asked.
 */
import { Effect, Option, Tracer } from "effect"
import { type HttpServerRequest, type HttpServerResponse, HttpTraceContext } from "effect/http"
import type { Exchange } from "./Exchange.ts"
import { methodName } from "./RequestMeter.ts"

type Answering = Effect.Effect<HttpServerResponse.HttpServerResponse>

/** What is known of the request when it has been answered. */
interface Known {
  readonly exchange: Exchange | undefined
}

const traced = (request: HttpServerRequest.HttpServerRequest, known: Known, work: Answering): Answering => {
  const method = methodName(request.method)
  const parent = Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers))
  return Effect.useSpan(method, { kind: "server", ...(parent === undefined ? { root: true } : { parent }) }, (span) => {
    span.attribute("http.request.method", method)
    return Effect.map(Effect.provideService(work, Tracer.ParentSpan, span), (response) => {
      const { id, storeId } = known.exchange ?? {}
      span.attribute("http.response.status_code", response.status)
      if (id !== undefined) span.attribute("commerce.request.id", id)
      if (storeId !== undefined) span.attribute("commerce.store.id", storeId)
      return response
    })
  })
}

/** Read when the instance is built: whether it has a tracer does not change. */
export const makeServerSpans = Effect.map(Tracer.Tracer, (tracer) =>
  tracer === Tracer.nativeTracer ? (_request: unknown, _known: Known, work: Answering): Answering => work : traced
)
