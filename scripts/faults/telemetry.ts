/** Faults in what operators see from outside, and in how a server ends or is frozen. */
import type { Fault } from "../plantedFaults.ts"

const room = "packages/handler/src/system/telemetry"
const tests = (name: string) => [`packages/handler/test/system/${name}.test.ts`]
const stops = ["packages/bench/test/Stops.process.test.ts"]

export const telemetryFaults: ReadonlyArray<Fault> = [
  {
    id: "telemetry.attributes-told",
    breaks: "What callers have written leaves for the collector in the attributes of spans",
    file: `${room}/safeTracer.ts`,
    find: "if (!allowed.has(key)) return",
    replace: "",
    tests: tests("Telemetry.pg"),
    noticedBy: "say no more than those of OTLP do"
  },
  {
    id: "telemetry.messages-told",
    breaks: "Messages of errors leave for the collector, with the values that they quote",
    file: `${room}/safeTracer.ts`,
    find: `if ("_tag" in error && typeof error._tag === "string") return error._tag`,
    replace: "if (error instanceof Error) return error.message",
    tests: tests("Telemetry.pg"),
    noticedBy: "says in a span what kind of error there was"
  },
  {
    id: "telemetry.path-in-name",
    breaks: "Spans of requests are not called by their route",
    file: `${room}/safeTracer.ts`,
    find: `if (this.#behind === undefined) this.#name = name`,
    replace: "",
    tests: tests("Telemetry.pg"),
    noticedBy: "traces a purchase"
  },
  {
    id: "telemetry.caller-forgotten",
    breaks: "A request begins a trace of its own, apart from its caller's",
    file: "packages/handler/src/middleware/serverSpan.ts",
    find: "{ root: true } : { parent }",
    replace: "{ root: true } : { root: true }",
    tests: tests("Telemetry.pg"),
    noticedBy: "traces a purchase"
  },
  {
    id: "telemetry.counts-are-ratios",
    breaks: "The dashboard shows nothing where metrics come by OTLP: Prometheus renames the gauges",
    file: `${room}/otlpMetrics.ts`,
    find: `test(name) ? "s" : "")`,
    replace: `test(name) ? "s" : "1")`,
    tests: tests("OtlpMetrics"),
    noticedBy: "keep their names in Prometheus"
  },
  {
    id: "telemetry.last-batch-lost",
    breaks: "The spans that are being sent when a process ends are lost",
    file: `${room}/otlpQueue.ts`,
    find: "waiting = [...batch, ...waiting]",
    replace: "waiting = [...waiting]",
    tests: tests("OtlpQueue"),
    noticedBy: "also the batch that was under way"
  },
  {
    id: "backlog.late-store-hidden",
    breaks: "A store that is late is not seen behind ten thousand younger rows of others",
    file: "packages/core/src/audit/BacklogRepository.ts",
    find: "UNION ALL SELECT n.* FROM line l, LATERAL ${further} n)",
    replace: "UNION ALL SELECT n.* FROM line l, LATERAL ${further} n WHERE false)",
    tests: ["packages/core/test/audit/Backlog.pg.test.ts"],
    noticedBy: "knows the oldest although ten thousand younger rows"
  },
  {
    id: "backlog.busy-is-down",
    breaks: "A busy database is reported as unreachable",
    file: "packages/core/src/audit/Backlog.ts",
    find: `Option.getOrElse(answer, () => "unknown" as const)`,
    replace: `Option.getOrElse(answer, () => "down" as const)`,
    tests: ["packages/core/test/audit/Backlog.pg.test.ts"],
    noticedBy: "is unknown while there is no answer in time"
  },
  {
    id: "telemetry.platform-uncounted",
    breaks: "Connections that sign-ins and workers hold are not among the busy ones",
    file: "packages/core/src/database/internal/transactions.ts",
    find: "if (!open) return counted(transaction(body, settings))",
    replace: "if (!open) return transaction(body, settings)",
    tests: ["packages/core/test/database/Database.pg.test.ts"],
    noticedBy: "counts every transaction as a busy connection"
  },
  {
    id: "telemetry.queue-unbounded",
    breaks: "While the collector is away, the memory of the process fills with spans",
    file: `${room}/otlpQueue.ts`,
    find: "if (waiting.length >= mostWaiting) {",
    replace: "if (waiting.length < 0) {",
    tests: tests("OtlpQueue"),
    noticedBy: "has a bound"
  },
  {
    id: "telemetry.failed-batch-lost",
    breaks: "What the collector could not take while it started is lost",
    file: `${room}/otlpQueue.ts`,
    find: `const kept = outcome === "lost" ? 0 :`,
    replace: `const kept = outcome !== "sent" ? 0 :`,
    tests: tests("OtlpQueue"),
    noticedBy: "is sent again"
  },
  {
    id: "telemetry.bucket-counts",
    breaks: "Latencies by OTLP are counted several times over",
    file: `${room}/otlpMetrics.ts`,
    find: "upTo - (i === 0 ? 0 : (within[i - 1] ?? 0))",
    replace: "upTo",
    tests: tests("Telemetry.pg"),
    noticedBy: "sends the metrics that a scraper reads"
  },
  {
    id: "metrics.kind-renamed",
    breaks: "Panels of the dashboard are empty: nothing has the label that they ask for",
    file: "packages/handler/src/system/Metrics.ts",
    find: `samples: rows.map(({ kind, count }) => ({ labels: { kind }, value: count }))`,
    replace: `samples: rows.map(({ kind, count }) => ({ labels: { work: kind }, value: count }))`,
    tests: tests("Dashboard.pg"),
    noticedBy: "asks for metrics and labels that are measured"
  },
  {
    id: "log.request-unnamed",
    breaks: "A line of the log does not say which request and store it belongs to",
    file: "packages/handler/src/system/LogLines.ts",
    find: "fields: { ...surroundings(options.fiber), ...annotations }",
    replace: "fields: { ...annotations }",
    tests: tests("Logs.pg"),
    noticedBy: "have the id of the request"
  },
  {
    id: "frozen.fifteen-seconds",
    breaks: "A server that is frozen in the middle of a purchase stops the product's sales for a quarter of a minute",
    file: "packages/core/src/database/ConnectionOptions.ts",
    find: "idleInTransactionTimeout: 2_000",
    replace: "idleInTransactionTimeout: 15_000",
    tests: stops,
    noticedBy: "holds the sales of its product up for no longer"
  }
]
