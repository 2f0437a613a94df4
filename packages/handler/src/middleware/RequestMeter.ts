/**
 * The request counters of an instance, in the format of Prometheus (text format 0.0.4). Counters begin at the
 * instance's start and only grow.
 */
import { Context, Effect, Layer } from "effect"

/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

export interface RequestMeterMethods {
  readonly began: () => void
  /** One request that was answered; `seconds` it took. */
  readonly answered: (method: string, status: number, seconds: number) => void
  /** A client that left before its answer. */
  readonly left: () => void
  /** `further`: what others measure. */
  readonly text: (further: ReadonlyArray<Metric>) => string
}

export interface Metric {
  readonly name: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly help: string
  readonly samples: ReadonlyArray<string>
}

const makeMeter = (): RequestMeterMethods => {
  const answers = new Map<string, number>()
  const buckets = bounds.map(() => 0)
  let inFlight = 0
  let count = 0
  let sum = 0

  const requests = (): ReadonlyArray<Metric> => {
    const latency = "commerce_http_request_duration_seconds"
    return [
      {
        name: "commerce_http_requests_total",
        type: "counter",
        help: "Completed requests, by method and status.",
        samples: [...answers].toSorted().map(([labels, n]) => `commerce_http_requests_total{${labels}} ${n}`)
      },
      {
        name: "commerce_http_requests_in_flight",
        type: "gauge",
        help: "Requests in progress.",
        samples: [`commerce_http_requests_in_flight ${inFlight}`]
      },
      {
        name: latency,
        type: "histogram",
        help: "Seconds from a request's arrival to its response.",
        samples: [
          ...bounds.map((bound, i) => `${latency}_bucket{le="${bound}"} ${buckets[i] ?? 0}`),
          `${latency}_bucket{le="+Inf"} ${count}`,
          `${latency}_sum ${sum.toFixed(6)}`,
          `${latency}_count ${count}`
        ]
      }
    ]
  }

  return {
    began: () => {
      inFlight += 1
    },
    left: () => {
      inFlight -= 1
    },
    answered: (method, status, seconds) => {
      const labels = `method="${methods.has(method) ? method : "OTHER"}",status="${status}"`
      answers.set(labels, (answers.get(labels) ?? 0) + 1)
      for (const [i, bound] of bounds.entries()) if (seconds <= bound) buckets[i] = (buckets[i] ?? 0) + 1
      inFlight -= 1
      count += 1
      sum += seconds
    },
    text: (further) => [...requests(), ...further, ...processMetrics()].map(written).join("")
  }
}

const written = ({ name, type, help, samples }: Metric): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((line) => `${line}\n`).join("")}`

export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  type: "gauge",
  help,
  samples: [`${name} ${value}`]
})

/** Measurements of the whole process, which several instances may share. */
const processMetrics = (): ReadonlyArray<Metric> => {
  const { rss, heapUsed } = process.memoryUsage()
  return [
    gauge("process_resident_memory_bytes", "Resident memory of the process.", rss),
    gauge("nodejs_heap_used_bytes", "Used heap of the process.", heapUsed),
    gauge("process_uptime_seconds", "Seconds since the process began.", Math.round(process.uptime()))
  ]
}

export class RequestMeter extends Context.Service<RequestMeter, RequestMeterMethods>()(
  "@effect-commerce/handler/middleware/RequestMeter"
) {
  static readonly layer = Layer.effect(RequestMeter, Effect.sync(makeMeter))
}
