/**
 * The subdivisions of countries (ISO 3166-2): for a storefront's drop-downs, and for the form in which region codes are
 * stored and compared. Codes are without the country prefix (`BY`, not `DE-BY`). The table is complete for the
 * countries with most parcels and best effort elsewhere, so an unknown code is kept, never rejected or mapped to
 * another.
 */
import { SUBDIVISION_OVERRIDES } from "./internal/subdivisionOverrides.ts"
import { SUBDIVISION_TABLE } from "./internal/subdivisionTable.ts"

/**
 * A state, province, department …: `code` without the country prefix, `name` as the country itself writes it (Latin
 * script).
 */
export interface Subdivision {
  readonly code: string
  readonly name: string
}

const NONE: ReadonlyArray<Subdivision> = Object.freeze([])
const compiled = new Map<string, ReadonlyMap<string, Subdivision>>()
const sorted = new Map<string, ReadonlyArray<Subdivision>>()

const readRow = (row: string | undefined): ReadonlyArray<Subdivision> =>
  row === undefined
    ? NONE
    : row.split("|").map((entry) => {
        const space = entry.indexOf(" ")
        return Object.freeze({ code: entry.slice(0, space), name: entry.slice(space + 1) })
      })

/** Only countries of the two tables are cached, so the caches stay bounded whatever is requested. */
const byCode = (country: string): ReadonlyMap<string, Subdivision> | undefined => {
  const known = compiled.get(country)
  if (known !== undefined) return known
  if (!Object.hasOwn(SUBDIVISION_TABLE, country) && !Object.hasOwn(SUBDIVISION_OVERRIDES, country)) return undefined
  const override = Object.hasOwn(SUBDIVISION_OVERRIDES, country) ? SUBDIVISION_OVERRIDES[country] : undefined
  const entries = new Map(readRow(SUBDIVISION_TABLE[country]).map((entry) => [entry.code, entry]))
  for (const code of override?.drop ?? []) entries.delete(code)
  for (const entry of readRow(override?.add)) entries.set(entry.code, entry)
  compiled.set(country, entries)
  return entries
}

/** The subdivisions of a country (alpha-2, any case), by name, then code. Empty if it has none or is unknown. */
export const subdivisions = (country: string): ReadonlyArray<Subdivision> => {
  const key = country.trim().toUpperCase()
  const known = sorted.get(key)
  if (known !== undefined) return known
  const entries = byCode(key)
  if (entries === undefined) return NONE
  const list = Object.freeze(
    [...entries.values()].sort((a, b) => a.name.localeCompare(b.name, "en") || (a.code < b.code ? -1 : 1))
  )
  sorted.set(key, list)
  return list
}

/**
 * The form in which a region is stored and compared: trimmed, upper case, without the prefix of its own country.
 * `by`, `BY` and `DE-BY` of DE are `BY`. A foreign prefix stays (`AT-1` in DE), an unknown code stays, and a name is
 * not turned into a code: nothing is mapped silently.
 */
export const normaliseRegion = (country: string, region: string): string => {
  const code = region.trim().toUpperCase()
  const prefix = `${country.trim().toUpperCase()}-`
  return prefix.length > 1 && code.startsWith(prefix) ? code.slice(prefix.length).trim() : code
}

/** Whether our table knows the subdivision (`BY` or `DE-BY`, any case). False does not prove that it does not exist. */
export const isSubdivision = (country: string, region: string): boolean =>
  byCode(country.trim().toUpperCase())?.has(normaliseRegion(country, region)) ?? false

/** The name of a subdivision, or its normalised code if our table lacks it. */
export const subdivisionName = (country: string, region: string): string => {
  const code = normaliseRegion(country, region)
  return byCode(country.trim().toUpperCase())?.get(code)?.name ?? code
}
