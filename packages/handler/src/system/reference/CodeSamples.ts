/**
 * How an operation is called from TypeScript, shown beside the samples in curl and fetch that the reference page makes
 * by itself: with a client made of the generated types, and in the process of a host.
 */
import type { Operation } from "../ApiDocument.ts"
import type { Json, Parameter } from "../DocumentedParameters.ts"

export interface CodeSample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

/** What stands in samples for the address of the server; the page puts its own in its place. */
export const sampleOrigin = "https://commerce.example"

const isName = /^[A-Za-z_$][\w$]*$/

/** A value as it is written in TypeScript: names without quotes, two more spaces for each level. */
const literal = (value: unknown, indent = ""): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined"
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const entries = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${isName.test(name) ? name : JSON.stringify(name)}: ${literal(item, inner)}`
      )
  const [open, close] = isList ? ["[", "]"] : ["{", "}"]
  if (entries.length === 0) return `${open}${close}`
  const line = isList ? `[${entries.join(", ")}]` : `{ ${entries.join(", ")} }`
  if (line.length <= 72 && !line.includes("\n")) return line
  return `${open}\n${entries.map((entry) => `${inner}${entry}`).join(",\n")}\n${indent}${close}`
}

/** The example of a parameter, wherever it stands. */
export const exampleOf = ({ example, schema }: Parameter): unknown =>
  example ?? (schema["examples"] as ReadonlyArray<unknown> | undefined)?.[0] ?? schema["example"]

type Place = "path" | "query" | "header"

/** Parameters of a place as a call gives them: all of the path, of others those that are required. */
const given = (parameters: ReadonlyArray<Parameter>, place: Place): Json | undefined => {
  const shown = parameters.filter(({ in: at, required, name }) => at === place && required && name !== "Origin")
  return shown.length === 0
    ? undefined
    : Object.fromEntries(shown.map((parameter) => [parameter.name, exampleOf(parameter) ?? `{${parameter.name}}`]))
}

const present = (fields: Readonly<Record<string, unknown>>): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

export interface Called {
  /** As the document's `paths` names it. */
  readonly path: string
  readonly method: string
  readonly operation: Operation
  /** Without references. */
  readonly parameters: ReadonlyArray<Parameter>
  readonly basePath: string
}

const surfaceOf = (operation: Operation): unknown => (operation as Operation & Json)["x-surface"]

const isMultipart = ({ requestBody }: Operation): boolean => requestBody?.content["multipart/form-data"] !== undefined

/** Whether the body is taken as it is, whatever it says. */
const isRaw = ({ requestBody }: Operation): boolean => requestBody?.content["*/*"] !== undefined

/** Sends a body as it is given: the client would write a text as JSON, in quotes. */
const rawOptions = {
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ id: "evt_7" }),
  bodySerializer: "as it is"
}

const bodyOf = ({ requestBody }: Operation): unknown => requestBody?.content["application/json"]?.examples?.sample.value

/** What the client sends with each request, by who calls. */
const clientHeaders = (operation: Operation): string =>
  surfaceOf(operation) === "admin" ? `, headers: { "X-API-Key": key }` : ""

const typedCall = ({ path, method, operation, parameters, basePath }: Called): string => {
  const params = present({
    path: given(parameters, "path"),
    query: given(parameters, "query"),
    header: given(parameters, "header")
  })
  const fields = present({
    params: Object.keys(params).length === 0 ? undefined : params,
    ...(isRaw(operation) ? rawOptions : { body: bodyOf(operation) })
  })
  const form = isMultipart(operation)
    ? `const file = new Blob([bytes], { type: "image/jpeg" })
const form = new FormData()
form.append("file", file, "lamp.jpg")
`
    : ""
  const options = isMultipart(operation)
    ? literal({ ...fields, body: "form" }).replace('body: "form"', "body: { file }, bodySerializer: () => form")
    : literal(fields).replace('bodySerializer: "as it is"', "bodySerializer: (text) => text")
  const args = options === "{}" ? JSON.stringify(path) : `${JSON.stringify(path)}, ${options}`
  return `// npx openapi-typescript ${sampleOrigin}${basePath}/openapi.json -o commerce.ts
import createClient from "openapi-fetch"
import type { paths } from "./commerce.ts"

const client = createClient<paths>({ baseUrl: "${sampleOrigin}${basePath}"${clientHeaders(operation)} })
${form}const { data, error } = await client.${method.toUpperCase()}(${args})
if (error !== undefined) console.error(error.code, error.message)`
}

const caller = (operation: Operation, parameters: ReadonlyArray<Parameter>): string => {
  const headers = given(parameters, "header")
  const surface = surfaceOf(operation)
  const who = surface === "admin" ? ["apiKey"] : surface === "open" ? [] : [`origin: "https://shop.example"`]
  const all = [...who, ...(headers === undefined ? [] : [`headers: ${literal(headers, "  ")}`])]
  return all.length === 0 ? "" : `{ ${all.join(", ")} }`
}

const inProcessCall = ({ operation, parameters }: Called): string => {
  const request = present({
    params: given(parameters, "path"),
    query: given(parameters, "query"),
    payload: bodyOf(operation)
  })
  const shown = Object.keys(request).length === 0 ? "" : literal(request)
  return `const commerce = await createCommerce({ database: { url }, secret })
const api = commerce.api(${caller(operation, parameters)})

const result = await Effect.runPromise(api.${operation.operationId}(${shown}))`
}

/** Forms and bodies of any kind are read from a request over HTTP: in a process use cases of core take the bytes. */
export const codeSamples = (called: Called): ReadonlyArray<CodeSample> => [
  { lang: "typescript", label: "Generated types", source: typedCall(called) },
  ...(isMultipart(called.operation) || isRaw(called.operation)
    ? []
    : [{ lang: "typescript", label: "In process", source: inProcessCall(called) }])
]
