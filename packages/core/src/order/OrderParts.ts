/** The parts of an order: refunds, tenders, discounts and labels. */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  described,
  integer,
  listedText,
  money,
  nullable,
  nullableString,
  nullableTimestamp,
  oneOf,
  string,
  timestamp,
  nullableUrl
} from "../kernel/Fields.ts"
import { Actor, actorSources } from "../store/Actor.ts"
import { discountTypes } from "../pricing/BundleOffer.ts"
import { appliedRuleTypes } from "../pricing/AppliedAdjustments.ts"
import { disputeStatuses, orderStatuses, refundStatuses } from "./Order.ts"

export const AppliedRuleView = Schema.Struct({
  id: string("Id of the promotion."),
  name: string("Name of the promotion.", "Summer sale"),
  type: listedText(appliedRuleTypes, "How it is worked out."),
  discountAmount: money("What it took off.", "4.00")
}).annotate({ identifier: "AppliedRule", description: "A promotion that applied." })

export const AppliedSurchargeView = Schema.Struct({
  key: string("Key of the custom field.", "gift_wrap"),
  name: string("Name of the custom field.", "Gift wrap"),
  value: described(Schema.Json, "What the shopper filled in."),
  amount: money("What it adds.", "2.50")
}).annotate({
  identifier: "AppliedSurcharge",
  description: "What a checkout field adds to the total."
})

export const OrderCouponView = Schema.Struct({
  title: string("Title of the coupon."),
  type: listedText(discountTypes, "How it is calculated: a percentage, or an amount."),
  value: string("The discount: a percentage or an amount, by its type.", "10")
}).annotate({ identifier: "OrderCoupon", description: "The coupon that an order was placed with." })

/** The order of the fields is that of stored status changes. */
export const StatusChangeView = Schema.Struct({
  at: timestamp("When it moved."),
  to: oneOf(orderStatuses, "The status it moved to."),
  from: nullable(Schema.Literals(orderStatuses), "The status it moved from; null where the order was placed."),
  actor: Actor,
  reason: nullableString("The reason, if one was given."),
  source: oneOf(actorSources, "Where it came from: this API, a payment provider's own dashboard, or a storefront.")
}).annotate({ identifier: "OrderStatusChange", description: "One move of an order's status." })

export const StatusLabelView = Schema.Struct({
  id: nullableString("Id of the merchant's own label; null for a label of the system."),
  name: string("The label to show.", "Pending"),
  color: nullableString("Colour to show it in; null for a label of the system."),
  canonicalStatus: oneOf(orderStatuses, "The status that the label represents."),
  isSystem: boolean("Whether it is a label of the system, not the merchant's own.")
}).annotate({ identifier: "OrderStatusLabel", description: "How an order's status is shown." })

export const PaymentCapabilitiesView = Schema.Struct({
  refund: boolean("Whether the payment can be refunded through this API."),
  manualRefundUrl: nullableUrl("Where to refund by hand at the provider; null where there is no such page.")
}).annotate({ identifier: "PaymentCapabilities", description: "What can be done with the payment of an order." })

export const RefundView = Schema.Struct({
  id: string("Id of the refund."),
  amount: money("What was refunded.", "10.00"),
  reason: nullableString("The reason, if one was given."),
  status: listedText(
    refundStatuses,
    "How far the refund is. Only `succeeded` counts as refunded; after `failed` the money is at the provider again."
  ),
  type: oneOf(["full", "partial"], "Whether all of the payment was refunded, or a part."),
  source: oneOf(["service", "provider"], "`provider` where it was taken in the payment provider's own dashboard."),
  createdAt: timestamp("When it was made.")
}).annotate({ identifier: "Refund", description: "A refund of an order." })
export type RefundView = typeof RefundView.Type

export const AuthorizationView = Schema.Struct({
  paymentId: string("Id of the payment."),
  amount: money("What was reserved.", "48.53"),
  captured: money("What of it was captured.", "0.00"),
  expiresAt: nullableTimestamp("When what is reserved lapses; null where the provider does not say.")
}).annotate({ identifier: "OrderAuthorization", description: "Money that is reserved for an order." })

export const DisputeView = Schema.Struct({
  id: string("Id of the dispute."),
  amount: money("What is contested.", "48.53"),
  status: oneOf(disputeStatuses, "`open` until the bank has decided, then `won` or `lost` by the merchant."),
  reason: nullableString("The provider's word for the reason; null where it gives none.", "fraudulent"),
  dueAt: nullableTimestamp("Until when the provider takes evidence from the merchant; null where it does not say."),
  createdAt: timestamp("When it was first seen."),
  updatedAt: timestamp("When it last changed.")
}).annotate({ identifier: "Dispute", description: "Money of an order that the shopper's bank has claimed back." })

export const OrderTenderView = Schema.Struct({
  id: string("Id of the payment."),
  type: string("How it is paid, such as manual or bank_transfer.", "manual"),
  amountBase: money("Amount of the payment.", "48.53"),
  currencyBase: string("ISO 4217 currency of the amount.", "USD"),
  giftCard: nullable(
    Schema.Struct({
      id: string("Id of the gift card."),
      codeLast4: string("The last four characters of its code.", "7Q2M")
    }).annotate({ identifier: "TenderGiftCard", description: "A gift card that pays for an order." }),
    "The gift card; null for other payments."
  )
}).annotate({ identifier: "OrderTender", description: "Something that an order is paid with." })

const parcelFields = {
  id: string("Id of the parcel.", "ful_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  items: arrayOf(
    Schema.Struct({
      itemId: string("Id of the item."),
      quantity: integer("Units of it that are in the parcel.", 1)
    }).annotate({ identifier: "FulfillmentItem", description: "Units of an item that were sent together." }),
    "What is in it."
  ),
  trackingNumber: nullableString("Tracking number; null without one.", "1Z999AA10123456784"),
  trackingUrl: nullableUrl("Where it can be followed; null without such a page."),
  carrier: nullableString("Who carries it; null where nobody said.", "UPS"),
  deliveredAt: nullableTimestamp("When it was delivered or handed over; null while it is on its way."),
  createdAt: timestamp("When it was sent.")
}

export const ShopperFulfillmentView = Schema.Struct(parcelFields).annotate({
  identifier: "ShopperFulfillment",
  description: "A parcel of an order, as its buyer sees it."
})

export const FulfillmentView = Schema.Struct({ ...parcelFields, actor: Actor }).annotate({
  identifier: "Fulfillment",
  description: "A parcel of an order: units that were sent, or handed over, together."
})

/** The order of the fields is that of stored selections. */
export const ShippingSelectionView = Schema.Struct({
  amount: money("Price of shipping when the order was placed.", "5.00"),
  carrier: nullableString("Who carries it; null for the store's own rates."),
  service: nullableString("The carrier's service; null for the store's own rates."),
  methodName: string("Name of the method.", "Standard shipping"),
  shippingRateId: Schema.optionalKey(string("The store's rate that was chosen."))
}).annotate({ identifier: "ShippingSelection", description: "The shipping method that was chosen for an order." })
