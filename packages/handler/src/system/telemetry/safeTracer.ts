/**
 * A tracer in front of another one, which decides what spans say. Names are ours: the route as it is declared, the
 * tables of a statement. Attributes are those of a list. Of an error only its kind is told, because its message may
 * hold what a caller has written. A statement that belongs to nothing makes no span.
 */
import { Cause, type Context, Exit, Option, Tracer } from "effect"
import { statementName } from "./statementName.ts"

const allowed: ReadonlySet<string> = new Set([
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "db.system.name",
  "db.query.summary",
  "error.type",
  "commerce.request.id",
  "commerce.store.id",
  "commerce.event.id",
  "commerce.event.type",
  "commerce.events",
  "commerce.mail.type",
  "commerce.payment.provider",
  "commerce.result"
])

const kindOf = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return typeof error
  if ("_tag" in error && typeof error._tag === "string") return error._tag
  return error instanceof Error ? error.name : "object"
}

/** An error of that kind, which says nothing else. */
const named = (kind: string): Error => {
  const error = new Error(kind)
  error.name = kind
  error.stack = kind
  return error
}

/** `effect/sql` calls the span of a statement by its database. */
const isStatement = ({ kind, name }: Pick<SpanOptions, "kind" | "name">): boolean =>
  kind === "client" ? name === "postgresql" : name === "sql.transaction"

type SpanOptions = Parameters<Tracer.Tracer["span"]>[0]

/**
 * The span behind it is made when its first use needs it, because its name is not known before: the route is found, and
 * the statement put together, after a span has begun.
 */
class SafeSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly sampled: boolean
  readonly kind: Tracer.SpanKind
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly annotations: Context.Context<never>
  readonly #tracer: Tracer.Tracer
  readonly #options: SpanOptions
  readonly #early: Array<readonly [key: string, value: unknown]> = []
  #method = ""
  #name: string
  #status: number | undefined
  #behind: Tracer.Span | undefined

  constructor(tracer: Tracer.Tracer, options: SpanOptions) {
    this.#tracer = tracer
    this.#name = options.name
    this.parent = Option.map(options.parent, (span) => (span instanceof SafeSpan ? span.behind : span))
    this.#options = options
    this.sampled = options.sampled && !(Option.isNone(options.parent) && isStatement(options))
    this.kind = options.kind
    this.annotations = options.annotations
    if (options.kind === "server") this.#method = options.name
  }

  get behind(): Tracer.Span {
    if (this.#behind !== undefined) return this.#behind
    const { parent, sampled } = this
    const made = this.#tracer.span({ ...this.#options, parent, sampled, name: this.#name })
    for (const [key, value] of this.#early) made.attribute(key, value)
    this.#behind = made
    return made
  }

  get name(): string {
    return this.#name
  }
  get spanId(): string {
    return this.behind.spanId
  }
  get traceId(): string {
    return this.behind.traceId
  }
  get status(): Tracer.SpanStatus {
    return this.#behind?.status ?? { _tag: "Started", startTime: this.#options.startTime }
  }
  get attributes(): ReadonlyMap<string, unknown> {
    return this.#behind?.attributes ?? new Map(this.#early)
  }
  get links(): ReadonlyArray<Tracer.SpanLink> {
    return this.#behind?.links ?? this.#options.links
  }

  attribute(key: string, value: unknown): void {
    if (!this.sampled) return
    if (key === "db.query.text") return this.#rename(statementName(String(value)), "db.query.summary")
    if (key === "http.route") return this.#rename(`${this.#method} ${String(value)}`, key, String(value))
    if (!allowed.has(key)) return
    if (key === "http.response.status_code") this.#status = Number(value)
    this.#tell(key, value)
  }

  #tell(key: string, value: unknown): void {
    if (this.#behind === undefined) this.#early.push([key, value])
    else this.#behind.attribute(key, value)
  }

  #rename(name: string, key: string, value = name): void {
    if (this.#behind === undefined) this.#name = name
    this.#tell(key, value)
  }

  /** Other events are lines of the log, which are sent as such. */
  event(name: string, startTime: bigint): void {
    if (this.sampled && name.startsWith("effect.sql.")) this.behind.event(name, startTime)
  }

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    if (this.sampled) this.behind.addLinks(links)
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    if (!this.sampled) return
    const span = this.behind
    // An error that has become a response is the server's where its status says so.
    const isOurs = this.#status !== undefined && this.#status >= 500
    if (Exit.isSuccess(exit) && !isOurs) return span.end(endTime, Exit.void)
    if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return span.end(endTime, Exit.interrupt())
    const kind = Exit.isSuccess(exit) ? String(this.#status) : kindOf(Cause.squash(exit.cause))
    span.attribute("error.type", kind)
    span.end(endTime, Exit.fail(named(kind)))
  }
}

export const safeTracer = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => new SafeSpan(tracer, options),
    ...(tracer.context === undefined ? {} : { context: tracer.context })
  })
