/**
 * What a statement is called in a trace: the tables that it writes, else those that it reads, such as `UPDATE stock,
 * INSERT event` or `SELECT product, variant`. Never its text, which may hold values.
 */

const named = /\bWITH\s+(?:RECURSIVE\s+)?(\w+)\s+AS\b|\)\s*,\s*(\w+)\s+AS\s+(?:(?:NOT\s+)?MATERIALIZED\s+)?\(/gi
/** `FOR UPDATE`, `DO UPDATE` and `IS DISTINCT FROM` touch no further table. */
const verbs = String.raw`INSERT\s+INTO|DELETE\s+FROM|(?<!\b(?:FOR|DO|KEY)\s+)UPDATE|(?<!\bDISTINCT\s+)FROM|JOIN`
const touched = new RegExp(String.raw`\b(${verbs})\s+"?([a-z_]\w*\b)"?(\s*\()?`, "gi")

/** Tables that a name tells. */
const mostTables = 4

const verbOf = (words: string): string => {
  const [verb = ""] = words.toUpperCase().split(/\s/)
  return verb === "FROM" || verb === "JOIN" ? "SELECT" : verb
}

const summaryOf = (sql: string): string => {
  const made = new Set([...sql.matchAll(named)].map(([, first, later]) => (first ?? later ?? "").toLowerCase()))
  const byVerb = new Map<string, Set<string>>()
  for (const [, words = "", table = "", bracket] of sql.matchAll(touched)) {
    const verb = verbOf(words)
    // Names of the statement's own, and functions.
    if (made.has(table.toLowerCase()) || (verb === "SELECT" && bracket !== undefined)) continue
    byVerb.set(verb, (byVerb.get(verb) ?? new Set()).add(table))
  }
  const reads = byVerb.get("SELECT") ?? new Set<string>()
  byVerb.delete("SELECT")
  const writes = [...byVerb].map(([verb, tables]) => `${verb} ${[...tables].slice(0, mostTables).join(", ")}`)
  if (writes.length > 0) return writes.join(", ")
  if (reads.size > 0) return `SELECT ${[...reads].slice(0, mostTables).join(", ")}`
  return /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? "statement"
}

/** Texts whose names are remembered: more than the product has, and statements that are put together do not fill it. */
const mostKnown = 2_000
const known = new Map<string, string>()

export const statementName = (sql: string): string => {
  const found = known.get(sql)
  if (found !== undefined) return found
  const name = summaryOf(sql)
  if (known.size < mostKnown) known.set(sql, name)
  return name
}
