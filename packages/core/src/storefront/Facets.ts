/**
 * Facets of a product list: the choices that shoppers can narrow it by, each with its number of products. A facet
 * counts under the search and all filters except its own, so that further choices can be offered beside the chosen one.
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
import { metafieldTypes } from "../metafield/MetafieldFields.ts"

const count = integer("Number of products in the list if this choice replaced the chosen ones of this facet.", 12)
const name = string("Its name, in the language of the request where it is translated.", "Lamps")

const CategoryFacet = Schema.Struct({
  id: string("Id of the category.", "cat_01k9"),
  name,
  slug: string("What `category` takes.", "lamps"),
  parentId: nullableString("The category it lies in; null for a root."),
  count: integer("Products filed under it or below it.", 12)
}).annotate({ identifier: "CategoryFacet", description: "A category that a list can be narrowed to." })

const BrandFacet = Schema.Struct({
  id: string("Id of the brand.", "brand_01k9"),
  name,
  slug: string("What `brand` takes.", "acme"),
  count
}).annotate({ identifier: "BrandFacet", description: "A brand that a list can be narrowed to." })

const OptionFacet = Schema.Struct({
  id: string("Id of the option. The filter `attr.<name>` accepts it, and its name.", "opt_01k9"),
  name,
  value: string("The option's value.", "red"),
  swatchColor: nullableString("Colour to show for it.", "#cc0000"),
  swatchImageUrl: nullableFileUrl("Picture to show for it."),
  count
}).annotate({ identifier: "OptionFacet", description: "An option that a list can be narrowed to." })

const AttributeFacet = Schema.Struct({
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

/** The counts. `missed` is 0 for products that pass all filters, else the bit of the one filter that they fail. */
export interface FacetRows {
  readonly all: ReadonlyArray<readonly [missed: number, count: number, low: string, high: string, buyable: number]>
  readonly keys: ReadonlyArray<readonly [key: string, missed: number, count: number]>
  readonly names: ReadonlyArray<readonly [kind: string, id: string, facts: unknown]>
}

interface Translated {
  readonly name: string
  readonly translations: Readonly<Record<string, unknown>>
}
interface CategoryFacts extends Translated {
  readonly slug: string
  readonly parentId: string | null
}
interface BrandFacts extends Translated {
  readonly slug: string
}
interface AttributeFacts extends Translated {
  readonly displayType: string | null
}
interface OptionFacts extends Translated {
  readonly value: string
  readonly attributeId: string
  readonly position: number
  readonly swatchColor: string | null
  readonly swatchImageUrl: string | null
}
interface MetafieldFacts extends Translated {
  readonly key: string
  readonly type: string
  readonly position: number
  readonly enumValues: ReadonlyArray<{ readonly value: string; readonly label: string }>
}

export interface FacetContext {
  readonly currency: string
  /** The languages of the shopper. Without it, names are in the store's own language. */
  readonly reading?: Reading | undefined
}

const byCount = <A extends { readonly count: number; readonly name: string; readonly id: string }>(a: A, b: A) =>
  b.count - a.count || byText(a.name, b.name) || byText(a.id, b.id)
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The facets as storefronts show them. `filtered` lists the facets that have a filter; the index of a facet is the
 * number of its bit in `missed`.
 */
export const toFacets = (rows: FacetRows, filtered: ReadonlyArray<string>, context: FacetContext): Facets => {
  const counts = makeCounts(rows, filtered)
  const factsOfKinds = new Map<string, Map<string, unknown>>()
  for (const [kind, id, facts] of rows.names) {
    const factsById = factsOfKinds.get(kind) ?? new Map<string, unknown>()
    factsOfKinds.set(kind, factsById.set(id, facts))
  }
  const entries = <Facts>(kind: string) =>
    [...(factsOfKinds.get(kind) ?? [])] as ReadonlyArray<readonly [string, Facts]>
  const { reading, currency } = context
  const nameOf = (thing: Translated) => textIn(thing, "name", reading)
  const withProducts = <A extends { readonly count: number }>(choices: ReadonlyArray<A>) =>
    choices.filter((choice) => choice.count > 0)

  const optionsOf = (attributeId: string, attribute: AttributeFacts) => {
    const facet = filtered.find((one) => isAttribute(one, attributeId, attribute))
    return withProducts(
      entries<OptionFacts>("option")
        .filter(([, option]) => option.attributeId === attributeId)
        .toSorted(([, a], [, b]) => a.position - b.position || byText(a.name, b.name))
        .map(([id, option]) => ({
          id,
          name: nameOf(option),
          value: option.value,
          swatchColor: option.swatchColor,
          swatchImageUrl: option.swatchImageUrl,
          count: counts.productsWith(id, facet)
        }))
    )
  }
  const prices = counts.groupsFor("price")
  const stock = counts.groupsFor("stock")
  const priceAt = (side: "low" | "high", place: 0 | -1) => {
    const amount = prices
      .map((group) => group[side])
      .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      .at(place)
    return amount === undefined ? null : formatMoney(amount, currency)
  }
  return {
    categories: withProducts(
      entries<CategoryFacts>("category").map(([id, facts]) => ({
        id,
        name: nameOf(facts),
        slug: facts.slug,
        parentId: facts.parentId,
        count: counts.productsWith(id, "category")
      }))
    ).toSorted(byCount),
    brands: withProducts(
      entries<BrandFacts>("brand").map(([id, facts]) => ({
        id,
        name: nameOf(facts),
        slug: facts.slug,
        count: counts.productsWith(id, "brand")
      }))
    ).toSorted(byCount),
    attributes: entries<AttributeFacts>("attribute")
      .map(([id, facts]) => ({
        id,
        name: nameOf(facts),
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
        name: nameOf(facts),
        type: facts.type,
        enumValues: facts.enumValues.map(({ value, label }) => ({ value, label })),
        values: counts.valuesOf(id, facts)
      }))
      .filter(({ values }) => values.length > 0),
    price: {
      min: priceAt("low", 0),
      max: priceAt("high", -1)
    },
    stock: {
      inStock: stock.reduce((sum, { buyable }) => sum + buyable, 0),
      outOfStock: stock.reduce((sum, group) => sum + group.count - group.buyable, 0)
    }
  }
}

/** A filter names an attribute by its id, or by its name in any language. */
const isAttribute = (facet: string, id: string, { name, translations }: Translated): boolean => {
  const names = [
    name,
    ...Object.values(translations).map((texts) => (texts as { readonly name?: unknown } | null)?.name)
  ]
  const asked = facet.toLowerCase()
  return facet === `attr.${id}` || names.some((one) => typeof one === "string" && asked === `attr.${one}`.toLowerCase())
}

const makeCounts = ({ all, keys }: FacetRows, filtered: ReadonlyArray<string>) => {
  /** Product counts by filter key, then by the filter that they fail. */
  const byKey = new Map<string, Map<number, number>>()
  for (const [key, missed, n] of keys) byKey.set(key, (byKey.get(key) ?? new Map<number, number>()).set(missed, n))
  /** The bit of the facet's own filter; 0 where it has none. */
  const bitOf = (facet: string | undefined): number => {
    const at = facet === undefined ? -1 : filtered.indexOf(facet)
    return at < 0 ? 0 : 2 ** at
  }
  /** The number of products with a filter key that pass every filter except the facet's own. */
  const productsWith = (key: string, facet: string | undefined): number => {
    const counts = byKey.get(key)
    const bit = bitOf(facet)
    return (counts?.get(0) ?? 0) + (bit === 0 ? 0 : (counts?.get(bit) ?? 0))
  }
  return {
    productsWith,
    /** The groups of products that pass every filter except the facet's own. */
    groupsFor: (facet: string) =>
      all
        .filter(([missed]) => missed === 0 || missed === bitOf(facet))
        .map(([, n, low, high, buyable]) => ({ count: n, low: BigInt(low), high: BigInt(high), buyable })),
    valuesOf: (id: string, { key, enumValues }: MetafieldFacts) => {
      const choices = new Map(enumValues.map(({ value }) => [value.normalize("NFKC").toLowerCase().trim(), value]))
      return [...byKey.keys()]
        .filter((filterKey) => filterKey.startsWith(`${id}=`))
        .map((filterKey) => {
          const value = filterKey.slice(id.length + 1)
          return { value: choices.get(value) ?? value, count: productsWith(filterKey, `mf.${key}`) }
        })
        .filter((one) => one.count > 0)
        .toSorted((a, b) => b.count - a.count || byText(a.value, b.value))
    }
  }
}
