/**
 * The log of an instance: for people (`pretty`), for machines (`json`, one object a line), or for a logger of the host.
 * A line never has a key, a token or a password: those are `Redacted` everywhere.
 */
import { Cause, Context, Formatter, type Layer, Logger, Tracer } from "effect"
import { Exchange } from "../middleware/Exchange.ts"

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal"

export interface LogLine {
  /** ISO 8601, in UTC, by the instance's clock. */
  readonly time: string
  readonly level: LogLevel
  readonly message: string
  /**
   * Facts beside the message: `requestId` and `storeId` of the request in which it was written, `traceId` and `spanId`
   * where traces are made, and what the line says of itself. Often none.
   */
  readonly fields: Readonly<Record<string, unknown>>
  /** The cause, with its stack. */
  readonly cause?: string
}

/** Called once for each line, in order. With pino: `({ level, message, ...rest }) => log[level](rest, message)`. */
export type LogSink = (line: LogLine) => void

export type LogChoice = "pretty" | "json" | LogSink

const levels: Readonly<Record<string, LogLevel>> = {
  Trace: "trace",
  Debug: "debug",
  Info: "info",
  Warn: "warn",
  Error: "error",
  Fatal: "fatal"
}

const wordsOf = (part: unknown): string => (typeof part === "object" ? Formatter.formatJson(part) : String(part))

/** Read where a line is written, so that a request that writes none pays nothing. */
const surroundings = ({ context }: { readonly context: Context.Context<never> }): Record<string, string> => {
  const { id, storeId } = Context.get(context, Exchange)
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  return {
    ...(id === "" ? {} : { requestId: id }),
    ...(storeId === undefined ? {} : { storeId }),
    ...(span?._tag === "Span" && span.sampled && Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer
      ? { traceId: span.traceId, spanId: span.spanId }
      : {})
  }
}

const lines = (sink: LogSink) =>
  Logger.make<unknown, void>((options) => {
    const { timestamp, annotations } = Logger.formatStructured.log(options)
    const parts = Array.isArray(options.message) ? options.message : [options.message]
    sink({
      time: timestamp,
      level: levels[options.logLevel] ?? "info",
      message: parts.map(wordsOf).join(" "),
      fields: { ...surroundings(options.fiber), ...annotations },
      ...(options.cause.reasons.length === 0 ? {} : { cause: Cause.pretty(options.cause) })
    })
  })

const printed: LogSink = (line) => void process.stdout.write(`${Formatter.formatJson(line)}\n`)

/** If the host's logger fails, the request goes on and the line is printed instead. */
const guarded =
  (sink: LogSink): LogSink =>
  (line) => {
    try {
      sink(line)
    } catch {
      printed(line)
    }
  }

/** With the date: a log is read on another day, beside other logs. */
const pretty = Logger.consolePretty({ formatDate: (date) => date.toISOString() })

const loggerOf = (choice: LogChoice): Logger.Logger<unknown, unknown> => {
  if (choice === "pretty") return pretty
  return lines(choice === "json" ? printed : guarded(choice))
}

/** `further` gets every line too. */
export const logLayer = (choice: LogChoice = "pretty", further?: LogSink): Layer.Layer<never> =>
  Logger.layer([loggerOf(choice), ...(further === undefined ? [] : [lines(guarded(further))])])
