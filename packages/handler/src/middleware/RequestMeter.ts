/** Counts the requests of an instance. Counters begin at the instance's start and only grow. */
import { Context, Effect, Layer } from "effect"
import { counter, gauge, type Metric } from "./Metric.ts"

/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** A caller may send any word as a method. */
export const methodName = (method: string): string => (methods.has(method) ? method : "OTHER")

/** The route of what is answered outside of the declared routes: documents, preflights, unknown paths. */
const undeclared = "none"

export interface AnsweredRequest {
  readonly method: string
  /** As it is declared, with `:name` for a parameter; undefined outside of the declared routes. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

export interface RequestMeterMethods {
  readonly began: () => void
  readonly answered: (request: AnsweredRequest) => void
  /** A client that left before its answer. */
  readonly left: () => void
  readonly metrics: () => ReadonlyArray<Metric>
}

interface Counted {
  readonly labels: Readonly<Record<"method" | "route" | "status", string>>
  value: number
}

const makeMeter = (): RequestMeterMethods => {
  const answers = new Map<string, Counted>()
  const within = bounds.map(() => 0)
  let inFlight = 0
  let count = 0
  let sum = 0
  let leftEarly = 0

  return {
    began: () => {
      inFlight += 1
    },
    left: () => {
      inFlight -= 1
      leftEarly += 1
    },
    answered: ({ method: asked, route = undeclared, status, seconds }) => {
      const method = methodName(asked)
      const key = `${method} ${route} ${status}`
      const known = answers.get(key)
      if (known === undefined) answers.set(key, { labels: { method, route, status: String(status) }, value: 1 })
      else known.value += 1
      for (const [i, bound] of bounds.entries()) if (seconds <= bound) within[i] = (within[i] ?? 0) + 1
      inFlight -= 1
      count += 1
      sum += seconds
    },
    metrics: () => [
      counter(
        "commerce_http_requests_total",
        "Completed requests, by method, declared route and status.",
        [...answers].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, answered]) => answered)
      ),
      counter("commerce_http_requests_abandoned_total", "Requests whose client left before the answer.", [
        { value: leftEarly }
      ]),
      gauge("commerce_http_requests_in_flight", "Requests in progress.", inFlight),
      {
        name: "commerce_http_request_duration_seconds",
        type: "histogram",
        help: "Seconds from a request's arrival to its response.",
        bounds,
        within: [...within],
        count,
        sum
      }
    ]
  }
}

export class RequestMeter extends Context.Service<RequestMeter, RequestMeterMethods>()(
  "@effect-commerce/handler/middleware/RequestMeter"
) {
  static readonly layer = Layer.effect(RequestMeter, Effect.sync(makeMeter))
}
