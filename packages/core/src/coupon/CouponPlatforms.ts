/**
 * What the coupons of other commerce systems can hold, by the platform's code, and what a platform would not keep of a
 * coupon that is published to it. No platform has a connector yet.
 */
import { Schema } from "effect"
import { boolean } from "../kernel/Fields.ts"
import type { CouponFields } from "./Coupon.ts"

export const PlatformCapabilities = Schema.Struct({
  supportsPercentage: boolean("Whether it has discounts by percentage."),
  supportsFixedAmount: boolean("Whether it has discounts by amount."),
  supportsMaximumDiscount: boolean("Whether a percentage can have a cap."),
  supportsMinimumOrderAmount: boolean("Whether a minimum of the subtotal can be required."),
  supportsUsageLimit: boolean("Whether the uses of all customers can be limited."),
  supportsPerCustomerLimit: boolean("Whether the uses of each customer can be limited to any number."),
  supportsCategories: boolean("Whether a coupon can be for categories."),
  supportsExclusions: boolean("Whether products and categories can be excluded."),
  supportsRegions: boolean("Whether a coupon can be for regions."),
  supportsCombination: boolean("Whether a coupon says if it adds up with other discounts.")
}).annotate({ identifier: "CouponPlatformCapabilities", description: "What coupons of a platform can hold." })
export type PlatformCapabilities = typeof PlatformCapabilities.Type

const every: PlatformCapabilities = {
  supportsPercentage: true,
  supportsFixedAmount: true,
  supportsMaximumDiscount: true,
  supportsMinimumOrderAmount: true,
  supportsUsageLimit: true,
  supportsPerCustomerLimit: true,
  supportsCategories: true,
  supportsExclusions: true,
  supportsRegions: true,
  supportsCombination: true
}

/**
 * By code. Sources: the GraphQL Admin API of Shopify (DiscountCodeBasic, which limits a customer to one use or not at
 * all), the REST API of WooCommerce (coupons), cart price rules of Magento, the REST API of BigCommerce (coupons).
 */
export const platformCapabilities: Readonly<Record<string, PlatformCapabilities>> = {
  internal: every,
  shopify: {
    ...every,
    supportsMaximumDiscount: false,
    supportsPerCustomerLimit: false,
    supportsExclusions: false,
    supportsRegions: false
  },
  woocommerce: { ...every, supportsMaximumDiscount: false, supportsRegions: false },
  magento: { ...every, supportsMaximumDiscount: false },
  bigcommerce: {
    ...every,
    supportsMaximumDiscount: false,
    supportsExclusions: false,
    supportsCombination: false
  }
}

/** What a coupon uses of each capability, in words. */
const needs: ReadonlyArray<
  readonly [keyof PlatformCapabilities, words: string, isUsed: (coupon: CouponFields) => boolean]
> = [
  ["supportsPercentage", "percentages", ({ type }) => type === "PERCENTAGE"],
  ["supportsFixedAmount", "amounts", ({ type }) => type === "FIXED_AMOUNT"],
  [
    "supportsMaximumDiscount",
    "maximumDiscount",
    ({ type, maximumDiscount }) => type === "PERCENTAGE" && maximumDiscount !== null
  ],
  ["supportsMinimumOrderAmount", "minimumOrderAmount", (coupon) => coupon.minimumOrderAmount !== null],
  ["supportsUsageLimit", "usageLimit", (coupon) => coupon.usageLimit !== null],
  ["supportsPerCustomerLimit", "usageLimitPerCustomer", (coupon) => coupon.usageLimitPerCustomer !== null],
  ["supportsCategories", "applicableCategories", (coupon) => coupon.applicableCategories.length > 0],
  [
    "supportsExclusions",
    "excludedProducts and excludedCategories",
    (coupon) => coupon.excludedProducts.length + coupon.excludedCategories.length > 0
  ],
  ["supportsRegions", "regionIds", (coupon) => coupon.regionIds.length > 0],
  ["supportsCombination", "combinesWithOther", (coupon) => coupon.combinesWithOther]
]

export interface PlatformWarnings {
  readonly platform: string
  readonly warnings: ReadonlyArray<string>
}

/** What becomes of the coupon on each of these platforms, where it is not published as it is. */
export const platformWarnings = (
  coupon: CouponFields,
  platforms: ReadonlyArray<string>
): ReadonlyArray<PlatformWarnings> =>
  platforms.map((platform) => {
    const key = platform.toLowerCase()
    const known = Object.hasOwn(platformCapabilities, key) ? platformCapabilities[key] : undefined
    const lost =
      known === undefined
        ? []
        : needs.flatMap(([capability, words, isUsed]) =>
            known[capability] || !isUsed(coupon) ? [] : [`${platform} does not support ${words}`]
          )
    return { platform, warnings: [`${platform} is not connected: the coupon is not published there`, ...lost] }
  })
