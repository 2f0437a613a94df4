/** Checks the body of an offer against itself and against what the store has. Pure. */
import { Effect } from "effect"
import { itemProblems, type FieldErrors } from "../kernel/FieldErrors.ts"
import { checkAll, checkFilled, FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { formatMoney, parseAmount } from "../kernel/Money.ts"
import { formatRate, parseRate, scaledRate } from "../kernel/Rate.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import type { BundleOfferFields, BundleOfferInput, BundleOfferPatch } from "./BundleOffer.ts"
import type { OfferDiscount } from "./OfferTerms.ts"

/** A percentage is kept in hundredths. */
const percentScale = 2

/** The discount as it is shown: `12.5` for a percentage, `12.50` for an amount. */
export const discountText = ({ discountType, discountValue }: OfferDiscount, currency: string): string =>
  discountType === "PERCENTAGE"
    ? formatRate(parsedPercent(formatRate({ value: discountValue, scale: percentScale })))
    : formatMoney(discountValue, currency)

const parsedPercent = (text: string) => {
  const rate = parseRate(text)
  return "reason" in rate ? { value: 0n, scale: 0 } : rate
}

const readValue = (
  type: OfferDiscount["discountType"],
  given: number | string,
  currency: string
): Effect.Effect<bigint, FieldRejected> => {
  if (type === "FIXED_AMOUNT") {
    const minor = parseAmount(given, currency)
    return typeof minor === "bigint" ? Effect.succeed(minor) : FieldRejected.at("discountValue", minor.message)
  }
  const rate = parseRate(given)
  if ("reason" in rate) return FieldRejected.at("discountValue", rate.message)
  return rate.scale > percentScale
    ? FieldRejected.at("discountValue", `must have at most ${percentScale} fraction digits`)
    : Effect.succeed(scaledRate(rate, percentScale))
}

/** What an offer names. */
export type NamedInOffer = Pick<BundleOfferFields, "kind" | "triggerProductId" | "productIds" | "pinnedVariants">

/** What the products of an offer may be, before they are looked up. */
const productProblems = ({ kind, triggerProductId, productIds }: NamedInOffer): FieldErrors => {
  if (productIds.length === 0) return { productIds: "must name at least one product" }
  if (kind !== "BUNDLE" && productIds.length > 1)
    return { productIds: `an offer of kind ${kind} has exactly one product` }
  const seen = new Set<string>()
  return itemProblems("productIds", productIds, (id) => {
    const isRepeated = seen.has(id)
    seen.add(id)
    if (id === triggerProductId) return "is the product that brings the offer up"
    return isRepeated ? "is named twice" : undefined
  })
}

/** What the store has of the products and variants that an offer names. */
export interface NamedThings {
  readonly products: ReadonlySet<string>
  /** The product of each variant. */
  readonly variants: ReadonlyMap<string, string>
}

const unknownProduct = "is not a product of this store"

/**
 * Problems of ids that the store does not have. What the offer named before may have been deleted since: it keeps it,
 * and is not offered.
 */
const unknownProblems = (
  current: BundleOfferFields | undefined,
  { triggerProductId, productIds, pinnedVariants }: NamedInOffer,
  { products, variants }: NamedThings
): FieldErrors => {
  const before = new Set(current === undefined ? [] : [current.triggerProductId, ...current.productIds])
  const isKnown = (id: string): boolean => products.has(id) || before.has(id)
  return {
    ...(isKnown(triggerProductId) ? {} : { triggerProductId: unknownProduct }),
    ...itemProblems("productIds", productIds, (id) => (isKnown(id) ? undefined : unknownProduct)),
    ...Object.fromEntries(
      Object.entries(pinnedVariants).flatMap(([productId, variantId]) => {
        const field = `pinnedVariants.${productId}`
        if (!productIds.includes(productId)) return [[field, "is not a product of this offer"]]
        const isPinned = variants.get(variantId) === productId || current?.pinnedVariants[productId] === variantId
        return isPinned ? [] : [[field, "is not a variant of the product"]]
      })
    )
  }
}

/** What was pinned of products that the offer still has. */
const pinnedStill = (current: BundleOfferFields | undefined, productIds: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(current?.pinnedVariants ?? {}).filter(([id]) => productIds.includes(id)))

/** What a new or changed offer names, before it is checked. */
export const namedInOffer = (
  current: BundleOfferFields | undefined,
  body: BundleOfferInput | BundleOfferPatch
): NamedInOffer => {
  const productIds = body.productIds ?? current?.productIds ?? []
  return {
    kind: body.kind ?? current?.kind ?? "BUNDLE",
    triggerProductId: body.triggerProductId ?? current?.triggerProductId ?? "",
    productIds,
    pinnedVariants: body.pinnedVariants ?? pinnedStill(current, productIds)
  }
}

const valueOf = (
  current: BundleOfferFields | undefined,
  { discountType, discountValue }: Pick<BundleOfferPatch, "discountValue"> & Pick<OfferDiscount, "discountType">,
  currency: string
): Effect.Effect<bigint, FieldRejected> => {
  if (discountValue !== undefined || current === undefined)
    return readValue(discountType, discountValue ?? "0", currency)
  return discountType === current.discountType
    ? readValue(discountType, discountText(current, currency), currency)
    : FieldRejected.at("discountValue", "is needed with another type")
}

/** The fields of a new offer, or of one that is changed. Rejects every field that is wrong. */
export const offerFields = Effect.fnUntraced(function* (
  current: BundleOfferFields | undefined,
  body: BundleOfferInput | BundleOfferPatch,
  { currency, known }: { readonly currency: string; readonly known: NamedThings }
): Effect.fn.Return<BundleOfferFields, FieldRejected> {
  const discountType = body.discountType ?? current?.discountType ?? "PERCENTAGE"
  const named = namedInOffer(current, body)
  const { value } = yield* checkAll({
    name: checkFilled("name", body.name),
    products: rejectFields(productProblems(named)),
    known: rejectFields(unknownProblems(current, named, known)),
    value: valueOf(current, { ...body, discountType }, currency)
  })
  return {
    ...named,
    name: (body.name ?? current?.name ?? "").trim(),
    description: body.description === undefined ? (current?.description ?? null) : trimmedText(body.description),
    discountType,
    discountValue: value,
    isActive: body.isActive ?? current?.isActive ?? true
  }
})
