/**
 * An order in memory. Amounts are minor units of `currency`; what was sold is a copy and never changes with the
 * catalogue.
 */
import type { Address } from "../kernel/Address.ts"
import type { KitComponent } from "../kernel/Kit.ts"
import type { Adjustment } from "../pricing/Adjustment.ts"
import type { TaxBreakdown } from "./TaxBreakdown.ts"

/**
 * The most payments of an order, refunds of an order (and one more for each payment), and characters of its warning:
 * every read of an order returns them all.
 */
export const maxPayments = 100
export const maxRefunds = 500
export const maxSyncWarning = 2_000

/** Status values of an order. Money has its own state machine: `FinancialStatus`. */
export const orderStatuses = [
  "PENDING",
  "PROCESSING",
  "SHIPPED",
  "DELIVERED",
  "CANCELLED",
  "REFUNDED",
  "PAID",
  "PARTIALLY_REFUNDED"
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const financialStatuses = ["pending", "authorized", "paid", "partially_refunded", "refunded", "voided"] as const
export type FinancialStatus = (typeof financialStatuses)[number]

export const fulfillmentStatuses = ["unfulfilled", "partial", "fulfilled"] as const

export interface OrderItem {
  readonly id: string
  readonly productId: string | null
  readonly variantId: string | null
  readonly sku: string | null
  readonly name: string
  readonly image: string | null
  readonly quantity: number
  readonly fulfilledQuantity: number
  readonly unitPrice: bigint
  readonly subtotal: bigint
  readonly discount: bigint
  readonly tax: bigint
  readonly total: bigint
  readonly taxLines: ReadonlyArray<unknown>
  readonly metadata: Record<string, unknown>
  readonly customizations: Record<string, unknown>
  /** As `recordedModifier` makes them. */
  readonly modifiers: ReadonlyArray<unknown>
  /** What one unit of a kit was made of when it was sold; null for everything else. */
  readonly kitComponents: ReadonlyArray<KitComponent> | null
  /** The unit price without modifiers, where the line has any; only the audit reads it back. */
  readonly basePrice?: bigint
}

export interface OrderPayment {
  readonly id: string
  readonly provider: string
  readonly method: string
  readonly reference: string | null
  readonly status: "pending" | "authorized" | "captured" | "voided" | "failed"
  readonly amount: bigint
  readonly captured: bigint
  readonly refunded: bigint
  /** ISO 8601; null while no money has come. */
  readonly paidAt: string | null
}

export interface OrderRefund {
  readonly id: string
  readonly paymentId: string
  readonly amount: bigint
  readonly reason: string | null
  readonly status: string
  readonly type: "full" | "partial"
  /** `provider`: taken in the provider's own dashboard. */
  readonly source: "service" | "provider"
  readonly createdAt: string
}

export interface OrderState {
  readonly id: string
  readonly storeId: string
  readonly orderNumber: bigint
  readonly externalId: string | null
  readonly checkoutId: string | null
  readonly salesChannelId: string | null
  readonly customerId: string | null
  readonly platform: string | null
  readonly sourceName: string | null
  readonly status: OrderStatus
  readonly financialStatus: FinancialStatus
  readonly fulfillmentStatus: (typeof fulfillmentStatuses)[number]
  readonly currency: string
  /** The language of its lines' names and of its mails; null for the store's own. */
  readonly locale: string | null
  readonly subtotal: bigint
  readonly discountAmount: bigint
  readonly ruleDiscountAmount: bigint
  readonly shippingAmount: bigint
  readonly surchargeAmount: bigint
  readonly taxAmount: bigint
  readonly totalAmount: bigint
  readonly capturedAmount: bigint
  readonly refundedAmount: bigint
  readonly taxBreakdown: TaxBreakdown
  readonly couponCode: string | null
  readonly email: string | null
  readonly customer: { readonly name?: string | null; readonly phone?: string | null }
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly shippingSelection: Record<string, unknown> | null
  readonly deliveryType: string
  readonly pickupLocation: Record<string, unknown> | null
  readonly paymentMethod: string | null
  readonly notes: string | null
  readonly customFieldValues: Record<string, unknown>
  readonly adminFieldValues: Record<string, unknown>
  readonly statusLabelId: string | null
  readonly statusHistory: ReadonlyArray<unknown>
  readonly syncWarning: string | null
  readonly isTestOrder: boolean
  readonly isRead: boolean
  readonly trackingNumber: string | null
  readonly trackingUrl: string | null
  readonly carrier: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly items: ReadonlyArray<OrderItem>
  /** The sources of discounts, surcharges and stated amounts when it was placed. */
  readonly adjustments: ReadonlyArray<Adjustment>
  readonly payments: ReadonlyArray<OrderPayment>
  readonly refunds: ReadonlyArray<OrderRefund>
}

/** An order about to be placed: everything but its number, which the insert takes. */
export type NewOrder = Omit<OrderState, "orderNumber">

/** The fields that a list of orders can be sorted by. */
export const orderSorts = ["createdAt", "updatedAt", "orderNumber", "totalAmount", "status"] as const
export type OrderSort = (typeof orderSorts)[number]
