/**
 * Filters of a product list by attributes and metafields of the store: `attr.<attribute>` and `mf.<key>`. The values of
 * one parameter are alternatives; all parameters must match.
 */
import type { AttributeFilter, MetafieldFilter } from "@effect-commerce/core/storefront/ProductFilter"
import { foldedValue } from "@effect-commerce/core/metafield/MetafieldValue"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Effect, Schema } from "effect"
import { CommaList, listOf } from "../middleware/CommaList.ts"

/** Parameters of both kinds in one query, at most. */
const maxNamedFilters = 20
const longestName = 200

/** The query schema of a list: `fields`, and filters by attributes and metafields. */
export const withNamedFilters = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.StructWithRest(Schema.Struct(fields), [
    Schema.Record(Schema.TemplateLiteral(["attr.", Schema.String]), CommaList),
    Schema.Record(Schema.TemplateLiteral(["mf.", Schema.String]), CommaList)
  ])

/** How the API document describes them. */
export const namedFilterWords = {
  name: "filters",
  description:
    "Filters by the store's own attributes and fields, each a parameter of its own; at most " +
    `${maxNamedFilters}. A name or a value that the store does not have finds nothing. Send a value that contains ` +
    "commas alone.",
  prefixes: {
    "attr.":
      "Ids or names of options of this attribute, separated by commas. The attribute is named by id or name. Names " +
      "are found in every language that they are translated into.",
    "mf.": "Values of the filterable metafield with this key, separated by commas."
  },
  example: { "attr.Colour": "Red,Blue", "mf.material": "oak" }
}

export interface NamedFilters {
  readonly attributes: ReadonlyArray<AttributeFilter> | undefined
  readonly metafields: ReadonlyArray<MetafieldFilter> | undefined
}

interface Named {
  readonly name: string
  readonly values: ReadonlyArray<string>
}

const refusal = (field: string, reason: string) => FieldRejected.at(field, reason)

/** The filters of a query. A parameter without values does not filter. */
export const namedFilters = (query: object): Effect.Effect<NamedFilters, FieldRejected> => {
  const asked = Object.entries(query).filter(([name]) => name.startsWith("attr.") || name.startsWith("mf."))
  const [tooMany] = asked[maxNamedFilters] ?? []
  if (tooMany !== undefined)
    return refusal(tooMany, `is the ${maxNamedFilters + 1}th filter of its kind, and there can be ${maxNamedFilters}`)
  const long = asked.find(([name]) => name.length > longestName)
  if (long !== undefined) return refusal(long[0], `must have a name of at most ${longestName} characters`)
  const of = (prefix: string): ReadonlyArray<Named> =>
    asked.flatMap(([name, text]) => {
      const values = name.startsWith(prefix) ? listOf(String(text)) : undefined
      // A value may contain commas: the whole text is one more alternative.
      return values === undefined
        ? []
        : [{ name: name.slice(prefix.length), values: [...new Set([...values, String(text).trim()])] }]
    })
  const someOf = <A>(found: ReadonlyArray<A>) => (found.length === 0 ? undefined : found)
  return Effect.succeed({
    attributes: someOf(of("attr.").map(({ name, values }) => ({ attribute: name, options: values }))),
    metafields: someOf(of("mf.").map(({ name, values }) => ({ key: name, values: values.map(foldedValue) })))
  })
}
