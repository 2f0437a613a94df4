/** The same lines, address and codes cost the same on every surface that has them. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { type Address, toAddress } from "../../src/kernel/Address.ts"
import type { Adjustment } from "../../src/pricing/Adjustment.ts"
import type { Quote, QuoteDelivery, QuoteLine, QuoteRequest } from "../../src/pricing/Quote.ts"
import { Quotes } from "../../src/pricing/Quotes.ts"
import type { Sellable } from "../../src/pricing/Sellable.ts"
import { lawAsync } from "../kernel/laws.ts"
import { grantedShop, openStore } from "./grantedShop.ts"

const sellable: Sellable = {
  productId: "prod_1",
  variantId: null,
  type: "SIMPLE",
  visible: true,
  deleted: false,
  name: "Lamp",
  slug: "lamp",
  variantName: null,
  attributes: null,
  sku: null,
  image: null,
  price: "1000",
  salePrice: null,
  saleStartsAt: null,
  saleEndsAt: null,
  taxExempt: false,
  taxClassId: null,
  shippingClassId: null,
  weight: null,
  weightUnit: null,
  isDownloadable: false,
  stock: null,
  groups: null,
  modifiers: null,
  kit: null,
  kitPricingMode: null,
  kitDiscountValue: null
}

const line = fc.record({
  quantity: fc.integer({ min: 1, max: 40 }),
  unitPrice: fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 10n ** 9n })),
  taxExempt: fc.boolean(),
  isDownloadable: fc.boolean()
})
const place = (region: string, country = "US"): Address =>
  toAddress({ line1: "1 Main St", city: "Town", region, postalCode: "1", country })
const buying = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  shippingAddress: fc.constantFrom(place("CA"), place("NY"), place("BY", "DE")),
  billingAddress: fc.constantFrom(place("CA"), place("NY")),
  code: fc.constantFrom<string | null>(null, "LOYAL")
})

const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((acc, amount) => acc + amount, 0n)

/** What a quote says besides how it was asked for. */
const totalsOf = ({ subtotal, discountAmount, ruleDiscountAmount, surchargeAmount, ...quote }: Quote) => ({
  subtotal,
  discountAmount,
  ruleDiscountAmount,
  surchargeAmount,
  shippingAmount: quote.shippingAmount,
  taxAmount: quote.taxAmount,
  total: quote.total,
  lines: quote.lines,
  taxBreakdown: quote.taxBreakdown
})

layer(grantedShop, { timeout: "60 seconds" })("totals", (it) => {
  describe("of random lines, addresses and codes", () => {
    it.effect("are the same in a cart, a checkout, an order of a storefront and one of an admin key", () =>
      Effect.gen(function* () {
        const { store, channelId } = yield* openStore
        const quotes = yield* Quotes
        const quote = (given: Given, delivery: QuoteDelivery) =>
          quotes.quote(store, requestOf(given, delivery, channelId))
        const quoted = (given: Given, delivery: QuoteDelivery) => Effect.runPromise(quote(given, delivery))
        const holds = async (given: Given) => {
          const { shippingAddress, billingAddress } = given
          const addresses = { shippingAddress, billingAddress }
          const cart = await quoted(given, { by: "unknown" })
          const order = await quoted(given, { by: "cheapest", ...addresses })
          const shippingRateId = order.chosen?.rate.id ?? null
          const checkout = await quoted(given, { by: "chosen", deliveryType: "shipping", shippingRateId, ...addresses })
          const admin = await quoted(given, { by: "stated", amount: order.chosen?.price ?? null, ...addresses })
          expect(totalsOf(checkout)).toEqual(totalsOf(order))
          expect(totalsOf(admin)).toEqual(totalsOf(order))
          expect(checkout.adjustments).toEqual(order.adjustments)
          for (const name of ["subtotal", "discountAmount", "ruleDiscountAmount"] as const)
            expect(cart[name]).toBe(order[name])
          for (const each of [cart, order, checkout, admin]) expectSums(each)
        }
        yield* Effect.promise(() => lawAsync(buying, holds))
      })
    )
  })
})

interface Given {
  readonly lines: ReadonlyArray<{
    readonly quantity: number
    readonly unitPrice: bigint
    readonly taxExempt: boolean
    readonly isDownloadable: boolean
  }>
  readonly shippingAddress: Address
  readonly billingAddress: Address
  readonly code: string | null
}

const requestOf = (given: Given, delivery: QuoteDelivery, salesChannelId: string): QuoteRequest<QuoteLine> => ({
  currency: "USD",
  lines: given.lines.map(({ quantity, unitPrice, taxExempt, isDownloadable }, i) => ({
    id: `line_${i}`,
    quantity,
    unitPrice,
    sellable: { ...sellable, taxExempt, isDownloadable }
  })),
  codes: given.code === null ? [] : [given.code],
  buyer: { customerId: null, email: null, salesChannelId, regionId: null },
  delivery
})

/** Adjustments add up to the discounts of each line, and to each sum of the total. */
const expectSums = ({ adjustments, lines, discountAmount, ruleDiscountAmount, surchargeAmount }: Quote) => {
  const of = (keep: (adjustment: Adjustment) => boolean) => sum(adjustments.filter(keep).map(({ amount }) => amount))
  for (const { id, discount } of lines) expect(of(({ lineId }) => lineId === id)).toBe(discount)
  expect(of(({ part }) => part === "discount")).toBe(discountAmount)
  expect(of(({ part }) => part === "rule_discount")).toBe(ruleDiscountAmount)
  expect(of(({ part }) => part === "surcharge")).toBe(surchargeAmount)
}
