/**
 * Refusals as the API document shows them: for each set of codes that some operation can answer with one status, one
 * response and one closed schema, shared by every operation with that set.
 */
import { codeExplanations } from "../middleware/CodeExplanations.ts"
import type { Code } from "../middleware/Codes.ts"
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

const envelope = (status: number, listed: ReadonlyArray<Code>): Json => ({
  type: "object",
  description: "The envelope of every refusal.",
  properties: {
    statusCode: { type: "integer", const: status, description: "The HTTP status." },
    code: { type: "string", enum: listed, description: "What was refused, for programs." },
    message: { type: "string", description: "What was refused, for people. Its wording may change." },
    details: { type: "object", additionalProperties: true, description: "Facts of this refusal, by code." },
    timestamp: { type: "string", format: "date-time", description: "When it was refused." },
    path: { type: "string", description: "The path that was asked for." }
  },
  required: ["statusCode", "code", "message", "timestamp", "path"],
  additionalProperties: false
})

const retryAfter = {
  "Retry-After": { description: "Seconds to wait before another attempt.", schema: { type: "integer" } }
}

const response = (name: string, status: number, listed: ReadonlyArray<Code>): Json => ({
  description: listed.map((code) => `\`${code}\`: ${codeExplanations[code].cause}`).join("\n\n"),
  ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
  content: { "application/json": { schema: { $ref: `#/components/schemas/${name}Refusal` } } }
})

/** Collects the refusals of all operations and writes each set once. */
export const makeRefusals = () => {
  const responses: Record<string, Json> = {}
  const schemas: Record<string, Json> = {}
  const refer = ([status, listed]: readonly [number, ReadonlyArray<Code>]): readonly [string, Json] => {
    const name = nameOf(listed)
    responses[name] ??= response(name, status, listed)
    schemas[`${name}Refusal`] ??= envelope(status, listed)
    return [String(status), { $ref: `#/components/responses/${name}` }]
  }
  return { responses, schemas, refer }
}
