/** Random bodies of products that are created in sets, with every field that goes this way. */
import * as fc from "fast-check"

/** Ids, and keys of files, that bodies name. */
export type Surroundings = Readonly<
  Record<
    "channels" | "categories" | "brands" | "shippingClasses" | "taxClasses" | "products" | "files",
    ReadonlyArray<string>
  >
>

const marks = [
  "\u0001",
  "\u0003",
  "\u0004",
  '"',
  "\\",
  "\u2028",
  "é",
  "e\u0301",
  "ß",
  "🎉",
  "<b>",
  "&amp;",
  "{",
  "a",
  " "
]
const text = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12, unit: fc.constantFrom(...marks) }))
const filled = text.map((value) => `x${value}`)
const address = text.map((value) => `https://files.example/${encodeURIComponent(value)}`)
const measure = fc.oneof(
  fc.double({ min: 0, max: 9_999_999, noNaN: true }),
  fc.constantFrom(0, 1.5, 1.00005, 0.00005, 0.00004999, 1e-7, 5e-324, 9_999_998.99995, 1.23455, 2.675)
)
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(1e21, -0, 1e-7, 1.5, 10))
const key = fc.oneof(text, fc.constantFrom("de", "fr", "DE-at", "10", "2", "name", "__proto__", "toString", "zz", "é"))
const json = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 2 }, text, number, fc.boolean(), fc.constant(null), tie("list"), tie("object")),
  list: fc.array(tie("any"), { maxLength: 3 }),
  object: fc.dictionary(key, tie("any"), { maxKeys: 4 })
})).any
const texts = fc
  .record({ extra: fc.dictionary(key, json, { maxKeys: 3 }), name: text, description: text })
  .map(({ extra, ...said }) => ({ ...extra, ...said, slug: null }))
const language = fc.constantFrom("de", "fr", "pt-BR", "es-419", "x-a", "EN")
const translations = fc.dictionary(language, texts, { maxKeys: 4 })
const place = fc.integer({ min: -3, max: 3 })
const cents = fc.integer({ min: 0, max: 99_999 })
const amount = (minor: number) => (minor / 100).toFixed(2)
const downloads = fc.record({
  files: fc.array(
    fc.oneof(
      fc.record({ name: filled, url: address, size: fc.nat(), mimeType: filled }),
      fc.record({ name: filled, storageKey: filled })
    ),
    { maxLength: 2 }
  ),
  downloadLimit: fc.constantFrom(null, 3),
  expiryDays: fc.constantFrom(null, 7)
})
const inventory = fc.record(
  {
    trackingMode: fc.constantFrom("TRACKED" as const, "UNTRACKED" as const, "DISABLED" as const),
    total: fc.integer({ min: 0, max: 3 }),
    lowStockThreshold: fc.constantFrom(null, 2),
    backorderMode: fc.constantFrom("DENY" as const, "ALLOW" as const, "LIMITED" as const),
    backorderLimit: fc.constantFrom(null, 0, 2)
  },
  { requiredKeys: [] }
)
const priced = (base: "basePrice" | "price") =>
  fc.tuple(cents, fc.option(fc.double({ min: 0, max: 1, noNaN: true })), cents).map(([price, part, cost]) => ({
    [base]: amount(price),
    ...(part === null ? {} : { salePrice: amount(Math.floor(price * part)) }),
    costPrice: amount(cost)
  }))
const sale = fc.constantFrom(
  {},
  { salePriceStartsAt: "2020-01-01T00:00:00.000Z", salePriceEndsAt: "2090-01-01T12:30:00.125+02:00" },
  { salePriceStartsAt: "2020-01-01T00:00:00Z", salePriceEndsAt: "2021-01-01T00:00:00Z" },
  { salePriceStartsAt: "2089-01-01T00:00:00Z", salePriceEndsAt: "2090-01-01T00:00:00Z" }
)

const some = (ids: ReadonlyArray<string>) => fc.array(fc.constantFrom(...ids), { maxLength: 4 })

const variantsOf = ({ shippingClasses }: Surroundings) => {
  const own = fc.record(
    {
      externalId: fc.uuid(),
      sku: filled,
      name: text,
      image: address,
      position: place,
      status: fc.constantFrom("active" as const, "draft" as const),
      isDownloadable: fc.boolean(),
      downloadData: fc.option(downloads),
      shippingClassId: fc.constantFrom(null, ...shippingClasses),
      inventory
    },
    { requiredKeys: [] }
  )
  const words = fc.dictionary(key, text, { maxKeys: 3 })
  return fc
    .array(fc.tuple(own, priced("price"), words), { minLength: 1, maxLength: 4 })
    .map((all) => all.map(([one, prices, said], i) => ({ ...one, ...prices, attributes: { ...said, N: String(i) } })))
}

export const bodiesOf = (around: Surroundings): fc.Arbitrary<Record<string, unknown>> => {
  const images = fc.array(
    fc.oneof(
      fc.record(
        { url: address, alt: fc.option(text), position: place, isMain: fc.boolean() },
        { requiredKeys: ["url"] }
      ),
      fc.record({ key: fc.constantFrom(...around.files), alt: filled }, { requiredKeys: ["key"] }),
      fc.record({ url: address, key: fc.constant("elsewhere/1") })
    ),
    { maxLength: 3 }
  )
  const own = fc.record(
    {
      slug: fc.uuid(),
      sku: fc.option(filled),
      gtin: fc.constantFrom(null, "4006381333931"),
      mpn: fc.option(filled),
      externalSourceId: fc.uuid(),
      description: fc.option(text),
      descriptionFormat: fc.constantFrom("html" as const, "markdown" as const, "text" as const),
      metaDescription: fc.option(text),
      shippingWeightValue: fc.option(measure),
      shippingWeightUnit: fc.constantFrom(null, "kg" as const),
      shippingLengthValue: fc.option(measure),
      shippingWidthValue: fc.option(measure),
      shippingHeightValue: fc.option(measure),
      shippingDimensionUnit: fc.constantFrom(null, 'in"', "🎉"),
      shippingClassId: fc.constantFrom(null, ...around.shippingClasses),
      status: fc.constantFrom("active" as const, "draft" as const),
      taxBehavior: fc.constantFrom(null, "taxable" as const, "exempt" as const),
      taxClassId: fc.constantFrom(null, ...around.taxClasses),
      isDownloadable: fc.boolean(),
      downloadData: fc.option(downloads),
      menuOrder: place,
      tags: fc.array(text, { maxLength: 3 }),
      images,
      translations,
      categories: some(around.categories),
      crossSells: some(around.products),
      upsells: some(around.products),
      related: some(around.products),
      brands: some(around.brands),
      salesChannelIds: fc.option(some(around.channels)),
      generateVariants: fc.boolean(),
      metafields: fc.constant({})
    },
    { requiredKeys: [] }
  )
  const kind = fc.oneof(
    fc.record({ inventory }, { requiredKeys: [] }),
    fc.record({ type: fc.constant("SIMPLE" as const), inventory }),
    fc.record({ type: fc.constant("VARIABLE" as const) }),
    fc.record({ variants: variantsOf(around) })
  )
  return fc.tuple(filled, own, priced("basePrice"), sale, kind).map(([name, ...parts]) => ({
    name,
    ...parts.reduce((all, part) => ({ ...all, ...part }), {})
  }))
}
