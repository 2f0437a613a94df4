/**
 * What is different between two schemas, and whether it breaks programs: a request may come to allow more and an answer
 * less; the other way round breaks who was right yesterday.
 */
import type { Json } from "./contract.ts"

export type Verdict = "added" | "changed" | "BREAKING"

export interface Change {
  readonly verdict: Verdict
  readonly at: string
  readonly what: string
}

/** `request`: callers send it. `answer`: they read it. */
export type Way = "request" | "answer"

export interface Comparison {
  readonly before: Readonly<Record<string, Json>>
  readonly after: Readonly<Record<string, Json>>
  readonly report: (verdict: Verdict, at: string, what: string) => void
  /** Pairs of named schemas that have been compared. */
  readonly seen: Set<string>
}

const refOf = (schema: Json): string | undefined => {
  const ref = schema["$ref"]
  return typeof ref === "string" ? ref.split("/").at(-1) : undefined
}
const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const record = (value: unknown): Readonly<Record<string, Json>> => (value ?? {}) as Readonly<Record<string, Json>>
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The schema as alternatives of one JSON type each; one without a type may be anything. */
const alternatives = (schema: Json, schemas: Readonly<Record<string, Json>>): ReadonlyArray<Json> => {
  const name = refOf(schema)
  if (name !== undefined) return alternatives(schemas[name] ?? {}, schemas)
  const any = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(any)) return any.flatMap((one) => alternatives(one as Json, schemas))
  const type = schema["type"]
  if (Array.isArray(type)) return type.map((one) => ({ ...schema, type: one }))
  return [schema]
}

const typesOf = (all: ReadonlyArray<Json>): ReadonlySet<string> =>
  new Set(all.map((one) => (one["type"] as string | undefined) ?? "any"))

/** The values that are allowed; undefined where any is. */
const valuesOf = (all: ReadonlyArray<Json>): ReadonlySet<string> | undefined => {
  const values = all.map((one) =>
    "const" in one ? [one["const"]] : (one["enum"] as ReadonlyArray<unknown> | undefined)
  )
  return values.includes(undefined) ? undefined : new Set(values.flatMap((some) => list(some)).map(String))
}

const shown = (values: Iterable<string>): string => [...values].join(", ")
const without = (some: ReadonlySet<string>, others: ReadonlySet<string>) => [...some].filter((one) => !others.has(one))

const compareValues = (
  before: ReadonlySet<string> | undefined,
  after: ReadonlySet<string> | undefined,
  way: Way,
  at: string,
  { report }: Comparison
): void => {
  if (before === undefined && after === undefined) return
  if (after === undefined) return report(way === "request" ? "added" : "BREAKING", at, "any value, not some alone")
  if (before === undefined)
    return report(way === "request" ? "BREAKING" : "changed", at, `only the values ${shown(after)}`)
  const gone = without(before, after)
  const come = without(after, before)
  if (gone.length > 0) report(way === "request" ? "BREAKING" : "changed", at, `no longer the value ${shown(gone)}`)
  if (come.length > 0) report(way === "request" ? "added" : "BREAKING", at, `also the value ${shown(come)}`)
}

/** Keywords that a greater number of makes wider (1) or narrower (-1). */
const bounds: Readonly<Record<string, 1 | -1>> = {
  maxLength: 1,
  maximum: 1,
  exclusiveMaximum: 1,
  maxItems: 1,
  maxProperties: 1,
  minLength: -1,
  minimum: -1,
  exclusiveMinimum: -1,
  minItems: -1
}

const defaultOf = (schema: Json): string => JSON.stringify(schema["default"]) ?? "none"

const compareBounds = (before: Json, after: Json, way: Way, at: string, { report }: Comparison): void => {
  for (const [keyword, direction] of Object.entries(bounds)) {
    if (same(before[keyword], after[keyword])) continue
    const width = (one: Json) => direction * Number(one[keyword] ?? direction * Number.POSITIVE_INFINITY)
    const isNarrower = width(after) < width(before)
    const what = `${keyword} is ${String(after[keyword] ?? "none")}, was ${String(before[keyword] ?? "none")}`
    report(way === "request" && isNarrower ? "BREAKING" : "changed", at, what)
  }
  if (!same(before["default"], after["default"]))
    report("changed", at, `default is ${defaultOf(after)}, was ${defaultOf(before)}`)
  for (const keyword of ["format", "pattern", "contentMediaType", "uniqueItems"]) {
    if (same(before[keyword], after[keyword])) continue
    const isLoosened = after[keyword] === undefined
    const isNew = before[keyword] === undefined
    const breaks = way === "request" ? !isLoosened : !isNew
    const what = `${keyword} is ${String(after[keyword] ?? "none")}, was ${String(before[keyword] ?? "none")}`
    report(breaks ? "BREAKING" : "changed", at, what)
  }
}

const compareProperties = (before: Json, after: Json, way: Way, at: string, comparison: Comparison): void => {
  const { report } = comparison
  const [old, now] = [record(before["properties"]), record(after["properties"])]
  const [needed, needs] = [new Set(list(before["required"])), new Set(list(after["required"]))]
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const place = `${at}.${name}`
    const [was, is] = [old[name], now[name]]
    if (is === undefined) report("BREAKING", place, way === "request" ? "is no longer taken" : "is no longer there")
    else if (was === undefined) {
      const breaks = way === "request" && needs.has(name)
      report(breaks ? "BREAKING" : "added", place, breaks ? "is new and required" : "is new")
    } else {
      if (needs.has(name) !== needed.has(name)) {
        const breaks = (way === "request") === needs.has(name)
        report(breaks ? "BREAKING" : "changed", place, needs.has(name) ? "is required now" : "may be missing now")
      }
      if (way === "request") compareReadOnly(was, is, place, comparison)
      compareSchemas(was, is, way, place, comparison)
    }
  }
}

/** Names by a pattern: like fields, of which any number may be there. */
const comparePatterns = (before: Json, after: Json, way: Way, at: string, comparison: Comparison): void => {
  const [old, now] = [record(before["patternProperties"]), record(after["patternProperties"])]
  for (const pattern of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const place = `${at}./${pattern}/`
    const [was, is] = [old[pattern], now[pattern]]
    if (is === undefined) comparison.report("BREAKING", place, "names like this are gone")
    else if (was === undefined)
      comparison.report(way === "request" ? "BREAKING" : "added", place, "names like this are new")
    else compareSchemas(was, is, way, place, comparison)
  }
}

const compareReadOnly = (before: Json, after: Json, at: string, { report }: Comparison): void => {
  const [was, is] = [before["readOnly"] === true, after["readOnly"] === true]
  if (was !== is) report(is ? "BREAKING" : "added", at, is ? "is ignored now" : "is taken now")
}

const compareOthers = (before: unknown, after: unknown, way: Way, at: string, comparison: Comparison): void => {
  if (same(before, after)) return
  const place = `${at}.*`
  if (after === false) return comparison.report(way === "request" ? "BREAKING" : "changed", place, "no other name")
  if (before === false) return comparison.report(way === "request" ? "added" : "changed", place, "any other name")
  compareSchemas(
    typeof before === "object" ? (before as Json) : {},
    typeof after === "object" ? (after as Json) : {},
    way,
    place,
    comparison
  )
}

const compareSame = (before: Json, after: Json, way: Way, at: string, comparison: Comparison): void => {
  compareBounds(before, after, way, at, comparison)
  if (after["type"] === "array")
    compareSchemas((before["items"] ?? {}) as Json, (after["items"] ?? {}) as Json, way, `${at}[]`, comparison)
  if (after["type"] !== "object") return
  compareProperties(before, after, way, at, comparison)
  comparePatterns(before, after, way, at, comparison)
  compareOthers(before["additionalProperties"], after["additionalProperties"], way, at, comparison)
}

/** What tells alternatives apart: the one value that a property of each has. */
const markOf = (schema: Json): string =>
  Object.entries(record(schema["properties"]))
    .filter(([, one]) => "const" in one)
    .map(([name, one]) => `${name} ${String(one["const"])}`)
    .join(", ")

const compareMany = (
  before: ReadonlyArray<Json>,
  after: ReadonlyArray<Json>,
  way: Way,
  at: string,
  comparison: Comparison
): void => {
  const pairOf = (one: Json, others: ReadonlyArray<Json>) =>
    others.find((other) => same(one, other)) ??
    (markOf(one) === "" ? undefined : others.find((other) => markOf(other) === markOf(one)))
  for (const was of before) {
    const is = pairOf(was, after)
    if (is !== undefined) compareSame(was, is, way, at, comparison)
    else comparison.report(way === "request" ? "BREAKING" : "changed", at, `no longer the form ${markOf(was)}`.trim())
  }
  for (const is of after)
    if (pairOf(is, before) === undefined)
      comparison.report(way === "request" ? "added" : "BREAKING", at, `also the form ${markOf(is)}`.trim())
}

const compareAlternatives = (
  before: ReadonlyArray<Json>,
  after: ReadonlyArray<Json>,
  way: Way,
  at: string,
  comparison: Comparison
): void => {
  const [old, now] = [typesOf(before), typesOf(after)]
  const gone = without(old, now)
  const come = without(now, old)
  if (gone.length > 0) comparison.report(way === "request" ? "BREAKING" : "changed", at, `is never ${shown(gone)} now`)
  if (come.length > 0) comparison.report(way === "request" ? "added" : "BREAKING", at, `may be ${shown(come)} now`)
  for (const type of [...old].filter((one) => now.has(one))) {
    const of = (all: ReadonlyArray<Json>) =>
      all.filter((one) => ((one["type"] as string | undefined) ?? "any") === type)
    compareOfType(of(before), of(after), way, at, comparison)
  }
}

/** Alternatives of one JSON type. */
const compareOfType = (
  before: ReadonlyArray<Json>,
  after: ReadonlyArray<Json>,
  way: Way,
  at: string,
  comparison: Comparison
): void => {
  const [was, is] = [before[0], after[0]]
  const isOne = before.length === 1 && after.length === 1 && was !== undefined && is !== undefined
  if (is?.["type"] !== "object" && is?.["type"] !== "array") {
    compareValues(valuesOf(before), valuesOf(after), way, at, comparison)
    if (isOne) compareBounds(was, is, way, at, comparison)
  } else if (isOne) compareSame(was, is, way, at, comparison)
  else compareMany(before, after, way, at, comparison)
}

export const compareSchemas = (before: Json, after: Json, way: Way, at: string, comparison: Comparison): void => {
  const [old, now] = [refOf(before), refOf(after)]
  const place = now === undefined ? at : `${now} (${way})`
  if (now !== undefined && old !== undefined) {
    const pair = `${way} ${old} ${now}`
    if (comparison.seen.has(pair)) return
    comparison.seen.add(pair)
  } else if (now === undefined && same(before, after) && !JSON.stringify(before).includes('"$ref"')) return
  compareAlternatives(
    alternatives(before, comparison.before),
    alternatives(after, comparison.after),
    way,
    place,
    comparison
  )
}
