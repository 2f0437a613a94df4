/** One form for each JSON value, whatever the order of the keys of its objects. */
export const canonicalJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonicalJson)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, canonicalJson(inner)])
  )
}

/** Whether two values are the same JSON. */
export const sameJson = (left: unknown, right: unknown): boolean =>
  JSON.stringify(canonicalJson(left)) === JSON.stringify(canonicalJson(right))

/** JSON text. A bigint, for which JSON has no exact number, is its decimal text. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner))
