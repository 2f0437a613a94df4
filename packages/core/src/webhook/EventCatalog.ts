/**
 * The public event types: the names that a subscription may use, and a JSON Schema of each type's data. `*` names all
 * of them, `order.*` all of one resource. Internal events are not listed.
 */
import { Schema } from "effect"
import { described, json, string, listed, named } from "../kernel/Fields.ts"
import { commerceEvents } from "../CommerceEvents.ts"
import { internalPrefix } from "../kernel/EventDefinition.ts"
import { tidySchema } from "../body/tidySchema.ts"

const publicEvents = commerceEvents.filter(({ isInternal }) => !isInternal)

export const eventTypes: ReadonlyArray<string> = publicEvents.map(({ type }) => type)

const wildcards = ["*", ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf("."))}.*`))]

/** Types that an event may have. Types of an earlier release are not rejected. */
export const EventTypeName = named("EventTypeName", "Type of an event.", listed(eventTypes))

/** An event type or wildcard that a subscription may name. */
export const EventSelector = named(
  "EventSelector",
  "A type of event, `order.*` for all of a resource, or `*` for all.",
  listed([...wildcards, ...eventTypes])
)

export const EventTypeEntry = Schema.Struct({
  type: EventTypeName,
  status: described(
    Schema.Literals(["live", "coming_soon"]),
    "coming_soon: a subscription may name it, and nothing sends it yet."
  ),
  description: string("When the event happens."),
  schema: json("JSON Schema (draft 2020-12) of the event's data.")
}).annotate({ identifier: "EventType", description: "A type of event that can be subscribed to." })
export type EventTypeEntry = typeof EventTypeEntry.Type

const schemaOf = (data: Schema.Constraint): Readonly<Record<string, unknown>> => {
  const document = Schema.toJsonSchemaDocument(data)
  const named = Object.keys(document.definitions).length === 0 ? {} : { $defs: document.definitions }
  return tidySchema({ ...document.schema, ...named }) as Readonly<Record<string, unknown>>
}

/** Compiled on the first call: the schemas of orders and products are large. */
let compiled: ReadonlyArray<EventTypeEntry> | undefined

export const eventCatalog = (): ReadonlyArray<EventTypeEntry> => {
  compiled ??= publicEvents.map(({ type, status, description, data }) => ({
    type,
    status,
    description,
    schema: schemaOf(data)
  }))
  return compiled
}

const known: ReadonlySet<string> = new Set([...wildcards, ...eventTypes])

/** The `names` that are neither a type nor a wildcard of the catalogue, in their order, without duplicates. */
export const unknownEvents = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(names)].filter((name) => !known.has(name))

const isInternal = (type: string): boolean => type.startsWith(internalPrefix)

/** Every selector that hears one of these types: the type, `order.*` and `*`. None for internal types alone. */
export const selectorsOf = (types: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(
    types.filter((type) => !isInternal(type)).flatMap((type) => [type, `${type.slice(0, type.indexOf("."))}.*`, "*"])
  )
]

/** Whether a subscription to `names` receives events of `type`. */
export const hears = (names: ReadonlyArray<string>, type: string): boolean =>
  selectorsOf([type]).some((selector) => names.includes(selector))

/** The types that these selectors name; undefined for all. */
export const typesNamed = (names: ReadonlyArray<string> | undefined): ReadonlyArray<string> | undefined =>
  names === undefined || names.includes("*") ? undefined : eventTypes.filter((type) => hears(names, type))
