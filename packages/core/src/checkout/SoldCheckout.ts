/**
 * A completed checkout as it is read: what its order says was bought and paid. Nothing that changes later in the store
 * (a rate, a rule, the balance of a card) changes it.
 */
import { presentmentOf } from "../fx/Presentment.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { OrderState } from "../order/Order.ts"
import { appliedRules, appliedSurcharges, appliedTenders } from "../pricing/AppliedAdjustments.ts"
import type { PickupLocation } from "../shipping/PickupLocation.ts"
import type { CheckoutState } from "./Checkout.ts"
import type { CheckoutView } from "./CheckoutView.ts"
import { toPresentmentView } from "./PresentmentView.ts"

type Shown = Omit<CheckoutView, "paymentMethods" | "customFields">
type Sold = Pick<CheckoutState, "tenders" | "presentedIn">

/** What the tenders of the checkout paid, in its order: one that had nothing left to pay is no payment. */
const tendersOf = ({ payments }: OrderState, { tenders }: Sold) =>
  tenders.map(({ id, kind, sourceId }) => {
    const payment = payments.find(({ provider, reference }) => provider === kind && reference === sourceId)
    return { kind, sourceId, tenderId: id, amount: payment?.amount ?? 0n, reason: null }
  })

/** The chosen method with the price of then, before what rules and coupons saved of it. */
const methodOf = (order: OrderState, now: Shown["shippingMethod"]): Shown["shippingMethod"] => {
  const { shippingRateId: id, methodName } = order.shippingSelection ?? {}
  if (typeof id !== "string") return null
  const saved = order.adjustments.reduce((sum, a) => (a.part === "shipping_discount" ? sum + a.amount : sum), 0n)
  const known = now?.id === id ? now : { description: null, estimatedDays: null }
  return {
    ...known,
    id,
    name: String(methodName),
    price: formatMoney(order.shippingAmount + saved, order.currency),
    currency: order.currency,
    source: "zone",
    carrier: null,
    service: null,
    speedTier: null
  }
}

/** What was left to pay after the tenders, in minor units. */
export const soldDue = (order: OrderState, checkout: Sold): bigint =>
  tendersOf(order, checkout).reduce((due, { amount }) => due - amount, order.totalAmount)

/** `view` is the checkout as it would be sold now. */
export const asSold = (view: Shown, order: OrderState, checkout: Sold): Shown => {
  const { currency, adjustments } = order
  const money = (minor: bigint) => formatMoney(minor, currency)
  const { pricesIncludeTax: _, ...taxBreakdown } = order.taxBreakdown
  const tenders = tendersOf(order, checkout)
  const amountDue = soldDue(order, checkout)
  const discounts = new Map(order.items.map(({ id, discount }) => [id, discount]))
  const shippingMethod = methodOf(order, view.shippingMethod)
  const totals = { ...order, total: order.totalAmount, amountDue, tenders }
  return {
    ...view,
    subtotal: money(order.subtotal),
    discountAmount: money(order.discountAmount),
    ruleDiscountAmount: money(order.ruleDiscountAmount),
    appliedRules: appliedRules(adjustments, currency),
    shippingRateId: shippingMethod?.id ?? null,
    shippingMethod,
    pickupLocation: order.pickupLocation as PickupLocation | null,
    shippingAmount: money(order.shippingAmount),
    taxAmount: money(order.taxAmount),
    taxBreakdown,
    total: money(order.totalAmount),
    totalAmount: money(order.totalAmount),
    surchargeAmount: money(order.surchargeAmount),
    appliedSurcharges: appliedSurcharges(adjustments, currency, order.customFieldValues),
    customFieldValues: order.customFieldValues as Shown["customFieldValues"],
    couponCode: order.couponCode ?? view.couponCode,
    notApplied: [],
    tenders: appliedTenders(tenders, currency),
    providerAmountDue: money(amountDue),
    lineItems: view.lineItems.map((line) => ({ ...line, discountAmount: money(discounts.get(line.id) ?? 0n) })),
    presentment: toPresentmentView(presentmentOf(totals, currency, checkout.presentedIn))
  }
}
