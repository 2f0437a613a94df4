import type { CoreServices } from "@effect-commerce/core/CommerceCore"
import { CheckoutFields } from "@effect-commerce/core/checkoutfield/CheckoutFields"
import { Coupons } from "@effect-commerce/core/coupon/Coupons"
import { Customers } from "@effect-commerce/core/customer/Customers"
import { GiftCards } from "@effect-commerce/core/giftcard/GiftCards"
import { Loyalty } from "@effect-commerce/core/loyalty/Loyalty"
import { LoyaltyPrograms } from "@effect-commerce/core/loyalty/LoyaltyPrograms"
import { BundleOffers } from "@effect-commerce/core/offer/BundleOffers"
import { ShippingZones } from "@effect-commerce/core/shipping/ShippingZones"
import { Promotions } from "@effect-commerce/core/promotion/Promotions"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import type { Effect } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openSeeding } from "./seeding.ts"

let seeding: Awaited<ReturnType<typeof openSeeding>>
let store: StoreContext

beforeAll(async () => {
  seeding = await openSeeding()
})
afterAll(() => seeding.close())
beforeEach(async () => {
  store = await seeding.newStore()
})

const run = <A, E>(effect: Effect.Effect<A, E, CoreServices>): Promise<A> => seeding.run(effect)
const load = (document: unknown) => seeding.load(store, document)
const productOf = (externalId: string) => seeding.productOf(store, externalId)

describe("what a store description says of money", () => {
  it("brings promotions with the products, categories, brands, zones and rates that they are for, and brings them up to date", async () => {
    const described = (value: number) => ({
      categories: [{ externalId: "cups", name: "Cups" }],
      brands: [{ externalId: "acme", name: "Acme" }],
      products: [{ externalId: "cup", name: "Cup", basePrice: "4.50" }],
      shippingZones: [
        {
          externalId: "de",
          name: "Germany",
          countries: ["DE"],
          rates: [{ externalId: "dhl", name: "Parcel", type: "FLAT", rateConfig: { amount: "4.90" } }]
        }
      ],
      promotions: [
        {
          externalId: "sale",
          name: "Sale",
          type: "PERCENTAGE_OFF",
          value,
          applicableProducts: ["cup"],
          applicableCategories: ["cups"],
          applicableBrands: ["acme"]
        },
        {
          externalId: "free",
          name: "Free",
          type: "FREE_SHIPPING",
          config: { zoneIds: ["de"], rateIds: ["dhl"] }
        }
      ]
    })
    expect((await load(described(10))).created).toMatchObject({ promotions: 2 })
    expect((await load(described(15))).updated).toMatchObject({ promotions: 2 })
    const { items } = await run(Promotions.use((promotions) => promotions.list(store, { page: 1, limit: 20 })))
    const [zone] = (await run(ShippingZones.use((all) => all.list(store, {}, { page: 1, limit: 20 })))).items
    expect(items).toMatchObject([
      {
        name: "Sale",
        value: "15",
        applicableProducts: [{ name: "Cup" }],
        applicableCategories: [{ name: "Cups" }],
        applicableBrands: [{ name: "Acme" }]
      },
      { name: "Free", config: { zoneIds: [zone?.id], rateIds: [zone?.rates[0]?.id] } }
    ])
  })

  it("holds checkout fields, which are found by their keys", async () => {
    const wrap = { key: "wrap", name: "Wrap", type: "checkbox", surcharge: { type: "FIXED", amount: "2.50" } }
    const note = { key: "note", name: "Note", type: "text" }
    const fieldsOf = async () =>
      (await run(CheckoutFields.use((fields) => fields.list(store, { page: 1, limit: 10 })))).items.map(
        ({ key, name, required, surcharge }) => [key, name, required, surcharge?.amount]
      )
    const document = { checkoutFields: [wrap, note].map((field) => ({ externalId: field.key, ...field })) }
    expect((await load(document)).created).toEqual({ checkoutFields: 2 })
    const again = { checkoutFields: [{ externalId: "other", ...wrap, name: "Gift wrap", required: true }] }
    expect((await load(again)).updated).toEqual({ checkoutFields: 1 })
    expect(await fieldsOf()).toEqual([
      ["wrap", "Gift wrap", true, "2.50"],
      ["note", "Note", false, undefined]
    ])
  })

  it("holds coupons, which name products, categories and regions, and are found by their code too", async () => {
    const document = {
      regions: [{ externalId: "de", name: "Germany", currency: "EUR", countries: ["DE"] }],
      categories: [{ externalId: "drinks", name: "Drinks" }],
      products: [{ externalId: "tea", name: "Tea", basePrice: "1.00" }],
      coupons: [
        {
          externalId: "hello",
          code: "HELLO",
          type: "FIXED_AMOUNT",
          value: "5.00",
          applicableProducts: ["tea"],
          excludedCategories: ["drinks"],
          regionIds: ["de"]
        },
        { externalId: "ten", code: "TEN", type: "PERCENTAGE", value: 10 }
      ]
    }
    await run(Coupons.use((coupons) => coupons.create(store, { code: "ten", type: "PERCENTAGE", value: 9 })))
    const first = await load(document)
    expect([first.created["coupons"], first.updated["coupons"]]).toEqual([1, 1])
    const [hello, ten] = document.coupons
    const again = await load({ coupons: [{ ...hello, value: "6.00" }, ten] })
    expect(again).toEqual({ created: { coupons: 0 }, updated: { coupons: 2 } })
    const { items } = await run(
      Coupons.use((coupons) => coupons.list(store, { page: 1, limit: 20 }, { sortBy: "code", descending: false }))
    )
    expect(
      items.map(({ code, value, applicableProducts, excludedCategories, regionIds }) => [
        code,
        value,
        applicableProducts.map(({ name }) => name),
        excludedCategories.map(({ name }) => name),
        regionIds.length
      ])
    ).toEqual([
      ["HELLO", "6.00", ["Tea"], ["Drinks"], 1],
      ["TEN", "10", [], [], 0]
    ])
  })

  it("holds gift cards with the codes that shoppers have, and leaves what was spent of them alone", async () => {
    const document = {
      giftCards: [
        { externalId: "g1", initialBalance: "25.00", code: "Shop-2026-77", customerId: "ada", note: "Moved" },
        { externalId: "g2", initialBalance: 10, code: "printed 0002" }
      ],
      customers: [{ externalId: "ada", email: "ada@mugs.example" }]
    }
    expect((await load(document)).created).toEqual({ customers: 1, giftCards: 2 })
    const all = GiftCards.use((cards) =>
      cards.list(store, { page: 1, limit: 20 }, { search: undefined, statuses: undefined })
    )
    const [first] = (await run(all)).items.filter(({ note }) => note === "Moved")
    await run(GiftCards.use((cards) => cards.adjust(store, first?.id ?? "", { delta: -5, reason: "Spent" })))
    const [row] = document.giftCards
    const again = await load({ giftCards: [{ ...row, initialBalance: "99.00", code: "another-code", note: "VIP" }] })
    expect(again.updated).toEqual({ giftCards: 1 })
    const found = (code: string) => run(GiftCards.use((cards) => cards.balance(store, code)))
    expect(await found("SHOP 2026 77")).toEqual({ balance: "20.00", usable: true, currency: "EUR" })
    expect(await found("another-code")).toEqual({ balance: "0.00", usable: false })
    const kept = (await run(all)).items.find(({ id }) => id === first?.id)
    expect([kept?.note, kept?.customerId?.slice(0, 5), kept?.initialBalance]).toEqual(["VIP", "cust_", "25.00"])
  })

  it("holds the loyalty programme, and points that customers begin with", async () => {
    const document = {
      customers: [{ externalId: "ada", email: "ada@mugs.example" }],
      loyalty: [
        { externalId: "ada-points", customer: "ada", points: 120 },
        { externalId: "program", program: { isEnabled: true, redeemRate: "0.02", minRedeem: 50 } }
      ]
    }
    expect(await load(document)).toEqual({
      created: { customers: 1, loyalty: 2 },
      updated: { customers: 0, loyalty: 0 }
    })
    const ada = await run(Customers.use((customers) => customers.getByEmail(store, "ada@mugs.example")))
    const account = () => run(Loyalty.use((loyalty) => loyalty.get(store, ada.id)))
    expect((await account()).balance).toBe(120)
    expect(await run(LoyaltyPrograms.use((programs) => programs.get(store)))).toMatchObject({
      isEnabled: true,
      redeemRate: "0.02",
      minRedeem: 50
    })
    expect((await load({ loyalty: document.loyalty })).updated).toEqual({ loyalty: 2 })
    expect((await account()).balance).toBe(120)
  })

  it("holds bundle offers of products and of single variants, and brings them up to date", async () => {
    const document = {
      bundleOffers: [
        {
          externalId: "set",
          name: "Tea set",
          triggerProductId: "tea",
          productIds: ["pot", "cup"],
          discountType: "FIXED_AMOUNT",
          discountValue: "2.50",
          pinnedVariants: { cup: "CUP-L" }
        }
      ],
      attributes: [{ externalId: "size", name: "Size", options: [{ name: "S" }, { name: "L" }] }],
      products: [
        { externalId: "tea", name: "Tea", basePrice: "4.00" },
        { externalId: "pot", name: "Pot", basePrice: "20.00" },
        {
          externalId: "cup",
          name: "Cup",
          type: "VARIABLE",
          attributes: [{ attributeId: "size", optionIds: ["S", "L"] }],
          variants: [
            { attributes: { Size: "S" }, sku: "CUP-S", price: "5.00" },
            { attributes: { Size: "L" }, sku: "CUP-L", price: "6.00" }
          ]
        }
      ]
    }
    expect((await load(document)).created).toEqual({ attributes: 1, products: 3, bundleOffers: 1 })
    expect((await productOf("tea")).bundleOfferCount).toBe(1)
    const again = await load({ bundleOffers: [{ ...document.bundleOffers[0], name: "Set", kind: "BUNDLE" }] })
    expect(again.updated).toEqual({ bundleOffers: 1 })
    const { items } = await run(BundleOffers.use((offers) => offers.list(store, { page: 1, limit: 20 }, {})))
    expect(
      items.map(({ name, totalOriginalPrice, totalDiscountedPrice }) => [
        name,
        totalOriginalPrice,
        totalDiscountedPrice
      ])
    ).toEqual([["Set", "26.00", "23.50"]])
    expect(items[0]?.offeredProducts[1]?.pinnedVariant?.name).toBe("L")
  })
})
