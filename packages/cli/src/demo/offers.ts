/** What the demo store gives its shoppers: a coupon, a rule, bundles, a gift card, and a loyalty programme. */
import type { SeedDocument, SeedRow } from "./SeedDocument.ts"

type Product = NonNullable<SeedDocument["products"]>[number]

/** The coupon and the rule add up. */
const combinesWithOther = true

export const coupons: ReadonlyArray<SeedRow> = [
  {
    externalId: "demo-welcome",
    code: "WELCOME10",
    title: "A tenth off",
    type: "PERCENTAGE",
    value: 10,
    combinesWithOther
  }
]

export const promotions: ReadonlyArray<SeedRow & { readonly name: string }> = [
  {
    externalId: "demo-fourth-free",
    name: "Tableware: four for the price of three",
    type: "BUY_X_GET_Y",
    config: { buyQuantity: 3, getQuantity: 1, sameProducts: false },
    applicableCategories: ["tableware"],
    combinesWithOther
  }
]

const bundles = [
  { name: "A plate for the mug", trigger: "Marlow mug", products: ["Marlow side plate"], percent: 20 },
  {
    name: "Tent, stove and light",
    trigger: "Skylark tent two",
    products: ["Ember gas stove", "Wick lantern"],
    percent: 15
  }
] as const

export const bundleOffersOf = (goods: ReadonlyArray<Product>): ReadonlyArray<SeedRow & { readonly name: string }> => {
  const idOf = (name: string): string => {
    const good = goods.find((one) => one.name === name)
    if (good === undefined) throw new Error(`the demo store has no ${name}`)
    return good.externalId
  }
  return bundles.map(({ name, trigger, products, percent }, i) => ({
    externalId: `demo-bundle-${i + 1}`,
    name,
    triggerProductId: idOf(trigger),
    productIds: products.map(idOf),
    discountType: "PERCENTAGE",
    discountValue: percent
  }))
}

/** Codes of cards that are sold are random; this one is printed here for all to try. */
export const giftCards: ReadonlyArray<SeedRow> = [
  { externalId: "demo-gift-card", code: "DEMO-GIFT-CARD-0050", initialBalance: "50.00", note: "To try gift cards with" }
]

/** A point for each dollar, worth a cent; some for the first customer. */
export const loyalty: ReadonlyArray<SeedRow> = [
  {
    externalId: "demo-loyalty",
    program: {
      isEnabled: true,
      pointsPerUnit: 1,
      currencyUnit: "1.00",
      redeemRate: "0.01",
      minRedeem: 100,
      expiryDays: 730,
      tiers: [
        { name: "Regular", threshold: 0, multiplier: 1 },
        { name: "Friend", threshold: 500, multiplier: 1.5 }
      ],
      referralPoints: 200
    }
  },
  { externalId: "demo-ada-points", customer: "demo-ada", points: 640 }
]
