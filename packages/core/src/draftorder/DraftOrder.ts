/**
 * A draft order: the bodies that make and change it, the draft in memory, and its view. What is stored of it is the
 * body of an order to enter with a price for every item, and the order that it would be.
 */
import { Schema } from "effect"
import { AddressInput, Email } from "../kernel/Address.ts"
import { Amount } from "../kernel/Amount.ts"
import {
  clearable,
  described,
  nullableString,
  nullableTimestamp,
  oneOf,
  optional,
  Reference,
  text
} from "../kernel/Fields.ts"
import { modifierChoices } from "../modifier/LineModifiers.ts"
import { couponCode, itemFields, itemsOf } from "../order/OrderFields.ts"
import type { NewOrder, OrderState } from "../order/Order.ts"
import { OrderView, toOrderView } from "../order/OrderView.ts"
import type { OrderInput } from "../orderentry/OrderInput.ts"

export const draftStatuses = ["OPEN", "INVOICE_SENT", "COMPLETED"] as const
export type DraftStatus = (typeof draftStatuses)[number]

const itemOf = {
  productId: clearable(Reference, "The product. Without one the item needs a `name` and a `price` and takes no stock."),
  ...itemFields,
  price: clearable(Amount, "Price of one unit: a number or a decimal string. The product's by default.", "19.99"),
  name: clearable(text(500), "Name of the item. The product's by default.", "Desk lamp"),
  modifiers: modifierChoices("What is added, of the product's modifier groups. A `price` that is given includes them.")
}

const Item = Schema.Struct(itemOf).annotate({
  identifier: "DraftOrderItem",
  description: "An item of a draft order to create."
})

const ChangedItem = Schema.Struct({
  id: optional(
    Reference,
    "An item of the draft: it keeps its id, and its price unless one is given.",
    "item_01k9f3m2q7x4b8n6c5d1e0h2jk"
  ),
  ...itemOf
}).annotate({ identifier: "ChangedDraftOrderItem", description: "An item of a draft order from now on." })

const Buyer = Schema.Struct({
  email: clearable(Email, "E-mail address of the buyer: where the invoice is sent to.", "ada@example.com"),
  name: clearable(text(200), "Name of the buyer. By default the first and last name.", "Ada Lovelace"),
  firstName: clearable(text(100), "First name of the buyer.", "Ada"),
  lastName: clearable(text(100), "Last name of the buyer.", "Lovelace"),
  phone: clearable(text(40), "Telephone number of the buyer.", "+14155550100")
}).annotate({ identifier: "DraftOrderBuyer", description: "The buyer of a draft order. Give this or `customerId`." })
const stated = "A number or a decimal string."

/** All fields but the items; null and absent are the same where a draft is made. */
const fields = {
  salesChannelId: clearable(
    text(200),
    "The sales channel that its invoice is paid on, and that its order is of. The invoice of a draft without one is " +
      "paid on the store's first channel."
  ),
  customer: Schema.optionalKey(Schema.NullOr(Buyer)),
  customerId: clearable(text(200), "The customer of the store who buys. Give this or `customer`."),
  externalId: clearable(text(191), "Id that the order gets, unique among the orders of the store.", "quote-77"),
  discountAmount: clearable(Amount, `A discount on the whole order. ${stated}`, "0.00"),
  couponCode,
  shippingAmount: clearable(Amount, `Price of shipping; 0.00 by default. ${stated}`, "5.00"),
  taxAmount: clearable(
    Amount,
    `All tax. ${stated} Left out, the store's rates decide where an address is given.`,
    "3.55"
  ),
  paymentMethod: clearable(text(100), "How it is to be paid, for the merchant to read.", "bank_transfer"),
  notes: clearable(text(2_000), "What is to be known about the order."),
  sourceName: clearable(
    text(200),
    "Where it was asked for, for the merchant to read. `draft` by default.",
    "telephone"
  ),
  shippingAddress: Schema.optionalKey(Schema.NullOr(AddressInput)),
  billingAddress: Schema.optionalKey(Schema.NullOr(AddressInput))
}

const currency = optional(
  text(200),
  "ISO 4217 currency of all amounts; the store's by default. A draft keeps the currency that it began in.",
  "USD"
)

export const DraftOrderInput = Schema.Struct({
  items: itemsOf(Item, "What is sold: 1 to 500 items."),
  ...fields,
  currency
}).annotate({
  identifier: "CreateDraftOrder",
  description: "A draft order to create."
})
export type DraftOrderInput = typeof DraftOrderInput.Type

export const DraftOrderPatch = Schema.Struct({
  items: Schema.optionalKey(
    itemsOf(ChangedItem, "All items of the draft from now on. A new one without a price has the product's of now.")
  ),
  ...fields,
  currency
}).annotate({
  identifier: "UpdateDraftOrder",
  description: "Fields of a draft order to change; null clears a field, and what is left out stays."
})
export type DraftOrderPatch = typeof DraftOrderPatch.Type

export const DraftInvoiceInput = Schema.Struct({
  to: clearable(Email, "Where the invoice is sent. By default the buyer's address.", "ada@example.com"),
  subject: clearable(text(200), "The subject of the mail, in place of the template's.", "Your offer"),
  message: clearable(text(2_000), "What the mail says above the items.", "As we talked about on the telephone.")
}).annotate({ identifier: "SendDraftInvoice", description: "How the invoice of a draft order is sent." })
export type DraftInvoiceInput = typeof DraftInvoiceInput.Type

export const DraftCompletion = Schema.Struct({
  paymentMethod: clearable(text(100), "How it is paid, for the merchant to read.", "bank_transfer"),
  reference: clearable(text(500), "What identifies the payment outside, such as a transfer's reference."),
  paid: optional(Schema.Boolean, "Whether all of it has been paid outside of a checkout. False by default.", true)
}).annotate({ identifier: "CompleteDraftOrder", description: "How a draft order becomes an order." })
export type DraftCompletion = typeof DraftCompletion.Type

export const DraftInvoiceToken = Schema.Struct({
  token: described(
    Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(200))),
    "The token of the invoice's link."
  )
}).annotate({ identifier: "OpenDraftInvoice", description: "The token of an invoice's link." })

export const DraftOrderView = Schema.Struct({
  ...OrderView.fields,
  orderNumber: nullableString("Number of its order; null until it is completed.", "#1001"),
  draftStatus: oneOf(
    draftStatuses,
    "OPEN until its invoice is sent, and again once it is changed afterwards; COMPLETED once it has an order."
  ),
  orderId: nullableString("The order that it has become; null until it is completed."),
  salesChannelId: nullableString("The sales channel that it is for; null for the store's first."),
  invoiceSentAt: nullableTimestamp("When the invoice that stands was sent; null where none does.")
}).annotate({
  identifier: "DraftOrder",
  description:
    "A draft order: the order that it would be, priced when it was written last. A COMPLETED one shows its order."
})
export type DraftOrderView = typeof DraftOrderView.Type

export interface DraftOrderState {
  readonly id: string
  readonly storeId: string
  readonly salesChannelId: string | null
  readonly customerId: string | null
  readonly email: string | null
  readonly currency: string
  /** Whether the currency was the store's when the draft began. */
  readonly inStoreCurrency: boolean
  /** What would enter its order: every item has its price. */
  readonly body: OrderInput
  /** The order that it would be. */
  readonly priced: NewOrder
  readonly invoiceSentAt: Date | null
  readonly invoiceExpiresAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** `order`: the one that it has become, if it has. */
export const toDraftOrderView = (draft: DraftOrderState, order: OrderState | undefined): DraftOrderView => {
  const later = { statusLabel: null, disputes: [], parcels: [], invoiceNumber: null, downloads: [] }
  const unplaced = { ...later, orderNumber: 0n, paidAt: null }
  const { orderNumber, ...shown } = toOrderView(order ?? { ...draft.priced, ...unplaced })
  const open = draft.invoiceSentAt === null ? "OPEN" : "INVOICE_SENT"
  return {
    ...shown,
    id: draft.id,
    orderNumber: order === undefined ? null : orderNumber,
    orderId: order?.id ?? null,
    draftStatus: order === undefined ? open : "COMPLETED",
    salesChannelId: draft.salesChannelId,
    invoiceSentAt: draft.invoiceSentAt?.toISOString() ?? null,
    createdAt: draft.createdAt.toISOString(),
    updatedAt: draft.updatedAt.toISOString()
  }
}
