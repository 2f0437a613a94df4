/**
 * Converts values between our repositories and a host's node-postgres, in PostgreSQL's text format, to the same
 * JavaScript values as sql-pg (int8 is a bigint, date and numeric are text, timestamps are Dates, jsonb is as it was
 * stored), whatever parsers the host has set.
 */

type Parse = (text: string) => unknown

const instant: Parse = (text) => {
  const found = /^(\d{4,6})-(\d\d)-(\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?([+-]\d\d(?::\d\d){0,2})?$/.exec(text)
  if (found === null) return unreadableInstant(text)
  const [, year = "", month, day, time, fraction = "", zone = "+00"] = found
  const minutes = zone.length > 3 ? zone.slice(0, 6) : `${zone}:00`
  const longYear = year.length > 4 ? `+${year.padStart(6, "0")}` : year
  return new Date(`${longYear}-${month}-${day}T${time}.${fraction.padEnd(3, "0").slice(0, 3)}${minutes}`)
}

/** No repository stores infinite timestamps or years before Christ. */
const unreadableInstant = (text: string): never => {
  throw new RangeError(
    `PostgreSQL gave the time ${text}, which is not of the ISO DateStyle or not a time that can be stored`
  )
}

const bytes: Parse = (text) => {
  if (!text.startsWith("\\x"))
    throw new RangeError("PostgreSQL gave bytea in the escape format: bytea_output must be hex")
  return new Uint8Array(Buffer.from(text.slice(2), "hex"))
}

const itself: Parse = (text) => text
const json: Parse = (text) => JSON.parse(text) as unknown
const int: Parse = (text) => Number.parseInt(text, 10)

/** By type OID (pg_type.dat of PostgreSQL's sources); any other type is text. */
const scalars: ReadonlyArray<readonly [oid: number, arrayOid: number, parse: Parse]> = [
  [16, 1000, (text) => text === "t"],
  [17, 1001, bytes],
  [20, 1016, BigInt],
  [21, 1005, int],
  [23, 1007, int],
  [26, 1028, int],
  [114, 199, json],
  [700, 1021, Number],
  [701, 1022, Number],
  [1114, 1115, instant],
  [1184, 1185, instant],
  [3802, 3807, json],
  [19, 1003, itself],
  [25, 1009, itself],
  [1042, 1014, itself],
  [1043, 1015, itself],
  [1082, 1182, itself],
  [1700, 1231, itself],
  [2950, 2951, itself]
]

const arrayPattern = /"((?:[^"\\]|\\.)*)"|([^,{}]+)|([{},])/gs

/** Parses an array's text with its nesting: `{1,NULL,"a b"}` (PostgreSQL manual, 8.15.6). */
const arrayOf =
  (parse: Parse): Parse =>
  (text) => {
    const open: Array<Array<unknown>> = [[]]
    // Bounds other than 1 are a prefix: [0:2]={…}
    for (const [, quoted, plain, mark] of text.slice(text.indexOf("{")).matchAll(arrayPattern)) {
      const inner = open.at(-1) ?? []
      if (mark === "{") open.push([])
      else if (mark === "}") open.at(-2)?.push(open.pop())
      else if (quoted !== undefined) inner.push(parse(quoted.replaceAll(/\\(.)/gs, "$1")))
      else if (plain !== undefined) inner.push(plain === "NULL" ? null : parse(plain))
    }
    return open[0]?.[0] ?? []
  }

const parsers: ReadonlyMap<number, Parse> = new Map(
  scalars.flatMap(
    ([oid, arrayOid, parse]): ReadonlyArray<readonly [number, Parse]> => [
      [oid, parse],
      [arrayOid, arrayOf(parse)]
    ]
  )
)

/** The type parsers sent with each statement, in place of the host's. */
export const hostTypes = {
  getTypeParser: (oid: number, format = "text"): Parse => {
    if (format === "binary") throw new TypeError("a pool with `binary: true` cannot be used: leave that setting out")
    return parsers.get(oid) ?? itself
  }
}

/**
 * A parameter as text, bytes or null. Dies on an object: repositories send JSON text with a ::jsonb cast.
 */
export const encodeParameter = (value: unknown): string | Uint8Array | null => {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return value
  return Array.isArray(value) ? arrayText(value) : scalarText(value)
}

const scalarText = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return value
    case "number":
    case "bigint":
    case "boolean":
      return String(value)
    default:
      if (value instanceof Date) return value.toISOString()
      throw new TypeError("an object cannot be a parameter: write jsonb as JSON text with ::jsonb")
  }
}

const arrayText = (values: ReadonlyArray<unknown>): string => `{${values.map(elementText).join(",")}}`

const elementText = (value: unknown): string => {
  if (value === null || value === undefined) return "NULL"
  if (Array.isArray(value)) return arrayText(value)
  const text = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : scalarText(value)
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`
}

/** A setting of a host's session that we change while we have its client. */
export interface BorrowedSetting {
  readonly name: string
  readonly value: string
  /** Which value it replaces: any, or only this one. */
  readonly replaces: "any" | (string & {})
}

/** The values to restore. */
export type BorrowedSettings = ReadonlyArray<readonly [name: string, value: string]>
