/**
 * Requests made at random from the API document, so that every operation is called with what its schema allows. Ids
 * come from earlier answers: without them most requests would end at 404.
 */
import { document, type Json } from "./documentedAnswers.ts"

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const keptOfEach = 12

/** Values of earlier answers: ids by what they begin with, other texts by the name of their field. */
export const makeKnown = () => {
  const values = new Map<string, Array<string>>()
  const keep = (name: string, value: string) => {
    const kept = values.get(name) ?? []
    values.set(name, kept)
    if (kept.includes(value)) return
    if (kept.push(value) > keptOfEach) kept.splice(1, 1)
  }
  const learn = (value: unknown, name = ""): void => {
    if (typeof value === "string") {
      const prefix = /^([a-z]+)_[0-9a-z]{20,}$/.exec(value)?.[1]
      if (prefix !== undefined) keep(`${prefix}_`, value)
      if (["slug", "key", "sessionToken", "url"].includes(name)) keep(name, value)
    } else if (Array.isArray(value)) for (const one of value) learn(one, name)
    else if (isJson(value)) for (const [key, one] of Object.entries(value)) learn(one, key)
  }
  return { values, learn }
}
type Known = ReturnType<typeof makeKnown>

/** What the ids of a field or of a segment of a path begin with, where it is not the first letters of its name. */
const prefixes: Readonly<Record<string, string>> = {
  "sales-channels": "vc_",
  "api-keys": "key_",
  "metafield-definitions": "mfdef_",
  "metafield-conflicts": "mfconf_",
  "modifier-groups": "modgrp_",
  "webhook-subscriptions": "whs_",
  bulk: "job_",
  media: "file_",
  checkout: "chk_",
  templates: "tmpl_",
  conflict: "mfconf_",
  definition: "mfdef_",
  job: "job_",
  items: "item_",
  "tax/rates": "tax_",
  "tax/classes": "taxclass_",
  "shipping/classes": "shipclass_",
  zones: "zone_",
  rates: "shiprate_",
  salesChannel: "vc_",
  salesChannels: "vc_",
  modifierGroup: "modgrp_",
  group: "modgrp_",
  modifier: "mod_",
  shippingRate: "shiprate_",
  shippingClass: "shipclass_",
  taxClass: "taxclass_",
  crossSells: "prod_",
  upsells: "prod_",
  related: "prod_"
}

const singular = (word: string): string => word.replace(/ies$/, "y").replace(/s$/, "")

const words = ["Oak", "lamp", "Ünïcode", "a b", "x".repeat(40), "", "0", "10.00", "2026-02-03", "de", "#cc0000"]
const byName: Readonly<Record<string, ReadonlyArray<string>>> = {
  country: ["US", "DE", "FR"],
  countries: ["US", "DE"],
  currency: ["USD", "EUR"],
  region: ["CA", "NY"],
  state: ["CA"],
  postalCode: ["94105"],
  zip: ["94105"],
  locale: ["de", "en"],
  include: ["recommendations"],
  password: ["Corr3ct-Horse"],
  scopes: ["products:read", "orders:*"],
  events: ["order.created"],
  taxRate: ["7.25"],
  paymentMethod: ["manual", "test"],
  paymentReference: ["approve", "decline", "fail"],
  sourceUrl: ["https://images.example/red.png"]
}

/** `spared` are ids that no path names: the run itself needs what they stand for. */
export const requestMaker = (random: () => number, known: Known, spared: ReadonlySet<string>) => {
  const oneOf = <A>(all: ReadonlyArray<A>): A => all[Math.floor(random() * all.length)] as A
  const often = (share: number): boolean => random() < share

  const knownFor = (name: string): ReadonlyArray<string> => {
    const bare = name.replace(/Ids?$/, "")
    const prefix = prefixes[bare] ?? prefixes[singular(bare)]
    if (prefix !== undefined) return known.values.get(prefix) ?? []
    const first = singular(bare)
    const found = [...known.values.keys()].find(
      (key) => key.endsWith("_") && first.toLowerCase().startsWith(key.slice(0, -1))
    )
    return found === undefined ? [] : (known.values.get(found) ?? [])
  }

  const text = (name: string, schema: Json): string => {
    if (schema["format"] === "date-time") return "2026-03-01T10:00:00.000Z"
    if (schema["format"] === "email" || /email/i.test(name)) return `buyer${Math.floor(random() * 9)}@example.com`
    const isReference = /Ids?$/.test(name) || name in prefixes
    const options = isReference ? knownFor(name) : (known.values.get(name) ?? byName[name] ?? [])
    if (options.length > 0 && often(0.9)) return oneOf(options)
    const examples = schema["examples"]
    if (Array.isArray(examples) && often(0.6)) return String(oneOf(examples))
    if (/(price|amount|delta|value|total|cost)$/i.test(name) && often(0.8)) return oneOf(["0.00", "9.99", "100"])
    if (/url|image|logo/i.test(name) && often(0.8)) return "https://images.example/red.png"
    const made = oneOf(words)
    const least = Number(schema["minLength"] ?? 0)
    return made.padEnd(least, "x").slice(0, Number(schema["maxLength"] ?? 1_000))
  }

  const whole = (schema: Json): number => {
    const least = Number(schema["minimum"] ?? schema["exclusiveMinimum"] ?? 0)
    const most = Number(schema["maximum"] ?? schema["exclusiveMaximum"] ?? 20)
    const bound = Math.max(least, Math.min(most, least + 20))
    return often(0.05) ? most : least + Math.floor(random() * (bound - least + 1))
  }

  const object = (schema: Json, depth: number): Json => {
    const required = new Set(schema["required"] as ReadonlyArray<string> | undefined)
    const share = depth === 0 ? oneOf([0.05, 0.2, 0.7]) : 0.2
    const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Json>>)
      .filter(([name]) => (required.has(name) ? often(0.98) : often(share)))
      .map(([name, one]) => [name, value(name, one, depth + 1)])
    const others = schema["additionalProperties"]
    const free =
      Object.keys(schema["properties"] ?? {}).length === 0 && others !== false
        ? [["de", isJson(others) && Object.keys(others).length > 0 ? value("de", others, depth + 1) : { name: "Name" }]]
        : []
    return Object.fromEntries([...properties, ...free])
  }

  const value = (name: string, given: Json, depth = 0): unknown => {
    const ref = given["$ref"]
    if (typeof ref === "string")
      return value(name, document.components.schemas[ref.split("/").at(-1) ?? ""] ?? {}, depth)
    const any = given["anyOf"] ?? given["oneOf"]
    if (Array.isArray(any)) return value(name, oneOf(any), depth)
    if ("const" in given) return given["const"]
    if (Array.isArray(given["enum"])) return oneOf(given["enum"])
    const type = Array.isArray(given["type"])
      ? oneOf(often(0.8) ? given["type"].slice(0, 1) : given["type"])
      : given["type"]
    switch (type) {
      case "string":
        return text(name, given)
      case "integer":
        return whole(given)
      case "number":
        return often(0.5) ? whole(given) : 1.5
      case "boolean":
        return often(0.5)
      case "null":
        return null
      case "array": {
        const items = (given["items"] ?? {}) as Json
        return Array.from({ length: depth > 4 ? 0 : Math.floor(random() * 3) }, () => value(name, items, depth + 1))
      }
      case "object":
        return object(given, depth)
      default:
        return oneOf<unknown>(["text", 7, true])
    }
  }

  const inPath = (path: string, name: string): string => {
    const before = path.split(`/{${name}}`)[0]?.split("/") ?? []
    const last = before.at(-1) ?? ""
    const options =
      name === "slug" || name === "sessionToken"
        ? (known.values.get(name) ?? [])
        : [...knownFor(prefixes[before.slice(-2).join("/")] === undefined ? last : before.slice(-2).join("/"))]
    const usable = options.filter((one) => !spared.has(one))
    return usable.length > 0 && often(0.95) ? oneOf(usable) : "unknown"
  }

  return { value, inPath, often, oneOf }
}

/** Texts that other programs stumble over. */
const nasty: ReadonlyArray<unknown> = [
  "\u0000",
  "\ud800",
  "'; SELECT pg_sleep(10); --",
  "' OR '1'='1",
  "{{constructor.name}}",
  "=1+1",
  "../../etc/passwd",
  "\r\nX-Injected: 1",
  "\u202e\u0130\u00df\u212a",
  "e\u0301".repeat(500),
  "x".repeat(70_000),
  "NaN",
  "-0",
  "1e999",
  "9".repeat(40),
  -1,
  0.1,
  2 ** 53,
  1e308,
  null,
  true,
  [],
  {},
  [[[[[[]]]]]]
]
/** Names that every object knows, and some that none of ours does. */
const oddNames = [
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "storeId",
  "id",
  "basePrize",
  "",
  "a.b",
  "$ref"
]

/** The value with one thing about it wrong: a field left out, of another type, out of its bounds or nobody's. */
export const mutated = (random: () => number, given: unknown): unknown => {
  const oneOf = <A>(all: ReadonlyArray<A>): A => all[Math.floor(random() * all.length)] as A
  if (Array.isArray(given) && given.length > 0 && random() < 0.8) {
    const at = Math.floor(random() * given.length)
    if (random() < 0.1) return Array.from({ length: 1_001 }, () => given[at])
    return given.map((one, i) => (i === at ? mutated(random, one) : one))
  }
  if (isJson(given) && random() < 0.9) {
    const names = Object.keys(given)
    const name = names.length === 0 ? undefined : oneOf(names)
    const kind = random()
    if (kind < 0.15 || name === undefined) return { ...given, [oneOf(oddNames)]: oneOf(nasty) }
    if (kind < 0.3) return Object.fromEntries(Object.entries(given).filter(([key]) => key !== name))
    return { ...given, [name]: mutated(random, given[name]) }
  }
  if (typeof given === "number" && random() < 0.5)
    return oneOf([given + 1, given - 1, -given, given * 1e9, given + 0.5])
  if (typeof given === "string" && random() < 0.3)
    return oneOf([given.toUpperCase(), `${given}\u0000`, "", given.repeat(99)])
  return oneOf(nasty)
}
