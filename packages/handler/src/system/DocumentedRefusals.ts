/**
 * Refusals as the API document shows them: for each set of codes that some operation can answer with one status, one
 * response, shared by every operation with that set; and for each code one closed schema.
 */
import { codeDetails } from "../middleware/CodeDetails.ts"
import { codeExplanations } from "../middleware/CodeExplanations.ts"
import { type Code, codes } from "../middleware/Codes.ts"
import type { Json } from "./DocumentedParameters.ts"

/** The sets that the pipeline answers on many routes, named for what they have in common. */
const common: ReadonlyArray<readonly [string, ReadonlyArray<Code>]> = [
  ["InvalidRead", ["VALIDATION_FAILED", "IDEMPOTENCY_KEY_NOT_SUPPORTED"]],
  [
    "InvalidAdminRead",
    ["VALIDATION_FAILED", "STORE_ID_REQUIRED", "STORE_ID_MISMATCH", "IDEMPOTENCY_KEY_NOT_SUPPORTED"]
  ],
  ["InvalidAdminWrite", ["VALIDATION_FAILED", "STORE_ID_REQUIRED", "STORE_ID_MISMATCH"]],
  ["KeyForbidden", ["INSUFFICIENT_SCOPE", "STORE_SUSPENDED"]],
  ["ChannelForbidden", ["INSUFFICIENT_PERMISSION", "STORE_SUSPENDED"]],
  ["ConflictOrKeyReused", ["CONFLICT", "IDEMPOTENCY_KEY_REUSED"]]
]

const pascal = (code: Code): string =>
  code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())

/** `ProductNotFound`, `ConflictOrOutOfStock`: the codes of a set, those of the largest common set by its name. */
const nameOf = (listed: ReadonlyArray<Code>): string => {
  const within = common.filter(([, codes]) => listed.length > 1 && codes.every((code) => listed.includes(code)))
  const largest = within.toSorted(([, a], [, b]) => b.length - a.length)[0]
  const others = listed.filter((code) => largest?.[1].includes(code) !== true).map(pascal)
  return [...(largest === undefined ? [] : [largest[0]]), ...others].join("Or")
}

const schemaName = (code: Code): string => `${pascal(code)}Error`

const detailsOf = (code: Code): Json => {
  const { properties, required = [] } = codeDetails[code] ?? {}
  const known = properties === undefined ? {} : { properties, ...(required.length === 0 ? {} : { required }) }
  return { type: "object", ...known, additionalProperties: true, description: "Facts for programs." }
}

const hasDetails = (code: Code): boolean => (codeDetails[code]?.required ?? []).length > 0

/** The body of every error with one code, so that a program that has looked at `code` knows the rest. */
const envelope = (code: Code): Json => ({
  type: "object",
  description: codeExplanations[code].cause,
  properties: {
    statusCode: { type: "integer", const: codes[code], description: "The HTTP status." },
    code: { type: "string", const: code, description: "What went wrong, for programs." },
    message: { type: "string", description: "What went wrong, for people. Its wording may change." },
    details: detailsOf(code),
    timestamp: { type: "string", format: "date-time", description: "When the error happened." },
    path: { type: "string", description: "The path of the request." }
  },
  required: ["statusCode", "code", "message", "timestamp", "path", ...(hasDetails(code) ? ["details"] : [])],
  additionalProperties: false
})

/** One of the errors with these codes. */
const choiceOf = (listed: ReadonlyArray<Code>): Json => {
  const errors = listed.map((code) => ({ $ref: `#/components/schemas/${schemaName(code)}` }))
  return errors.length === 1 ? { ...errors[0] } : { oneOf: errors }
}

const retryAfter = {
  "Retry-After": { description: "Seconds to wait before another attempt.", schema: { type: "integer" } }
}

const response = (status: number, listed: ReadonlyArray<Code>): Json => ({
  description: listed.map((code) => `\`${code}\`: ${codeExplanations[code].cause}`).join("\n\n"),
  ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
  content: { "application/json": { schema: choiceOf(listed) } }
})

/** Collects the refusals of all operations and writes each set once. */
export const makeRefusals = () => {
  const responses: Record<string, Json> = {}
  const schemas: Record<string, Json> = {}
  const refer = ([status, listed]: readonly [number, ReadonlyArray<Code>]): readonly [string, Json] => {
    const name = nameOf(listed)
    responses[name] ??= response(status, listed)
    for (const code of listed) schemas[schemaName(code)] ??= envelope(code)
    return [String(status), { $ref: `#/components/responses/${name}` }]
  }
  return { responses, schemas, refer }
}
