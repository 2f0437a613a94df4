/** Any way to give an order back in parts comes to exactly its total, and never to more. */
import type { Adjustment } from "@effect-commerce/core/pricing/Adjustment"
import { price } from "@effect-commerce/core/pricing/PricingPipeline"
import type { OrderItem } from "@effect-commerce/core/order/Order"
import { compileTaxRates } from "@effect-commerce/core/tax/TaxMatcher"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { shippingPart, unitsAmount, type RefundableOrder } from "../../src/refund/internal/refundAmounts.ts"
import { askedOf, leftOf, splitOver } from "../../src/refund/internal/refundTenders.ts"
import { law } from "../kernel/laws.ts"
import { discountsOf, type LineDiscount } from "../pricing/discounts.ts"
import { order as anyOrder } from "../pricing/orders.ts"
import type { ReferenceOrder } from "../pricing/referenceEvaluator.ts"
import { orderOf } from "../settlement/chargedOrder.ts"

interface Drawn {
  readonly given: ReferenceOrder
  readonly surcharge: bigint
  /** A tax that was stated for the whole order; null: the taxes are those of its rates. */
  readonly statedTax: bigint | null
  /** How many units of its line each discount concerns, as it comes. */
  readonly units: ReadonlyArray<number>
  /** What decides which units are given back next, and how much of shipping. */
  readonly choices: ReadonlyArray<number>
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  given: anyOrder.filter(({ lines }) => lines.length > 0),
  surcharge: fc.bigInt(0n, 2_000n),
  statedTax: fc.option(fc.bigInt(0n, 5_000n)),
  units: fc.array(fc.nat(12), { minLength: 1, maxLength: 6 }),
  choices: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 12 })
})

const line = (amounts: Pick<OrderItem, "id" | "quantity" | "subtotal" | "discount" | "tax" | "total">): OrderItem => ({
  productId: null,
  variantId: null,
  sku: null,
  name: "Lamp",
  image: null,
  fulfilledQuantity: 0,
  refundedQuantity: 0,
  unitPrice: 0n,
  taxLines: [],
  metadata: {},
  customizations: {},
  modifiers: [],
  kitComponents: null,
  ...amounts
})

const placed = ({ given, surcharge, statedTax, units }: Drawn): RefundableOrder => {
  const discounts = given.lines.flatMap(
    (line): ReadonlyArray<LineDiscount> => [
      { lineId: line.id, kind: "coupon", sourceId: "coupon_1", amount: line.coupon },
      { lineId: line.id, kind: "rule", sourceId: "rule_1", amount: line.rule }
    ]
  )
  const result = price({
    currency: "EUR",
    policy: { taxRounding: given.rounding, taxRoundingMode: given.mode, stackRounding: given.stacking },
    lines: given.lines,
    shipping: given.shipping,
    address: given.address,
    taxes: compileTaxRates(statedTax === null ? given.rates : []),
    discounts: discountsOf(discounts)
  })
  const stated: ReadonlyArray<Adjustment> =
    statedTax === null
      ? []
      : [
          {
            kind: "manual_tax",
            sourceId: "taxAmount",
            type: null,
            value: null,
            part: "tax",
            target: "order",
            lineId: null,
            units: 0,
            amount: statedTax,
            reason: null
          }
        ]
  return {
    items: result.lines.map(({ id, subtotal, discount, tax, total }, i) =>
      line({ id, quantity: given.lines[i]?.quantity ?? 1, subtotal, discount, tax, total })
    ),
    adjustments: [
      ...result.adjustments.map((adjustment, i) => ({ ...adjustment, units: units[i % units.length] ?? 0 })),
      ...stated
    ],
    totalAmount: result.total + surcharge + (statedTax ?? 0n),
    shippingAmount: result.shippingAmount,
    surchargeAmount: surcharge
  }
}

/** All of it, in parts that the choices decide. */
const partsOf = (order: RefundableOrder, choices: ReadonlyArray<number>): ReadonlyArray<bigint> => {
  const parts: Array<bigint> = []
  const given = new Map<string, number>()
  let shipped = 0n
  for (let step = 0; step < 10_000; step++) {
    const choice = choices[step % choices.length] ?? 0
    const open = order.items.filter(({ id, quantity }) => (given.get(id) ?? 0) < quantity)
    if (shipped < order.shippingAmount && (open.length === 0 || choice % 3 === 0)) {
      const left = order.shippingAmount - shipped
      const shipping = open.length === 0 || choice % 2 === 0 ? left : (left + 1n) / 2n
      const part = shippingPart(order, shipped, shipping)
      parts.push(part.shipping + part.tax)
      shipped += shipping
      continue
    }
    const item = open[choice % Math.max(1, open.length)]
    if (item === undefined) return parts
    const before = given.get(item.id) ?? 0
    const units = Math.min(item.quantity - before, 1 + (choice % Math.max(4, Math.ceil(item.quantity / 3))))
    const part = unitsAmount(order, { itemId: item.id, before, units })
    if (part.tax < 0n || part.tax > part.amount) throw new Error(`${part.tax} of ${part.amount} is tax`)
    parts.push(part.amount)
    given.set(item.id, before + units)
  }
  throw new Error("it never ends")
}

const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((total, amount) => total + amount, 0n)

describe("refunds of an order in parts", () => {
  it("come to exactly its total, whatever its discounts, taxes and surcharges, and no part is below nothing", () => {
    law(drawn, (case_) => {
      const order = placed(case_)
      const parts = partsOf(order, case_.choices)
      expect(parts.every((part) => part >= 0n)).toBe(true)
      expect(sum(parts)).toBe(order.totalAmount)
      expect(sum(partsOf(order, [3, 7]))).toBe(order.totalAmount)
    })
  })

  it("give the units without a discount back first, and the last unit takes the remainder", () => {
    const adjustment = {
      kind: "promotion",
      sourceId: "r",
      type: null,
      value: null,
      part: "rule_discount",
      target: "line"
    } as const
    const order: RefundableOrder = {
      items: [line({ id: "a", quantity: 3, subtotal: 3_000n, discount: 1_000n, tax: 0n, total: 2_000n })],
      adjustments: [{ ...adjustment, lineId: "a", units: 1, amount: 1_000n, reason: "3 for 2" }],
      totalAmount: 2_001n,
      shippingAmount: 0n,
      surchargeAmount: 1n
    }
    const units = [0, 1, 2].map((before) => unitsAmount(order, { itemId: "a", before, units: 1 }).amount)
    expect(units).toEqual([1_000n, 1_001n, 0n])
  })

  it("are split over payments exactly, and none gives back more than it has left", () => {
    const payments = fc.array(fc.tuple(fc.bigInt(0n, 10_000n), fc.bigInt(0n, 10_000n)), { minLength: 1, maxLength: 5 })
    law(fc.tuple(payments, fc.bigInt(1n, 20_000n)), ([drawnPayments, wanted]) => {
      const [known] = orderOf().payments
      if (known === undefined) throw new Error("no payment")
      const order = {
        payments: drawnPayments.map(([captured], i) => ({ ...known, id: `p${i}`, captured, surplus: 0n })),
        refunds: drawnPayments.map(([captured, refunded], i) => ({
          id: `r${i}`,
          paymentId: `p${i}`,
          amount: refunded < captured ? refunded : captured,
          reason: null,
          status: i % 2 === 0 ? ("pending" as const) : ("succeeded" as const),
          type: "partial" as const,
          source: "service" as const,
          externalId: null,
          key: null,
          succeededAt: null,
          createdAt: ""
        }))
      }
      const left = sum(order.payments.map((payment) => leftOf(order, payment)))
      const amount = wanted < left ? wanted : left
      if (amount === 0n) return
      const parts = splitOver(order, amount)
      expect(sum(parts.map((part) => part.amount))).toBe(amount)
      for (const part of parts) expect(part.amount <= leftOf(order, part.payment)).toBe(true)
    })
  })

  it("in another currency come to exactly what the provider has captured, the last one with the remainder", () => {
    const amounts = fc.tuple(fc.bigInt(2n, 100_000n), fc.bigInt(2n, 100_000n))
    law(fc.tuple(amounts, fc.array(fc.bigInt(1n, 30_000n), { maxLength: 8 })), ([[due, amount], wanted]) => {
      const [known] = orderOf().payments
      if (known === undefined) throw new Error("no payment")
      const payment = { ...known, id: "p", captured: due, surplus: 0n }
      const refunds: Array<Parameters<typeof leftOf>[0]["refunds"][number]> = []
      const presentment = {
        paymentId: "p",
        currency: "EUR",
        rate: "1",
        bufferPercent: "0",
        rounding: 1n,
        due,
        amount,
        captured: amount,
        refunded: 0n
      }
      const order = { payments: [payment], refunds }
      let refunded = 0n
      for (const want of [...wanted, due]) {
        const left = leftOf(order, payment)
        if (left === 0n) break
        const part = { payment, amount: want < left ? want : left }
        const { asked, amount: booked } = askedOf(order, { ...presentment, refunded }, part)
        if (asked === 0n || booked === 0n) continue
        expect(asked <= amount - refunded && booked <= left).toBe(true)
        refunded += asked
        refunds.push({
          id: `r${refunds.length}`,
          paymentId: "p",
          amount: booked,
          reason: null,
          status: "succeeded",
          type: "partial",
          source: "service",
          externalId: null,
          key: "k",
          asked,
          succeededAt: null,
          createdAt: ""
        })
      }
      expect([refunded, sum(refunds.map((row) => row.amount))]).toEqual([amount, due])
    })
  })
})
