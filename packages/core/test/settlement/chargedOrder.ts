/** An order that a charge pays for, and charges as a provider describes them. */
import type { OrderPayment, OrderState } from "@effect-commerce/core/order/Order"
import type { Charge } from "@effect-commerce/core/payment/PaymentProvider"

export const placedAt = new Date("2026-01-02T03:04:05.678Z")
export const total = 2_500n

export const paymentOf = (more: Partial<OrderPayment> = {}): OrderPayment => ({
  id: "pay_1",
  provider: "test",
  method: "test",
  reference: "ch_1",
  status: "authorized",
  amount: total,
  captured: 0n,
  surplus: 0n,
  refunded: 0n,
  failure: null,
  paidAt: null,
  ...more
})

export const orderOf = (more: Partial<OrderState> = {}): OrderState => ({
  id: "ord_1",
  storeId: "store_1",
  orderNumber: 1_001n,
  externalId: null,
  checkoutId: "chk_1",
  draftId: null,
  salesChannelId: "vc_1",
  customerId: null,
  platform: null,
  sourceName: "storefront",
  status: "PENDING",
  financialStatus: "authorized",
  fulfillmentStatus: "unfulfilled",
  locale: null,
  currency: "EUR",
  subtotal: total,
  discountAmount: 0n,
  ruleDiscountAmount: 0n,
  shippingAmount: 0n,
  surchargeAmount: 0n,
  taxAmount: 0n,
  totalAmount: total,
  capturedAmount: 0n,
  refundedAmount: 0n,
  presentment: null,
  taxBreakdown: {
    subtotal: 25,
    shippingNet: 0,
    totalTax: 0,
    total: 25,
    pricesIncludeTax: false,
    breakdown: [],
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
  customFieldValues: {},
  adminFieldValues: {},
  statusLabelId: null,
  statusHistory: [{ from: null, to: "PENDING", reason: null, at: placedAt.toISOString() }],
  syncWarning: null,
  isTestOrder: true,
  isRead: false,
  trackingNumber: null,
  trackingUrl: null,
  carrier: null,
  createdAt: placedAt,
  updatedAt: placedAt,
  paidAt: null,
  items: [],
  adjustments: [],
  payments: [paymentOf()],
  refunds: [],
  disputes: [],
  ...more
})

export const chargeOf = (more: Partial<Charge> = {}): Charge => ({
  externalId: "ch_1",
  key: "store_1/complete:chk_1:1",
  state: "authorized",
  amount: total,
  currency: "EUR",
  authorized: total,
  captured: 0n,
  refunds: [],
  disputes: [],
  expiresAt: null,
  nextAction: null,
  reason: null,
  ...more
})
