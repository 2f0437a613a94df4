/** Cuts the lists of a recorded body, so that a sample is read at a glance. */

/** Characters of JSON. */
const longest = 4_000

const cut = (value: unknown, rows: number, items: number, depth = 0): unknown => {
  if (Array.isArray(value)) {
    const most = depth <= 1 ? rows : items
    return value.slice(0, most).map((one) => cut(one, rows, items, depth + 1))
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one, rows, items, depth + 1)]))
}

/** Two rows of a list and two items of what is in them; one where that is long. */
export const shorten = (body: unknown): unknown => {
  const shorter = [cut(body, 2, 2), cut(body, 1, 2)]
  return shorter.find((one) => JSON.stringify(one).length <= longest) ?? cut(body, 1, 1)
}
