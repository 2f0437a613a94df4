/**
 * What one shipping rate costs for one parcel, and why; or why it is not offered. Pure: the rates of the matching zone
 * and the parcel go in, minor units come out. The price is the type's base, plus class costs, capped by `maxCost`.
 */
import type { ClassCosts, RateConfig } from "./RateConfig.ts"
import { isWeightUnit, readWeight } from "./Weight.ts"

/** PER_CLASS adds the cost of every shipping class in the parcel once, HIGHEST only the greatest of them. */
export const CLASS_CALCULATION_TYPES = ["PER_CLASS", "HIGHEST"] as const
export type ClassCalculationType = (typeof CLASS_CALCULATION_TYPES)[number]

/** A rate as the calculator needs it. Amounts in minor units of the store's currency. */
export interface PricedRate {
  readonly id: string
  readonly config: RateConfig
  /** Offered only from this subtotal, inclusive. null = always. */
  readonly minOrderAmount: bigint | null
  /** Greatest price. null = none. */
  readonly maxCost: bigint | null
  readonly classCosts: ClassCosts
  readonly classCalculationType: ClassCalculationType
  readonly isActive: boolean
}

/** A number of units of one weight. */
export type Weighed = Pick<ParcelLine, "quantity" | "weightValue" | "weightUnit">

/** A line that is shipped. Weight is that of one unit; without one, or in an unknown unit, it weighs nothing. */
export interface ParcelLine {
  readonly quantity: number
  readonly weightValue: string | number | null
  readonly weightUnit: string | null
  readonly shippingClassId: string | null
  /** What one unit is made of, if the contents are weighed because it has no weight of its own. */
  readonly contents?: ReadonlyArray<Weighed>
}

/** `subtotal` in minor units: what `minOrderAmount` and BY_PRICE tiers are compared with. */
export interface Parcel {
  readonly subtotal: bigint
  readonly lines: ReadonlyArray<ParcelLine>
}

/** One part of a price. The parts add up to the price; `cap` is negative. `source` says which tier, class or rule. */
export interface RatePart {
  readonly kind: "base" | "class" | "cap"
  readonly source: string
  readonly amount: bigint
}

export type NotOffered = "inactive" | "below_minimum" | "too_heavy" | "below_first_tier"

export type RateQuote<Rate> =
  | { readonly offered: true; readonly rate: Rate; readonly price: bigint; readonly parts: ReadonlyArray<RatePart> }
  | { readonly offered: false; readonly rate: Rate; readonly reason: NotOffered }

const attogramsOf = ({ quantity, weightValue, weightUnit }: Weighed): bigint =>
  weightValue === null || weightUnit === null || !isWeightUnit(weightUnit)
    ? 0n
    : (readWeight(weightValue, weightUnit) ?? 0n) * BigInt(quantity)

const sumOf = (weighed: ReadonlyArray<Weighed>): bigint => weighed.reduce((sum, one) => sum + attogramsOf(one), 0n)

/** The weight of a parcel in attograms, exact. */
export const parcelWeight = ({ lines }: Parcel): bigint =>
  lines.reduce(
    (sum, line) =>
      sum + (line.contents === undefined ? attogramsOf(line) : sumOf(line.contents) * BigInt(line.quantity)),
    0n
  )

const countItems = (parcel: Parcel): bigint => parcel.lines.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n)

const byWeight = (config: Extract<RateConfig, { type: "BY_WEIGHT" }>, parcel: Parcel): RatePart | NotOffered => {
  const weight = parcelWeight(parcel)
  const tier = config.tiers.find(({ attograms }) => attograms === null || weight <= attograms)
  if (tier === undefined) return "too_heavy"
  return {
    kind: "base",
    source: tier.upTo === null ? "any weight" : `up to ${tier.upTo} ${config.unit}`,
    amount: tier.amount
  }
}

const byPrice = (config: Extract<RateConfig, { type: "BY_PRICE" }>, parcel: Parcel): RatePart | NotOffered => {
  const index = config.tiers.findLastIndex(({ from }) => from <= parcel.subtotal)
  const tier = config.tiers[index]
  return tier === undefined
    ? "below_first_tier"
    : { kind: "base", source: `price tier ${index + 1}`, amount: tier.amount }
}

const basePart = (config: RateConfig, parcel: Parcel): RatePart | NotOffered => {
  switch (config.type) {
    case "FLAT":
      return { kind: "base", source: "flat", amount: config.amount }
    case "FREE":
      return { kind: "base", source: "free", amount: 0n }
    case "PICKUP":
      return { kind: "base", source: "pickup", amount: config.amount }
    case "BY_ITEM": {
      const items = countItems(parcel)
      return { kind: "base", source: `base + ${items} x perItem`, amount: config.base + config.perItem * items }
    }
    case "BY_WEIGHT":
      return byWeight(config, parcel)
    case "BY_PRICE":
      return byPrice(config, parcel)
  }
}

const classParts = (rate: PricedRate, parcel: Parcel): ReadonlyArray<RatePart> => {
  const present = new Set(parcel.lines.map(({ shippingClassId }) => shippingClassId))
  const parts = [...present].flatMap((id): ReadonlyArray<RatePart> => {
    const amount = id === null ? undefined : rate.classCosts.get(id)
    return id === null || amount === undefined ? [] : [{ kind: "class", source: id, amount }]
  })
  if (rate.classCalculationType === "PER_CLASS") return parts
  const highest = parts.reduce<RatePart | undefined>(
    (top, part) => (top === undefined || part.amount > top.amount ? part : top),
    undefined
  )
  return highest === undefined ? [] : [highest]
}

/** Prices one rate. An inactive rate, or one below its minimum, is never offered. */
export const quoteRate = <Rate extends PricedRate>(rate: Rate, parcel: Parcel): RateQuote<Rate> => {
  if (!rate.isActive) return { offered: false, rate, reason: "inactive" }
  if (rate.minOrderAmount !== null && parcel.subtotal < rate.minOrderAmount)
    return { offered: false, rate, reason: "below_minimum" }
  const base = basePart(rate.config, parcel)
  if (typeof base === "string") return { offered: false, rate, reason: base }
  const parts = [base, ...classParts(rate, parcel)]
  const computed = parts.reduce((sum, { amount }) => sum + amount, 0n)
  if (rate.maxCost === null || computed <= rate.maxCost) return { offered: true, rate, price: computed, parts }
  const cap: RatePart = { kind: "cap", source: "maxCost", amount: rate.maxCost - computed }
  return { offered: true, rate, price: rate.maxCost, parts: [...parts, cap] }
}

/** An offered rate with its price. */
export type RateOffer<Rate> = Extract<RateQuote<Rate>, { readonly offered: true }>

interface Timed {
  readonly minDeliveryDays: number | null
  readonly maxDeliveryDays: number | null
}

/** An unknown number of days comes last. */
const byDays = (a: number | null, b: number | null): number => (a ?? Infinity) - (b ?? Infinity) || 0

/**
 * The offers as shoppers read them: the cheapest first, of equal prices the fastest (by the most days until delivery,
 * then by the fewest; unknown days come last), and otherwise in the order given.
 */
export const sortedOffers = <Rate extends Timed>(
  offers: ReadonlyArray<RateOffer<Rate>>
): ReadonlyArray<RateOffer<Rate>> =>
  offers.toSorted(
    (a, b) =>
      (a.price < b.price ? -1 : a.price > b.price ? 1 : 0) ||
      byDays(a.rate.maxDeliveryDays, b.rate.maxDeliveryDays) ||
      byDays(a.rate.minDeliveryDays, b.rate.minDeliveryDays)
  )

/**
 * The rates that are offered for a parcel, in the order given. PICKUP rates are priced like any other: filter by type.
 */
export const offeredRates = <Rate extends PricedRate>(
  rates: Iterable<Rate>,
  parcel: Parcel
): ReadonlyArray<RateOffer<Rate>> =>
  [...rates].map((rate) => quoteRate(rate, parcel)).filter((quote): quote is RateOffer<Rate> => quote.offered)
