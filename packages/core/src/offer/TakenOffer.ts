/** An offer that a shopper takes: the bodies of the requests, and whether the cart can have it. Pure. */
import { Effect, Schema } from "effect"
import { clearable, described, optional, Reference, text } from "../kernel/Fields.ts"
import { FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { maxLineQuantity } from "../pricing/Quote.ts"
import { chooseVariant, isSold } from "../pricing/Sellable.ts"
import { VariantsByProduct } from "./BundleOffer.ts"
import type { OfferedRow, OfferRow } from "./OfferedRows.ts"
import type { LineOffer, OfferKind } from "./OfferTerms.ts"

const quantity = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: maxLineQuantity })))

export const AddBundle = Schema.Struct({
  bundleOfferId: described(Reference, "The offer to add."),
  variants: optional(
    VariantsByProduct,
    "The chosen variants by the id of their product: needed for each product whose `requiresVariantSelection` is true."
  ),
  quantity: optional(quantity, "How many units of each product to add. 1 by default.", 1)
}).annotate({
  identifier: "AddBundle",
  description: "A bundle offer to add to a cart."
})
export type AddBundle = typeof AddBundle.Type

export const TakeOffer = Schema.Struct({
  offerId: described(Reference, "The offer to take."),
  variantId: clearable(text(200), "The variant of the offered product: needed where it has variants.")
}).annotate({ identifier: "TakeOffer", description: "An upgrade or an order bump to add." })
export type TakeOffer = typeof TakeOffer.Type

/** What a request names, and the fields in which it does. */
export interface AskedOffer {
  readonly kind: OfferKind
  /** Where the offer is named. */
  readonly field: "bundleOfferId" | "offerId"
  /** Where the variant of a product is named. */
  readonly variantField: (productId: string) => string
  readonly variants: Readonly<Record<string, string>>
}

export const askedBundle = (variants: AskedOffer["variants"]): AskedOffer => ({
  kind: "BUNDLE",
  field: "bundleOfferId",
  variantField: (productId) => `variants.${productId}`,
  variants
})

export const askedOne = (kind: "ORDER_BUMP" | "UPGRADE"): AskedOffer => ({
  kind,
  field: "offerId",
  variantField: () => "variantId",
  variants: {}
})

/** The offer as its lines keep it. */
export const lineOffer = (offer: OfferRow, bundleItemId: string | null): LineOffer => {
  const { kind, isActive, triggerProductId, productIds, discountType, discountValue } = offer
  const terms = { kind, isActive, triggerProductId, productIds, discountType, discountValue: String(discountValue) }
  return { offerId: offer.id, bundleItemId, terms }
}

/** The offer, if a cart with these products can take it with the chosen variants. */
export const takeable = Effect.fnUntraced(function* (
  present: ReadonlySet<string>,
  offer: OfferRow | undefined,
  asked: AskedOffer
) {
  const { kind, field, variants } = asked
  if (offer === undefined || offer.kind !== kind || !offer.isActive)
    return yield* FieldRejected.at(field, `is not an active ${nouns[kind]} of this store`)
  const { triggerProductId, productIds, products } = offer
  const strangers = Object.keys(variants).filter((id) => !productIds.includes(id))
  yield* rejectFields({
    ...(present.has(triggerProductId) ? {} : { [field]: "is for carts with the product that brings it up" }),
    ...Object.fromEntries(strangers.map((id) => [`variants.${id}`, "is not a product of this offer"])),
    ...Object.fromEntries(
      products.flatMap((row) => {
        const problem = variantProblem(row, offer, variants[row.productId])
        return problem === undefined ? [] : [[asked.variantField(row.productId), problem]]
      })
    )
  })
  return offer
})

/** Its products that cannot be sold. */
export const unsoldOf = ({ products }: OfferRow): ReadonlyArray<OfferedRow> =>
  products.filter(({ sellable, variantId }) => !isSold(sellable, variantId))

const nouns: Readonly<Record<OfferKind, string>> = {
  BUNDLE: "bundle offer",
  ORDER_BUMP: "order bump",
  UPGRADE: "upgrade"
}

const variantProblem = (
  { productId, variantId, sellable }: OfferedRow,
  { pinnedVariants }: OfferRow,
  chosen: string | undefined
): string | undefined => {
  const pinned = pinnedVariants[productId]
  if (pinned !== undefined)
    return chosen === undefined || chosen === pinned ? undefined : "this offer is for another one"
  if (sellable.type === "VARIABLE" && variantId === null) return chooseVariant
  return sellable.variantId === variantId ? undefined : "is not a variant of the product"
}

/** New ids in ascending order: lines that are added together are read in the order of their ids. */
export const inIdOrder = <Line extends { readonly id: string }>(lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const ids = lines.map(({ id }) => id).sort()
  return lines.map((line, i) => ({ ...line, id: ids[i] ?? line.id }))
}

/** The line that an upgrade replaces: the first of the product, rather one that is not part of a bundle. */
export const replacedBy = <Line extends { readonly productId: string; readonly offer: LineOffer | null }>(
  lines: ReadonlyArray<Line>,
  { triggerProductId }: OfferRow
): Line | undefined => {
  const ofProduct = lines.filter(({ productId }) => productId === triggerProductId)
  return ofProduct.find(({ offer }) => (offer?.bundleItemId ?? null) === null) ?? ofProduct[0]
}
