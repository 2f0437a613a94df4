/**
 * An order that waits for its money, as it is kept: JSON under a version, decoded through a schema, so that what a
 * release reads is an order or nothing. Version 2 leaves out what shoppers wrote about their lines, which stays with
 * the checkout. Version 1 (before 2, without a number) marked amounts and times.
 */
import { Option, Schema } from "effect"
import { Address } from "../kernel/Address.ts"
import type { NewOrder, OrderItem } from "./Order.ts"
import { readTaxBreakdown, type StoredTaxBreakdown, TaxBreakdown } from "./TaxBreakdown.ts"

/**
 * In UTF-8 bytes, with everything the lines carry: whoever writes an order beyond it is refused, before anybody is
 * asked for money.
 */
export const maxDraftBytes = 4_194_304

const version = 2

/** What a shopper wrote about a line. */
export type LineExtras = Pick<OrderItem, "metadata" | "customizations" | "modifiers">
const noExtras: LineExtras = { metadata: {}, customizations: {}, modifiers: [] }

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
  unitPrice: minor,
  subtotal: minor,
  discount: minor,
  tax: minor,
  total: minor,
  taxLines: Schema.Array(Schema.Unknown),
  metadata: json,
  customizations: json,
  modifiers: Schema.Array(Schema.Unknown)
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
  paidAt: text
})

const DraftedOrder = Schema.Struct({
  id: Schema.String,
  storeId: Schema.String,
  externalId: text,
  checkoutId: text,
  salesChannelId: text,
  customerId: text,
  platform: text,
  sourceName: text,
  status: Schema.Literals(["PENDING", "PAID"]),
  financialStatus: Schema.Literals(["pending", "paid"]),
  fulfillmentStatus: Schema.Literal("unfulfilled"),
  currency: Schema.String,
  subtotal: minor,
  discountAmount: minor,
  ruleDiscountAmount: minor,
  shippingAmount: minor,
  surchargeAmount: minor,
  taxAmount: minor,
  totalAmount: minor,
  capturedAmount: minor,
  refundedAmount: minor,
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
  payments: Schema.Array(Payment),
  refunds: Schema.Array(Schema.Never)
})

const decodeOrder = Schema.decodeUnknownOption(Schema.toCodecJson(DraftedOrder))

const withoutExtras = ({ metadata: _, customizations: __, modifiers: ___, ...item }: OrderItem) => item

export const encodeDraft = (order: NewOrder): string =>
  JSON.stringify({ version, order: { ...order, items: order.items.map(withoutExtras) } }, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value
  )

/** Whether an order, its draft and what its lines carry, can be kept. */
export const isDraftStorable = (order: NewOrder, draft: string): boolean => {
  const extras = JSON.stringify(
    order.items.map(({ metadata, customizations, modifiers }) => [metadata, customizations, modifiers])
  )
  return Buffer.byteLength(draft) + Buffer.byteLength(extras) <= maxDraftBytes
}

/**
 * From the parsed column and what the checkout's lines carry, by their ids; undefined where it is no order that this
 * release can read.
 */
export const decodeDraft = (column: unknown, extras: Readonly<Record<string, LineExtras>>): NewOrder | undefined => {
  if (typeof column !== "object" || column === null) return undefined
  const kept = "version" in column ? column : { version: 1, order: plain(column) }
  if (!("order" in kept) || typeof kept.order !== "object" || kept.order === null) return undefined
  if (kept.version === version) return decodedWith(kept.order, ({ id }) => extras[id] ?? noExtras)
  return kept.version === 1 ? decodedWith(kept.order, (item) => ({ ...noExtras, ...item })) : undefined
}

type Kept = { readonly id: string } & Partial<LineExtras>

/** Whatever has become of the column, no more than "no order" comes of it. */
const decodedWith = (order: object, extrasOf: (item: Kept) => LineExtras): NewOrder | undefined =>
  Option.getOrUndefined(
    Option.flatMap(
      Option.liftThrowable(() => {
        const { items, taxBreakdown } = order as {
          readonly items: ReadonlyArray<Kept>
          readonly taxBreakdown: StoredTaxBreakdown
        }
        return {
          ...order,
          taxBreakdown: readTaxBreakdown(taxBreakdown),
          items: items.map((item) => ({ ...item, ...extrasOf(item) }))
        }
      })(),
      decodeOrder
    )
  )

const marks = { bigint: "$bigint", date: "$date", object: "$object" } as const

/**
 * A value of version 1 with its marks taken off: an amount or a time is its text. A shopper's own JSON that looked like
 * a mark was wrapped in one more.
 */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value)
  const [key, inner] = entries.length === 1 && entries[0] !== undefined ? entries[0] : [undefined, undefined]
  if (key === marks.bigint || key === marks.date) return inner
  const object = key === marks.object && typeof inner === "object" && inner !== null ? inner : value
  return Object.fromEntries(Object.entries(object).map(([name, each]) => [name, plain(each)]))
}
