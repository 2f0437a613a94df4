/**
 * A collector for tests: takes OTLP over HTTP and decodes it as the JSON mapping of its protocol demands. A payload that
 * it does not understand is refused with 400, and remembered.
 */
import { Result, Schema } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import { on } from "node:events"

const Hex = (length: number) => Schema.String.pipe(Schema.check(Schema.isPattern(new RegExp(`^[0-9a-f]{${length}}$`))))
const Nanos = Schema.String.pipe(Schema.check(Schema.isPattern(/^[1-9]\d{18}$/)))
const Value = Schema.Union([
  Schema.Struct({ stringValue: Schema.String }),
  Schema.Struct({ boolValue: Schema.Boolean }),
  Schema.Struct({
    intValue: Schema.Union([Schema.Int, Schema.String.pipe(Schema.check(Schema.isPattern(/^-?\d+$/)))])
  }),
  Schema.Struct({ doubleValue: Schema.Finite })
])
const Attributes = Schema.Array(Schema.Struct({ key: Schema.NonEmptyString, value: Value }))
const Resource = Schema.Struct({ attributes: Attributes, droppedAttributesCount: Schema.Int })
const Scope = Schema.Struct({ name: Schema.NonEmptyString, version: Schema.NonEmptyString })
const dropped = { droppedAttributesCount: Schema.Int }

const Span = Schema.Struct({
  traceId: Hex(32),
  spanId: Hex(16),
  parentSpanId: Schema.optionalKey(Hex(16)),
  name: Schema.NonEmptyString,
  kind: Schema.Literals([1, 2, 3, 4, 5]),
  startTimeUnixNano: Nanos,
  endTimeUnixNano: Nanos,
  attributes: Attributes,
  events: Schema.Array(
    Schema.Struct({ name: Schema.NonEmptyString, timeUnixNano: Nanos, attributes: Attributes, ...dropped })
  ),
  status: Schema.Struct({ code: Schema.Literals([0, 1, 2]) }),
  links: Schema.Array(Schema.Struct({ traceId: Hex(32), spanId: Hex(16), attributes: Attributes, ...dropped })),
  ...dropped,
  droppedEventsCount: Schema.Int,
  droppedLinksCount: Schema.Int
})
const times = { startTimeUnixNano: Nanos, timeUnixNano: Nanos }
const Point = Schema.Struct({ ...times, attributes: Attributes, asDouble: Schema.Finite })
const Bucketed = Schema.Struct({
  ...times,
  attributes: Attributes,
  count: Schema.Int,
  sum: Schema.Finite,
  bucketCounts: Schema.Array(Schema.Int),
  explicitBounds: Schema.Array(Schema.Finite)
})
const named = {
  name: Schema.NonEmptyString,
  description: Schema.NonEmptyString,
  unit: Schema.Literals(["", "s", "By"])
}
const Metric = Schema.Union([
  Schema.Struct({ ...named, gauge: Schema.Struct({ dataPoints: Schema.Array(Point) }) }),
  Schema.Struct({
    ...named,
    sum: Schema.Struct({
      dataPoints: Schema.Array(Point),
      aggregationTemporality: Schema.Literal(2),
      isMonotonic: Schema.Literal(true)
    })
  }),
  Schema.Struct({
    ...named,
    histogram: Schema.Struct({ dataPoints: Schema.Array(Bucketed), aggregationTemporality: Schema.Literal(2) })
  })
])
const LogRecord = Schema.Struct({
  timeUnixNano: Nanos,
  observedTimeUnixNano: Nanos,
  severityNumber: Schema.Int,
  severityText: Schema.NonEmptyString,
  body: Value,
  attributes: Attributes,
  ...dropped,
  traceId: Schema.optionalKey(Hex(32)),
  spanId: Schema.optionalKey(Hex(16))
})

const payloads = {
  "/v1/traces": Schema.Struct({
    resourceSpans: Schema.Array(
      Schema.Struct({
        resource: Resource,
        scopeSpans: Schema.Array(Schema.Struct({ scope: Scope, spans: Schema.Array(Span) }))
      })
    )
  }),
  "/v1/metrics": Schema.Struct({
    resourceMetrics: Schema.Array(
      Schema.Struct({
        resource: Resource,
        scopeMetrics: Schema.Array(Schema.Struct({ scope: Scope, metrics: Schema.Array(Metric) }))
      })
    )
  }),
  "/v1/logs": Schema.Struct({
    resourceLogs: Schema.Array(
      Schema.Struct({
        resource: Resource,
        scopeLogs: Schema.Array(Schema.Struct({ scope: Scope, logRecords: Schema.Array(LogRecord) }))
      })
    )
  })
} as const

export type ReceivedSpan = typeof Span.Type
export type ReceivedMetric = typeof Metric.Type
export type ReceivedLog = typeof LogRecord.Type

export const factsOf = (attributes: typeof Attributes.Type): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

export interface OtlpReceiver {
  readonly endpoint: string
  readonly spans: Array<ReceivedSpan>
  readonly metrics: Array<ReceivedMetric>
  readonly logs: Array<ReceivedLog>
  readonly resources: Array<Readonly<Record<string, unknown>>>
  /** What could not be decoded. */
  readonly problems: Array<string>
  /** Every body, as it came. */
  readonly bodies: Array<string>
  /** What it answers from now on; `silent`: nothing at all. */
  answers: number | "silent"
  readonly calls: () => number
  readonly close: () => Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

export const openOtlpReceiver = async (): Promise<OtlpReceiver> => {
  let calls = 0
  const server = createServer()
  const received: Omit<OtlpReceiver, "endpoint" | "calls" | "close"> = {
    spans: [],
    metrics: [],
    logs: [],
    resources: [],
    problems: [],
    bodies: [],
    answers: 200
  }

  const take = (path: string, body: string): boolean => {
    const decoded = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S) =>
      Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })(JSON.parse(body))
    const refuse = (problem: unknown): boolean => {
      received.problems.push(`${path}: ${String(problem)}`)
      return false
    }
    if (path === "/v1/traces") {
      const data = decoded(payloads[path])
      if (Result.isFailure(data)) return refuse(data.failure)
      for (const { resource, scopeSpans } of data.success.resourceSpans) {
        received.resources.push(factsOf(resource.attributes))
        received.spans.push(...scopeSpans.flatMap(({ spans }) => spans))
      }
      return true
    }
    if (path === "/v1/metrics") {
      const data = decoded(payloads[path])
      if (Result.isFailure(data)) return refuse(data.failure)
      for (const { resource, scopeMetrics } of data.success.resourceMetrics) {
        received.resources.push(factsOf(resource.attributes))
        // Each sending says all there is.
        received.metrics.splice(0, Number.POSITIVE_INFINITY, ...scopeMetrics.flatMap(({ metrics }) => metrics))
      }
      return true
    }
    if (path !== "/v1/logs") return refuse("no such signal")
    const data = decoded(payloads[path])
    if (Result.isFailure(data)) return refuse(data.failure)
    for (const { resource, scopeLogs } of data.success.resourceLogs) {
      received.resources.push(factsOf(resource.attributes))
      received.logs.push(...scopeLogs.flatMap(({ logRecords }) => logRecords))
    }
    return true
  }

  server.on("request", async (request, response) => {
    calls += 1
    const body = await bodyOf(request)
    if (received.answers === "silent") return
    if (received.answers !== 200) return response.writeHead(received.answers).end()
    received.bodies.push(body)
    const isTaken = request.headers["content-type"] === "application/json" && take(request.url ?? "", body)
    response.writeHead(isTaken ? 200 : 400, { "content-type": "application/json" }).end("{}")
  })
  const listening = on(server, "listening")[Symbol.asyncIterator]().next()
  server.listen(0, "127.0.0.1")
  await listening
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return Object.assign(received, {
    endpoint: `http://127.0.0.1:${port}`,
    calls: () => calls,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      })
  })
}
