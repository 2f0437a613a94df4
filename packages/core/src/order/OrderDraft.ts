/**
 * An order that waits for its payment, as it is stored: versioned JSON, decoded through a schema, so that a read
 * returns a valid order or nothing. What shoppers wrote about their lines stays with the checkout.
 */
import { Effect, Option, Schema } from "effect"
import { ExplanationView } from "../explanation/Explanation.ts"
import { Address } from "../kernel/Address.ts"
import { OrderPresentment } from "../fx/OrderPresentment.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import { Adjustment } from "../pricing/Adjustment.ts"
import type { NewOrder, OrderItem } from "./Order.ts"
import { TaxBreakdown } from "../pricing/TaxBreakdown.ts"

/** In UTF-8 bytes, with all the data of the lines. A larger order is rejected before a provider is asked. */
export const maxDraftBytes = 4_194_304

/** What a shopper wrote about a line. */
export type LineExtras = Pick<OrderItem, "metadata" | "customizations">
const noExtras: LineExtras = { metadata: {}, customizations: {} }

const text = Schema.NullOr(Schema.String)
const json = Schema.Record(Schema.String, Schema.Unknown)
const minor = Schema.BigInt

const Item = Schema.Struct({
  id: Schema.String,
  productId: text,
  variantId: text,
  sku: text,
  name: Schema.String,
  image: text,
  quantity: Schema.Int,
  fulfilledQuantity: Schema.Int,
  // Drafts of older releases have none.
  refundedQuantity: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  unitPrice: minor,
  subtotal: minor,
  discount: minor,
  tax: minor,
  total: minor,
  taxLines: Schema.Array(Schema.Unknown),
  modifiers: Schema.Array(Schema.Unknown),
  kitComponents: Schema.NullOr(
    Schema.Array(Schema.Struct({ productId: Schema.String, variantId: text, quantity: Schema.Int }))
  ),
  comesWithFiles: Schema.optionalKey(Schema.Boolean),
  basePrice: Schema.optionalKey(minor)
})

const Payment = Schema.Struct({
  id: Schema.String,
  provider: Schema.String,
  method: Schema.String,
  reference: text,
  status: Schema.Literals(["pending", "authorized", "captured", "voided", "failed"]),
  amount: minor,
  captured: minor,
  refunded: minor,
  paidAt: text,
  codeLast4: Schema.optionalKey(text)
})

const DraftedOrder = Schema.Struct({
  id: Schema.String,
  storeId: Schema.String,
  externalId: text,
  checkoutId: text,
  // Those of older releases have none.
  draftId: text.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  salesChannelId: text,
  customerId: text,
  platform: text,
  sourceName: text,
  status: Schema.Literals(["PENDING", "PAID"]),
  financialStatus: Schema.Literals(["pending", "paid"]),
  fulfillmentStatus: Schema.Literal("unfulfilled"),
  currency: Schema.String,
  locale: text,
  subtotal: minor,
  discountAmount: minor,
  ruleDiscountAmount: minor,
  shippingAmount: minor,
  surchargeAmount: minor,
  taxAmount: minor,
  totalAmount: minor,
  capturedAmount: minor,
  refundedAmount: minor,
  // As above.
  presentment: Schema.NullOr(OrderPresentment).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  taxBreakdown: TaxBreakdown,
  couponCode: text,
  email: text,
  customer: Schema.Struct({ name: Schema.optionalKey(text), phone: Schema.optionalKey(text) }),
  shippingAddress: Schema.NullOr(Address),
  billingAddress: Schema.NullOr(Address),
  shippingSelection: Schema.NullOr(json),
  deliveryType: Schema.String,
  pickupLocation: Schema.NullOr(json),
  paymentMethod: text,
  notes: text,
  customFieldValues: json,
  adminFieldValues: json,
  statusLabelId: text,
  statusHistory: Schema.Array(Schema.Unknown),
  syncWarning: text,
  isTestOrder: Schema.Boolean,
  isRead: Schema.Boolean,
  trackingNumber: text,
  trackingUrl: text,
  carrier: text,
  createdAt: Schema.Date,
  updatedAt: Schema.Date,
  items: Schema.Array(Item).pipe(Schema.check(Schema.isMinLength(1))),
  adjustments: Schema.Array(Adjustment),
  explanation: Schema.optionalKey(Schema.NullOr(ExplanationView)),
  payments: Schema.Array(Payment),
  refunds: Schema.Array(Schema.Never)
})

const decode = Schema.decodeUnknownOption(
  Schema.toCodecJson(Schema.Struct({ version: Schema.Literal(1), order: DraftedOrder }))
)

const withoutExtras = ({ metadata: _, customizations: __, ...item }: OrderItem) => item

export const encodeDraft = (order: NewOrder): string =>
  jsonText({ version: 1, order: { ...order, items: order.items.map(withoutExtras) } })

/** Whether an order, its draft and the data of its lines can be stored. */
export const isDraftStorable = (order: NewOrder, draft: string): boolean => {
  const extras = JSON.stringify(order.items.map(({ metadata, customizations }) => [metadata, customizations]))
  return Buffer.byteLength(draft) + Buffer.byteLength(extras) <= maxDraftBytes
}

/** From the parsed column and the data of the checkout's lines, by their ids; undefined if it is no valid order. */
export const decodeDraft = (column: unknown, extras: Readonly<Record<string, LineExtras>>): NewOrder | undefined =>
  Option.getOrUndefined(
    Option.map(decode(column), ({ order }) => ({
      ...order,
      explanation: order.explanation ?? null,
      items: order.items.map((item) => ({ ...(extras[item.id] ?? noExtras), ...item })),
      payments: order.payments.map((payment) => ({ ...payment, surplus: 0n, failure: null }))
    }))
  )
