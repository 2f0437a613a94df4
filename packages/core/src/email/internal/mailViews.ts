/**
 * The variables of mail templates, made from the data of events. Each view names its fields one by one, so that no
 * other field of an event can reach a template. Amounts are decimal strings, as in the event.
 */
import { Schema, Struct } from "effect"
import type { cartRecoveryAsked } from "../../checkout/CheckoutEvents.ts"
import type { customerSignedUp, TokenMail } from "../../customer/CustomerEvents.ts"
import type { exportCompleted } from "../../export/ExportEvents.ts"
import type { backInStock, lowStock } from "../../inventory/InventoryEvents.ts"
import { wholeName } from "../../kernel/Address.ts"
import { formatMoney, parseMoney } from "../../kernel/Money.ts"
import { orderMailAsked } from "../../order/OrderEvents.ts"
import { OrderView } from "../../order/OrderView.ts"
import type { ordersLinked } from "../../orderlink/OrderLinkEvents.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { cutText } from "../../kernel/CutText.ts"
import { taxLabelIn } from "../../template/LocalisedView.ts"
import type { View } from "../../template/TemplateRenderer.ts"
import type { CircuitOpened } from "../../webhook/WebhookEvents.ts"
import { addressLines } from "../../kernel/AddressLines.ts"

/**
 * The fields of an order event that mails use, with the event's own schemas. Other fields are not decoded, so they may
 * change without stopping a mail.
 */
export const OrderEvent = Schema.Struct({
  orderId: Schema.String,
  order: OrderView.mapFields((fields) => ({
    ...Struct.pick(fields, [
      "orderNumber",
      "currency",
      "subtotal",
      "discountAmount",
      "ruleDiscountAmount",
      "shippingAmount",
      "surchargeAmount",
      "taxAmount",
      "totalAmount",
      "status",
      "financialStatus",
      "paymentMethod",
      "notes",
      "customer",
      "shippingAddress",
      "shippingSelection",
      "trackingNumber",
      "trackingUrl",
      "carrier",
      "createdAt"
    ]),
    // Events of a release before carts had a language have none.
    locale: Schema.optionalKey(fields.locale),
    taxBreakdown: fields.taxBreakdown.mapFields(Struct.pick(["pricesIncludeTax"])),
    items: Schema.Array(
      fields.items.value.mapFields((item) => ({
        ...Struct.pick(item, ["name", "sku", "quantity", "unitPrice", "totalPrice"]),
        modifiers: Schema.optionalKey(Schema.Array(Schema.Unknown))
      }))
    )
  }))
})
export type OrderEvent = typeof OrderEvent.Type

/** The same of a mail that was asked for by what somebody did with the order. */
export const OrderMailEvent = Schema.Struct({
  ...OrderEvent.fields,
  ...Struct.pick(orderMailAsked.data.fields, ["mail", "details"])
})
export type OrderMailEvent = typeof OrderMailEvent.Type

/** The sum of the amounts, or null if it is zero. */
const sumOf = (currency: string, ...amounts: ReadonlyArray<string>): string | null => {
  let sum = 0n
  for (const amount of amounts) {
    const minor = parseMoney(amount, currency)
    if (typeof minor === "bigint") sum += minor
  }
  return sum === 0n ? null : formatMoney(sum, currency)
}

/** An instant, written out in the language and in the store's time zone: the date, or the date and the time. */
const written =
  (style: Intl.DateTimeFormatOptions) =>
  (iso: string, store: StoreContext, language: string): string => {
    const format = (language: string, timeZone: string) =>
      new Intl.DateTimeFormat(language, { ...style, timeZone }).format(new Date(iso))
    try {
      return format(language, store.timezone)
    } catch {
      return format("en", "UTC")
    }
  }
export const dayOf = written({ dateStyle: "long" })
const momentOf = written({ dateStyle: "long", timeStyle: "long" })

/**
 * The name that a mail greets its reader by, or null. Anybody can enter any address and any name in a form, so a name
 * that is long or looks like a link is left out: otherwise our mail would carry a stranger's message.
 */
export const greetingOf = (name: string | null): string | null => {
  const kept = name?.trim() ?? ""
  return kept === "" || kept.length > 80 || /[/@<>]|www\.|\.\p{L}{2}/iu.test(kept) ? null : kept
}

const methodOf = (selection: Readonly<Record<string, unknown>> | null): string | null => {
  const name = selection?.["methodName"]
  return typeof name === "string" ? name : null
}

/** Characters. An order with the greatest number of lines still fits into a mail. */
const longestName = 200
const longestSku = 60

/** The modifiers of an item in one line: "2 × Olives, Truffle"; null if none has a name. */
const addedTo = (modifiers: ReadonlyArray<unknown> = []): string | null => {
  const named = modifiers.flatMap((modifier) => {
    const { name, quantity } = (modifier ?? {}) as { readonly name?: unknown; readonly quantity?: unknown }
    if (typeof name !== "string") return []
    return [typeof quantity === "number" && quantity > 1 ? `${quantity} × ${name}` : name]
  })
  return named.length === 0 ? null : cutText(named.join(", "), longestName)
}

/** `language` is that of the mail's template. */
export const orderView = (store: StoreContext, { orderId, order }: OrderEvent, language: string): View => ({
  customerName: greetingOf(order.customer.name),
  customerEmail: order.customer.email,
  orderId,
  orderNumber: order.orderNumber,
  orderDate: dayOf(order.createdAt, store, language),
  items: order.items.map(({ name, sku, quantity, unitPrice, totalPrice, modifiers }) => ({
    name: cutText(name, longestName),
    sku: sku === null ? null : cutText(sku, longestSku),
    modifiers: addedTo(modifiers),
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
  taxLabel: taxLabelIn(language, order.taxBreakdown.pricesIncludeTax),
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

/** Reasons of a cancellation that are the buyer's business; suspicions and declined payments are not. */
const cancelReasonWords: Readonly<Record<string, { readonly en: string; readonly de: string }>> = {
  customer: { en: "as you asked", de: "auf Ihren Wunsch" },
  inventory: { en: "not in stock any more", de: "nicht mehr vorrätig" }
}

const cancelledBecause = (reason: string | null, language: string): string | null => {
  const words = reason === null ? undefined : cancelReasonWords[reason]
  return words === undefined ? null : words[language.startsWith("de") ? "de" : "en"]
}

/** As `orderView`, with what has happened to the order. The tracking of a mail is that of its own parcel. */
export const orderMailView = (store: StoreContext, event: OrderMailEvent, language: string): View => {
  const { items, reason = null, ...said } = event.details
  return {
    ...orderView(store, event, language),
    ...said,
    reason: event.mail === "ORDER_CANCELLED" ? cancelledBecause(reason, language) : reason,
    concernedItems: (items ?? []).map(({ name, sku, quantity }) => ({
      name: cutText(name, longestName),
      sku: sku === null ? null : cutText(sku, longestSku),
      quantity
    }))
  }
}

/**
 * `link` is the variable that holds the link with the token, and `path` is the page of the storefront that it leads to.
 * Without a known storefront (`base` is null) there is no link, and the reader adds `path` to the shop's address.
 */
export const tokenView =
  (event: TokenMail, base: string | null, { link, path }: { readonly link: string; readonly path: string }) =>
  (token: string): View => ({
    customerName: greetingOf(event.firstName),
    customerEmail: event.email,
    token,
    path: `${path}?token=${token}`,
    [link]: base === null ? null : `${base}${path}?token=${token}`
  })

/** For the owner. */
export const newCustomerView = (event: typeof customerSignedUp.data.Type): View => ({
  customerName: greetingOf(wholeName(event)),
  customerEmail: event.email
})

/** Without a known storefront (`base` is null) there is no link. */
export const ordersLinkedView = (event: typeof ordersLinked.data.Type, base: string | null): View => ({
  customerName: greetingOf(event.firstName),
  customerEmail: event.email,
  orderCount: event.orderCount,
  accountUrl: base === null ? null : `${base}/account`
})

interface Addressed {
  readonly email: string
}

/** As `tokenView`, for a mailbox that need not belong to a customer. */
export const newsletterConfirmationView =
  ({ email }: Addressed, base: string | null) =>
  (token: string): View => {
    const path = `/newsletter/confirm?token=${token}`
    return { customerEmail: email, token, path, confirmationUrl: base === null ? null : `${base}${path}` }
  }

/** The coupon of a confirmed sign-up; `code` is its code. */
export const newsletterWelcomeView =
  ({ email, expiresAt }: Addressed & { readonly expiresAt: string | null }, store: StoreContext, base: string | null) =>
  (couponCode: string, language: string): View => ({
    customerEmail: email,
    couponCode,
    expiresAt: expiresAt === null ? null : dayOf(expiresAt, store, language),
    shopUrl: base
  })

/** The name of a product with its variant, if it has one. */
const namedOf = ({ productName, variantName }: { readonly productName: string; readonly variantName: string | null }) =>
  cutText(variantName === null || variantName === "" ? productName : `${productName} - ${variantName}`, longestName)

/** The page of the cart; a guest's is found by the token. */
export const cartRecoveryView =
  (event: typeof cartRecoveryAsked.data.Type, base: string) =>
  (token: string): View => ({
    customerName: greetingOf(event.firstName),
    customerEmail: event.email,
    items: event.items.map(({ name, quantity }) => ({ name: cutText(name, longestName), quantity })),
    cartUrl: event.token === null ? `${base}/cart` : `${base}/cart?token=${token}`
  })

/** Without a known storefront (`base` is null) there is no link. */
export const backInStockView = (event: typeof backInStock.data.Type, base: string | null): View => {
  const path = `/products/${encodeURIComponent(event.slug)}`
  return { productName: namedOf(event), path, productUrl: base === null ? null : `${base}${path}` }
}

export const lowStockView = (event: typeof lowStock.data.Type): View => ({
  productName: namedOf(event),
  sku: event.sku,
  available: event.available,
  threshold: event.threshold
})

/** Characters. A URL may be longer; its host and path fit. */
const longestUrl = 500

/** `language` is that of the mail's template. */
export const circuitOpenView = (store: StoreContext, event: CircuitOpened, language: string): View => ({
  webhookUrl: cutText(event.url, longestUrl),
  webhookHost: new URL(event.url).host,
  openedAt: momentOf(event.openedAt, store, language),
  failureCount: event.failureCount,
  lastError: event.lastError
})

/** The link opens the file; the copy of the mail that is kept does not have it. */
export const exportView =
  ({ resource, rows }: typeof exportCompleted.data.Type, apiAddress: string) =>
  (token: string): View => ({ resource, rowCount: rows, downloadUrl: `${apiAddress}/exports/${token}` })
