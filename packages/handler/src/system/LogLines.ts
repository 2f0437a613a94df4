/**
 * The log of an instance: for people (`pretty`), for machines (`json`, one object a line), or for a logger of the host.
 * A line never has a key, a token or a password: those are `Redacted` everywhere.
 */
import { Cause, Formatter, type Layer, Logger } from "effect"

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal"

export interface LogLine {
  /** ISO 8601, in UTC, by the instance's clock. */
  readonly time: string
  readonly level: LogLevel
  readonly message: string
  /** Facts beside the message, such as `storeId`; often none. */
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

const lines = (sink: LogSink) =>
  Logger.make<unknown, void>((options) => {
    const { timestamp, annotations } = Logger.formatStructured.log(options)
    const parts = Array.isArray(options.message) ? options.message : [options.message]
    sink({
      time: timestamp,
      level: levels[options.logLevel] ?? "info",
      message: parts.map(wordsOf).join(" "),
      fields: annotations,
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

/** Lines that are written inside of a span are events of that span too. */
export const logLayer = (choice: LogChoice = "pretty"): Layer.Layer<never> =>
  Logger.layer([loggerOf(choice), Logger.tracerLogger])
