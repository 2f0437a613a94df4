/**
 * Composes the document of a product from `toProductView`, so that a new field of the answer needs nothing here. The
 * view is made for each of the product's languages and for inside and outside of its sale; where these differ, the
 * document has a hole. What stock decides, and what is named by id, is listed below.
 */
import { attachmentView, shownAttachments } from "../../modifier/AttachedModifierGroup.ts"
import { stockKeyOf } from "../../kernel/Availability.ts"
import { kitStock } from "../../kernel/Kit.ts"
import { type ProductState, linkFields } from "../../product/Product.ts"
import { isPricedByComponents, kitPriceChanges } from "../../product/KitPrice.ts"
import { kitPartHead, offeredParts } from "../../product/NamedInProduct.ts"
import { inventoryView, type ProductView, toProductView } from "../../product/ProductView.ts"
import { documentText, hole } from "./documentText.ts"

export interface ComposedDocument {
  readonly product_id: string
  readonly document: string
  /** Rows of stock that the answer shows. */
  readonly stock_keys: ReadonlyArray<string>
  /** Products that it names by id, where shoppers can see them. */
  readonly link_ids: ReadonlyArray<string>
}

type Value = unknown
type Fields = Readonly<Record<string, Value>>

const shownVariants = (product: ProductState) => product.variants.filter(({ status }) => status === "active")

const variantOf = (product: ProductState, { id }: Fields) => product.variants.find((variant) => variant.id === id)
/** Its own, those of its variants, or those of the components of a kit. */
const stockKeysOf = (product: ProductState): ReadonlyArray<string> => {
  const own = product.type === "KIT" ? product.kitComponents.map(stockKeyOf) : [product.id]
  return [...(product.type === "VARIABLE" ? [] : own), ...shownVariants(product).map(({ id }) => id)]
}

const references = (kind: string, ids: ReadonlyArray<string>): string =>
  hole("r", kind, ...ids.flatMap((id) => [id, ""]))

/** A kit of which a component is not sold has no stock, whatever there is of the others. */
const kitHole = ({ kitComponents }: ProductState): string =>
  kitComponents.every((part) => part.isOffered)
    ? hole("k", ...kitComponents.flatMap((part) => [stockKeyOf(part), String(part.quantity)]))
    : JSON.stringify(inventoryView(kitStock(kitComponents), "storefront"))

const linkHole = (ids: ReadonlyArray<string>): string => (ids.length === 0 ? "[]" : hole("x", ...ids))

/** Each once, in one order. */
const linksOf = (product: ProductState): ReadonlyArray<string> =>
  [
    ...new Set([
      ...linkFields.flatMap((field) => product[field]),
      ...product.kitComponents.map(({ productId }) => productId)
    ])
  ].sort()

/**
 * Fields that are holes whatever the views say, by path (`*` is each element of a list). `parent` is the object that
 * the field belongs to.
 */
const holes: Readonly<Record<string, (product: ProductState, parent: Fields) => string>> = {
  inventory: (product) => {
    if (product.type === "KIT") return kitHole(product)
    return product.type === "VARIABLE"
      ? hole("t", ...shownVariants(product).map(({ id }) => id))
      : hole("i", product.id)
  },
  "variants.*.inventory": (_product, parent) => hole("i", String(parent["id"])),
  categories: (product) =>
    references(
      "category",
      product.categories.map(({ id }) => id)
    ),
  brands: (product) =>
    references(
      "brand",
      product.brands.map(({ id }) => id)
    ),
  modifierGroups: (product) =>
    hole(
      "r",
      "modifier_group",
      ...shownAttachments(product).flatMap((group) => [
        group.groupId,
        JSON.stringify(attachmentView(group)).slice(1, -1)
      ])
    ),
  // All of them: which are shown is decided where the document is read.
  translations: ({ translations }) => JSON.stringify(translations),
  metafields: ({ metafields }) =>
    hole("m", ...metafields.flatMap(({ id, value }) => (value === null ? [] : [id, JSON.stringify(value)]))),
  customizationFields: ({ attachedMetafields }) => hole("f", ...attachedMetafields),
  attributes: ({ attributes }) =>
    attributes.length === 0
      ? "[]"
      : hole("a", ...attributes.map(({ id, options }) => [id, ...options.map((option) => option.id)].join(" "))),
  productAttributeOptions: ({ attributes }) =>
    references(
      "option",
      attributes.flatMap(({ options }) => options.map(({ id }) => id))
    ),
  "variants.*.name": (product, parent) => {
    const variant = variantOf(product, parent)
    return variant?.isNameMade === true ? hole("n", ...variant.optionIds) : JSON.stringify(parent["name"])
  },
  "variants.*.attributes": (product, parent) => {
    const { optionIds = [] } = variantOf(product, parent) ?? {}
    return optionIds.length > 0 ? hole("c", ...optionIds) : JSON.stringify(parent["attributes"])
  },
  ...Object.fromEntries(linkFields.map((field) => [field, (product: ProductState) => linkHole(product[field])])),
  kitComponents: (product) =>
    product.kitComponents.length === 0
      ? "[]"
      : hole(
          "b",
          ...offeredParts(product).flatMap((part) => [
            part.productId,
            JSON.stringify(kitPartHead(part)),
            JSON.stringify({ name: part.name, translations: part.translations })
          ])
        ),
  shippingClass: ({ shippingClassId }) =>
    shippingClassId === null ? "null" : hole("v", "shipping_class", shippingClassId)
}

/** Paths on the way to a hole. */
const leading = new Set(
  Object.keys(holes).flatMap((path) => path.split(".").map((_, at, steps) => steps.slice(0, at).join(".")))
)

/** The same place of all views. */
interface Place {
  readonly path: string
  readonly base: Value
  /** While the sale runs; undefined where no sale begins or ends. */
  readonly sale: { readonly value: Value } | undefined
  /** From these instants on, in their order; of a kit whose components begin or end to be on sale. */
  readonly moments: ReadonlyArray<{ readonly at: number; readonly value: Value }>
  readonly languages: ReadonlyArray<Value>
}

const isObject = (value: Value): value is Fields => typeof value === "object" && value !== null

const within = (value: Value, key: string | number): Value => (isObject(value) ? value[key] : undefined)

const stepInto = (path: string, step: string): string => (path === "" ? step : `${path}.${step}`)

const inside = ({ path, base, sale, moments, languages }: Place, step: string, key: string | number): Place => ({
  path: stepInto(path, step),
  base: within(base, key),
  sale: sale === undefined ? undefined : { value: within(sale.value, key) },
  moments: moments.map(({ at, value }) => ({ at, value: within(value, key) })),
  languages: languages.map((value) => within(value, key))
})

const alternatives = (text: string, sale: string, languages: ReadonlyArray<string>): string => {
  const translated = languages.some((one) => one !== text)
  if (sale === text && !translated) return text
  if (sale === text) return hole("l", text, ...languages.map((one) => (one === text ? "" : one)))
  if (!translated) return hole("w", sale, text)
  throw new Error(`a field of a product cannot depend on the sale and on the language: ${text.slice(0, 100)}`)
}

/** Texts that differ from moment to moment; undefined where they do not. */
const changing = (text: string, moments: ReadonlyArray<readonly [at: number, text: string]>): string | undefined =>
  moments.every(([, one]) => one === text)
    ? undefined
    : hole("p", text, ...moments.flatMap(([at, one]) => [String(at), one]))

const written = (product: ProductState, place: Place): string => {
  const { path, base, sale, moments, languages } = place
  const isAlike = sale === undefined && moments.length === 0 && languages.length === 0
  const field = (of: Fields, key: string): string => {
    const at = stepInto(path, key)
    const special = holes[at]
    if (special !== undefined) return special(product, of)
    return isAlike && !leading.has(at) ? JSON.stringify(of[key]) : written(product, inside(place, key, key))
  }
  if (leading.has(path) && Array.isArray(base))
    return `[${base.map((_, at) => written(product, inside(place, "*", at))).join(",")}]`
  if (leading.has(path) && isObject(base))
    return `{${Object.keys(base)
      .filter((key) => base[key] !== undefined)
      .map((key) => `${JSON.stringify(key)}:${field(base, key)}`)
      .join(",")}}`
  const text = JSON.stringify(base)
  if (isAlike) return text
  const changes = changing(
    text,
    moments.map(({ at, value }) => [at, JSON.stringify(value)])
  )
  if (changes !== undefined) return changes
  return alternatives(
    text,
    sale === undefined ? text : JSON.stringify(sale.value),
    languages.map((value) => (value === base ? text : JSON.stringify(value)))
  )
}

/** An instant of the sale and one without it; undefined where it always runs or never does. */
const instants = ({ kitPricingMode, salePriceStartsAt, salePriceEndsAt }: ProductState) => {
  if (isPricedByComponents(kitPricingMode)) return undefined
  const [startsAt, endsAt] = [salePriceStartsAt?.getTime(), salePriceEndsAt?.getTime()]
  if (startsAt === undefined && endsAt === undefined) return undefined
  if (startsAt !== undefined && endsAt !== undefined && startsAt >= endsAt) return undefined
  return startsAt === undefined ? { on: Number(endsAt) - 1, off: Number(endsAt) } : { on: startsAt, off: startsAt - 1 }
}

/** What marks the holes of a document is in no name of a language that can be asked for. */
const control = /\p{Cc}/u

/** When the price of a kit changes that its components price, ascending. */
const momentsOf = ({ kitPricingMode, kitComponents }: ProductState): ReadonlyArray<number> =>
  isPricedByComponents(kitPricingMode) ? [...new Set(kitPriceChanges(kitComponents))].toSorted((a, b) => a - b) : []

/** In lower case; what holds no texts is no translation. */
const languagesOf = ({ translations }: ProductState): ReadonlyArray<string> => [
  ...new Set(
    Object.entries(translations).flatMap(([language, texts]) =>
      typeof texts === "object" && texts !== null && !control.test(language) ? [language.toLowerCase()] : []
    )
  )
]

/** `now` is in epoch milliseconds, and decides nothing that the document shows at other times. */
export const composeDocument = (product: ProductState, currency: string, now: number): ComposedDocument => {
  const sale = instants(product)
  const viewAt = (at: number, language?: string): ProductView =>
    toProductView(product, {
      currency,
      audience: "storefront",
      now: at,
      reading: language === undefined ? undefined : { wanted: [language], own: "" }
    })
  const changes = momentsOf(product)
  const outside = sale?.off ?? (changes[0] === undefined ? now : changes[0] - 1)
  const languages = languagesOf(product)
  const body = written(product, {
    path: "",
    base: viewAt(outside),
    sale: sale === undefined ? undefined : { value: viewAt(sale.on) },
    moments: changes.map((at) => ({ at, value: viewAt(at) })),
    languages: languages.map((language) => viewAt(outside, language))
  })
  const head = {
    saleStartsAt: product.salePriceStartsAt?.getTime() ?? null,
    saleEndsAt: product.salePriceEndsAt?.getTime() ?? null,
    languages
  }
  return {
    product_id: product.id,
    document: documentText(head, body),
    stock_keys: stockKeysOf(product),
    link_ids: linksOf(product)
  }
}
