/**
 * The event types there are (interface.md, Catalogue), what a subscription may name, and a JSON Schema of each one's
 * data. `*` names all of them, `order.*` all of one resource. Types that begin with `internal.` are ours alone and in
 * no catalogue.
 */
import { Schema } from "effect"
import { ProductSnapshot } from "../catalog/ProductView.ts"
import { InventoryUpdated } from "../inventory/InventoryEvents.ts"
import { OrderView } from "../order/OrderView.ts"

export const EventTypeEntry = Schema.Struct({
  type: Schema.String,
  /** `coming_soon`: nobody sends it yet, so a subscription cannot name it. */
  status: Schema.Literals(["live", "coming_soon"]),
  description: Schema.String,
  /** JSON Schema, draft 2020-12, of `data`. */
  schema: Schema.Record(Schema.String, Schema.Unknown)
})
export type EventTypeEntry = typeof EventTypeEntry.Type

const text = Schema.String
const json = Schema.Record(Schema.String, Schema.Unknown)
const orderFields = { orderId: text, order: OrderView }
const orderData = Schema.Struct(orderFields)
const customerData = Schema.Struct({ customerId: text, customer: json })
const productData = Schema.Struct({ productId: text, product: ProductSnapshot })
const donationData = Schema.Struct({ donationId: text, donation: json })

const schemaOf = (data: Schema.Constraint): Readonly<Record<string, unknown>> => {
  const document = Schema.toJsonSchemaDocument(data)
  return Object.keys(document.definitions).length === 0
    ? document.schema
    : { ...document.schema, $defs: document.definitions }
}

const entries: ReadonlyArray<
  readonly [type: string, description: string, data: Schema.Constraint, status?: "coming_soon"]
> = [
  ["order.created", "An order is placed, paid or not. A failed payment produces none.", orderData],
  ["order.updated", "An order's metadata change.", orderData],
  ["order.paid", "A provider captured the funds, or a payment outside of it was recorded.", orderData],
  ["order.fulfilled", "All items are shipped or delivered.", orderData],
  ["order.cancelled", "The merchant or the customer cancelled the order.", orderData],
  [
    "order.refunded",
    "A full or partial refund, also one taken in a payment provider's own dashboard: that one has `source` and no `refundId`.",
    Schema.Struct({
      ...orderFields,
      refundType: Schema.Literals(["full", "partial"]),
      refundId: Schema.optionalKey(text),
      source: Schema.optionalKey(Schema.Literal("provider"))
    })
  ],
  ["checkout.completed", "A checkout became an order.", Schema.Struct({ checkoutId: text, ...orderFields })],
  [
    "checkout.abandoned",
    "A checkout with an e-mail address was left and has not been completed.",
    Schema.Struct({ checkoutId: text, checkout: Schema.optionalKey(json) }),
    "coming_soon"
  ],
  [
    "customer.created",
    "An account is created. May come again for a known customer: treat it as an upsert. Guest checkouts have none.",
    customerData
  ],
  ["customer.updated", "Profile or contact change.", customerData],
  ["customer.deleted", "An account is deleted.", Schema.Struct({ customerId: text })],
  ["product.created", "A product is created.", productData],
  ["product.updated", "A product changes.", productData],
  ["product.deleted", "A product is deleted.", Schema.Struct({ productId: text })],
  ["inventory.updated", "Stock changes.", InventoryUpdated],
  ["payment.failed", "A payment was declined or failed.", Schema.Struct({ checkoutId: text, error: Schema.Unknown })],
  [
    "payment.refunded",
    "A provider reports a refund. Only of providers that do.",
    Schema.Struct({ paymentId: text, payment: json })
  ],
  ["donation.created", "A donation is made.", donationData, "coming_soon"],
  ["donation.refunded", "A donation is paid back.", donationData, "coming_soon"]
]

/** Compiled when first asked for: the schemas of orders and products are large. */
let compiled: ReadonlyArray<EventTypeEntry> | undefined

export const eventCatalog = (): ReadonlyArray<EventTypeEntry> => {
  compiled ??= entries.map(([type, description, data, status]) => ({
    type,
    status: status ?? "live",
    description,
    schema: schemaOf(data)
  }))
  return compiled
}

export const eventTypes: ReadonlyArray<string> = entries.map(([type]) => type)

const liveTypes = entries.flatMap(([type, , , status]) => (status === undefined ? [type] : []))
const wildcards = ["*", ...eventTypes.map((type) => `${type.slice(0, type.indexOf("."))}.*`)]
const known: ReadonlySet<string> = new Set([...wildcards, ...eventTypes])
const subscribable: ReadonlySet<string> = new Set([...wildcards, ...liveTypes])

const outside = (set: ReadonlySet<string>, names: ReadonlyArray<string>) =>
  [...new Set(names)].filter((name) => !set.has(name))

/** Those of `names` that are neither a type of the catalogue nor a wildcard of it, in their order, each once. */
export const unknownEvents = (names: ReadonlyArray<string>): ReadonlyArray<string> => outside(known, names)

/**
 * Those of `names` that a subscription cannot hold: unknown, or not sent by anybody yet. A wildcard hears of such a
 * type from the day it is sent.
 */
export const unsubscribable = (names: ReadonlyArray<string>): ReadonlyArray<string> => outside(subscribable, names)

/** Event types that are ours alone. */
export const isInternal = (type: string): boolean => type.startsWith(internalPrefix)
export const internalPrefix = "internal."

/** Whether a subscription to `names` hears of `type`. */
export const hears = (names: ReadonlyArray<string>, type: string): boolean =>
  !isInternal(type) &&
  (names.includes("*") || names.includes(type) || names.includes(`${type.slice(0, type.indexOf("."))}.*`))
