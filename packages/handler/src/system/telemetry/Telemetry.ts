/**
 * What an instance tells of itself by OTLP (https://opentelemetry.io/docs/specs/otlp), or to a tracer of the host's. It
 * is opened before everything that it watches and flushed after it has ended.
 */
import { uniqueName } from "@effect-commerce/core/crypto/Hashing"
import { Context, Effect, Logger, type Scope, type Tracer } from "effect"
import { OtlpResource } from "effect/observability"
import type { LogSink } from "../LogLines.ts"
import { makeCollector } from "./collector.ts"
import type { Signal } from "./OtlpEndpoint.ts"
import { logRecordOf } from "./otlpLogs.ts"
import type { MetricRecord } from "./otlpMetrics.ts"
import { makeOtlpQueue } from "./otlpQueue.ts"
import { otlpTracer } from "./otlpSpans.ts"
import { safeTracer } from "./safeTracer.ts"

export interface TelemetryOptions {
  /** The base address of a collector that takes OTLP over HTTP: `http://127.0.0.1:4318`. */
  readonly otlpEndpoint?: string | undefined
  /** What the instance is called there; `commerce` by default. */
  readonly serviceName?: string | undefined
  /**
   * A tracer of yours, which gets the spans in place of the collector. They say no more than those of OTLP do.
   */
  readonly tracer?: Tracer.Tracer | undefined
}

/** What else the resource says. */
export interface InstanceFacts {
  readonly version: string
  readonly role: string
}

export interface Telemetry {
  readonly tracer: Tracer.Tracer | undefined
  /** Gets every line of the log. */
  readonly logs: LogSink | undefined
  readonly sendMetrics: ((metrics: ReadonlyArray<MetricRecord>) => Effect.Effect<void>) | undefined
  /** Spans and lines that were never sent. */
  readonly dropped: () => Readonly<Partial<Record<Signal, number>>>
  /** Sends for as long as it runs. */
  readonly run: Effect.Effect<unknown>
}

const nothing: Telemetry = {
  tracer: undefined,
  logs: undefined,
  sendMetrics: undefined,
  dropped: () => ({}),
  run: Effect.void
}

/** Found by what gathers metrics. */
export const CurrentTelemetry = Context.Reference<Telemetry>("@effect-commerce/handler/system/CurrentTelemetry", {
  defaultValue: () => nothing
})

/** What the end of an instance waits for the collector, in milliseconds. */
const lastMillis = 1_000

const sentBy = (endpoint: string, { version, role }: InstanceFacts, options: TelemetryOptions) => {
  const resource = OtlpResource.make({
    serviceName: options.serviceName ?? "commerce",
    serviceVersion: version,
    attributes: { "service.instance.id": uniqueName(""), "commerce.role": role }
  })
  const scope = { name: "effect-commerce", version }
  const collector = makeCollector(endpoint)
  const spans = makeOtlpQueue(collector, "traces", (items) =>
    JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: items }] }] })
  )
  const logs = makeOtlpQueue(collector, "logs", (items) =>
    JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: items }] }] })
  )
  return {
    tracer: options.tracer ?? otlpTracer(spans.push),
    logs: (line: Parameters<LogSink>[0]) => logs.push(logRecordOf(line)),
    // The next ones say all that these would have said, so none is kept.
    sendMetrics: (metrics: ReadonlyArray<MetricRecord>) =>
      Effect.asVoid(
        collector.send(
          "metrics",
          JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] })
        )
      ),
    dropped: () => ({ traces: spans.dropped(), logs: logs.dropped() }),
    run: Effect.all([spans.run, logs.run], { concurrency: "unbounded" }),
    flush: Effect.all([spans.flush, logs.flush], { concurrency: "unbounded" })
  }
}

/** What was told until the end of the scope is sent then, within a second. */
export const openTelemetry = (
  options: TelemetryOptions | undefined,
  facts: () => InstanceFacts
): Effect.Effect<Telemetry, never, Scope.Scope> => {
  const { otlpEndpoint, tracer } = options ?? {}
  if (options === undefined || otlpEndpoint === undefined)
    return Effect.succeed(tracer === undefined ? nothing : { ...nothing, tracer: safeTracer(tracer) })
  const sent = sentBy(otlpEndpoint, facts(), options)
  // Nobody reads the log of an instance that has ended.
  const last = Effect.provideService(Effect.timeoutOption(sent.flush, lastMillis), Logger.CurrentLoggers, new Set())
  return Effect.as(
    Effect.addFinalizer(() => Effect.asVoid(last)),
    { ...sent, tracer: safeTracer(sent.tracer) }
  )
}
