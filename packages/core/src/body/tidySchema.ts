/** Makes JSON Schemas as Effect writes them shorter and plainer, without changing what they mean. */

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** `Schema.Int` stands for a whole number; that it fits a double goes without saying. */
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

/** Whatever an object of which nothing is said may hold is said aloud: tools would read that it holds nothing. */
const openMap = (schema: Json): Json =>
  schema["type"] === "object" && saysWhatItHolds.every((key) => schema[key] === undefined)
    ? { ...schema, additionalProperties: true }
    : schema

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * `{ type, allOf: [{ enum }] }`: what a check adds stands beside the type, where neither contradicts the other. What a
 * reference leads to has its own type.
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
