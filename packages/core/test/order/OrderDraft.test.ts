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
  refundedQuantity: 0,
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
  draftId: null,
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
  presentment: null,
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
  explanation: null,
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
      surplus: 0n,
      refunded: 0n,
      failure: null,
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
        type: "TIERED",
        value: "10",
        part: "rule_discount",
        target: "line",
        lineId: "line_1",
        units: 2,
        amount: 9_007_199_254_740_993n,
        reason: "Summer"
      },
      {
        kind: "fee",
        sourceId: "f",
        type: null,
        value: null,
        part: "surcharge",
        target: "order",
        lineId: null,
        units: 0,
        amount: 1n,
        reason: null
      }
    ] as const
    const adjusted: NewOrder = { ...order, adjustments }
    expect(decodeDraft(JSON.parse(encodeDraft(adjusted)), lines)).toEqual(adjusted)
    const fee = { kind: "fee", sourceId: "f", part: "surcharge", target: "order", lineId: null }
    const earlier = { ...fee, amount: "1", reason: null }
    expect(
      decodeDraft({ version: 1, order: { ...stored().order, adjustments: [earlier] } }, lines)?.adjustments
    ).toEqual([{ ...fee, amount: 1n, reason: null, type: null, value: null, units: 0 }])
    const { adjustments: _, ...without } = stored().order
    expect(decodeDraft({ version: 1, order: without }, lines)).toBeUndefined()
  })

  it("holds nothing of what a shopper wrote about the lines, which is read from the checkout", () => {
    expect(encodeDraft(order)).not.toContain("engraving")
    expect(decodeDraft(stored(), {})?.items[0]).toEqual({ ...item, metadata: {}, customizations: {} })
  })

  it("holds modifiers as they were priced, whatever the checkout says of them by then", () => {
    const modifiers = [{ modifierId: "mod_1", name: "Olives", amount: "150" }]
    const priced = { ...order, items: [{ ...item, modifiers, basePrice: 1_000n }] }
    const written = { metadata: { gift: true }, customizations: {}, modifiers: [{ modifierId: "mod_1" }] }
    expect(decodeDraft(JSON.parse(encodeDraft(priced)), { [item.id]: written })?.items).toEqual([
      { ...item, ...written, modifiers, basePrice: 1_000n }
    ])
  })

  it("that is of another version, or no order, is nothing rather than half an order", () => {
    const { items: _, ...itemless } = stored().order
    const wrong = [
      null,
      {},
      [],
      "x",
      { order: stored().order },
      { version: 2, order: stored().order },
      { version: 1 },
      { version: 1, order: {} },
      { version: 1, order: itemless },
      { version: 1, order: { ...itemless, items: [] } },
      { version: 1, order: { ...stored().order, items: [null] } },
      { version: 1, order: { ...stored().order, totalAmount: "1.5" } },
      { version: 1, order: { ...stored().order, taxBreakdown: { breakdown: [{}] } } }
    ]
    for (const column of wrong) expect(decodeDraft(column, lines)).toBeUndefined()
  })

  it("can be kept up to its bound in bytes, with what its lines carry, and not one byte above", () => {
    const withNotes = (length: number): NewOrder => ({
      ...order,
      items: [{ ...item, customizations: { notes: "é".repeat(length) } }]
    })
    const storable = (made: NewOrder) => isDraftStorable(made, encodeDraft(made))
    const sizeOf = (made: NewOrder) =>
      Buffer.byteLength(encodeDraft(made)) +
      Buffer.byteLength(JSON.stringify(made.items.map(({ metadata, customizations }) => [metadata, customizations])))
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
