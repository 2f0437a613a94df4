/** What a kit costs that is priced by its components, and what any product costs by itself. Pure. */
import { parseRate } from "../kernel/Rate.ts"
import { divideRounded } from "../kernel/Rounding.ts"
import { priceAt } from "../kernel/SalePrice.ts"
import { isWindowActive } from "../kernel/TimeWindow.ts"
import type { KitPartRow } from "./KitParts.ts"
import type { ProductState } from "./Product.ts"

/** Whether a kit is priced by its components; otherwise it has prices of its own, as any product. */
export const isPricedByComponents = (mode: string | null): boolean => mode === "COMPONENTS"

const lessPercent = (amount: bigint, percent: string | null): bigint => {
  const rate = parseRate(percent ?? "0")
  if ("reason" in rate) return amount
  const whole = 100n * 10n ** BigInt(rate.scale)
  return divideRounded(amount * (whole - rate.value), whole, "half_up")
}

/**
 * What a kit costs that is priced by its components: the sum of their prices, less a percentage, rounded once. `at` is
 * the moment that decides which of them are on sale; null asks for the regular prices.
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
 * The moments, in epoch milliseconds and in no order, at which the price of a product changes without a write: where
 * its sale begins or ends, or for a kit that its components price, the sale of one that has a sale price.
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
  /** Whether the sale price holds now. */
  readonly onSale: boolean
}

/** Whether the product's sale prices hold now; without dates they always do. */
export const isOnSale = (product: Pick<ProductState, "salePriceStartsAt" | "salePriceEndsAt">, now: number): boolean =>
  isWindowActive({ startsAt: product.salePriceStartsAt, endsAt: product.salePriceEndsAt }, now)

/**
 * The prices of a product itself. Those of a kit that its components price follow from theirs: it is on sale while that
 * makes it cost less than their regular prices would.
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
