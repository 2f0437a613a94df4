/** The JSON of an order as the hand-written baseline makes it from the rows of its tables. */

export type Row = Readonly<Record<string, unknown>>

export interface OrderRows {
  readonly order: Row
  readonly items: ReadonlyArray<Row>
  readonly payments: ReadonlyArray<Row>
  readonly refunds: ReadonlyArray<Row>
  readonly adjustments: ReadonlyArray<Row>
}

const amount = (minor: unknown): string => {
  const digits = String(minor).padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const time = (at: unknown): string | null => (at instanceof Date ? at.toISOString() : null)

const title = (status: string): string => status.charAt(0) + status.slice(1).toLowerCase().replaceAll("_", " ")

const address = (stored: unknown) => {
  if (stored === null || typeof stored !== "object") return null
  const { region, firstName, lastName, ...rest } = stored as Record<string, string | null>
  const name = [firstName, lastName].filter(Boolean).join(" ")
  return { name: name === "" ? null : name, firstName, lastName, ...rest, state: region }
}

const itemView = (row: Row) => ({
  id: row["id"],
  productId: row["product_id"],
  variantId: row["variant_id"],
  sku: row["sku"],
  name: row["name"],
  quantity: row["quantity"],
  fulfilledQuantity: row["fulfilled_quantity"],
  refundedQuantity: row["refunded_quantity"],
  price: amount(row["unit_price"]),
  unitPrice: amount(row["unit_price"]),
  totalPrice: amount(row["subtotal"]),
  image: row["image"],
  metadata: row["metadata"],
  customizations: row["customizations"],
  modifiers: row["modifiers"],
  kitComponents: row["kit_components"] ?? []
})

const refundView = (row: Row) => ({
  id: row["id"],
  amount: amount(row["amount"]),
  reason: row["reason"],
  status: row["status"],
  type: row["type"],
  source: row["source"],
  createdAt: time(row["created_at"])
})

const paymentPart = ({ order, payments }: OrderRows) => {
  const [first] = payments
  return {
    paymentStatus: order["financial_status"],
    paymentProviderType: first?.["provider"] ?? null,
    paymentProviderName: first?.["provider"] ?? null,
    paymentId: first?.["id"] ?? null,
    paymentExternalId: first?.["reference"] ?? null,
    paymentAmount: amount(first?.["amount"] ?? order["total_amount"]),
    paymentCurrency: order["currency"],
    paymentRefundedAmount: amount(order["refunded_amount"]),
    numberOfPayments: payments.length,
    paymentCapabilities: {
      refund: payments.some((row) => BigInt(String(row["captured"])) > BigInt(String(row["refunded"]))),
      manualRefundUrl: null
    },
    authorizations: [],
    tenders: payments.map((row) => ({
      id: row["id"],
      type: row["method"],
      amountBase: amount(row["amount"]),
      currencyBase: order["currency"],
      giftCard: null
    }))
  }
}

const moneyPart = ({ order, adjustments }: OrderRows) => ({
  totalAmount: amount(order["total_amount"]),
  subtotal: amount(order["subtotal"]),
  taxAmount: amount(order["tax_amount"]),
  taxBreakdown: order["tax_breakdown"],
  shippingAmount: amount(order["shipping_amount"]),
  discountAmount: amount(order["discount_amount"]),
  couponCode: order["coupon_code"],
  couponDiscount: amount(
    adjustments.reduce((sum, row) => (row["kind"] === "coupon" ? sum + BigInt(String(row["amount"])) : sum), 0n)
  ),
  coupon: null,
  surchargeAmount: amount(order["surcharge_amount"]),
  appliedSurcharges: [],
  ruleDiscountAmount: amount(order["rule_discount_amount"]),
  appliedRules: [],
  currency: order["currency"]
})

const deliveryPart = ({ order }: OrderRows) => ({
  shippingAddress: address(order["shipping_address"]),
  billingAddress: address(order["billing_address"]),
  trackingNumber: order["tracking_number"],
  trackingUrl: order["tracking_url"],
  carrier: order["carrier"],
  shippingSelection: order["shipping_selection"],
  deliveryType: order["delivery_type"],
  pickupLocationData: order["pickup_location"],
  fulfillments: []
})

const statusPart = ({ order }: OrderRows) => ({
  status: order["status"],
  financialStatus: order["financial_status"],
  fulfillmentStatus: order["fulfillment_status"],
  statusLabel: {
    id: null,
    name: title(String(order["status"])),
    color: null,
    canonicalStatus: order["status"],
    isSystem: true
  },
  statusHistory: order["status_history"],
  syncWarning: order["sync_warning"]
})

/** What the measured orders have: no downloads, no parcels, no disputes. */
export const orderView = (rows: OrderRows): object => {
  const { order, items, refunds } = rows
  const { name = null } = order["customer"] as { readonly name?: string | null }
  return {
    id: order["id"],
    storeId: order["store_id"],
    externalId: order["external_id"],
    orderNumber: `#${String(order["order_number"])}`,
    platform: order["platform"],
    sourceName: order["source_name"],
    locale: order["locale"],
    notes: order["notes"],
    paymentMethod: order["payment_method"],
    isTestOrder: order["is_test_order"],
    customFieldValues: order["custom_field_values"],
    adminFieldValues: order["admin_field_values"],
    customerId: order["customer_id"],
    customer: { email: order["email"], name },
    createdAt: time(order["created_at"]),
    updatedAt: time(order["updated_at"]),
    isRead: order["is_read"],
    invoiceNumber: null,
    downloadMeta: { files: [] },
    disputes: [],
    ...moneyPart(rows),
    ...statusPart(rows),
    ...deliveryPart(rows),
    ...paymentPart(rows),
    items: items.map(itemView),
    refunds: refunds.map(refundView)
  }
}
