/**
 * What mails are filled with, taken from the data of events. Each view names its fields one by one: nothing of an event
 * reaches a template because it happens to be there. Amounts are decimal strings, as in the event.
 */
import { Schema } from "effect"
import { OrderAddress } from "../../kernel/Address.ts"
import { formatMoney, parseMoney } from "../../kernel/Money.ts"
import { defaultLanguage, type StoreContext } from "../../store/StoreContext.ts"
import { cut, type View } from "../TemplateRenderer.ts"
import { addressLines } from "./addressLines.ts"

const nullableText = Schema.NullOr(Schema.String)

/** The part of an order event that mails show; what else is in there is of no interest, and may change. */
export const OrderEvent = Schema.Struct({
  orderId: Schema.String,
  order: Schema.Struct({
    orderNumber: Schema.String,
    currency: Schema.String,
    subtotal: Schema.String,
    discountAmount: Schema.String,
    ruleDiscountAmount: Schema.String,
    shippingAmount: Schema.String,
    surchargeAmount: Schema.String,
    taxAmount: Schema.String,
    totalAmount: Schema.String,
    taxBreakdown: Schema.Struct({ pricesIncludeTax: Schema.Boolean }),
    status: Schema.String,
    financialStatus: Schema.String,
    paymentMethod: nullableText,
    notes: nullableText,
    customer: Schema.Struct({ email: nullableText, name: nullableText }),
    shippingAddress: Schema.NullOr(OrderAddress),
    shippingSelection: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
    items: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        sku: nullableText,
        quantity: Schema.Int,
        unitPrice: Schema.String,
        totalPrice: Schema.String
      })
    ),
    trackingNumber: nullableText,
    trackingUrl: nullableText,
    carrier: nullableText,
    createdAt: Schema.String
  })
})
export type OrderEvent = typeof OrderEvent.Type

/** A customer asked for a mail with a token (customer room); `token` is sealed. */
export const TokenEvent = Schema.Struct({
  customerId: Schema.String,
  email: Schema.String,
  firstName: nullableText,
  language: nullableText,
  salesChannelId: nullableText,
  token: Schema.String
})
export type TokenEvent = typeof TokenEvent.Type

/** The sum of amounts, or null where it is nothing. */
const sumOf = (currency: string, ...amounts: ReadonlyArray<string>): string | null => {
  let sum = 0n
  for (const amount of amounts) {
    const minor = parseMoney(amount, currency)
    if (typeof minor === "bigint") sum += minor
  }
  return sum === 0n ? null : formatMoney(sum, currency)
}

/** A day in the words of a language, in the store's time zone. */
const dayOf = (iso: string, store: StoreContext): string => {
  const format = (language: string, timeZone: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone }).format(new Date(iso))
  try {
    return format(defaultLanguage(store), store.timezone)
  } catch {
    return format("en", "UTC")
  }
}

/**
 * A name to greet by. Anybody can have a mail sent to any address by giving it in a form; a name that is long or looks
 * like an address would make our mail carry theirs, so such a name is left out.
 */
export const greetingOf = (name: string | null): string | null => {
  const kept = name?.trim() ?? ""
  return kept === "" || kept.length > 80 || /[/@<>]|www\.|\.\p{L}{2}/iu.test(kept) ? null : kept
}

const methodOf = (selection: Readonly<Record<string, unknown>> | null): string | null => {
  const name = selection?.["methodName"]
  return typeof name === "string" ? name : null
}

/** So that an order of as many lines as there may be still makes a mail. Characters. */
const longestName = 200
const longestSku = 60

export const orderView = (store: StoreContext, { orderId, order }: OrderEvent): View => ({
  customerName: greetingOf(order.customer.name),
  customerEmail: order.customer.email,
  orderId,
  orderNumber: order.orderNumber,
  orderDate: dayOf(order.createdAt, store),
  items: order.items.map(({ name, sku, quantity, unitPrice, totalPrice }) => ({
    name: cut(name, longestName),
    sku: sku === null ? null : cut(sku, longestSku),
    quantity,
    unitPrice,
    totalPrice
  })),
  currency: order.currency,
  subtotal: order.subtotal,
  discountTotal: sumOf(order.currency, order.discountAmount, order.ruleDiscountAmount),
  shippingAmount: order.shippingAmount,
  shippingMethod: methodOf(order.shippingSelection),
  surchargeTotal: sumOf(order.currency, order.surchargeAmount),
  taxLabel: order.taxBreakdown.pricesIncludeTax ? "Tax (included)" : "Tax",
  taxAmount: order.taxAmount,
  totalAmount: order.totalAmount,
  status: order.status,
  financialStatus: order.financialStatus,
  paymentMethod: order.paymentMethod,
  notes: order.notes,
  shippingAddress: order.shippingAddress === null ? null : { lines: addressLines(order.shippingAddress) },
  trackingNumber: order.trackingNumber,
  trackingUrl: order.trackingUrl,
  carrier: order.carrier
})

/**
 * `link` is the name of the address with the token, `path` the page of the storefront it leads to. Where nobody has
 * said where that is there is no link: `path` is then what the reader adds to the shop's address.
 */
export const tokenView =
  (event: TokenEvent, base: string | null, { link, path }: { readonly link: string; readonly path: string }) =>
  (token: string): View => ({
    customerName: greetingOf(event.firstName),
    customerEmail: event.email,
    token,
    path: `${path}?token=${token}`,
    [link]: base === null ? null : `${base}${path}?token=${token}`
  })
