/** Makes schemas as Effect writes them shorter and plainer, without changing what they mean. */
import type { Json } from "./DocumentedParameters.ts"

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

/** `{ type: "object", allOf: [{ $ref }] }`: what it refers to is an object, and may be one branch of several. */
const plainReference = (schema: Json): Json => {
  const { allOf, type, ...rest } = schema
  if (type !== "object" || !Array.isArray(allOf) || allOf.length !== 1) return schema
  const [only] = allOf as ReadonlyArray<unknown>
  return isObject(only) && Object.keys(only).join() === "$ref" ? { ...only, ...rest } : schema
}

/** `{ type, allOf: [{ enum }] }`: what a check adds stands beside the type, where neither says the same thing twice. */
const withoutAllOf = (schema: Json): Json => {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf) || rest["$ref"] !== undefined) return schema
  const added = allOf.filter(isObject)
  const keys = [...Object.keys(rest), ...added.flatMap((one) => Object.keys(one))]
  return new Set(keys).size === keys.length && !keys.includes("$ref") ? Object.assign({ ...rest }, ...added) : schema
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
  return nullable(withoutSafeBounds(withoutAllOf(plainReference(inner))))
}
