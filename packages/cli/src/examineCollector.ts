/** What `commerce doctor` says of the collector that traces, metrics and logs are sent to. */
import type { Examined } from "@effect-commerce/core/migration/Diagnosis"
import { lookAtCollector } from "@effect-commerce/handler/system/telemetry/collector"
import { Effect } from "effect"
import type { Settings } from "./Settings.ts"

const check = "telemetry"

/** Nothing where none is named. */
export const examineCollector = ({ otlpEndpoint }: Settings): Effect.Effect<ReadonlyArray<Examined>> => {
  if (otlpEndpoint === undefined) return Effect.succeed([])
  return Effect.map(lookAtCollector(otlpEndpoint), (problem) => [
    problem === undefined
      ? { check, says: `the collector at ${otlpEndpoint} takes traces, metrics and logs`, remedy: null }
      : {
          check,
          says: `the collector at ${otlpEndpoint} cannot be used: ${problem}`,
          remedy: "start it, or mend OTEL_EXPORTER_OTLP_ENDPOINT: the base address of OTLP over HTTP, often port 4318"
        }
  ])
}
