/** Makes JSON Schemas as Effect writes them shorter and plainer, without changing what they mean. */

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Drops the bounds of safe integers that `Schema.Int` adds. */
const withoutSafeBounds = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([key, value]) =>
        !(key === "minimum" && value === Number.MIN_SAFE_INTEGER) &&
        !(key === "maximum" && value === Number.MAX_SAFE_INTEGER)
    )
  )

/** `anyOf: [{ type: "string" }, { type: "null" }]` is `type: ["string", "null"]`. */
const nullable = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const value = anyOf.find((one) => isObject(one) && one["type"] !== "null")
  const isNullable = anyOf.some((one) => isObject(one) && one["type"] === "null")
  if (!isNullable || !isObject(value) || typeof value["type"] !== "string") return schema
  if (value["enum"] !== undefined || value["const"] !== undefined) return schema
  return { ...value, ...rest, type: [value["type"], "null"] }
}

const saysWhatItHolds = ["properties", "additionalProperties", "patternProperties", "allOf", "anyOf", "oneOf"] as const

/** Says explicitly that an object without properties may hold anything: tools would read it as empty. */
const openMap = (schema: Json): Json =>
  schema["type"] === "object" && saysWhatItHolds.every((key) => schema[key] === undefined)
    ? { ...schema, additionalProperties: true }
    : schema

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * `{ type, allOf: [{ enum }] }`: merges what a check adds into the type, unless the two contradict each other. A
 * reference is left alone, because its target has its own type.
 */
const withoutAllOf = (schema: Json): Json => {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  const merged: Record<string, unknown> = { ...rest }
  for (const [key, value] of allOf.filter(isObject).flatMap((one) => Object.entries(one))) {
    if (merged[key] !== undefined && !isSame(merged[key], value)) return schema
    merged[key] = value
  }
  const { type, ...untyped } = merged
  return merged["$ref"] === undefined || type !== "object" ? merged : untyped
}

export const tidySchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidySchema)
  if (!isObject(value)) return value
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === "examples" || key === "default" || key === "enum" || key === "required" ? one : tidySchema(one)
    ])
  )
  return nullable(openMap(withoutSafeBounds(withoutAllOf(inner))))
}
