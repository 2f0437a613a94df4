/**
 * An order in memory. Amounts are minor units of `currency`; what was sold is a copy and never changes with the
 * catalogue.
 */
import type { OrderDownload } from "../download/DownloadGrants.ts"
import type { ExplanationView } from "../explanation/Explanation.ts"
import type { Address } from "../kernel/Address.ts"
import type { KitComponent } from "../kernel/Kit.ts"
import type { OrderPresentment } from "../fx/OrderPresentment.ts"
import type { DeclineCode } from "../payment/DeclineCode.ts"
import type { Adjustment } from "../pricing/Adjustment.ts"
import type { TaxBreakdown } from "../pricing/TaxBreakdown.ts"
import type { Actor } from "../store/Actor.ts"

/**
 * The most payments of an order, refunds of an order (and one more for each payment, for the sum of the rest), disputes
 * of an order, and characters of its warning: every read of an order returns them all.
 */
export const maxPayments = 100
export const maxRefunds = 500
export const maxDisputes = 100
export const maxSyncWarning = 2_000

/** The most parcels of an order, and the most rows of what is in them: every read of an order returns them all. */
export const maxParcels = 100
export const maxParcelItems = 2_000

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
export type FulfillmentStatus = (typeof fulfillmentStatuses)[number]

/** Only a refund that has succeeded counts in the sums. */
export const refundStatuses = ["pending", "succeeded", "failed"] as const
export type RefundStatus = (typeof refundStatuses)[number]
/** The `externalId` of the row that holds the sum of a payment's refunds beyond `maxRefunds`. */
export const restOfRefunds = "*"

export const disputeStatuses = ["open", "won", "lost"] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

export interface OrderItem {
  readonly id: string
  readonly productId: string | null
  readonly variantId: string | null
  readonly sku: string | null
  readonly name: string
  readonly image: string | null
  readonly quantity: number
  readonly fulfilledQuantity: number
  /** Units that were refunded, sent or not, with those whose refund is under way. */
  readonly refundedQuantity: number
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
  /** Whether files come with it; the files themselves are copied by the statement that places the order. */
  readonly comesWithFiles?: boolean
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
  /** What the provider captured above `amount`. It is not the order's money; the merchant has to refund it. */
  readonly surplus: bigint
  /** Succeeded refunds, without what they returned of the surplus. */
  readonly refunded: bigint
  /** Refunds that are under way; absent on an order that is being placed. */
  readonly refunding?: bigint
  /** ISO 8601: when what is reserved lapses; null or absent where nothing is, or the provider does not say. */
  readonly expiresAt?: string | null
  /** Where the merchant refunds it by hand; null or absent where this service can do it. */
  readonly manualRefundUrl?: string | null
  /** Why the provider failed or voided it; null where it did not, or gave no reason. */
  readonly failure: DeclineCode | null
  /** ISO 8601; null while no money has come. */
  readonly paidAt: string | null
  /** Of a gift card, whose id is the reference: the last four characters of its code. */
  readonly codeLast4?: string | null
  /** Who has recorded it, of a payment that came outside of a checkout. */
  readonly actor?: Actor | null
}

export interface OrderRefund {
  readonly id: string
  /** Of a refund of ours: the request that it is a part of, which is what readers see as one refund. */
  readonly requestId?: string | null
  /** Of a refund of ours at a provider: what it was asked for, in minor units of the charge's currency. */
  readonly asked?: bigint | null
  /** Who asked for it; null where nobody of ours did. */
  readonly actor?: Actor | null
  readonly paymentId: string
  readonly amount: bigint
  readonly reason: string | null
  readonly status: RefundStatus
  readonly type: "full" | "partial"
  /** `provider`: taken in the provider's own dashboard. */
  readonly source: "service" | "provider"
  /** Its id at the provider; null while the provider has not named it. `restOfRefunds`: the sum of several. */
  readonly externalId: string | null
  /** The key that we asked for it by; null for one of the provider's own dashboard. */
  readonly key: string | null
  /** ISO 8601: when it first succeeded, also where it has failed since. It is announced once. */
  readonly succeededAt: string | null
  readonly createdAt: string
}

/** Money of a payment that the shopper's bank has claimed back. */
export interface OrderDispute {
  readonly id: string
  readonly paymentId: string
  /** Its id at the provider. */
  readonly externalId: string
  readonly amount: bigint
  readonly status: DisputeStatus
  readonly reason: string | null
  /** ISO 8601: until when the provider takes evidence from the merchant. */
  readonly dueAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A parcel: units of an order that were sent, or handed over, together. */
export interface OrderParcel {
  readonly id: string
  readonly trackingNumber: string | null
  readonly trackingUrl: string | null
  readonly carrier: string | null
  /** ISO 8601; null while it is on its way. */
  readonly deliveredAt: string | null
  readonly actor: Actor
  readonly createdAt: string
  readonly items: ReadonlyArray<{ readonly itemId: string; readonly quantity: number }>
}

/** The label that the merchant has given to the order, which shows it while it has the label's status. */
export interface OrderLabel {
  readonly id: string
  readonly name: string
  readonly color: string | null
  readonly canonicalStatus: OrderStatus
}

export interface OrderState {
  readonly id: string
  readonly storeId: string
  readonly orderNumber: bigint
  readonly externalId: string | null
  readonly checkoutId: string | null
  /** The draft order that it completed; null where it was none. */
  readonly draftId: string | null
  readonly salesChannelId: string | null
  readonly customerId: string | null
  readonly platform: string | null
  readonly sourceName: string | null
  readonly status: OrderStatus
  readonly financialStatus: FinancialStatus
  readonly fulfillmentStatus: FulfillmentStatus
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
  /** Where a payment provider is asked in another currency; null: in the order's. */
  readonly presentment: OrderPresentment | null
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
  readonly customFieldValues: Readonly<Record<string, unknown>>
  readonly adminFieldValues: Record<string, unknown>
  readonly statusLabelId: string | null
  /** Null without one, and where it was deleted. */
  readonly statusLabel: OrderLabel | null
  /** As stored, which is read by `readStatusChange`. */
  readonly statusHistory: ReadonlyArray<unknown>
  /** What needs attention since the order was placed, such as missing stock; `warningOf` adds what its money needs. */
  readonly syncWarning: string | null
  readonly isTestOrder: boolean
  readonly isRead: boolean
  readonly trackingNumber: string | null
  readonly trackingUrl: string | null
  readonly carrier: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When it was first paid in full, also where captured money was withdrawn since; order.paid is announced once. */
  readonly paidAt: Date | null
  /** Null while nobody has asked for its invoice. */
  readonly invoiceNumber: string | null
  readonly items: ReadonlyArray<OrderItem>
  /** The files that were bought, granted or not. */
  readonly downloads: ReadonlyArray<OrderDownload>
  /** The sources of discounts, surcharges and stated amounts when it was placed. */
  readonly adjustments: ReadonlyArray<Adjustment>
  readonly payments: ReadonlyArray<OrderPayment>
  readonly refunds: ReadonlyArray<OrderRefund>
  readonly disputes: ReadonlyArray<OrderDispute>
  readonly parcels: ReadonlyArray<OrderParcel>
}

/** An order about to be placed: everything but its number, which the insert takes, and what can only come later. */
export interface NewOrder
  extends Omit<
    OrderState,
    "orderNumber" | "paidAt" | "statusLabel" | "disputes" | "parcels" | "invoiceNumber" | "downloads"
  > {
  /** Where its amounts come from; null where that is too large to be stored. */
  readonly explanation: ExplanationView | null
}

/** The fields that a list of orders can be sorted by. */
export const orderSorts = ["createdAt", "updatedAt", "orderNumber", "totalAmount", "status"] as const
export type OrderSort = (typeof orderSorts)[number]
