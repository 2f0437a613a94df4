/** Reads a store description from a file and checks its shape, before anything connects. */
import { readInput } from "../readInput.ts"
import { Refused } from "../Refused.ts"

/** A row before it is judged by the schema of its kind. */
export type Row = Readonly<Record<string, unknown>> & { readonly externalId: string }

/** Rows by section. */
export type StoreDescription = Readonly<Record<string, ReadonlyArray<Row>>>

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads a file, or standard input where it is `-`. `sections` are those that can be loaded. */
export const readDocument = async (file: string, sections: ReadonlyArray<string>): Promise<StoreDescription> => {
  const name = file === "-" ? "standard input" : file
  const value = await parsed(name, file === "-" ? undefined : file)
  if (!isRecord(value)) throw new Refused(`${name}: must be a JSON object of lists: ${sections.join(", ")}`)
  const description: Record<string, ReadonlyArray<Row>> = {}
  for (const [section, rows] of Object.entries(value)) {
    if (!sections.includes(section))
      throw new Refused(`${name}: ${section} is not a section; known are ${sections.join(", ")}`)
    if (Array.isArray(rows) && rows.length === 0) continue
    description[section] = checkedRows(`${name}: ${section}`, rows)
  }
  return description
}

/** Rows of one list, each with an externalId that no other has. */
export const checkedRows = (place: string, rows: unknown): ReadonlyArray<Row> => {
  if (!Array.isArray(rows)) throw new Refused(`${place} must be a list`)
  const seen = new Set<string>()
  return rows.map((row: unknown, i) => {
    const externalId = isRecord(row) ? row["externalId"] : undefined
    if (!isRecord(row) || typeof externalId !== "string" || externalId.trim() === "")
      throw new Refused(`${place}.${i} needs an externalId`)
    if (externalId.length > longestId)
      throw new Refused(`${place}.${i}: the externalId has more than ${longestId} characters`)
    if (seen.has(externalId)) throw new Refused(`${place}.${i}: the externalId ${externalId} is there twice`)
    seen.add(externalId)
    const unstorable = badTextIn(row)
    if (unstorable !== undefined)
      throw new Refused(`${place}.${i}: ${unstorable} holds a NUL character or half of a surrogate pair`)
    return { ...row, externalId }
  })
}

const longestId = 191

/**
 * The path of a text, keys included, that PostgreSQL rejects (NUL) or would change (a lone surrogate); undefined if
 * there is none.
 */
const badTextIn = (value: unknown, path = ""): string | undefined => {
  if (typeof value === "string") return value.includes("\u0000") || !value.isWellFormed() ? path : undefined
  if (typeof value !== "object" || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const at = path === "" ? key : `${path}.${key}`
    const found = badTextIn(key, path === "" ? "a name" : path) ?? badTextIn(inner, at)
    if (found !== undefined) return found
  }
  return undefined
}

/** Strict, because a character that cannot be read would be loaded as another one; a byte order mark is left out. */
const utf8 = new TextDecoder("utf-8", { fatal: true })

const decoded = (name: string, bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Refused(`${name}: is not UTF-8 text`)
  }
}

const parsed = async (name: string, file: string | undefined): Promise<unknown> => {
  const bytes = await readInput(file).catch(() => {
    throw new Refused(`${name}: cannot be read`)
  })
  const text = decoded(name, bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refused(`${name}: is not JSON (${error instanceof Error ? error.message : ""})`)
  }
}
