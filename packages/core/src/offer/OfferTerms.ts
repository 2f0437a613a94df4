/**
 * What an offer takes off, and what the lines that were taken from offers cost today. Pure: carts, checkouts and their
 * completion compute the price of a line here and nowhere else.
 *
 * The price of one unit is its price today with its modifiers, less the offer's discount. A percentage is rounded half
 * up for each unit. A fixed amount is split over the products of the offer in proportion to their prices, by largest
 * remainder, and never takes more than they cost. A line costs its own price where the offer does not hold for it: the
 * offer was deleted or is inactive, the product is no longer part of it, its bundle is not complete, or the product
 * that brings the offer up is not bought with it. An upgrade has replaced that product, so it needs nothing else.
 */
import { allocate } from "../kernel/Allocation.ts"
import { divideRounded } from "../kernel/Rounding.ts"
import type { discountTypes, offerKinds } from "../pricing/BundleOffer.ts"
import { type Sellable, unitPriceAt } from "../pricing/Sellable.ts"

export type OfferKind = (typeof offerKinds)[number]
export type DiscountType = (typeof discountTypes)[number]

/** Hundredths of a percent in the whole. */
const wholePercentage = 10_000n

export interface OfferDiscount {
  readonly discountType: DiscountType
  /** Hundredths of a percent, or minor units. */
  readonly discountValue: bigint
}

/** An offer as a line reads it. */
export interface OfferTerms {
  readonly kind: OfferKind
  readonly isActive: boolean
  readonly triggerProductId: string
  readonly productIds: ReadonlyArray<string>
  readonly discountType: DiscountType
  /** As `OfferDiscount`, as text. */
  readonly discountValue: string
}

/** The offer that a line was taken from. */
export interface LineOffer {
  readonly offerId: string
  /** Shared by the lines of one bundle; null for an order bump and an upgrade. */
  readonly bundleItemId: string | null
  /** The offer as it is now; null once it is deleted. */
  readonly terms: OfferTerms | null
}

export interface OfferedLine {
  readonly productId: string
  readonly quantity: number
  readonly offer: LineOffer | null
  readonly sellable: Sellable
}

/** The prices of one unit of each product of an offer, in the order of the offer, with its discount. */
export const discountedPrices = (
  prices: ReadonlyArray<bigint>,
  { discountType, discountValue }: OfferDiscount
): ReadonlyArray<bigint> => {
  if (discountType === "PERCENTAGE")
    return prices.map((price) => price - divideRounded(price * discountValue, wholePercentage, "half_up"))
  const total = prices.reduce((sum, price) => sum + price, 0n)
  if (total === 0n) return prices
  const shares = allocate(discountValue < total ? discountValue : total, prices, prices)
  return prices.map((price, i) => price - (shares[i] ?? 0n))
}

const discountOf = ({ discountType, discountValue }: OfferTerms): OfferDiscount => ({
  discountType,
  discountValue: BigInt(discountValue)
})

/** The places of a bundle's lines in the order of its products; undefined if the bundle is not complete. */
const bundlePlaces = (
  lines: ReadonlyArray<OfferedLine>,
  bundleItemId: string,
  { productIds }: OfferTerms
): ReadonlyArray<number> | undefined => {
  const places = lines.flatMap((line, i) => (line.offer?.bundleItemId === bundleItemId ? [i] : []))
  const ordered = productIds.flatMap((id) => places.filter((i) => lines[i]?.productId === id))
  const quantities = new Set(places.map((i) => lines[i]?.quantity))
  const isComplete =
    quantities.size === 1 &&
    places.length === productIds.length &&
    ordered.length === productIds.length &&
    new Set(ordered).size === productIds.length &&
    productIds.every((id, n) => lines[ordered[n] ?? -1]?.productId === id)
  return isComplete ? ordered : undefined
}

/** The lines that an offer prices together, in its order; empty where it does not hold. */
const pricedTogether = (
  lines: ReadonlyArray<OfferedLine>,
  at: number,
  present: ReadonlySet<string>
): ReadonlyArray<number> => {
  const line = lines[at]
  const terms = line?.offer?.terms
  if (line === undefined || line.offer === null || terms === null || terms === undefined || !terms.isActive) return []
  const { bundleItemId } = line.offer
  if ((terms.kind === "BUNDLE") !== (bundleItemId !== null) || !terms.productIds.includes(line.productId)) return []
  if (terms.kind !== "UPGRADE" && !present.has(terms.triggerProductId)) return []
  if (bundleItemId === null) return terms.productIds.length === 1 ? [at] : []
  return bundlePlaces(lines, bundleItemId, terms) ?? []
}

/** What one unit of each line costs now, in the order of the lines, which are bought together. */
export const pricesNow = (lines: ReadonlyArray<OfferedLine>, now: number): ReadonlyArray<bigint> => {
  const prices = lines.map(({ sellable }) => unitPriceAt(sellable, now))
  if (lines.every(({ offer }) => offer === null)) return prices
  const own = [...prices]
  const present = new Set(lines.map(({ productId }) => productId))
  const done = new Set<number>()
  for (const [i, { offer }] of lines.entries()) {
    const terms = offer?.terms
    if (done.has(i) || terms === null || terms === undefined) continue
    const together = pricedTogether(lines, i, present)
    const discounted = discountedPrices(
      together.map((place) => own[place] ?? 0n),
      discountOf(terms)
    )
    for (const [n, place] of together.entries()) {
      prices[place] = discounted[n] ?? 0n
      done.add(place)
    }
  }
  return prices
}

/** Whether a line loses its offer once the product that brought it up is no longer bought with it. */
export const needsTrigger = ({ bundleItemId, terms }: LineOffer): boolean =>
  terms !== null && (bundleItemId !== null || terms.kind === "ORDER_BUMP")
