/**
 * An order that waits for its money, as it is stored: JSON under a version, decoded through a schema, so that what a
 * release reads is an order or nothing. A release reads what the releases before it wrote.
 *
 * - Version 3 holds the adjustments and the tenders.
 * - Version 2 has neither: a line's discount is read as one manual adjustment. What shoppers wrote about their lines
 *   stays with the checkout, but for modifiers, which are kept as they were priced.
 * - Version 1 has no number, marks amounts and times, and holds what shoppers wrote.
 */
import { Option, Schema } from "effect"
import { Address } from "../kernel/Address.ts"
import { Adjustment, manualKinds } from "../pricing/Adjustment.ts"
import type { NewOrder, OrderItem } from "./Order.ts"
import { readTaxBreakdown, type StoredTaxBreakdown, TaxBreakdown } from "./TaxBreakdown.ts"

/** In UTF-8 bytes, with everything the lines carry. An order beyond it is refused before a provider is asked. */
export const maxDraftBytes = 4_194_304

const version = 3
/** What a process of the release before reads: while an installation is upgraded it may settle what this one began. */
const earlierVersion = 2

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
  modifiers: Schema.Array(Schema.Unknown),
  kitComponents: Schema.NullOr(
    Schema.Array(Schema.Struct({ productId: Schema.String, variantId: text, quantity: Schema.Int }))
  ),
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
  payments: Schema.Array(Payment),
  refunds: Schema.Array(Schema.Never)
})

const decodeOrder = Schema.decodeUnknownOption(Schema.toCodecJson(DraftedOrder))

/**
 * Modifiers are stored where they are priced, so that the order has the prices it was placed at; a release that does
 * not know that reads the choice from the checkout.
 */
const withoutExtras = ({ metadata: _, customizations: __, modifiers, ...item }: OrderItem) =>
  item.basePrice === undefined ? item : { ...item, modifiers }

/** An order that version 2 can hold is written as version 2. A later release writes version 3 alone. */
export const encodeDraft = (order: NewOrder): string => {
  const { adjustments, ...unadjusted } = { ...order, items: order.items.map(withoutExtras) }
  const isOfBefore = adjustments.length === 0 && order.payments.length === 1 && order.capturedAmount === 0n
  const stored = isOfBefore
    ? { version: earlierVersion, order: unadjusted }
    : { version, order: { ...unadjusted, adjustments } }
  return JSON.stringify(stored, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value))
}

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
  const stored = "version" in column ? column : { version: 1, order: plain(column) }
  if (!("order" in stored) || typeof stored.order !== "object" || stored.order === null) return undefined
  const { order } = stored
  const withExtras = ({ id, modifiers }: StoredItem) => {
    const written = extras[id] ?? noExtras
    return modifiers === undefined ? written : { ...written, modifiers }
  }
  switch (stored.version) {
    case version:
      return decodedWith(order, withExtras)
    case earlierVersion:
      return decodedWith({ ...order, adjustments: adjustmentsOf(order) }, withExtras)
    case 1:
      return decodedWith({ ...order, adjustments: adjustmentsOf(order) }, (item) => ({ ...noExtras, ...item }))
    default:
      return undefined
  }
}

type StoredItem = { readonly id: string } & Partial<LineExtras>

/** Versions that had no adjustments: the only discount of their time was the one a caller stated. */
const adjustmentsOf = (order: object): ReadonlyArray<unknown> => {
  const items: unknown = "items" in order ? order.items : undefined
  if (!Array.isArray(items)) return []
  return items.flatMap((item: Partial<Record<string, unknown>> | null) =>
    item?.["discount"] === undefined || item["discount"] === "0"
      ? []
      : [
          {
            kind: manualKinds.discount,
            sourceId: "discountAmount",
            part: "discount",
            target: "line",
            lineId: item["id"],
            amount: item["discount"],
            reason: null
          }
        ]
  )
}

/** Undefined where the column is no order that this release can read, whatever it is instead. */
const decodedWith = (order: object, extrasOf: (item: StoredItem) => LineExtras): NewOrder | undefined =>
  Option.getOrUndefined(
    Option.flatMap(
      Option.liftThrowable(() => {
        const { items, taxBreakdown } = order as {
          readonly items: ReadonlyArray<StoredItem>
          readonly taxBreakdown: StoredTaxBreakdown
        }
        return {
          // A release before carts had a language says nothing of it.
          locale: null,
          ...order,
          taxBreakdown: readTaxBreakdown(taxBreakdown),
          // A release before kits says nothing of components.
          items: items.map((item) => ({ kitComponents: null, ...item, ...extrasOf(item) }))
        }
      })(),
      decodeOrder
    )
  )

const marks = { bigint: "$bigint", date: "$date", object: "$object" } as const

/**
 * A value of version 1 without its marks: an amount or a time is its text. JSON that looked like a mark was wrapped.
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
