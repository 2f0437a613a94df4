/** The page docs/events.md as text. */
import type { EventTypeEntry } from "../packages/core/src/webhook/EventCatalog.ts"

/** What this page reads of a JSON Schema. */
interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly required?: ReadonlyArray<string>
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

const head = `# Events

Generated from the definitions of the rooms (\`packages/core/src/*/*Events.ts\`) by \`npm run events\`. How to receive events is described in
[webhooks](guides/webhooks.md); a running server returns the same catalogue, with a JSON Schema of each event's data, at
\`GET /api/v1/webhook-subscriptions/event-catalog\`.

Every event is one JSON object, in a delivery and in the feed alike:

\`\`\`json
{
  "id": "evt_0f3a…",
  "type": "order.created",
  "createdAt": "2026-01-31T12:00:00.000Z",
  "sequence": 48213,
  "data": { "orderId": "ord_…", "order": {} }
}
\`\`\`

The same event may arrive twice: \`id\` is then the same. Of two events of one resource, such as an order, the one with the greater \`sequence\`
is the later one. Amounts are decimal strings in the currency that stands beside them. New fields may be
added to \`data\` at any time. A type with the status \`coming_soon\` may be subscribed to, and is sent by nobody yet.
`

const refName = ({ $ref }: JsonSchema): string | undefined => $ref?.slice($ref.lastIndexOf("/") + 1)

const isNull = ({ type }: JsonSchema): boolean => type === "null"
/** JSON has no NaN or Infinity, but the schema of a number lists them. */
const isNotFinite = ({ enum: values }: JsonSchema): boolean => values?.includes("NaN") === true

const link = (name: string): string => `[${name}](#${name.toLowerCase()})`

const typeOf = (schema: JsonSchema): string => {
  const name = refName(schema)
  if (name !== undefined) return link(name)
  const choices = schema.anyOf?.filter((choice) => !isNotFinite(choice))
  if (choices !== undefined) return choices.map(typeOf).join(" or ")
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ")
  return schema.type === undefined
    ? "anything"
    : [schema.type]
        .flat()
        .map((type) => typeNamed(type, schema))
        .join(" or ")
}

const typeNamed = (type: string, { items, additionalProperties: others }: JsonSchema): string => {
  if (type === "array" && items !== undefined) return `array of ${typeOf(items)}`
  const isMap = type === "object" && typeof others === "object" && Object.keys(others).length > 0
  return isMap ? `object by key, each ${typeOf(others)}` : type
}

/** The object in a field, behind null and arrays, and the path that leads to its fields. */
const objectIn = (schema: JsonSchema, path: string): readonly [path: string, object: JsonSchema] | undefined => {
  if (schema.properties !== undefined) return [path, schema]
  if (schema.items !== undefined) return objectIn(schema.items, `${path}[]`)
  const choices = schema.anyOf?.filter((choice) => !isNull(choice))
  return choices?.length === 1 && choices[0] !== undefined ? objectIn(choices[0], path) : undefined
}

/** Sections of objects, by their names. */
type Objects = Map<string, JsonSchema>

const rowsOf = (object: JsonSchema, path: string): ReadonlyArray<string> =>
  Object.entries(object.properties ?? {}).flatMap(([name, field]) => {
    const at = path === "" ? name : `${path}.${name}`
    const presence = object.required?.includes(name) === true ? "" : ", may be absent"
    const description = field.description === undefined ? "" : `. ${field.description.replaceAll("\n", " ")}`
    const row = `- \`${at}\`: ${typeOf(field)}${presence}${description}`
    const inner = objectIn(field, at)
    return [row, ...(inner === undefined ? [] : rowsOf(inner[1], inner[0]))]
  })

const nameOf = (property: string): string => property.charAt(0).toUpperCase() + property.slice(1)

/** Moves the resource that an event carries into a section of its own, which other events refer to. */
const withSections = (data: JsonSchema, objects: Objects): JsonSchema => {
  const properties = Object.entries(data.properties ?? {}).map(([property, schema]): readonly [string, JsonSchema] => {
    const name = nameOf(property)
    if (schema.properties === undefined) return [property, schema]
    const known = objects.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) return [property, schema]
    objects.set(name, schema)
    return [property, { $ref: name }]
  })
  return { ...data, properties: Object.fromEntries(properties) }
}

const sectionOf = ({ type, status, description, schema }: EventTypeEntry, objects: Objects): string => {
  const data: JsonSchema = schema
  for (const [name, definition] of Object.entries(data.$defs ?? {})) objects.set(name, definition)
  return [
    `## ${type}`,
    "",
    `${description} Status: \`${status}\`.`,
    "",
    ...rowsOf(withSections(data, objects), ""),
    ""
  ].join("\n")
}

export const eventsPage = (catalog: ReadonlyArray<EventTypeEntry>): string => {
  const objects: Objects = new Map()
  const overview = [
    ...catalog.map(
      ({ type, status, description }) => `- [${type}](#${type.replace(".", "")}) (${status}): ${description}`
    ),
    ""
  ].join("\n")
  const sections = catalog.map((entry) => sectionOf(entry, objects))
  const shapes = [...objects]
    .toSorted(([one], [other]) => one.localeCompare(other, "en"))
    .map(([name, object]) => {
      const rows = rowsOf(object, "")
      return [`### ${name}`, "", ...(rows.length === 0 ? [`${typeOf(object)}.`] : rows), ""].join("\n")
    })
  return [head, overview, ...sections, "## Objects in events\n", ...shapes].join("\n")
}
