/**
 * Converts column names of results to camelCase: `store_id` -> `storeId`. Each name is converted once; values (jsonb
 * content too) stay as they are.
 */
import { String as Str } from "effect"

const known = new Map<string, string>()
const mostKnown = 5_000

const translate = (name: string): string => {
  const found = known.get(name)
  if (found !== undefined) return found
  const translated = Str.snakeToCamel(name)
  if (known.size < mostKnown) known.set(name, translated)
  return translated
}

/** Takes the columns from the first row: all rows of a result have the same. */
export const camelCaseColumns = <A extends object>(rows: ReadonlyArray<A>): ReadonlyArray<A> => {
  const first = rows[0]
  if (first === undefined) return rows
  const columns = Object.keys(first)
  const names = columns.map(translate)
  if (names.every((name, i) => name === columns[i])) return rows
  return rows.map((row) => {
    const source = row as Record<string, unknown>
    const renamed: Record<string, unknown> = {}
    for (let i = 0; i < columns.length; i++) renamed[names[i] as string] = source[columns[i] as string]
    return renamed as A
  })
}
