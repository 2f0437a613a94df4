/**
 * Facets of a product list: what it can be narrowed by, each choice with the number of products it leads to. A facet is
 * counted under the search and all filters but its own, so that a second choice of it can be offered beside the first.
 */
import { Schema } from "effect"
import {
  arrayOf,
  integer,
  nullableMoney,
  nullableString,
  string,
  nullableFileUrl,
  listedText
} from "../kernel/Fields.ts"
import { type Reading, textIn } from "../kernel/Locale.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { FacetRows } from "./internal/facetCounts.ts"
import { metafieldTypes } from "../metafield/MetafieldFields.ts"

const count = integer("Number of products in the list if this choice replaced the chosen ones of this facet.", 12)
const name = string("Its name, in the language of the request where it is translated.", "Lamps")

export const CategoryFacet = Schema.Struct({
  id: string("Id of the category.", "cat_01k9"),
  name,
  slug: string("What `category` takes.", "lamps"),
  parentId: nullableString("The category it lies in; null for a root."),
  count: integer("Products filed under it or below it.", 12)
}).annotate({ identifier: "CategoryFacet", description: "A category that a list can be narrowed to." })

export const BrandFacet = Schema.Struct({
  id: string("Id of the brand.", "brand_01k9"),
  name,
  slug: string("What `brand` takes.", "acme"),
  count
}).annotate({ identifier: "BrandFacet", description: "A brand that a list can be narrowed to." })

export const OptionFacet = Schema.Struct({
  id: string("Id of the option. The filter `attr.<name>` accepts it, and its name.", "opt_01k9"),
  name,
  value: string("The option's value.", "red"),
  swatchColor: nullableString("Colour to show for it.", "#cc0000"),
  swatchImageUrl: nullableFileUrl("Picture to show for it."),
  count
}).annotate({ identifier: "OptionFacet", description: "An option that a list can be narrowed to." })

export const AttributeFacet = Schema.Struct({
  id: string("Id of the attribute.", "attr_01k9"),
  name,
  displayType: nullableString("How to show its options: a text of the merchant's own.", "SWATCH"),
  options: arrayOf(OptionFacet, "Options that products have, in their order.")
}).annotate({ identifier: "AttributeFacet", description: "An attribute by which a list can be narrowed." })

export const MetafieldFacet = Schema.Struct({
  id: string("Id of the definition.", "mfdef_01k9"),
  key: string("The key in `mf.<key>`.", "material"),
  name,
  type: listedText(metafieldTypes, "Type of its values."),
  enumValues: arrayOf(
    Schema.Struct({ value: string("The value.", "oak"), label: string("What to show for it.", "Oak") }),
    "The choices of a SELECT or MULTI_SELECT."
  ),
  values: arrayOf(
    Schema.Struct({ value: string("A value that products have: what the filter takes.", "oak"), count }),
    "Values that products have, the most frequent first."
  )
}).annotate({
  identifier: "MetafieldFacet",
  description: "A field of the merchant's own by which a list can be narrowed."
})

export type MetafieldFacet = typeof MetafieldFacet.Type

export const Facets = Schema.Struct({
  categories: arrayOf(CategoryFacet, "Categories, those with most products first."),
  brands: arrayOf(BrandFacet, "Brands, those with most products first."),
  attributes: arrayOf(AttributeFacet, "Attributes, by name."),
  metafields: arrayOf(MetafieldFacet, "Filterable fields, in their order."),
  price: Schema.Struct({
    min: nullableMoney("Lowest price to pay now; null without products."),
    max: nullableMoney("Highest of the products' lowest prices to pay now.", "49.99")
  }),
  stock: Schema.Struct({
    inStock: integer("Products that can be bought now.", 40),
    outOfStock: integer("Products that cannot.", 2)
  })
}).annotate({
  identifier: "ProductFacets",
  description: "Filters that can narrow the list, each choice with its number of products."
})
export type Facets = typeof Facets.Type

interface Named {
  readonly name: string
  readonly translations: Readonly<Record<string, unknown>>
}
interface CategoryFacts extends Named {
  readonly slug: string
  readonly parentId: string | null
}
interface BrandFacts extends Named {
  readonly slug: string
}
interface AttributeFacts extends Named {
  readonly displayType: string | null
}
interface OptionFacts extends Named {
  readonly value: string
  readonly attributeId: string
  readonly position: number
  readonly swatchColor: string | null
  readonly swatchImageUrl: string | null
}
interface MetafieldFacts extends Named {
  readonly key: string
  readonly type: string
  readonly position: number
  readonly enumValues: ReadonlyArray<{ readonly value: string; readonly label: string }>
}

export interface FacetContext {
  readonly currency: string
  /** What a shopper reads in; absent, the names as they are kept. */
  readonly reading?: Reading | undefined
}

const byCount = <A extends { readonly count: number; readonly name: string; readonly id: string }>(a: A, b: A) =>
  b.count - a.count || byText(a.name, b.name) || byText(a.id, b.id)
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The counts as storefronts read them. `filtered` names the facets that have a filter, in the order of their bits. */
export const toFacets = (rows: FacetRows, filtered: ReadonlyArray<string>, context: FacetContext): Facets => {
  const counts = makeCounts(rows, filtered)
  const kinds = new Map<string, Map<string, unknown>>()
  for (const [kind, id, facts] of rows.names) {
    const known = kinds.get(kind) ?? new Map<string, unknown>()
    kinds.set(kind, known.set(id, facts))
  }
  const entries = <Facts>(kind: string) => [...(kinds.get(kind) ?? [])] as ReadonlyArray<readonly [string, Facts]>
  const { reading, currency } = context
  const named = (thing: Named) => textIn(thing, "name", reading)
  const counted = <A extends { readonly count: number }>(choices: ReadonlyArray<A>) =>
    choices.filter((choice) => choice.count > 0)

  const optionsOf = (attributeId: string, attribute: AttributeFacts) => {
    const facet = filtered.find((one) => isAttribute(one, attributeId, attribute))
    return counted(
      entries<OptionFacts>("option")
        .filter(([, option]) => option.attributeId === attributeId)
        .toSorted(([, a], [, b]) => a.position - b.position || byText(a.name, b.name))
        .map(([id, option]) => ({
          id,
          name: named(option),
          value: option.value,
          swatchColor: option.swatchColor,
          swatchImageUrl: option.swatchImageUrl,
          count: counts.of(id, facet)
        }))
    )
  }
  const prices = counts.passing("price")
  const stock = counts.passing("stock")
  const money = (amounts: ReadonlyArray<bigint>, better: (a: bigint, b: bigint) => boolean) => {
    const [first, ...others] = amounts
    return first === undefined
      ? null
      : formatMoney(
          others.reduce((best, one) => (better(one, best) ? one : best), first),
          currency
        )
  }
  return {
    categories: counted(
      entries<CategoryFacts>("category").map(([id, facts]) => ({
        id,
        name: named(facts),
        slug: facts.slug,
        parentId: facts.parentId,
        count: counts.of(id, "category")
      }))
    ).toSorted(byCount),
    brands: counted(
      entries<BrandFacts>("brand").map(([id, facts]) => ({
        id,
        name: named(facts),
        slug: facts.slug,
        count: counts.of(id, "brand")
      }))
    ).toSorted(byCount),
    attributes: entries<AttributeFacts>("attribute")
      .map(([id, facts]) => ({
        id,
        name: named(facts),
        displayType: facts.displayType,
        options: optionsOf(id, facts)
      }))
      .filter(({ options }) => options.length > 0)
      .toSorted((a, b) => byText(a.name, b.name) || byText(a.id, b.id)),
    metafields: entries<MetafieldFacts>("metafield")
      .toSorted(([a, one], [b, other]) => one.position - other.position || byText(a, b))
      .map(([id, facts]) => ({
        id,
        key: facts.key,
        name: named(facts),
        type: facts.type,
        enumValues: facts.enumValues.map(({ value, label }) => ({ value, label })),
        values: counts.valuesOf(id, facts)
      }))
      .filter(({ values }) => values.length > 0),
    price: {
      min: money(
        prices.map(({ low }) => low),
        (a, b) => a < b
      ),
      max: money(
        prices.map(({ high }) => high),
        (a, b) => a > b
      )
    },
    stock: {
      inStock: stock.reduce((sum, { buyable }) => sum + buyable, 0),
      outOfStock: stock.reduce((sum, group) => sum + group.count - group.buyable, 0)
    }
  }
}

/** A filter names an attribute by its id, or by its name in any language. */
const isAttribute = (facet: string, id: string, { name, translations }: Named): boolean => {
  const names = [
    name,
    ...Object.values(translations).map((texts) => (texts as { readonly name?: unknown } | null)?.name)
  ]
  const asked = facet.toLowerCase()
  return facet === `attr.${id}` || names.some((one) => typeof one === "string" && asked === `attr.${one}`.toLowerCase())
}

const makeCounts = ({ all, terms }: FacetRows, filtered: ReadonlyArray<string>) => {
  const byTerm = new Map<string, Map<number, number>>()
  for (const [term, miss, n] of terms) byTerm.set(term, (byTerm.get(term) ?? new Map<number, number>()).set(miss, n))
  /** The bit of the facet's own filter; 0 where it has none. */
  const bitOf = (facet: string | undefined): number => {
    const at = facet === undefined ? -1 : filtered.indexOf(facet)
    return at < 0 ? 0 : 2 ** at
  }
  const of = (term: string, facet: string | undefined): number => {
    const misses = byTerm.get(term)
    const bit = bitOf(facet)
    return (misses?.get(0) ?? 0) + (bit === 0 ? 0 : (misses?.get(bit) ?? 0))
  }
  return {
    of,
    /** Groups of products that pass every filter but the facet's own. */
    passing: (facet: string) =>
      all
        .filter(([miss]) => miss === 0 || miss === bitOf(facet))
        .map(([, n, low, high, buyable]) => ({ count: n, low: BigInt(low), high: BigInt(high), buyable })),
    valuesOf: (id: string, { key, enumValues }: MetafieldFacts) => {
      const shown = new Map(enumValues.map(({ value }) => [value.normalize("NFKC").toLowerCase().trim(), value]))
      return [...byTerm.keys()]
        .filter((term) => term.startsWith(`${id}=`))
        .map((term) => {
          const value = term.slice(id.length + 1)
          return { value: shown.get(value) ?? value, count: of(term, `mf.${key}`) }
        })
        .filter((one) => one.count > 0)
        .toSorted((a, b) => b.count - a.count || byText(a.value, b.value))
    }
  }
}
