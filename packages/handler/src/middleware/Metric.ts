/**
 * What is measured, as values: a metric is declared once, and read by a scraper as the text format of Prometheus
 * (0.0.4) and sent by OTLP from the same declaration. Names follow the conventions of Prometheus: a prefix, a base
 * unit, `_total` for what only grows.
 */

export type Labels = Readonly<Record<string, string>>

interface Named {
  readonly name: string
  readonly help: string
}

export interface Numbers extends Named {
  readonly type: "counter" | "gauge"
  readonly samples: ReadonlyArray<{ readonly labels?: Labels; readonly value: number }>
}

export interface Histogram extends Named {
  readonly type: "histogram"
  /** Upper bounds, ascending. */
  readonly bounds: ReadonlyArray<number>
  /** How many lie at or below each bound, and in all. */
  readonly within: ReadonlyArray<number>
  readonly count: number
  readonly sum: number
}

export type Metric = Numbers | Histogram

/** A metric with one value and no labels. */
export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  type: "gauge",
  help,
  samples: [{ value }]
})

export const counter = (name: string, help: string, samples: Numbers["samples"]): Metric => ({
  name,
  type: "counter",
  help,
  samples
})

const escaped = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

const labelsOf = (labels: Labels | undefined): string => {
  const pairs = Object.entries(labels ?? {}).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const samplesOf = (metric: Metric): ReadonlyArray<string> => {
  const { name } = metric
  if (metric.type !== "histogram")
    return metric.samples.map(({ labels, value }) => `${name}${labelsOf(labels)} ${value}`)
  const { bounds, within, count, sum } = metric
  return [
    ...bounds.map((bound, i) => `${name}_bucket{le="${bound}"} ${within[i] ?? 0}`),
    `${name}_bucket{le="+Inf"} ${count}`,
    `${name}_sum ${sum.toFixed(6)}`,
    `${name}_count ${count}`
  ]
}

const written = (metric: Metric): string =>
  `# HELP ${metric.name} ${metric.help}\n# TYPE ${metric.name} ${metric.type}\n${samplesOf(metric)
    .map((line) => `${line}\n`)
    .join("")}`

/** The text format of Prometheus. */
export const metricsText = (metrics: ReadonlyArray<Metric>): string => metrics.map(written).join("")
