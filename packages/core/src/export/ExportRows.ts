/**
 * The columns of each export and how a stored row fills them. docs/guides/exports.md describes them; programs and
 * spreadsheets rely on the names, so a column is added at the end and never renamed.
 */
import { type Address, toOrderAddress } from "../kernel/Address.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { ExportResource } from "./Export.ts"
import type { Cell, Column, ExportRow } from "./ExportFormat.ts"

/** A row as the statement returns it: JSON by the names of the columns, amounts as texts of minor units. */
export type StoredRow = Readonly<Record<string, unknown>>

const texts = (...names: ReadonlyArray<string>): ReadonlyArray<Column> => names.map((name) => ({ name }))
const numbers = (...names: ReadonlyArray<string>): ReadonlyArray<Column> =>
  names.map((name) => ({ name, isNumber: true }))

const addressParts = ["Name", "Company", "Line1", "Line2", "City", "State", "PostalCode", "Country"] as const
const addressColumns = (prefix: string) => texts(...addressParts.map((part) => `${prefix}${part}`))

/** Amounts of the whole order: in the row of its first line alone, so that a column adds up. */
const orderAmounts = [
  "subtotal",
  "discountAmount",
  "ruleDiscountAmount",
  "shippingAmount",
  "surchargeAmount",
  "taxAmount",
  "totalAmount",
  "capturedAmount",
  "refundedAmount"
] as const
const lineAmounts = ["unitPrice", "lineSubtotal", "lineDiscount", "lineTax", "lineTotal"] as const
const productAmounts = ["price", "salePrice", "costPrice"] as const

export const columns: Readonly<Record<ExportResource, ReadonlyArray<Column>>> = {
  orders: [
    ...texts("orderId", "orderNumber", "createdAt", "status", "financialStatus", "fulfillmentStatus", "currency"),
    ...numbers(...orderAmounts),
    ...texts("email", "customerName", "customerId", "couponCode", "shippingMethod", "paymentMethod", "paidAt"),
    ...texts("sourceName", "salesChannelId", "isTestOrder", "externalId", "invoiceNumber", "notes"),
    ...numbers("lineNumber"),
    ...texts("productId", "variantId", "sku", "name"),
    ...numbers("quantity", "fulfilledQuantity", ...lineAmounts),
    ...addressColumns("billing"),
    ...addressColumns("shipping")
  ],
  customers: [
    ...texts("customerId", "email", "firstName", "lastName", "phone", "hasAccount", "emailVerified"),
    ...texts("acceptsMarketing"),
    ...numbers("birthMonth", "birthDay", "orderCount"),
    ...texts("externalId", "createdAt", "updatedAt")
  ],
  products: [
    ...texts("productId", "variantId", "type", "status", "name", "variantName", "slug", "sku", "gtin", "mpn"),
    ...texts("currency"),
    ...numbers(...productAmounts, "total", "reserved", "available"),
    ...texts("categories", "brands", "tags", "isDownloadable"),
    ...numbers("weight"),
    ...texts("weightUnit", "createdAt", "updatedAt")
  ],
  inventory: [
    ...texts("productId", "variantId", "sku", "name", "variantName", "trackingMode", "backorderMode"),
    ...numbers("backorderLimit", "total", "reserved", "available", "lowStockThreshold"),
    ...texts("updatedAt")
  ]
}

const cellOf = (value: unknown): Cell =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null

const amountOf = (value: unknown, currency: string): Cell =>
  typeof value === "string" ? formatMoney(BigInt(value), currency) : null

const amountsOf = (row: StoredRow, names: ReadonlyArray<string>, currency: string): ExportRow =>
  Object.fromEntries(names.map((name) => [name, amountOf(row[name], currency)]))

const isAddress = (value: unknown): value is Address => typeof value === "object" && value !== null

const addressOf = (prefix: string, value: unknown): ExportRow => {
  if (!isAddress(value)) return {}
  const { name, company, line1, line2, city, state, postalCode, country } = toOrderAddress(value)
  const parts = [name, company, line1, line2, city, state, postalCode, country]
  return Object.fromEntries(addressParts.map((part, i) => [`${prefix}${part}`, cellOf(parts[i])]))
}

/** ISO 8601 with milliseconds, as everywhere in the API. */
const momentOf = (value: unknown): Cell => (typeof value === "string" ? new Date(value).toISOString() : null)
const moments = ["createdAt", "updatedAt", "paidAt"] as const

const orderRow = (row: StoredRow, currency: string): ExportRow => ({
  ...(row["lineNumber"] === 1 ? amountsOf(row, orderAmounts, currency) : {}),
  ...amountsOf(row, lineAmounts, currency),
  ...addressOf("billing", row["billingAddress"]),
  ...addressOf("shipping", row["shippingAddress"])
})

/** The row of a file that a stored row makes. `currency` is the store's. */
export const exportRow = (resource: ExportResource, row: StoredRow, currency: string): ExportRow => {
  const own = typeof row["currency"] === "string" ? row["currency"] : currency
  const amounts =
    resource === "orders"
      ? orderRow(row, own)
      : resource === "products"
        ? { ...amountsOf(row, productAmounts, own), currency: own }
        : {}
  const plain = Object.fromEntries(columns[resource].map(({ name }) => [name, cellOf(row[name])]))
  const times = Object.fromEntries(moments.filter((name) => name in plain).map((name) => [name, momentOf(row[name])]))
  const blank = resource === "orders" ? Object.fromEntries(orderAmounts.map((name) => [name, null])) : {}
  return { ...plain, ...blank, ...times, ...amounts }
}
