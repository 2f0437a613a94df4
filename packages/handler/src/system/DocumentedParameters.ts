/**
 * Parameters as the API document shows them. Those that the pipeline reads on every route of a surface are added here,
 * a name that means the same everywhere is described here once, and what many operations share becomes a component.
 */
import type { PolicyFacts } from "../middleware/Policy.ts"
import { versionHeaders } from "../middleware/Preconditions.ts"
import { versionOf } from "../middleware/Versioned.ts"
import { documentedList } from "../middleware/CommaList.ts"

export type Json = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Json
  readonly description?: string
  readonly style?: string
  readonly explode?: boolean
  readonly example?: unknown
  readonly examples?: Json
}

const storeId: Parameter = {
  name: "storeId",
  in: "query",
  required: false,
  schema: { type: "string" },
  description:
    "The store to work on: required with a key of a whole account. With a key of one store it must be that store. A " +
    "body may name it instead."
}

const idempotencyKey = (required: boolean): Parameter => ({
  name: "Idempotency-Key",
  in: "header",
  required,
  schema: { type: "string", maxLength: 255 },
  description:
    "A unique value of your own for this operation, best a UUID. The first response is kept for 24 hours and " +
    "returned again for the same request, so that a retry does nothing twice."
})

const ifNoneMatch: Parameter = {
  name: "If-None-Match",
  in: "header",
  required: false,
  schema: { type: "string" },
  description:
    "The `ETag` of the response you have, or several separated by commas. If it has not changed, the response is 304 " +
    "without a body. Browsers and CDNs send it by themselves."
}

/** An object of which each property is a parameter of its own (OpenAPI 3.1, Style Values: form, exploded). */
const openParameters = ({ openQuery }: PolicyFacts): ReadonlyArray<Parameter> => {
  if (openQuery === undefined) return []
  const { name, description, prefixes, example } = openQuery
  const patterns = Object.entries(prefixes).map(([prefix, said]) => [
    `^${prefix.replace(".", "\\.")}`,
    { type: "string", description: said }
  ])
  return [
    {
      name,
      in: "query",
      required: false,
      style: "form",
      explode: true,
      description,
      example,
      schema: { type: "object", patternProperties: Object.fromEntries(patterns), additionalProperties: false }
    }
  ]
}

const pipelineParameters = (facts: PolicyFacts): ReadonlyArray<Parameter> => [
  ...(facts.surface === "admin" && facts.storeInPath !== true ? [storeId] : []),
  ...(facts.idempotency === undefined || facts.idempotency === "none"
    ? []
    : [idempotencyKey(facts.idempotency === "required")]),
  ...(versionOf(facts) === undefined ? [] : versionHeaders),
  ...openParameters(facts),
  ...(facts.cached === undefined ? [] : [ifNoneMatch])
]

/** Names that mean the same on every route, for declarations that do not describe them. */
const wellKnown: Readonly<Record<string, string>> = {
  salesChannelId: "The id of the sales channel. Requests come from its registered domain, which is the `Origin`.",
  storeId: "The id of the store. A store that the credential is not valid for is 404.",
  cartId: "The id of the cart, from the response that created it.",
  checkoutId: "The id of the checkout, from the response that created it.",
  itemId: "The id of the line.",
  sessionToken: "The session token of the cart, for a shopper who is not signed in.",
  slug: "The name in the address of the page, such as `oak-table`.",
  page: "The page to return, from 1. The first by default.",
  limit: "Items on a page: 20 by default and at most 100. A larger number counts as 100.",
  search: "Lists only what contains these words.",
  locale:
    "The language of names and descriptions, such as `de` or `pt-BR`. The store's own where it has no translation.",
  regionId: "The region the shopper buys from. It does not change prices or the currency.",
  sortBy: "What to sort by. An unknown value is ignored.",
  sortOrder: "Ascending or descending."
}

const pageNumber = { type: "integer", minimum: 1 }
const schemas: Readonly<Record<string, Json>> = {
  page: { ...pageNumber, default: 1 },
  limit: { ...pageNumber, maximum: 100, default: 20 }
}

/** `/products/{id}` names a product: the word before the parameter, in the singular. */
const resourceBefore = (path: string, name: string): string => {
  const before = path.split(`/{${name}}`)[0]?.split("/").at(-1) ?? ""
  const words = before.replaceAll("-", " ")
  return words.endsWith("ies") ? `${words.slice(0, -3)}y` : words.replace(/(?<=ss)es$|(?<!s)s$/, "")
}

const fallback = (path: string, { name, in: place }: Parameter): string | undefined => {
  const known = wellKnown[name]
  if (known !== undefined) return known
  return place === "path" && /^id$|Id$/.test(name) ? `The id of the ${resourceBefore(path, name)}.` : undefined
}

/** A comma-separated list is documented as an array that is written without repeating the name. */
const asDocumented = (path: string, { schema, ...parameter }: Parameter): Parameter => {
  const { description, [documentedList]: list, ...plain } = schema
  const said = typeof description === "string" ? description : parameter.description
  const text = said ?? fallback(path, { schema, ...parameter })
  const shown = { ...parameter, ...(text === undefined ? {} : { description: text }) }
  if (Array.isArray(list)) {
    const items = list.length === 0 ? { type: "string" } : { type: "string", enum: list }
    return { ...shown, schema: { type: "array", items }, style: "form", explode: false }
  }
  const known = parameter.in === "query" ? schemas[parameter.name] : undefined
  return { ...shown, schema: known ?? plain }
}

/** The endpoint's own parameters, and the pipeline's behind them. */
export const parametersOf = (path: string, own: unknown, facts: PolicyFacts): ReadonlyArray<Parameter> => {
  const declared = Array.isArray(own) ? (own as ReadonlyArray<Parameter>) : []
  const added = pipelineParameters(facts).filter(
    (one) => !declared.some((other) => other.in === one.in && other.name === one.name)
  )
  return [...declared, ...added].map((one) => asDocumented(path, one))
}
