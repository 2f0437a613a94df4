/** A line of the log as a record of OTLP, under the span that it was written in. */
import { OtlpResource, type OtlpLogger } from "effect/observability"
import type { LogLevel, LogLine } from "../LogLines.ts"

export type LogRecord = NonNullable<
  OtlpLogger.LogsData["resourceLogs"][number]["scopeLogs"][number]["logRecords"]
>[number]

/** Severity numbers of OTLP. */
const severities = { trace: 1, debug: 5, info: 9, warn: 13, error: 17, fatal: 21 } as const satisfies Readonly<
  Record<LogLevel, number>
>

export const logRecordOf = ({ time, level, message, fields, cause }: LogLine): LogRecord => {
  const { traceId, spanId, ...facts } = fields
  const nanos = `${Date.parse(time)}000000`
  const attributes = Object.entries(cause === undefined ? facts : { ...facts, "exception.stacktrace": cause })
  return {
    timeUnixNano: nanos,
    observedTimeUnixNano: nanos,
    severityNumber: severities[level],
    severityText: level.toUpperCase(),
    body: { stringValue: message },
    attributes: OtlpResource.entriesToAttributes(attributes),
    droppedAttributesCount: 0,
    ...(typeof traceId === "string" ? { traceId: traceId.padStart(32, "0") } : {}),
    ...(typeof spanId === "string" ? { spanId } : {})
  }
}
