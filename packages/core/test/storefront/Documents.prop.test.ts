/**
 * A product that is shown from its document is what `toProductView` makes of the product at that instant: to the byte, for random products, languages, stocks and instants around the ends of a sale.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ProductMetafield } from "../../src/metafield/MetafieldFields.ts"
import type { ProductState, StockState, VariantState } from "../../src/product/Product.ts"
import { ownPrices } from "../../src/product/KitPrice.ts"
import { effectivePrices, toProductView } from "../../src/product/productViews.ts"
import { optionNamesOf, withOptionNames } from "../../src/product/VariantNames.ts"
import { composeDocument, readDocument } from "../../src/storefront/internal/productDocument.ts"
import { shownProduct } from "../../src/storefront/internal/shownProduct.ts"
import { listingRow } from "../../src/storefront/internal/listingRow.ts"
import { type LabelRow, SharedLabels } from "../../src/storefront/internal/sharedLabels.ts"
import { isWindowActive } from "../../src/kernel/TimeWindow.ts"
import { law } from "../kernel/laws.ts"

/** Every control character, quotes, line separators, pairs and broken pairs of UTF-16. */
const text = fc.oneof(
  fc.string({ maxLength: 20, unit: "binary" }),
  fc.string({
    maxLength: 20,
    unit: fc.constantFrom("\u0001", "\u0002", "\u0003", "\u0004", '"', "\\", "a", "ß", "\u2028", "\ud83d")
  })
)
const names = fc.dictionary(fc.constantFrom("de", "fr-ca"), fc.record({ name: text }, { requiredKeys: [] }))
const texts = fc.record({ name: text, description: text }, { requiredKeys: [] })
const nothing = fc.constant(null)
const amount = fc.bigInt({ min: 0n, max: 100_000n })
const opening = 1_000_000

const stock: fc.Arbitrary<StockState | null> = fc.option(
  fc.record({
    trackingMode: fc.constantFrom("TRACKED" as const, "UNTRACKED" as const, "DISABLED" as const),
    backorderMode: fc.constantFrom("DENY" as const, "ALLOW" as const, "LIMITED" as const),
    backorderLimit: fc.option(fc.integer({ min: 0, max: 3 })),
    total: fc.integer({ min: -3, max: 5 }),
    reserved: fc.integer({ min: 0, max: 3 }),
    lowStockThreshold: nothing
  })
)

const variant = fc.record({
  sku: fc.option(text),
  name: text,
  attributes: fc.dictionary(text, text, { maxKeys: 2 }),
  price: amount,
  sale: fc.option(amount),
  status: fc.constantFrom("active" as const, "draft" as const),
  isNameOwn: fc.boolean(),
  chosen: fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 })),
  stock
})

const metafield = fc.record({
  isActive: fc.boolean(),
  isCustomerInput: fc.boolean(),
  filterable: fc.boolean(),
  value: fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text)),
  name: text,
  label: text,
  translated: fc.boolean()
})
const metafields = fc.array(metafield, { maxLength: 4 }).map((all) =>
  all.map(
    ({ value, name, label, translated, ...facts }, i): ProductMetafield => ({
      ...facts,
      id: `mfdef_${i}`,
      key: `key_${i}`,
      type: "TEXT",
      required: false,
      value: facts.isCustomerInput ? null : value,
      input: facts.isCustomerInput
        ? {
            name,
            description: null,
            minLength: null,
            maxLength: 3,
            minValue: null,
            maxValue: null,
            dateAvailability: null,
            enumValues: [{ label, value: "v", swatchColor: null, swatchImageUrl: null }],
            defaultValue: value,
            position: i,
            translations: translated ? { de: { name: label, enumValues: { v: name } } } : {}
          }
        : null
    })
  )
)
/** Options 1 and 2 are the first attribute's, 3 and 4 the second's. */
const options = fc.tuple(
  ...["1", "2", "3", "4"].map((id) =>
    fc.record({
      id: fc.constant(`opt_${id}`),
      name: text,
      value: text,
      swatchColor: fc.option(text),
      swatchColor2: nothing,
      swatchImageUrl: nothing,
      translations: names,
      position: fc.integer(),
      isDeleted: fc.boolean()
    })
  )
)
const attributes = fc
  .tuple(options, fc.tuple(text, text), fc.boolean(), fc.integer({ min: 0, max: 2 }), fc.boolean())
  .map(([all, own, isDeleted, count, isTranslated]) =>
    [0, 1].slice(0, count).map((i) => ({
      id: `attr_${i}`,
      name: `${i === 0 ? "a" : "b"}${own[i]}`,
      displayType: null,
      translations: isTranslated ? { de: { name: `${i === 0 ? "A" : "B"}${own[i]}` } } : {},
      isDeleted,
      options: all.slice(i * 2, i * 2 + 2).map((option) => ({ ...option, isDeleted: isDeleted || option.isDeleted }))
    }))
  )

/** A component of a kit, with a sale of its own. */
const component = fc.record({
  quantity: fc.integer({ min: 1, max: 3 }),
  isOffered: fc.constantFrom(true, true, true, false),
  price: amount,
  salePrice: fc.option(amount),
  window: fc.constantFrom([null, null], [0, 100], [50, 100], [0, 50]),
  name: text,
  slug: text,
  image: fc.option(text),
  translations: names,
  stock
})

const channelIds = fc.constantFrom(null, [], ["vc_1"], ["vc_2", "vc_1"])

const product = fc.record({
  attributes,
  type: fc.constantFrom("SIMPLE" as const, "VARIABLE" as const, "KIT" as const),
  kitPricingMode: fc.constantFrom("FIXED" as const, "COMPONENTS" as const),
  kitDiscountValue: fc.constantFrom(null, "10", "33.33"),
  kitComponents: fc.array(component, { minLength: 1, maxLength: 3 }),
  name: text,
  description: fc.option(text),
  tags: fc.array(text, { maxLength: 2 }),
  basePrice: amount,
  salePrice: fc.option(amount),
  window: fc.constantFrom([null, null], [0, 100], [100, 0], [50, null], [null, 50], [50, 50]),
  translations: fc.dictionary(fc.constantFrom("de", "DE", "fr", "pt-br", "x"), fc.oneof(texts, text, nothing)),
  categories: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom("cat_1", "cat_2", "cat_3"),
      name: text,
      slug: text,
      translations: names,
      isActive: fc.boolean(),
      parentId: fc.constant(null),
      channelIds
    }),
    {
      selector: ({ id }) => id
    }
  ),
  brands: fc.array(
    fc.record({
      id: fc.constant("brand_1"),
      name: text,
      slug: text,
      translations: names,
      channelIds
    }),
    { maxLength: 1 }
  ),
  shippingClass: fc.option(fc.record({ id: fc.constant("shc_1"), name: text, slug: text })),
  variants: fc.array(variant, { maxLength: 3 }),
  stock,
  metafields,
  attachedMetafields: fc.constant([])
})

const at = (millis: number | null) => (millis === null ? null : new Date(opening + millis))

const stateOf = ({
  window,
  variants,
  categories,
  kitComponents,
  ...fields
}: typeof product extends fc.Arbitrary<infer A> ? A : never): ProductState => {
  const blank = {
    createdAt: new Date(1),
    updatedAt: new Date(2),
    externalId: null,
    costPrice: 7n,
    image: null,
    isDownloadable: false,
    downloadData: null,
    shippingClassId: null
  }
  return {
    ...fields,
    salesChannelIds: null,
    publishedChannels: null,
    ...(fields.type === "KIT" ? {} : { kitPricingMode: null, kitDiscountValue: null }),
    kitComponents:
      fields.type === "KIT"
        ? kitComponents.map(({ price, salePrice, window: [from, until], ...part }, i) => ({
            ...part,
            productId: `prod_part_${i}`,
            variantId: null,
            isThere: true,
            price: String(price),
            // As it is kept: no sale price is above the price.
            salePrice: salePrice === null ? null : String(salePrice < price ? salePrice : price),
            saleStartsAt: from === null || from === undefined ? null : opening + from,
            saleEndsAt: until === null || until === undefined ? null : opening + until,
            weight: null,
            weightUnit: null,
            isDownloadable: false
          }))
        : [],
    id: "prod_1",
    externalSourceId: null,
    status: "active",
    slug: "lamp",
    sku: null,
    gtin: null,
    mpn: null,
    descriptionFormat: "text",
    metaDescription: null,
    costPrice: 5n,
    salePriceStartsAt: at(window[0] ?? null),
    salePriceEndsAt: at(window[1] ?? null),
    shippingWeightValue: 1.5,
    shippingWeightUnit: "kg",
    shippingLengthValue: null,
    shippingWidthValue: null,
    shippingHeightValue: null,
    shippingDimensionUnit: null,
    shippingClassId: fields.shippingClass?.id ?? null,
    taxBehavior: null,
    taxClassId: null,
    isDownloadable: false,
    downloadData: null,
    menuOrder: 0,
    images: [],
    modifierGroups: [],
    crossSells: [],
    upsells: [],
    related: ["prod_9", "prod_8"],
    stars: [0, 1, 0, 0, 2],
    offers: { bundles: 0, orderBumps: 0 },
    createdAt: new Date(1),
    updatedAt: new Date(2),
    categories: categories.map((category) => ({ ...category, taxBehavior: "taxable" as const })),
    variants: variants.map(
      ({ sale, chosen, isNameOwn, name, attributes: words, ...rest }, i): VariantState => ({
        ...blank,
        ...rest,
        ...withOptionNames(
          {
            name: isNameOwn || fields.attributes.length === 0 ? `own ${name}` : "",
            attributes: words,
            optionIds: fields.attributes.flatMap((one, at) => one.options[chosen[at] ?? 0]?.id ?? [])
          },
          optionNamesOf(fields.attributes)
        ),
        id: `var_${i}`,
        productId: "prod_1",
        position: i,
        salePrice: sale
      })
    )
  } as ProductState
}

const labelRowsOf = (state: ProductState): ReadonlyArray<LabelRow> => [
  ...state.categories.map((facts) => ["category", facts.id, facts] as const),
  ...state.brands.map((facts) => ["brand", facts.id, facts] as const),
  ...state.metafields.map(
    (facts, position) => ["metafield_definition", facts.id, { ...facts, appliesToAllProducts: true, position }] as const
  ),
  ...state.attributes.flatMap(({ options: own, ...attribute }) => [
    ["attribute", attribute.id, attribute] as const,
    ...own.flatMap((option) => [["option", option.id, { ...option, attributeId: attribute.id }] as const])
  ]),
  ...(state.shippingClass === null ? [] : [["shipping_class", state.shippingClass.id, state.shippingClass] as const])
]

const stockOf = (state: ProductState) =>
  new Map([
    ...(state.stock === null ? [] : [[state.id, state.stock] as const]),
    ...state.variants.flatMap(({ id, stock: own }) => (own === null ? [] : [[id, own] as const])),
    ...state.kitComponents.flatMap(({ productId, stock: own }) => (own === null ? [] : [[productId, own] as const]))
  ])

const instants = [-1, 0, 1, 49, 50, 51, 99, 100, 101].map((millis) => opening + millis)
const readings = [[], ["de"], ["fr-CA", "de"], ["en", "de"], ["pt-BR"], ["x"]]

describe("a composed document", () => {
  it("says what the product's rows say, whatever the instant, the language and the stock", () => {
    law(
      fc.tuple(product, fc.constantFrom(...instants), fc.constantFrom(...readings), fc.constantFrom(null, "vc_1")),
      ([input, now, wanted, channelId]) => {
        const state = stateOf(input)
        const reading = wanted.length === 0 ? undefined : { wanted, own: "en" }
        const { document, stock_keys, link_ids } = composeDocument(state, "USD")
        const shown = shownProduct(readDocument(document), {
          now,
          labels: new SharedLabels(labelRowsOf(state)),
          channelId,
          stock: new Map([...stockOf(state)].filter(([key]) => stock_keys.includes(key))),
          reading,
          links: new Set(link_ids)
        })
        expect(JSON.stringify(shown)).toBe(
          JSON.stringify(toProductView(state, { currency: "USD", audience: "storefront", channelId, now, reading }))
        )
      }
    )
  })

  it("holds a text once, however many languages have none of their own", () => {
    const description = "x".repeat(1_000)
    const translations = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`d${i}`, { name: "n" }]))
    const state = stateOf({ ...fc.sample(product, { numRuns: 1, seed: 1 })[0], description, translations } as never)
    expect(composeDocument(state, "USD").document.split(description).length).toBe(2)
  })
})

describe("a listing row", () => {
  it("knows the lowest price from one change to the next", () => {
    law(fc.tuple(product, fc.constantFrom(...instants), fc.constantFrom(...instants)), ([input, written, now]) => {
      const state = stateOf(input)
      const row = listingRow("store_1", state, written)
      const since = row.price_since === "-infinity" ? Number.NEGATIVE_INFINITY : Date.parse(row.price_since)
      const until = row.price_until === "infinity" ? Number.POSITIVE_INFINITY : Date.parse(row.price_until)
      const window = { startsAt: state.salePriceStartsAt, endsAt: state.salePriceEndsAt }
      const expected = effectivePrices(state, ownPrices(state, now)).reduce((low, price) => (price < low ? price : low))
      if (since <= now && now < until) expect(row.price).toBe(String(expected))
      // What a kit costs that its components price, the row says from one change to the next alone.
      if (state.kitPricingMode !== "COMPONENTS")
        expect(isWindowActive(window, now) ? row.sale_price : row.regular_price).toBe(String(expected))
      expect(since <= written && written < until).toBe(true)
    })
  })
})
