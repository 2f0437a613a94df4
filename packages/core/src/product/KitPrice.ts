/** The price of a kit that is priced by its components, and a product's own prices. Pure. */
import { parseRate } from "../kernel/Rate.ts"
import { divideRounded } from "../kernel/Rounding.ts"
import { priceAt } from "../kernel/SalePrice.ts"
import { isWindowActive } from "../kernel/TimeWindow.ts"
import type { KitPartRow } from "./KitParts.ts"
import type { ProductState } from "./Product.ts"

/** Whether a kit is priced by its components; otherwise it has its own prices, like any product. */
export const isPricedByComponents = (mode: string | null): boolean => mode === "COMPONENTS"

const lessPercent = (amount: bigint, percent: string | null): bigint => {
  const rate = parseRate(percent ?? "0")
  if ("reason" in rate) return amount
  const whole = 100n * 10n ** BigInt(rate.scale)
  return divideRounded(amount * (whole - rate.value), whole, "half_up")
}

/**
 * The price of a kit that is priced by its components: the sum of their prices, less a percentage, rounded once. `at`
 * decides which components are on sale; null means their regular prices.
 */
export const kitPrice = (parts: ReadonlyArray<KitPartRow>, discount: string | null, at: number | null): bigint => {
  let sum = 0n
  for (const part of parts) sum += priceAt(part, at) * BigInt(part.quantity)
  return lessPercent(sum, discount)
}

type Times = Pick<ProductState, "kitPricingMode" | "salePriceStartsAt" | "salePriceEndsAt"> & {
  readonly kitComponents: ReadonlyArray<Pick<KitPartRow, "salePrice" | "saleStartsAt" | "saleEndsAt">>
}

/**
 * The times, in epoch milliseconds and in no particular order, at which the price of a product changes without a write:
 * the start and end of its sale, or, for a kit priced by its components, of the sales of those that have a sale price.
 */
export const priceChanges = (product: Times): ReadonlyArray<number> =>
  isPricedByComponents(product.kitPricingMode)
    ? product.kitComponents.flatMap(({ salePrice, saleStartsAt, saleEndsAt }) =>
        salePrice === null ? [] : [saleStartsAt, saleEndsAt].filter((at) => at !== null)
      )
    : [product.salePriceStartsAt, product.salePriceEndsAt].flatMap((at) => (at === null ? [] : [at.getTime()]))

export interface OwnPrices {
  readonly basePrice: bigint
  readonly salePrice: bigint | null
  /** Whether the sale price applies now. */
  readonly onSale: boolean
}

/** Whether the product's sale prices apply now; without dates they always do. */
export const isOnSale = (product: Pick<ProductState, "salePriceStartsAt" | "salePriceEndsAt">, now: number): boolean =>
  isWindowActive({ startsAt: product.salePriceStartsAt, endsAt: product.salePriceEndsAt }, now)

/**
 * The prices of the product itself. A kit priced by its components takes its prices from them, and is on sale while it
 * costs less than at their regular prices.
 */
export const ownPrices = (product: ProductState, now: number): OwnPrices => {
  const { kitComponents: parts, kitDiscountValue: discount } = product
  if (product.type !== "KIT" || !isPricedByComponents(product.kitPricingMode)) {
    return { basePrice: product.basePrice, salePrice: product.salePrice, onSale: isOnSale(product, now) }
  }
  const basePrice = kitPrice(parts, discount, null)
  const price = kitPrice(parts, discount, now)
  return { basePrice, salePrice: price < basePrice ? price : null, onSale: price < basePrice }
}
