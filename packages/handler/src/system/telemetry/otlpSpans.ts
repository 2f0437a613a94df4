/** A tracer whose spans are sent by OTLP once they have ended. */
import { Hex } from "effect/encoding"
import { Cause, type Context, Exit, Option, Tracer } from "effect"
import { OtlpResource, type OtlpTracer } from "effect/observability"

/** A span as OTLP has it. */
export type SpanRecord = OtlpTracer.ScopeSpan["spans"][number]

const kinds: Readonly<Record<Tracer.SpanKind, number>> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }

/** Status codes of OTLP. An interrupted span, such as one whose client left, has none. */
const [unset, ok, failed] = [0, 1, 2] as const

const statusOf = (exit: Exit.Exit<unknown, unknown>): 0 | 1 | 2 => {
  if (Exit.isSuccess(exit)) return ok
  return Cause.hasInterruptsOnly(exit.cause) ? unset : failed
}

type SpanOptions = Parameters<Tracer.Tracer["span"]>[0]

class OtlpSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly name: string
  readonly spanId = Hex.random(16)
  readonly traceId: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly annotations: Context.Context<never>
  readonly links: Array<Tracer.SpanLink>
  readonly sampled: boolean
  readonly kind: Tracer.SpanKind
  readonly attributes = new Map<string, unknown>()
  readonly #events: SpanRecord["events"] = []
  readonly #ended: (span: SpanRecord) => void
  status: Tracer.SpanStatus

  constructor(options: SpanOptions, ended: (span: SpanRecord) => void) {
    this.name = options.name
    this.parent = options.parent
    this.annotations = options.annotations
    this.links = options.links
    this.sampled = options.sampled
    this.kind = options.kind
    this.traceId = Option.isSome(options.parent) ? options.parent.value.traceId : Hex.random(32)
    this.status = { _tag: "Started", startTime: options.startTime }
    this.#ended = ended
  }

  attribute(key: string, value: unknown): void {
    this.attributes.set(key, value)
  }

  event(name: string, startTime: bigint): void {
    this.#events.push({ name, timeUnixNano: String(startTime), attributes: [], droppedAttributesCount: 0 })
  }

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.links.push(...links)
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    if (this.status._tag === "Ended") return
    const { startTime } = this.status
    this.status = { _tag: "Ended", startTime, endTime, exit }
    this.#ended({
      traceId: this.traceId.padStart(32, "0"),
      spanId: this.spanId,
      parentSpanId: Option.getOrUndefined(this.parent)?.spanId,
      name: this.name,
      kind: kinds[this.kind],
      startTimeUnixNano: String(startTime),
      endTimeUnixNano: String(endTime),
      attributes: OtlpResource.entriesToAttributes(this.attributes),
      droppedAttributesCount: 0,
      events: this.#events,
      droppedEventsCount: 0,
      status: { code: statusOf(exit) },
      links: this.links.map(({ span }) => ({
        traceId: span.traceId.padStart(32, "0"),
        spanId: span.spanId,
        attributes: [],
        droppedAttributesCount: 0
      })),
      droppedLinksCount: 0
    })
  }
}

/** To be used behind a `safeTracer`, which decides what spans say and which are made. */
export const otlpTracer = (ended: (span: SpanRecord) => void): Tracer.Tracer =>
  Tracer.make({ span: (options) => new OtlpSpan(options, ended) })
