/**
 * Compares answers with the API document: the status must be listed, a refusal's code too, and the body must be what
 * the schema says, nulls and formats included.
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { Effect } from "effect"
import { expect } from "vitest"
import type { Json } from "../../src/system/DocumentedParameters.ts"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { Api } from "../../src/Api.ts"
import { makeApiDocument } from "../../src/system/ApiDocument.ts"

export type { Json }

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  readonly text: string
}

export const document = await Effect.runPromise(makeApiDocument(Api))

const isUri = (text: string): boolean => URL.canParse(text)
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
export const formats = {
  "date-time": isTime,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: isUri,
  "uri-reference": (text: string) => URL.canParse(text, "http://any.example"),
  binary: true as const
}

const ajv = new Ajv2020({ strict: false, allErrors: true, formats })
ajv.addSchema({ ...document, $id: "document" })
const compiled = new Map<string, ValidateFunction>()

const pointerOf = (...steps: ReadonlyArray<string>): string =>
  `document#${steps.map((step) => `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")}`

const validatorAt = (pointer: string): ValidateFunction => {
  const known = compiled.get(pointer)
  if (known !== undefined) return known
  const made = ajv.compile({ $ref: pointer })
  compiled.set(pointer, made)
  return made
}

const fixedFirst = (a: string, b: string): number => (a.match(/\{/g)?.length ?? 0) - (b.match(/\{/g)?.length ?? 0)
const patterns = Object.keys(document.paths)
  .toSorted(fixedFirst)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`) }))

/** The documented path that a request is for; undefined for one that is not part of the interface. */
export const documentedPath = (method: string, path: string): string | undefined => {
  const asked = path.split("?")[0] ?? ""
  return patterns.find(
    ({ path: one, pattern }) => pattern.test(asked) && document.paths[one]?.[method.toLowerCase()] !== undefined
  )?.path
}

/** How an answer differs from what is documented of `path`; none where it does not. `path` is one of the document. */
export const differencesOf = (method: string, path: string, answer: Answer): ReadonlyArray<string> => {
  const verb = method.toLowerCase()
  const listed = document.paths[path]?.[verb]?.responses[String(answer.status)]
  if (listed === undefined) return [`${answer.status} is not listed: ${answer.text.slice(0, 200)}`]
  const type = answer.headers.get("content-type")?.split(";")[0]
  if (type !== "application/json") return []
  const name = (listed as { readonly $ref?: string }).$ref?.split("/").at(-1)
  const at =
    name === undefined ? ["paths", path, verb, "responses", String(answer.status)] : ["components", "responses", name]
  const check = validatorAt(pointerOf(...at, "content", "application/json", "schema"))
  if (check(answer.body)) return []
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${answer.status} ${instancePath.replace(/\/\d+(?=\/|$)/g, "/0")} ${message} ${JSON.stringify(params)}`
  )
}

/** The same shop, each answer of which must be one that the document describes. */
export const asDocumented = (shop: TestCommerce): TestCommerce => ({
  ...shop,
  call: async (method, path, options) => {
    const answer = await shop.call(method, path, options)
    const at = documentedPath(method, path)
    const differences = at === undefined ? [] : differencesOf(method, at, answer)
    expect(differences.map((found) => `${method} ${at} ${found}`)).toEqual([])
    return answer
  }
})
