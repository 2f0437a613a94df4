/**
 * What must hold before a checkout may be completed, each a refusal of its own, and what the order is made of. Pure.
 */
import { Effect } from "effect"
import { formatMoney, parseAmount } from "../kernel/Money.ts"
import type { OrderPlacementMethods } from "../order/OrderPlacement.ts"
import { formatOrderNumber, type OrderView } from "../order/OrderView.ts"
import { isStorable } from "../pricing/PricingResult.ts"
import { unitPriceAt } from "../pricing/Sellable.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { type CheckoutState, hasGoods } from "./Checkout.ts"
import {
  AddressUnserved,
  CheckoutIncomplete,
  CheckoutNotEditable,
  CheckoutProcessing,
  LinesAlreadyOrdered,
  PriceDrifted,
  ReservationExpired,
  TotalMismatch
} from "./CheckoutErrors.ts"
import type { CheckoutTotals } from "./CheckoutTotals.ts"

/** `total` is a decimal string, the same on every surface. */
export interface Completed {
  readonly orderId: string
  readonly orderNumber: string
  readonly status: string
  readonly message: string
  readonly total: string
}

const message = (settled: boolean): string => (settled ? "Order placed and paid" : "Order placed; payment is pending")

export const completedOf = (order: OrderView): Completed => ({
  orderId: order.id,
  orderNumber: order.orderNumber,
  status: order.status,
  message: message(order.financialStatus === "paid"),
  total: order.totalAmount
})

/** What a completed checkout has become. */
export const placedBefore = (
  { findByCheckout }: Pick<OrderPlacementMethods, "findByCheckout">,
  storeId: string,
  checkoutId: string
): Effect.Effect<Completed> =>
  Effect.flatMap(findByCheckout(storeId, checkoutId), (order) =>
    order === undefined
      ? Effect.die(new Error(`Checkout ${checkoutId} is COMPLETED and has no order`))
      : Effect.succeed({
          orderId: order.id,
          orderNumber: formatOrderNumber(order.orderNumber),
          status: order.status,
          message: message(order.financialStatus === "paid"),
          total: formatMoney(order.totalAmount, order.currency)
        })
  )

/** The store holds units for carts, and holds none for this one any more. */
export const hasLapsed = (store: StoreContext, checkout: CheckoutState, now: number): boolean =>
  store.reservationStrategy === "ON_CART" && (checkout.reservedUntil === null || checkout.reservedUntil <= now)

export const checkStatus = (
  checkout: CheckoutState,
  status: CheckoutState["status"]
): Effect.Effect<void, CheckoutNotEditable | CheckoutProcessing | ReservationExpired> => {
  const { id } = checkout
  if (status === "PROCESSING") return Effect.fail(new CheckoutProcessing({ id }))
  if (status === "EXPIRED") return Effect.fail(new ReservationExpired({ id }))
  return status === "PENDING" ? Effect.void : Effect.fail(new CheckoutNotEditable({ id, status }))
}

/**
 * A shopper with two windows buys once: while another checkout of the cart pays for a line of this one it is waited
 * for, and afterwards it is refused.
 */
export const checkRival = ({
  id,
  rival
}: CheckoutState): Effect.Effect<void, CheckoutProcessing | LinesAlreadyOrdered> => {
  if (rival === null) return Effect.void
  return Effect.fail(
    rival.status === "PROCESSING" ? new CheckoutProcessing({ id }) : new LinesAlreadyOrdered({ id, by: rival.id })
  )
}

/**
 * What is still to be said of where the goods go: an address and, where there is a choice, a method; for what is picked
 * up, the place.
 */
const missingDelivery = (checkout: CheckoutState, totals: CheckoutTotals): ReadonlyArray<string> => {
  const isChosen = !totals.needsMethod || totals.chosen !== undefined
  const goods = hasGoods(checkout)
  if (goods && checkout.deliveryType === "pickup") return isChosen ? [] : ["pickupLocationId"]
  const address = goods ? checkout.shippingAddress : (checkout.billingAddress ?? checkout.shippingAddress)
  if (address === null) return [goods ? "shippingAddress" : "billingAddress"]
  return isChosen ? [] : ["shippingRateId"]
}

/** E-mail, an address that is served, and a method wherever one is needed. */
export const checkReady = (
  checkout: CheckoutState,
  totals: CheckoutTotals
): Effect.Effect<void, CheckoutIncomplete | AddressUnserved> => {
  if (checkout.email !== null && totals.unserved)
    return Effect.fail(new AddressUnserved({ country: checkout.shippingAddress?.country ?? "" }))
  const fields = [...(checkout.email === null ? ["email"] : []), ...missingDelivery(checkout, totals)]
  return fields.length > 0 ? Effect.fail(new CheckoutIncomplete({ fields })) : Effect.void
}

export const checkPrices = (checkout: CheckoutState, now: number): Effect.Effect<void, PriceDrifted> => {
  const items = checkout.lines.flatMap((line) => {
    const price = unitPriceAt(line.sellable, now)
    if (price === line.unitPrice) return []
    const money = (minor: bigint) => formatMoney(minor, checkout.currency)
    const up = price > line.unitPrice
    return [
      {
        itemId: line.id,
        oldUnitPrice: money(line.unitPrice),
        newUnitPrice: money(price),
        delta: money(price - line.unitPrice),
        direction: up ? ("up" as const) : ("down" as const)
      }
    ]
  })
  return items.length > 0 ? Effect.fail(new PriceDrifted({ items })) : Effect.void
}

export const checkTotal = (
  { currency }: CheckoutState,
  totals: CheckoutTotals,
  expected: number | string | undefined
): Effect.Effect<void, TotalMismatch | FieldRejected> => {
  if (!isStorable(totals))
    return Effect.fail(new FieldRejected({ field: "total", reason: "is more than an order can come to" }))
  if (expected === undefined) return Effect.void
  const minor = parseAmount(expected, currency)
  if (typeof minor !== "bigint")
    return Effect.fail(new FieldRejected({ field: "expectedTotal", reason: minor.message }))
  if (minor === totals.total) return Effect.void
  return Effect.fail(
    new TotalMismatch({ expectedTotal: formatMoney(minor, currency), actualTotal: formatMoney(totals.total, currency) })
  )
}

export interface Decided {
  readonly id: string
  readonly paymentMethod: string
  readonly isTestOrder: boolean
  readonly notes: string | null
}

/** What the order room places, of a checkout and its totals. */
export const placementOf = (checkout: CheckoutState, totals: CheckoutTotals, decided: Decided) => {
  const { currency } = checkout
  const { chosen } = totals
  const name = [checkout.customer.firstName, checkout.customer.lastName]
    .filter((part) => typeof part === "string" && part !== "")
    .join(" ")
  return {
    ...decided,
    checkoutId: checkout.id,
    externalId: null,
    salesChannelId: checkout.salesChannelId,
    customerId: checkout.customerId,
    sourceName: "storefront",
    currency,
    email: checkout.email,
    customer: { name: name === "" ? null : name, phone: checkout.customer.phone ?? null },
    shippingAddress: checkout.shippingAddress,
    billingAddress: checkout.billingAddress,
    deliveryType: checkout.deliveryType,
    pickupLocation: totals.pickupLocation,
    shippingSelection:
      chosen === undefined
        ? null
        : {
            carrier: null,
            service: null,
            methodName: chosen.rate.name,
            amount: formatMoney(totals.shippingAmount, currency),
            shippingRateId: chosen.rate.id
          },
    customFieldValues: checkout.customFieldValues,
    lines: checkout.lines.map(
      ({ id, productId, variantId, quantity, unitPrice, metadata, customizations, modifiers, sellable }) => ({
        id,
        productId,
        variantId,
        quantity,
        unitPrice,
        name: null,
        metadata,
        customizations,
        modifiers,
        sellable
      })
    ),
    totals,
    settled: totals.total === 0n
  }
}
