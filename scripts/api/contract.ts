/**
 * What an API document promises to programs, without its words: operations with who may call them, what they take and
 * answer, and the named schemas. It is kept in docs/api-contract.ndjson, one operation or schema a line, so that a
 * change of the API is a line that a reviewer sees.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export type Json = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly required: boolean
  readonly schema: Json
}

export interface Body {
  readonly required: boolean
  /** By media type. */
  readonly content: Readonly<Record<string, Json>>
}

export interface Answer {
  /** By name, where there are any. */
  readonly headers?: Readonly<Record<string, Json>>
  /** Of an answer that is no refusal, by media type. */
  readonly content?: Readonly<Record<string, Json>>
  /** Of a refusal: its error codes, whose schemas are called after them (`errorSchema`). */
  readonly codes?: ReadonlyArray<string>
}

export interface Operation {
  readonly scope: string | null
  readonly appScope: string | null
  readonly idempotency: string
  /** Alternatives: names of credentials that are needed together, in order. */
  readonly security: ReadonlyArray<string>
  /** By `query limit`, those of a path by their place: `path 1`. */
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly body: Body | null
  /** By status. */
  readonly answers: Readonly<Record<string, Answer>>
}

export interface Contract {
  /** Changesets that were there when this was accepted. */
  readonly changesets: ReadonlyArray<string>
  /** By `GET /v1/brands/{}`: what a parameter of a path is called is no promise. */
  readonly operations: Readonly<Record<string, Operation>>
  readonly schemas: Readonly<Record<string, Json>>
}

/** The parts of an OpenAPI document that are read. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

/** Keywords that say nothing to programs. */
const words = new Set(["description", "title", "examples", "example", "deprecated"])
/** Keywords whose keys are names and not keywords. */
const named = new Set(["properties", "patternProperties", "$defs"])

const withoutWords = (value: unknown, areNames = false): unknown => {
  if (Array.isArray(value)) return value.map((one) => withoutWords(one))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => areNames || !words.has(key))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, withoutWords(one, !areNames && named.has(key))])
  )
}
const schemaOf = (value: unknown): Json => objectOf(withoutWords(value))

const contentOf = (content: unknown): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(objectOf(content)).map(([type, one]) => [type, schemaOf(objectOf(one)["schema"])]))

const operationOf = (given: unknown, path: string, document: ApiDocument): Operation => {
  const operation = objectOf(given)
  const resolve = (value: unknown): Json => {
    const ref = objectOf(value)["$ref"]
    if (typeof ref !== "string") return objectOf(value)
    const [kind = "", name = ""] = ref.split("/").slice(-2)
    return objectOf(document.components[kind]?.[name])
  }
  const codeOf = (schema: Json): string => String(objectOf(objectOf(resolve(schema)["properties"])["code"])["const"])
  const codesOf = (response: Json): ReadonlyArray<string> =>
    Object.values(contentOf(response["content"]))
      .flatMap((schema) => (Array.isArray(schema["oneOf"]) ? (schema["oneOf"] as ReadonlyArray<Json>) : [schema]))
      .map(codeOf)
  const answerOf = ([status, value]: readonly [string, unknown]): readonly [string, Answer] => {
    const response = resolve(value)
    const given = Object.entries(objectOf(response["headers"]))
    const headers = Object.fromEntries(given.map(([name, one]) => [name, schemaOf(resolve(one)["schema"])]))
    const named = given.length === 0 ? {} : { headers }
    if (Number(status) >= 400) return [status, { ...named, codes: codesOf(response) }]
    return [status, { ...named, content: contentOf(response["content"]) }]
  }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const nameOf = (one: Json): unknown => (one["in"] === "path" ? inPath.indexOf(String(one["name"])) + 1 : one["name"])
  const parameters = ((operation["parameters"] ?? []) as ReadonlyArray<unknown>).map(resolve)
  const body = operation["requestBody"] === undefined ? undefined : resolve(operation["requestBody"])
  return {
    scope: (operation["x-scope"] as string | undefined) ?? null,
    appScope: (operation["x-app-scope"] as string | undefined) ?? null,
    idempotency: (operation["x-idempotency"] as string | undefined) ?? "none",
    security: ((operation["security"] ?? []) as ReadonlyArray<Json>).map((one) => Object.keys(one).join(" and ")),
    parameters: Object.fromEntries(
      parameters.map((one) => [
        `${String(one["in"])} ${String(nameOf(one))}`,
        { required: one["required"] === true, schema: schemaOf(one["schema"]) }
      ])
    ),
    body: body === undefined ? null : { required: body["required"] === true, content: contentOf(body["content"]) },
    answers: Object.fromEntries(Object.entries(objectOf(operation["responses"])).map(answerOf))
  }
}

/** Of `CART_LINE_LIMIT_REACHED`: CartLineLimitReachedError. */
export const errorSchema = (code: string): Json => ({
  $ref: `#/components/schemas/${code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`
})

export const contractOf = (document: ApiDocument, changesets: ReadonlyArray<string> = []): Contract => ({
  changesets,
  operations: Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => [
        `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}`,
        operationOf(one, path, document)
      ])
    )
  ),
  schemas: Object.fromEntries(
    Object.entries(document.components["schemas"] ?? {}).map(([name, one]) => [name, schemaOf(one)])
  )
})

const file = join(import.meta.dirname, "../../docs/api-contract.ndjson")

const sorted = <A>(record: Readonly<Record<string, A>>): ReadonlyArray<readonly [string, A]> =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))

/** One line for the changesets, then one for each operation and schema. */
export const contractText = ({ changesets, operations, schemas }: Contract): string =>
  [
    ["changesets", changesets.toSorted()],
    ...sorted(operations).map(([name, one]) => ["operation", name, one]),
    ...sorted(schemas).map(([name, one]) => ["schema", name, one])
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("")

export const parseContract = (text: string): Contract => {
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ReadonlyArray<unknown>)
  const of = (kind: string) =>
    Object.fromEntries(lines.filter(([one]) => one === kind).map(([, name, value]) => [name, value]))
  return {
    changesets: (lines.find(([kind]) => kind === "changesets")?.[1] ?? []) as ReadonlyArray<string>,
    operations: of("operation") as Record<string, Operation>,
    schemas: of("schema") as Record<string, Json>
  }
}

export const readContract = (): Contract => parseContract(readFileSync(file, "utf8"))
export const writeContract = (contract: Contract): void => writeFileSync(file, contractText(contract))
