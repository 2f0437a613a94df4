/** Values as PostgreSQL gives them back once they are stored: what is in hand is then what a reading would find. */

const byteOrder = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => {
  const [first, second] = [Buffer.from(a), Buffer.from(b)]
  return first.length - second.length || Buffer.compare(first, second)
}

/** A value as a jsonb column keeps it: what is undefined is left out, and the shorter of two keys comes first. */
export const asJsonb = <Value>(value: Value): Value => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(asJsonb) as Value
  const entries = Object.entries(value).flatMap(([key, part]) =>
    part === undefined ? [] : [[key, asJsonb(part)] as const]
  )
  return Object.fromEntries(entries.length > 1 ? entries.sort(byteOrder) : entries) as Value
}

const decimals = 4

/** A measure as its numeric column keeps it: to four decimals, half of the last away from zero. */
export const asMeasure = (value: number | null): number | null => {
  if (value === null) return null
  const [whole = "", fraction = ""] = String(value).split(".")
  // Less than a millionth is written with an exponent.
  if (fraction.includes("e") || whole.includes("e")) return 0
  if (fraction.length <= decimals) return value
  const kept = Number(whole + fraction.slice(0, decimals)) + (fraction.charAt(decimals) >= "5" ? 1 : 0)
  return kept / 10 ** decimals
}
