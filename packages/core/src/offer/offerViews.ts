/** Offers as they are shown, with what their products cost today. Pure. */
import { canPurchase } from "../kernel/Availability.ts"
import { formatMoney } from "../kernel/Money.ts"
import { priceAt } from "../kernel/SalePrice.ts"
import { priceWith, withDefaults } from "../modifier/LineModifiers.ts"
import type { BundleOfferView } from "../pricing/BundleOffer.ts"
import { isBuyable, type Sellable, unitPriceAt } from "../pricing/Sellable.ts"
import { unitsSellable } from "../pricing/SellableStock.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { AdminBundleOffer } from "./BundleOffer.ts"
import type { OfferedRow, OfferedVariant, OfferRow } from "./OfferedRows.ts"
import { discountedPrices } from "./OfferTerms.ts"
import { discountText } from "./OfferInputs.ts"

type View = typeof BundleOfferView.Type
type OfferedView = View["offeredProducts"][number]

/** What is sold, with the modifiers that its groups choose by default. */
export const withDefaultModifiers = <S extends Sellable>(sellable: S): S =>
  sellable.modifiers === null ? sellable : { ...sellable, modifiers: withDefaults(sellable.modifiers) }

const needsVariant = ({ sellable, variantId }: OfferedRow): boolean =>
  sellable.type === "VARIABLE" && variantId === null

const variantPrice = ({ sellable }: OfferedRow, { price, salePrice }: OfferedVariant, now: number): bigint => {
  const { saleStartsAt, saleEndsAt } = sellable
  const own = priceAt({ price, salePrice, saleStartsAt, saleEndsAt }, now)
  const { modifiers } = withDefaultModifiers(sellable)
  return modifiers === null ? own : priceWith(own, modifiers)
}

/** The price of one unit today; the lowest of its variants where the shopper chooses one. */
const priceNow = (row: OfferedRow, now: number): bigint => {
  const prices = needsVariant(row) ? (row.variants ?? []).map((variant) => variantPrice(row, variant, now)) : []
  return prices.length === 0
    ? unitPriceAt(withDefaultModifiers(row.sellable), now)
    : prices.reduce((lowest, price) => (price < lowest ? price : lowest))
}

/** A field that the shopper must fill in, which a bundle does not ask for. */
const asksForMore = ({ inputs }: OfferedRow): boolean => (inputs ?? []).some(({ required }) => required)

/** Whether a shopper can add the product by its offer now. */
const canBeTaken = (row: OfferedRow): boolean => {
  const sellable = withDefaultModifiers(row.sellable)
  if (asksForMore(row)) return false
  const { variantId } = row
  if (!needsVariant(row))
    return (
      isBuyable(sellable, variantId) && unitsSellable({ productId: row.productId, variantId, sellable }, () => 0) > 0
    )
  // What holds for the product holds for each of its variants, which are active.
  const isShown = isBuyable({ ...sellable, variantId: "any" }, "any")
  return isShown && (row.variants ?? []).some(({ stock }) => canPurchase(stock))
}

/** Whether everything that it offers can be bought at the place that it was read for. */
export const canBeOffered = ({ products, productIds }: OfferRow): boolean =>
  products.length === productIds.length && products.every(canBeTaken)

const productView = (
  row: OfferedRow,
  prices: { readonly original: bigint; readonly discounted: bigint },
  { currency, forShopper }: { readonly currency: string; readonly forShopper: boolean }
): OfferedView => {
  const { sellable, variantId } = row
  const money = (minor: string) => formatMoney(BigInt(minor), currency)
  const moneyOrNull = (minor: string | null) => (minor === null ? null : money(minor))
  const shown = (row.variants ?? []).filter(({ stock }) => !forShopper || canPurchase(stock))
  return {
    id: row.productId,
    name: sellable.name,
    slug: sellable.slug,
    basePrice: money(row.basePrice),
    salePrice: moneyOrNull(row.salePrice),
    images: row.images ?? [],
    type: sellable.type,
    variantId,
    requiresVariantSelection: needsVariant(row),
    pinnedVariant:
      variantId === null
        ? null
        : { id: variantId, name: sellable.variantName ?? sellable.name, attributes: sellable.attributes ?? {} },
    variants: shown.map(({ id, name, attributes, image, price, salePrice }) => ({
      id,
      name,
      attributes: attributes ?? {},
      image,
      price: money(price),
      salePrice: moneyOrNull(salePrice)
    })),
    originalPrice: formatMoney(prices.original, currency),
    discountedPrice: formatMoney(prices.discounted, currency)
  }
}

/** What a shopper saves on one unit of each product, minor units. */
export const savingOf = (offer: OfferRow, now: number): bigint => {
  const original = offer.products.map((row) => priceNow(row, now))
  const discounted = discountedPrices(original, offer)
  return original.reduce((sum, price, i) => sum + price - (discounted[i] ?? 0n), 0n)
}

interface ViewedBy {
  readonly now: number
  readonly forShopper: boolean
}

/** An offer with what its products cost today. Deleted products are left out. */
export const toOfferView = ({ currency }: StoreContext, offer: OfferRow, { now, forShopper }: ViewedBy): View => {
  const products = offer.products.filter(({ sellable }) => !sellable.deleted)
  const original = products.map((row) => priceNow(row, now))
  const discounted = discountedPrices(original, offer)
  const sum = (prices: ReadonlyArray<bigint>) => prices.reduce((total, price) => total + price, 0n)
  return {
    id: offer.id,
    name: offer.name,
    description: offer.description,
    kind: offer.kind,
    triggerProductId: offer.triggerProductId,
    productIds: offer.productIds,
    offeredProducts: products.map((row, i) =>
      productView(row, { original: original[i] ?? 0n, discounted: discounted[i] ?? 0n }, { currency, forShopper })
    ),
    discountType: offer.discountType,
    discountValue: discountText(offer, currency),
    totalOriginalPrice: formatMoney(sum(original), currency),
    totalDiscountedPrice: formatMoney(sum(discounted), currency)
  }
}

/** The offer as the merchant sees it. */
export const toAdminOffer = (store: StoreContext, offer: OfferRow, now: number): AdminBundleOffer => ({
  ...toOfferView(store, offer, { now, forShopper: false }),
  storeId: store.id,
  pinnedVariants: offer.pinnedVariants,
  isActive: offer.isActive,
  createdAt: offer.createdAt.toISOString(),
  updatedAt: offer.updatedAt.toISOString()
})
