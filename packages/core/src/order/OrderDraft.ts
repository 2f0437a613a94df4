/**
 * An order that waits for its money, as JSON: amounts and times, for which JSON has no form, carry a mark, so that what is read is what was written,
 * to the minor unit. A shopper's own JSON inside the order (metadata, customizations) that looks like a mark is wrapped in one more.
 */
import type { NewOrder } from "./Order.ts"

const marks = { bigint: "$bigint", date: "$date", object: "$object" } as const

const mapValues = (value: object, each: (inner: unknown) => unknown) => Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, each(inner)]))

const soleKey = (value: object): string | undefined => {
  const keys = Object.keys(value)
  return keys.length === 1 ? keys[0] : undefined
}

const marked = (value: unknown): unknown => {
  if (typeof value === "bigint") return { [marks.bigint]: String(value) }
  if (value instanceof Date) return { [marks.date]: value.toISOString() }
  if (Array.isArray(value)) return value.map(marked)
  if (typeof value !== "object" || value === null) return value
  const object = mapValues(value, marked)
  return soleKey(value)?.startsWith("$") === true ? { [marks.object]: object } : object
}

const unmarked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unmarked)
  if (typeof value !== "object" || value === null) return value
  const [inner] = Object.values(value)
  switch (soleKey(value)) {
    case marks.bigint:
      return BigInt(String(inner))
    case marks.date:
      return new Date(String(inner))
    case marks.object:
      return mapValues(inner as object, unmarked)
    default:
      return mapValues(value, unmarked)
  }
}

export const encodeDraft = (order: NewOrder): string => JSON.stringify(marked(order))

/** From the parsed column. */
export const decodeDraft = (column: unknown): NewOrder => unmarked(column) as NewOrder
