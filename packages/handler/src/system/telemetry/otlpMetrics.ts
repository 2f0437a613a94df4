/** The metrics of an instance as OTLP has them: under the same names, so that one dashboard reads both. */
import { OtlpResource, type OtlpMetrics } from "effect/observability"
import type { Histogram, Metric, Numbers } from "../../middleware/Metric.ts"

export type MetricRecord = OtlpMetrics.MetricsData["resourceMetrics"][number]["scopeMetrics"][number]["metrics"][number]

interface Times {
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
}

/** Counted since the start of the instance. */
const cumulative = 2

/** What is counted has none: of a gauge with the unit "1" Prometheus makes a ratio, under another name. */
const unitOf = (name: string): string => (/_bytes/.test(name) ? "By" : /_seconds/.test(name) ? "s" : "")

const numbers = ({ samples }: Numbers, times: Times) =>
  samples.map(({ labels, value }) => ({
    ...times,
    attributes: OtlpResource.entriesToAttributes(Object.entries(labels ?? {})),
    asDouble: value
  }))

/** OTLP counts each bucket by itself, and what is above the last bound. */
const apart = ({ within, count }: Histogram): Array<number> =>
  [...within, count].map((upTo, i) => upTo - (i === 0 ? 0 : (within[i - 1] ?? 0)))

const dataOf = (metric: Metric, times: Times) => {
  switch (metric.type) {
    case "gauge":
      return { gauge: { dataPoints: numbers(metric, times) } }
    case "counter":
      return { sum: { dataPoints: numbers(metric, times), aggregationTemporality: cumulative, isMonotonic: true } }
    case "histogram": {
      const { bounds, count, sum } = metric
      const point = { ...times, attributes: [], count, sum, bucketCounts: apart(metric), explicitBounds: [...bounds] }
      return { histogram: { dataPoints: [point], aggregationTemporality: cumulative } }
    }
  }
}

/** `since` and `now` in epoch milliseconds. */
export const metricRecords = (metrics: ReadonlyArray<Metric>, since: number, now: number): Array<MetricRecord> => {
  const nanos = (millis: number): string => `${Math.round(millis)}000000`
  const times = { startTimeUnixNano: nanos(since), timeUnixNano: nanos(now) }
  return metrics.map(
    (metric) =>
      ({
        name: metric.name,
        description: metric.help,
        unit: unitOf(metric.name),
        ...dataOf(metric, times)
      }) as MetricRecord
  )
}
