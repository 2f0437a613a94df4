import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import type { Parameter } from "../../src/system/DocumentedParameters.ts"
import { recordedIds } from "../../src/system/samples/recordedIds.ts"
import { recordedSamples } from "../../src/system/samples/recordedSamples.ts"
import { document, formats } from "./documentedAnswers.ts"
import { nameOf, operationsOf } from "./documentWords.ts"

const operations = operationsOf(document)
const parameterOf = (one: Parameter): Parameter =>
  (document.components.parameters[nameOf(one) ?? ""] as unknown as Parameter | undefined) ?? one

interface Sample {
  readonly where: string
  readonly schema: object
  readonly example: unknown
}

/** Bodies of requests and of responses that did what was asked, in JSON. */
const bodies: ReadonlyArray<Sample> = operations.flatMap(({ operation }) => {
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))
  const contents = [
    [`${operation.operationId} request`, operation.requestBody?.content] as const,
    ...answers.map(([status, { content }]) => [`${operation.operationId} ${status}`, content] as const)
  ]
  return contents.flatMap(([where, content]) => {
    const json = content?.["application/json"]
    return json === undefined ? [] : [{ where, schema: json.schema, example: json.examples?.sample.value }]
  })
})

const parameters: ReadonlyArray<Sample & { readonly place: string }> = operations.flatMap(({ path, operation }) =>
  operation.parameters.map(parameterOf).map(({ in: place, name, schema, example }) => ({
    where: `${path} ${name}`,
    place,
    schema,
    example
  }))
)

/** Every text of a value, with the name of the field that holds it. */
const textsOf = (value: unknown, name = ""): ReadonlyArray<readonly [string, string]> => {
  if (typeof value === "string") return [[name, value]]
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, name))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([field, one]) => [...textsOf(field, `name in ${name}`), ...textsOf(one, field)])
}

const sourcesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"))

/** What the server's ids begin with, as its sources say. */
const prefixes = new Set(
  sourcesBelow(join(import.meta.dirname, "../../../core/src")).flatMap((source) =>
    [...source.matchAll(/(?:make(?:Secret)?Id\(|randomHex\(|idPrefix = )"([a-z]+)_?"/g)].map(([, prefix]) => prefix)
  )
)

const samples = [...bodies, ...parameters.filter(({ example }) => example !== undefined)]

describe("the samples of the API document", () => {
  it("show each body, and what each path names", () => {
    expect(bodies.filter(({ example }) => example === undefined).map(({ where }) => where)).toEqual([])
    const bare = parameters.filter(({ place, example }) => place === "path" && example === undefined)
    expect(bare.map(({ where }) => where)).toEqual([])
  })

  it("are what the schemas beside them allow", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, formats })
    ajv.addSchema({ ...document, $id: "document" })
    const wrong = samples.flatMap(({ where, schema, example }) => {
      const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
      return check(example) ? [] : [`${where}: ${ajv.errorsText(check.errors)}`]
    })
    expect(wrong).toEqual([])
  })

  it("hold no placeholder: neither the word of a type, nor a field's own name", () => {
    const types = ["text", "string", "additionalProperty", "any", "value", "id", "token"]
    const own = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()
    const wrong = samples.flatMap(({ where, example }) =>
      textsOf(example)
        .filter(([name, text]) => types.includes(name.startsWith("name in ") ? "" : text) || text === own(name))
        .filter(([name, text]) => !(name === "type" || name === "descriptionFormat") || text === own(name))
        .map(([name, text]) => `${where}: ${name} is ${text}`)
    )
    expect(wrong).toEqual([])
  })

  it("have ids with prefixes that the server uses, one for each kind of thing", () => {
    expect(prefixes.size).toBeGreaterThan(30)
    const ids = samples.flatMap(({ example }) => textsOf(example)).map(([, text]) => text)
    const found = new Set(ids.filter((text) => /^[a-z]+_[0-9a-z]{10,}$/.test(text)))
    const prefixOf = (id: string) => id.split("_")[0] ?? ""
    expect([...found].filter((id) => !prefixes.has(prefixOf(id)))).toEqual([])
    expect(found.size).toBeGreaterThan(30)
  })

  it("are what was recorded, where an operation was", () => {
    const shown = new Map(bodies.map(({ where, example }) => [where, example]))
    expect(Object.keys(recordedSamples).length).toBeGreaterThanOrEqual(40)
    for (const [operationId, { request, response } = {}] of Object.entries(recordedSamples)) {
      expect(shown.get(`${operationId} request`)).toEqual(request)
      expect(shown.get(`${operationId} 200`) ?? shown.get(`${operationId} 201`)).toEqual(response)
    }
    expect(shown.get("checkout.complete 200")).toMatchObject({ status: "PAID", message: "Order placed and paid" })
  })

  it("leave a request without what is only read", () => {
    const schemas = document.components.schemas
    const wrong = bodies
      .filter(({ where }) => where.endsWith(" request"))
      .flatMap(({ where, schema, example }) => {
        const { properties = {} } = (schemas[nameOf(schema) ?? ""] ?? schema) as {
          readonly properties?: Readonly<Record<string, { readonly readOnly?: boolean }>>
        }
        return Object.keys(example as object)
          .filter((name) => properties[name]?.readOnly === true)
          .map((name) => `${where}: ${name}`)
      })
    expect(wrong).toEqual([])
  })

  it("name things of the demo store in paths by the ids that a host replaces", () => {
    const shown = (end: string) => parameters.find(({ where }) => where.endsWith(end))?.example
    expect(shown("/vc/{salesChannelId}/products salesChannelId")).toBe(recordedIds.salesChannelId)
    expect(shown("/stores/{storeId}/products storeId")).toBe(recordedIds.storeId)
    expect(shown("/v1/products/{id} id")).toBe(recordedIds.products["marlow-mug"])
    expect(shown("/products/slug/{slug} slug")).toBe("marlow-mug")
  })

  it("leave the document below 4.7 kB an operation, which is 1.6 MB for 340", () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
    expect(JSON.stringify(document).length).toBeLessThan(4_700 * operations.length)
  })
})
