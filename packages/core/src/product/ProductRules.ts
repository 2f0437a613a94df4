/** The rules that a product must meet before it is stored, and the only place where a body becomes its fields. */
import { Effect, Struct } from "effect"
import { parseIsoTime } from "../kernel/IsoTime.ts"
import { blankProblem, problemsOf } from "../kernel/FieldErrors.ts"
import { checkAll, FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { downloadsOf } from "./DownloadData.ts"
import { isGtin } from "./Gtin.ts"
import { imagesOf } from "./ProductImages.ts"
import { emptyProduct, type ProductFields } from "./Product.ts"
import { kitFields } from "./KitRules.ts"
import { checkLocaleSlugs } from "../taxonomy/LocaleSlugs.ts"
import type { ProductInput, ProductPatch } from "./ProductInput.ts"
import { slugPattern } from "../kernel/Slug.ts"
import { amountOf } from "./VariantRules.ts"

const time = (
  field: string,
  given: string | null | undefined,
  current: Date | null
): Effect.Effect<Date | null, FieldRejected> => {
  if (given === undefined) return Effect.succeed(current)
  if (given === null) return Effect.succeed(null)
  const at = parseIsoTime(given)
  return at === undefined ? FieldRejected.at(field, "must be an ISO 8601 time") : Effect.succeed(at)
}

type Texts = Pick<ProductFields, "name" | "slug" | "gtin">
type Prices = Pick<ProductFields, "basePrice" | "salePrice">
type SaleTimes = Pick<ProductFields, "salePriceStartsAt" | "salePriceEndsAt">

const checkTexts = ({ name, slug, gtin }: Texts): Effect.Effect<void, FieldRejected> => {
  const isRight = gtin === null || isGtin(gtin)
  return rejectFields(
    problemsOf({
      name: blankProblem(name),
      slug: slugPattern.test(slug) ? undefined : "may hold letters, numbers and hyphens",
      gtin: isRight ? undefined : "is not a GTIN: 8, 12, 13 or 14 digits with a valid check digit"
    })
  )
}

const checkPrices = ({ basePrice, salePrice }: Prices): Effect.Effect<void, FieldRejected> =>
  salePrice !== null && salePrice > basePrice
    ? FieldRejected.at("salePrice", "must not be above basePrice")
    : Effect.void

const checkTimes = ({ salePriceStartsAt: starts, salePriceEndsAt: ends }: SaleTimes) => {
  const isHalf = (starts === null) !== (ends === null)
  const isOver = starts !== null && ends !== null && starts >= ends
  return rejectFields(
    problemsOf({
      salePriceStartsAt: isHalf ? "give both salePriceStartsAt and salePriceEndsAt, or neither" : undefined,
      salePriceEndsAt: isOver ? "must be after salePriceStartsAt" : undefined
    })
  )
}

/** The prices after a body, in the currency's minor units. */
const pricesOf = (current: ProductFields, given: Omit<ProductPatch, "slug">, currency: string) =>
  checkAll({
    basePrice: Effect.map(amountOf("basePrice", given.basePrice, currency, current.basePrice), (minor) => minor ?? 0n),
    salePrice: amountOf("salePrice", given.salePrice, currency, current.salePrice),
    costPrice: amountOf("costPrice", given.costPrice, currency, current.costPrice)
  }).pipe(Effect.tap(checkPrices))

const saleTimesOf = (current: ProductFields, given: Omit<ProductPatch, "slug">) =>
  checkAll({
    salePriceStartsAt: time("salePriceStartsAt", given.salePriceStartsAt, current.salePriceStartsAt),
    salePriceEndsAt: time("salePriceEndsAt", given.salePriceEndsAt, current.salePriceEndsAt)
  }).pipe(Effect.tap(checkTimes))

/** A SIMPLE product and a KIT have no variants; a VARIABLE product has only its variants' stock; a KIT has no stock. */
export const checkStockAndVariants = (
  type: ProductFields["type"],
  body: Pick<ProductPatch, "variants" | "inventory">
): Effect.Effect<void, FieldRejected> => {
  if (type !== "VARIABLE" && (body.variants?.length ?? 0) > 0)
    return FieldRejected.at("variants", `a ${type} product has no variants: say type VARIABLE`)
  const saysStock = Object.keys(body.inventory ?? {}).length > 0
  if (type === "KIT" && saysStock) return FieldRejected.at("inventory", "a KIT holds no stock: its components do")
  return type === "VARIABLE" && saysStock
    ? FieldRejected.at("inventory", "this product is counted by its variants: give each its own")
    : Effect.void
}

const eachOnce = (words: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(words)]

const fieldNames = Struct.keys(emptyProduct("", ""))

/** `current` with the changes of the body, checked. */
export const productFields = Effect.fnUntraced(function* (
  current: ProductFields,
  input: ProductPatch | ProductInput,
  currency: string,
  now: number
) {
  const { images: givenImages, downloadData, ...given } = Struct.pick(input as ProductInput, fieldNames)
  const name = (given.name ?? current.name).trim()
  const slug = given.slug ?? current.slug
  const { prices, times, images, kit } = yield* checkAll({
    texts: checkTexts({ name, slug, gtin: given.gtin === undefined ? current.gtin : given.gtin }),
    slugs: checkLocaleSlugs(given.translations ?? {}),
    kit: kitFields(given.type ?? current.type, current, input),
    prices: pricesOf(current, given, currency),
    times: saleTimesOf(current, given),
    images: imagesOf(givenImages, current.images, now)
  })
  const fields: ProductFields = {
    ...current,
    ...(given as unknown as Partial<ProductFields>),
    name,
    slug,
    tags: eachOnce(given.tags?.map((tag) => tag.trim()) ?? current.tags),
    crossSells: eachOnce(given.crossSells ?? current.crossSells),
    upsells: eachOnce(given.upsells ?? current.upsells),
    related: eachOnce(given.related ?? current.related),
    ...prices,
    ...times,
    images,
    downloadData: downloadsOf(downloadData, current.downloadData, now),
    ...kit
  }
  return fields
})
