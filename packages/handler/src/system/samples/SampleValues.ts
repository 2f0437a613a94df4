/**
 * Makes a realistic value of a JSON schema, for the samples of the API document: what the schema shows as its example,
 * else what fields of that name hold (sampleFields.ts), with one id for each kind of thing (sampleIds.ts). The value
 * fits the schema; of a list it has one item.
 */
import type { Json } from "../DocumentedParameters.ts"
import { prefixOf, sampleId, wordsOf } from "./sampleIds.ts"
import { sampleFields, sampleKeys, samplePicture } from "./sampleFields.ts"

export type Schemas = Readonly<Record<string, Json>>

interface At {
  readonly schemas: Schemas
  /** What a request sends; else what a response shows. */
  readonly isRequest: boolean
  /** The name of the field, and of what has it: a named schema, or the field before. */
  readonly name: string
  readonly owner: string
  readonly depth: number
}

const deepest = 4
/** A request shows what is required, and others up to this many. */
const shownInRequest = 6
const none: unique symbol = Symbol("a field that is left out")
const writtenAt = "2026-03-02T09:30:00.000Z"
const endsAt = "2026-04-01T00:00:00.000Z"

const named = ({ $ref }: Json): string | undefined =>
  typeof $ref === "string" ? $ref.slice("#/components/schemas/".length) : undefined

const alternatives = (schema: Json): ReadonlyArray<Json> =>
  (schema["anyOf"] ?? schema["oneOf"] ?? []) as ReadonlyArray<Json>

const typesOf = (schema: Json): ReadonlyArray<string> => {
  const type = schema["type"]
  if (typeof type === "string") return [type]
  if (Array.isArray(type)) return type as ReadonlyArray<string>
  return alternatives(schema).flatMap(typesOf)
}

const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)

const takes = (schema: Json, value: unknown): boolean => {
  const types = typesOf(schema)
  return types.length === 0 || types.includes(typeOf(value)) || (types.includes("integer") && Number.isInteger(value))
}

const idNames = /Ids?$|^(?:id|crossSells|upsells|related)$/

/** undefined where a field is no id; null where it is one of something that the server makes no ids of. */
const idOf = ({ name, owner }: At): string | null | undefined => {
  if (!idNames.test(name)) return undefined
  const prefix = prefixOf(name === "id" ? owner : name.replace(/Ids?$/, ""))
  return prefix === null ? null : sampleId(prefix)
}

/** What a field of that name holds, in what has it or anywhere. */
const knownOf = ({ name, owner }: At): unknown =>
  wordsOf(owner)
    .map((word) => sampleFields[`${word} ${name}`])
    .find((value) => value !== undefined) ?? sampleFields[name]

const exampleOf = (schema: Json): unknown =>
  schema["const"] ??
  schema["example"] ??
  (schema["examples"] as ReadonlyArray<unknown> | undefined)?.[0] ??
  (schema["enum"] as ReadonlyArray<unknown> | undefined)?.[0]

const textOf = (schema: Json, { name }: At): string => {
  const formats: Readonly<Record<string, string>> = {
    "date-time": /expires|ends|until|next/i.test(name) ? endsAt : writtenAt,
    date: "2026-03-02",
    email: "ada@example.com",
    uri: "https://shop.example/",
    "uri-reference": samplePicture
  }
  const known = formats[String(schema["format"])]
  if (known !== undefined) return known
  return name.replaceAll(/([a-z])([A-Z])/g, (_, before, letter) => `${before} ${letter.toLowerCase()}`)
}

/** Times that a thing may have one day, and has not when it is new. */
const isUnsaid = (schema: Json, { name }: At): boolean =>
  typesOf(schema).includes("null") &&
  (schema["format"] === "date-time" ? !/^(created|updated|expires)At$/.test(name) : typesOf(schema).includes("string"))

const plainOf = (schema: Json, at: At): unknown => {
  const types = typesOf(schema)
  if (isUnsaid(schema, at)) return null
  if (types.includes("string")) return textOf(schema, at)
  if (types.includes("boolean")) return true
  if (types.includes("number") || types.includes("integer")) return (schema["minimum"] as number | undefined) ?? 1
  return null
}

const shownFields = (schema: Json, at: At): ReadonlyArray<readonly [string, Json]> => {
  const required = (schema["required"] ?? []) as ReadonlyArray<string>
  const fields = Object.entries((schema["properties"] ?? {}) as Schemas).filter(
    ([name, field]) => !(at.isRequest && (field["readOnly"] === true || name === "storeId"))
  )
  if (!at.isRequest) return fields.filter(([name]) => at.depth < deepest || required.includes(name))
  const telling = fields.filter(
    ([name, field]) => !required.includes(name) && (exampleOf(field) ?? knownOf({ ...at, name }) ?? null) !== null
  )
  const optional = telling.slice(0, Math.max(0, shownInRequest - required.length))
  const shown = fields.filter((field) => required.includes(field[0]) || optional.includes(field))
  return shown.length === 0 ? fields.slice(0, 1) : shown
}

const objectOf = (schema: Json, at: At): Json => {
  const fields = shownFields(schema, at).map(
    ([name, field]) => [name, valueOf(field, { ...at, name, depth: at.depth + 1 })] as const
  )
  const map = schema["additionalProperties"]
  const one =
    schema["properties"] === undefined && typeof map === "object" && at.depth <= deepest
      ? [[sampleKeys[at.name] ?? "de", valueOf(map as Json, { ...at, depth: at.depth + 1 })] as const]
      : []
  const required = (schema["required"] ?? []) as ReadonlyArray<string>
  return Object.fromEntries(
    [...fields, ...one]
      .filter(([name, value]) => value !== none || required.includes(name))
      .map(([name, value]) => [name, value === none ? null : value])
  )
}

const listOf = (schema: Json, at: At): ReadonlyArray<unknown> => {
  const items = schema["items"] as Json | undefined
  if (items === undefined || (at.depth > deepest && schema["minItems"] === undefined)) return []
  const item = valueOf(items, { ...at, owner: at.name, depth: at.depth + 1 })
  return item === none || item === null ? [] : [item]
}

const fieldOf = (schema: Json, at: At): unknown => {
  const id = typesOf(schema).includes("string") ? idOf(at) : undefined
  if (typeof id === "string") return id
  const example = exampleOf(schema)
  if (example !== undefined) return example
  const known = knownOf(at)
  return known !== undefined && takes(schema, known) ? known : id === null && takes(schema, null) ? null : undefined
}

const valueOf = (schema: Json, at: At): unknown => {
  const name = named(schema)
  const known = name === undefined ? undefined : at.schemas[name]
  if (name !== undefined && known !== undefined) return valueOf(known, { ...at, owner: name })
  const field = fieldOf(schema, at)
  if (field !== undefined) return field
  const chosen = alternatives(schema).find(({ type }) => type !== "null")
  if (chosen !== undefined) return valueOf(chosen, at)
  const types = typesOf(schema)
  if (types.includes("array")) return listOf(schema, at)
  if (types.includes("object") || schema["properties"] !== undefined) return objectOf(schema, at)
  return types.length === 0 ? none : plainOf(schema, at)
}

/** undefined where the schema says nothing that could be shown. */
export const sampleValue = (schema: Json, schemas: Schemas, isRequest: boolean): unknown => {
  const made = valueOf(schema, { schemas, isRequest, name: "", owner: "", depth: 0 })
  return made === none ? undefined : made
}

/** The example of a parameter of `path`; undefined where nothing is known of its name. */
export const sampleParameter = (path: string, name: string, schema: Json): unknown => {
  const before = (path.split(`/{${name}}`)[0] ?? "").split("/").filter((step) => !step.startsWith("{"))
  const isOfLast = `${wordsOf(before.at(-1) ?? "").at(-1)}Id` === name
  const owner = before.slice(-2).join(" ")
  const at = { schemas: {}, isRequest: true, name: isOfLast ? "id" : name, owner, depth: 0 }
  return fieldOf({ type: "string", ...schema }, at) ?? undefined
}
