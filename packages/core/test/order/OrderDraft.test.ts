import { describe, expect, it } from "vitest"
import type { NewOrder, OrderItem } from "../../src/order/Order.ts"
import { decodeDraft, encodeDraft, isDraftStorable, maxDraftBytes } from "../../src/order/OrderDraft.ts"

const extras = {
  metadata: {
    $bigint: "not a number",
    nested: { $date: "x" },
    list: [{ $object: { $bigint: "1" } }, null, 1.5, "text"]
  },
  customizations: { engraving: "Ada" },
  modifiers: [{ modifierId: "mod_1" }]
}
const item: OrderItem = {
  id: "line_1",
  productId: "prod_1",
  variantId: null,
  sku: null,
  name: "Lamp",
  image: null,
  quantity: 2,
  fulfilledQuantity: 0,
  unitPrice: 9_007_199_254_740_993n,
  subtotal: 18_014_398_509_481_986n,
  discount: 0n,
  tax: 5n,
  total: 18_014_398_509_481_991n,
  taxLines: [{ rateId: "tax_1", name: "VAT", rate: "19", amount: "5" }],
  kitComponents: null,
  ...extras
}
const at = new Date("2026-01-02T03:04:05.678Z")
const order: NewOrder = {
  id: "ord_1",
  storeId: "store_1",
  externalId: null,
  checkoutId: "chk_1",
  salesChannelId: "vc_1",
  customerId: null,
  platform: null,
  sourceName: "storefront",
  status: "PENDING",
  financialStatus: "pending",
  fulfillmentStatus: "unfulfilled",
  locale: "de",
  currency: "EUR",
  subtotal: item.subtotal,
  discountAmount: 0n,
  ruleDiscountAmount: 0n,
  shippingAmount: 0n,
  surchargeAmount: 0n,
  taxAmount: 5n,
  totalAmount: item.total,
  capturedAmount: 0n,
  refundedAmount: 0n,
  taxBreakdown: {
    subtotal: 12.5,
    shippingNet: 0,
    totalTax: 0.05,
    total: 12.55,
    pricesIncludeTax: false,
    breakdown: [{ name: "VAT", rate: 19, amount: 0.05 }],
    currency: "EUR"
  },
  couponCode: null,
  email: "ada@example.com",
  customer: { name: "Ada", phone: null },
  shippingAddress: null,
  billingAddress: null,
  shippingSelection: null,
  deliveryType: "shipping",
  pickupLocation: null,
  paymentMethod: "test",
  notes: null,
  customFieldValues: { $date: "DROP" },
  adminFieldValues: {},
  statusLabelId: null,
  statusHistory: [],
  syncWarning: null,
  isTestOrder: true,
  isRead: false,
  trackingNumber: null,
  trackingUrl: null,
  carrier: null,
  createdAt: at,
  updatedAt: at,
  items: [item],
  adjustments: [],
  payments: [
    {
      id: "pay_1",
      provider: "test",
      method: "test",
      reference: null,
      status: "pending",
      amount: item.total,
      captured: 0n,
      refunded: 0n,
      paidAt: null
    }
  ],
  refunds: []
}
const stored = (): { version: number; order: Record<string, unknown> } => JSON.parse(encodeDraft(order))
const lines = { line_1: extras }

describe("a drafted order", () => {
  it("is read as it was written, amounts beyond what a double holds and times to the millisecond", () => {
    expect(decodeDraft(stored(), lines)).toEqual(order)
  })

  it("keeps where its discounts came from", () => {
    const adjustments = [
      {
        kind: "rule",
        sourceId: "rule_1",
        part: "rule_discount",
        target: "line",
        lineId: "line_1",
        amount: 9_007_199_254_740_993n,
        reason: "Summer"
      },
      { kind: "fee", sourceId: "f", part: "surcharge", target: "order", lineId: null, amount: 1n, reason: null }
    ] as const
    const adjusted: NewOrder = { ...order, adjustments }
    expect(decodeDraft(JSON.parse(encodeDraft(adjusted)), lines)).toEqual(adjusted)
    const { adjustments: _, ...without } = stored().order
    expect(decodeDraft({ version: 3, order: without }, lines)).toBeUndefined()
  })

  it("that the release before can hold is written as that release reads it, so that money is not sent back", () => {
    const { version, order: written } = stored()
    expect([version, "adjustments" in written]).toEqual([2, false])
    const adjustment = { kind: "fee", sourceId: "f", part: "surcharge", target: "order", lineId: null } as const
    const fee = { ...adjustment, amount: 1n, reason: null }
    const card = { ...order.payments[0], id: "pay_2", provider: "card", status: "captured", captured: 1n } as const
    const tendered = { ...order, capturedAmount: 1n, payments: [...order.payments, card] } as NewOrder
    for (const beyond of [{ ...order, adjustments: [fee] }, tendered]) {
      const draft = JSON.parse(encodeDraft(beyond)) as { version: number }
      expect([draft.version, decodeDraft(draft, lines)]).toEqual([3, beyond])
    }
  })

  it("of version 2 has no adjustments: the discount of a line is one that its caller stated", () => {
    const { adjustments: _, ...before } = stored().order
    expect(decodeDraft({ version: 2, order: before }, lines)).toEqual(order)
    const discounted = {
      ...before,
      discountAmount: "500",
      items: [{ ...(before["items"] as [object])[0], discount: "500" }]
    }
    expect(decodeDraft({ version: 2, order: discounted }, lines)?.adjustments).toEqual([
      {
        kind: "manual_discount",
        sourceId: "discountAmount",
        part: "discount",
        target: "line",
        lineId: "line_1",
        amount: 500n,
        reason: null
      }
    ])
  })

  it("holds nothing of what a shopper wrote about the lines, which is read from the checkout", () => {
    expect(encodeDraft(order)).not.toContain("engraving")
    expect(decodeDraft(stored(), {})?.items[0]).toEqual({ ...item, metadata: {}, customizations: {}, modifiers: [] })
  })

  it("holds modifiers as they were priced, whatever the checkout says of them by then", () => {
    const modifiers = [{ modifierId: "mod_1", name: "Olives", amount: "150" }]
    const priced = { ...order, items: [{ ...item, modifiers, basePrice: 1_000n }] }
    const chosen = { item: { metadata: { gift: true }, customizations: {}, modifiers: [{ modifierId: "mod_1" }] } }
    expect(decodeDraft(JSON.parse(encodeDraft(priced)), { [item.id]: chosen.item })?.items).toEqual([
      { ...item, ...chosen.item, modifiers, basePrice: 1_000n }
    ])
  })

  it("is read as the release before wrote it: marked, with numbers in its taxes, and all that its lines carry", () => {
    const money = (minor: bigint) => ({ $bigint: String(minor) })
    const { modifiers: _, metadata, ...rest } = item
    const { adjustments: __, ...unadjusted } = stored().order
    const before = {
      ...unadjusted,
      ...Object.fromEntries(
        Object.entries(order).flatMap(([key, value]) => (typeof value === "bigint" ? [[key, money(value)]] : []))
      ),
      createdAt: { $date: at.toISOString() },
      updatedAt: { $date: at.toISOString() },
      customFieldValues: { $object: { $date: "DROP" } },
      taxBreakdown: {
        ...order.taxBreakdown,
        subtotal: "12.50",
        shippingNet: "0.00",
        totalTax: "0.05",
        total: "12.55",
        breakdown: [{ name: "VAT", rate: 19, amount: "0.05" }]
      },
      items: [
        {
          ...Object.fromEntries(
            Object.entries(rest).map(([key, value]) => [key, typeof value === "bigint" ? money(value) : value])
          ),
          metadata: {
            ...metadata,
            list: [{ $object: { $object: { $object: { $bigint: "1" } } } }, null, 1.5, "text"],
            nested: { $object: { $date: "x" } }
          }
        }
      ],
      payments: [{ ...order.payments[0], amount: money(item.total), captured: money(0n), refunded: money(0n) }]
    }
    expect(decodeDraft(JSON.parse(JSON.stringify(before)), {})).toEqual({
      ...order,
      items: [{ ...item, modifiers: [] }]
    })
  })

  it("that is of another version, or no order, is nothing rather than half an order", () => {
    const { items: _, ...itemless } = stored().order
    const wrong = [
      null,
      {},
      [],
      "x",
      { version: 4, order: { ...stored().order, adjustments: [] } },
      { version: 3 },
      { version: 2 },
      { version: 2, order: itemless },
      { version: 2, order: { ...itemless, items: [] } },
      { version: 1, order: {} },
      { version: 2, order: { ...stored().order, items: [null] } }
    ]
    for (const column of wrong) expect(decodeDraft(column, lines)).toBeUndefined()
    expect(decodeDraft({ version: 2, order: { ...stored().order, totalAmount: "1.5" } }, lines)).toBeUndefined()
    expect(
      decodeDraft({ version: 2, order: { ...stored().order, taxBreakdown: { breakdown: [{}] } } }, lines)
    ).toBeUndefined()
  })

  it("can be kept up to its bound in bytes, with what its lines carry, and not one byte above", () => {
    const withNotes = (length: number): NewOrder => ({
      ...order,
      items: [{ ...item, customizations: { notes: "é".repeat(length) } }]
    })
    const storable = (made: NewOrder) => isDraftStorable(made, encodeDraft(made))
    const sizeOf = (made: NewOrder) =>
      Buffer.byteLength(encodeDraft(made)) +
      Buffer.byteLength(
        JSON.stringify(
          made.items.map(({ metadata, customizations, modifiers }) => [metadata, customizations, modifiers])
        )
      )
    const length = Math.floor((maxDraftBytes - sizeOf(withNotes(0))) / 2)
    const odd = maxDraftBytes - sizeOf(withNotes(length))
    const full: NewOrder = { ...withNotes(length), email: `${order.email}${"x".repeat(odd)}` }
    expect([sizeOf(full), storable(full), storable({ ...full, email: `${full.email}x` })]).toEqual([
      4_194_304,
      true,
      false
    ])
  })
})
