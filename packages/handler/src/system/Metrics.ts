/** Everything that an instance measures, gathered when it is asked for: by a scraper, or to be sent by OTLP. */
import { Backlog } from "@effect-commerce/core/audit/Backlog"
import { Database } from "@effect-commerce/core/database/Database"
import { RateLimits, type RateStoreState } from "@effect-commerce/core/guard/RateLimits"
import { ReadReplica, type ReplicaState } from "@effect-commerce/core/replica/ReadReplica"
import { Context, Effect, Layer, Metric as EffectMetric } from "effect"
import { AnswerBytes } from "../middleware/AnswerBytes.ts"
import { counter, gauge, type Metric } from "../middleware/Metric.ts"
import { RequestMeter } from "../middleware/RequestMeter.ts"
import { CurrentTelemetry } from "./telemetry/Telemetry.ts"

export class Metrics extends Context.Service<Metrics>()("@effect-commerce/handler/system/Metrics", {
  make: Effect.gen(function* () {
    const meter = yield* RequestMeter
    const bytes = yield* AnswerBytes
    const limits = yield* RateLimits
    const replica = yield* ReadReplica
    const database = yield* Database
    const backlog = yield* Backlog
    const telemetry = yield* CurrentTelemetry
    const counted = yield* Effect.context()

    const waiting = Effect.map(backlog.now, (rows): ReadonlyArray<Metric> => {
      // Where no answer came in time nobody knows: it may be busy.
      if (rows === "unknown") return []
      const up = gauge(
        "commerce_database_up",
        "Whether the database was reached when it was last asked how much work waits.",
        rows === "down" ? 0 : 1
      )
      if (rows === "down") return [up]
      return [
        up,
        {
          name: "commerce_backlog",
          type: "gauge",
          help: "What waits for a worker or a person, by kind; counted up to a bound.",
          samples: rows.map(({ kind, count }) => ({ labels: { kind }, value: count }))
        },
        {
          name: "commerce_backlog_late_seconds",
          type: "gauge",
          help: "Seconds since the oldest of what waits was due, by kind.",
          samples: rows.map(({ kind, lateSeconds }) => ({ labels: { kind }, value: lateSeconds }))
        }
      ]
    })

    return {
      gather: Effect.map(
        waiting,
        (ofWork): ReadonlyArray<Metric> => [
          ...meter.metrics(),
          gauge("commerce_http_answer_bytes", "Bytes of responses that clients have not read yet.", bytes.underWay()),
          ...laneMetrics(database.lanes()),
          ...limitMetrics(limits.state()),
          ...replicaMetrics(replica.state()),
          ...telemetryMetrics(telemetry.dropped()),
          ...ofWork,
          ...roomMetrics(counted),
          ...processMetrics()
        ]
      )
    }
  })
}) {
  static readonly layer = Layer.effect(Metrics, Metrics.make).pipe(Layer.provide(Backlog.layer))
}

const laneMetrics = (lanes: ReturnType<Database["Service"]["lanes"]>): ReadonlyArray<Metric> => {
  const byLane = (name: string, help: string, value: (lane: (typeof lanes)[number]) => number): Metric => ({
    name,
    type: "gauge",
    help,
    samples: lanes.map((lane) => ({ labels: { lane: lane.lane }, value: value(lane) }))
  })
  return [
    byLane("commerce_database_connections", "Connections that callers wait for, by lane.", (lane) => lane.connections),
    byLane("commerce_database_connections_busy", "How many of them are in use.", (lane) => lane.underWay),
    byLane("commerce_database_connections_waiting", "Callers that wait for one.", (lane) => lane.waiting)
  ]
}

/** Of a store that may be away while everything else goes on. */
const limitMetrics = ({ store, isReached, countedAlone, refused }: RateStoreState): ReadonlyArray<Metric> => {
  if (store !== "redis") return []
  return [
    gauge("commerce_rate_limit_store_up", "Whether the Redis that counts rate limits answers.", isReached ? 1 : 0),
    counter(
      "commerce_rate_limit_store_failures_total",
      "Calls that the Redis of rate limits did not answer, by what became of the request.",
      [
        { labels: { outcome: "counted_alone" }, value: countedAlone },
        { labels: { outcome: "refused" }, value: refused }
      ]
    )
  ]
}

/** Of the reads that a replica may answer. Its lag has no sample while it cannot be asked. */
const replicaMetrics = (state: ReplicaState | undefined): ReadonlyArray<Metric> => {
  if (state === undefined) return []
  return [
    gauge("commerce_replica_up", "Whether storefronts read from the replica.", state.isServing ? 1 : 0),
    {
      name: "commerce_replica_lag_seconds",
      type: "gauge",
      help: "How long the replica took to come as far as the primary was.",
      samples: state.lagMillis === undefined ? [] : [{ value: state.lagMillis / 1_000 }]
    },
    counter("commerce_storefront_reads_total", "Statements of storefront reads, by the server that answered.", [
      { labels: { server: "replica" }, value: state.byReplica },
      { labels: { server: "primary" }, value: state.byPrimary }
    ]),
    counter(
      "commerce_replica_reads_asked_again_total",
      "Statements that failed on the replica and were asked of the primary.",
      [{ value: state.askedAgain }]
    )
  ]
}

/** Of a collector that may be away while everything else goes on. */
const telemetryMetrics = (dropped: Readonly<Record<string, number>>): ReadonlyArray<Metric> => {
  const samples = Object.entries(dropped).map(([signal, value]) => ({ labels: { signal }, value }))
  const help = "Spans and log lines that the collector never got, by signal."
  return samples.length === 0 ? [] : [counter("commerce_telemetry_dropped_total", help, samples)]
}

/** What rooms count where it happens, in the registry of this instance. */
const roomMetrics = (context: Context.Context<never>): ReadonlyArray<Metric> => {
  const byName = new Map<string, Array<EffectMetric.Metric.Snapshot>>()
  for (const snapshot of EffectMetric.snapshotUnsafe(context)) {
    if (snapshot.type === "Counter") byName.set(snapshot.id, [...(byName.get(snapshot.id) ?? []), snapshot])
  }
  return [...byName]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, snapshots]) =>
      counter(
        name,
        snapshots[0]?.description ?? "",
        snapshots.flatMap(({ type, state, attributes }) =>
          type === "Counter" ? [{ labels: { ...attributes }, value: Number(state.count) }] : []
        )
      )
    )
}

/** Measurements of the whole process, which several instances may share. */
const processMetrics = (): ReadonlyArray<Metric> => {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    gauge("process_resident_memory_bytes", "Resident memory of the process.", rss),
    gauge("nodejs_heap_used_bytes", "Used heap of the process.", heapUsed),
    gauge("process_uptime_seconds", "Seconds since the process began.", Math.round(process.uptime())),
    counter("process_cpu_seconds_total", "Seconds of CPU that the process has used.", [
      { value: (user + system) / 1_000_000 }
    ])
  ]
}
