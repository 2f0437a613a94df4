/** A canonical form of a JSON value, whatever the order of its objects' keys. */
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

/** JSON text. A bigint becomes its decimal text, because JSON numbers are not exact. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner))
