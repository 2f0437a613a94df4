import { describe, expect, it } from "vitest"
import { counter, gauge } from "../../src/middleware/Metric.ts"
import { metricRecords } from "../../src/system/telemetry/otlpMetrics.ts"

describe("the metrics of an instance as OTLP has them", () => {
  it("keep their names in Prometheus: what is counted has no unit, of which it would make a ratio", () => {
    const records = metricRecords(
      [
        gauge("commerce_database_up", "Whether it is there.", 1),
        gauge("commerce_http_answer_bytes", "Bytes.", 2),
        gauge("commerce_backlog_late_seconds", "Seconds.", 3),
        counter("commerce_storefront_reads_total", "Reads.", [{ value: 4 }])
      ],
      1,
      2
    )
    expect(records.map(({ name, unit }) => [name, unit])).toEqual([
      ["commerce_database_up", ""],
      ["commerce_http_answer_bytes", "By"],
      ["commerce_backlog_late_seconds", "s"],
      ["commerce_storefront_reads_total", ""]
    ])
  })
})
