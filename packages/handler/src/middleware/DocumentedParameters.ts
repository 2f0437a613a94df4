/**
 * What the pipeline reads of every request of a surface, said once for the OpenAPI document instead of in each
 * endpoint.
 */
import type { PolicyFacts } from "./Policy.ts"
import { versionHeaders } from "./Preconditions.ts"
import { versionOf } from "./Versioned.ts"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Readonly<Record<string, unknown>>
  readonly description?: string
}

const storeId: Parameter = {
  name: "storeId",
  in: "query",
  required: false,
  schema: { type: "string" },
  description:
    "The store to work on: needed with a key of a whole account, and never another than the key's own. A body may " +
    "name it instead."
}

const idempotencyKey = (required: boolean): Parameter => ({
  name: "Idempotency-Key",
  in: "header",
  required,
  schema: { type: "string", maxLength: 255 },
  description: "The first answer under a key is kept for 24 hours and given again to the same request."
})

/** The endpoint's own parameters, and the pipeline's behind them. */
export const withPipelineParameters = (own: unknown, facts: PolicyFacts): ReadonlyArray<Parameter> => {
  const declared = Array.isArray(own) ? (own as ReadonlyArray<Parameter>) : []
  const added = [
    ...(facts.surface === "admin" && facts.storeInPath !== true ? [storeId] : []),
    ...(facts.idempotency === undefined || facts.idempotency === "none"
      ? []
      : [idempotencyKey(facts.idempotency === "required")]),
    ...(versionOf(facts) === undefined ? [] : versionHeaders)
  ]
  return [
    ...declared,
    ...added.filter((one) => !declared.some((other) => other.in === one.in && other.name === one.name))
  ]
}
