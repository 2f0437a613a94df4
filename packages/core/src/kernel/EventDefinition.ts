/**
 * Definitions of domain events. The room that emits an event defines its type and the schema of its data once; the
 * outbox accepts only events made by a definition, so an undefined event, or an event whose data lack a field, does not
 * compile. The event catalogue, its documented schemas and docs/events.md are collected from the same definitions
 * (CommerceEvents.ts).
 */
import type { Schema } from "effect"
import { storedReader, type Upgrade, versionOf } from "./StoredData.ts"

/** Types with this prefix are internal: they are in no catalogue and are sent to no subscriber. */
export const internalPrefix = "internal."

export interface EventOptions<Data extends Schema.Constraint> {
  /** When it is sent, as subscribers read it. */
  readonly description: string
  /** The schema of the data, which are stored and sent in encoded form: plain JSON, amounts as decimal strings. */
  readonly data: Data
  /** `live` if absent. `coming_soon`: not sent yet; a subscription may name it. */
  readonly status?: "live" | "coming_soon"
  /**
   * One function for each older version, the oldest first. A field that is only added needs no upgrade: it is declared
   * optional. If older processes may still be running, the release that reads a new version must come before the
   * release that writes it.
   */
  readonly upgrades?: ReadonlyArray<Upgrade>
}

/** `internal: true` and the prefix of the type always go together. */
type Internal<Type extends string> = Type extends `${typeof internalPrefix}${string}`
  ? { readonly internal: true }
  : { readonly internal?: never }

export class EventDefinition<Data extends Schema.Constraint = Schema.Constraint, Type extends string = string> {
  readonly type: Type
  readonly description: string
  readonly status: "live" | "coming_soon"
  readonly data: Data
  readonly upgrades: ReadonlyArray<Upgrade>
  /** The version that is stored with each event. */
  readonly version: number

  constructor(type: Type, { description, data, status = "live", upgrades = [] }: EventOptions<Data>) {
    this.type = type
    this.description = description
    this.status = status
    this.data = data
    this.upgrades = upgrades
    this.version = versionOf(upgrades)
  }

  get isInternal(): boolean {
    return this.type.startsWith(internalPrefix)
  }

  /** An event to append. Only the compiler checks its data: nothing is decoded or encoded here. */
  of(data: Data["Encoded"]): NewEvent {
    return new NewEvent(this, data)
  }
}

/** An event that is ready to be appended; only `EventDefinition.of` makes one. */
export class NewEvent {
  readonly definition: EventDefinition
  readonly data: unknown
  /** Keeps an object of the same shape from being accepted as a NewEvent. */
  private readonly isDefined = true

  constructor(definition: EventDefinition, data: unknown) {
    this.definition = definition
    this.data = data
  }
}

export const defineEvent = <const Type extends string, Data extends Schema.Constraint>(
  type: Type,
  options: EventOptions<Data> & Internal<Type>
): EventDefinition<Data, Type> => new EventDefinition(type, options)

/** Reads stored events of a definition by `part`, a schema of the fields that the reader uses. */
export const eventReader = <S extends Schema.ConstraintDecoder<unknown>>({ upgrades }: EventDefinition, part: S) =>
  storedReader(part, upgrades)
