/** The Cart on the wire (interface.md, Cart). Money is decimal strings in the cart's currency. */
import { Schema } from "effect"
import { stockKeyOf } from "../kernel/Availability.ts"
import { formatMoney } from "../kernel/Money.ts"
import { appliedDiscounts } from "../pricing/AppliedAdjustments.ts"
import type { Quote } from "../pricing/Quote.ts"
import { isBuyable, lineName, unitPriceAt, unitsAvailable } from "../pricing/Sellable.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CartLine, CartState } from "./Cart.ts"

export const ReservationView = Schema.Struct({
  hasReservation: Schema.Boolean,
  expiresAt: Schema.NullOr(Schema.String),
  remainingSeconds: Schema.Int,
  strategy: Schema.String,
  countdownMessage: Schema.NullOr(Schema.String)
})

const json = Schema.Record(Schema.String, Schema.Unknown)

export const CartItemView = Schema.Struct({
  id: Schema.String,
  productId: Schema.String,
  variantId: Schema.NullOr(Schema.String),
  quantity: Schema.Int,
  unitPrice: Schema.String,
  totalPrice: Schema.String,
  name: Schema.String,
  sku: Schema.NullOr(Schema.String),
  slug: Schema.String,
  image: Schema.NullOr(Schema.String),
  attributes: json,
  notes: Schema.NullOr(Schema.String),
  metadata: json,
  customizations: json,
  modifiers: Schema.Array(Schema.Unknown),
  bundleItemId: Schema.NullOr(Schema.String)
})

export const CartView = Schema.Struct({
  id: Schema.String,
  sessionToken: Schema.String,
  customerId: Schema.NullOr(Schema.String),
  status: Schema.String,
  currency: Schema.String,
  notes: Schema.NullOr(Schema.String),
  analyticsClientId: Schema.NullOr(Schema.String),
  analyticsSessionId: Schema.NullOr(Schema.String),
  subtotal: Schema.String,
  discountAmount: Schema.String,
  ruleDiscountAmount: Schema.String,
  promoDiscountTotal: Schema.String,
  couponCode: Schema.NullOr(Schema.String),
  appliedDiscounts: Schema.Array(Schema.Unknown),
  nudges: Schema.Array(Schema.Unknown),
  items: Schema.Array(CartItemView),
  itemCount: Schema.Int,
  hasPriceChanges: Schema.Boolean,
  hasUnavailableItems: Schema.Boolean,
  unavailableItemIds: Schema.Array(Schema.String),
  expiresAt: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String,
  reservation: ReservationView,
  recommendations: Schema.Array(Schema.Unknown),
  upgrades: Schema.Array(Schema.Unknown),
  bundles: Schema.Array(Schema.Unknown)
})
export type CartView = typeof CartView.Type

/** Units of a line's stock that are held for this cart and its checkouts. */
export const ownUnits = (
  { paying }: Pick<CartState, "paying">,
  line: Pick<CartLine, "productId" | "variantId" | "held">
): number => line.held + (paying[stockKeyOf(line)] ?? 0)

const isUnavailable = (cart: CartState, line: CartLine): boolean =>
  !isBuyable(line.sellable, line.variantId) || unitsAvailable(line.sellable.stock, ownUnits(cart, line)) < line.quantity

/** The reservation of a cart or checkout as shoppers see it: a countdown while units are held. */
export const reservationView = (
  strategy: string,
  expiresAt: number | null,
  now: number
): typeof ReservationView.Type => {
  const live = expiresAt !== null && expiresAt > now
  const remainingSeconds = live ? Math.ceil((expiresAt - now) / 1_000) : 0
  const clock = `${Math.floor(remainingSeconds / 60)}:${String(remainingSeconds % 60).padStart(2, "0")}`
  return {
    hasReservation: live,
    expiresAt: live ? new Date(expiresAt).toISOString() : null,
    remainingSeconds,
    strategy,
    countdownMessage: live ? `Your items are reserved for ${clock}` : null
  }
}

const toItem = (line: CartLine, currency: string): typeof CartItemView.Type => ({
  id: line.id,
  productId: line.productId,
  variantId: line.variantId,
  quantity: line.quantity,
  unitPrice: formatMoney(line.unitPrice, currency),
  totalPrice: formatMoney(line.unitPrice * BigInt(line.quantity), currency),
  name: lineName(line.sellable),
  sku: line.sellable.sku,
  slug: line.sellable.slug,
  image: line.sellable.image,
  attributes: line.sellable.attributes ?? {},
  notes: line.notes,
  metadata: line.metadata,
  customizations: line.customizations,
  modifiers: line.modifiers,
  bundleItemId: null
})

/** `quote` is of the cart's lines; `store` says what the catalogue's prices are in. */
export const toCartView = (
  cart: CartState,
  quote: Pick<Quote, "subtotal" | "discountAmount" | "ruleDiscountAmount" | "adjustments">,
  store: StoreContext,
  now: number
): CartView => {
  const { currency, lines } = cart
  const { subtotal, discountAmount, ruleDiscountAmount, adjustments } = quote
  const unavailableItemIds = lines.filter((line) => isUnavailable(cart, line)).map((line) => line.id)
  return {
    id: cart.id,
    sessionToken: cart.sessionToken,
    customerId: cart.customerId,
    status: cart.status,
    currency,
    notes: cart.notes,
    analyticsClientId: cart.analyticsClientId,
    analyticsSessionId: cart.analyticsSessionId,
    subtotal: formatMoney(subtotal, currency),
    discountAmount: formatMoney(discountAmount, currency),
    ruleDiscountAmount: formatMoney(ruleDiscountAmount, currency),
    promoDiscountTotal: formatMoney(discountAmount + ruleDiscountAmount, currency),
    couponCode: cart.couponCode,
    appliedDiscounts: appliedDiscounts(adjustments, currency),
    nudges: [],
    items: lines.map((line) => toItem(line, currency)),
    itemCount: lines.reduce((sum, line) => sum + line.quantity, 0),
    // A price in another currency is another price, also where the numbers are equal.
    hasPriceChanges: lines.some(
      (line) => currency !== store.currency || unitPriceAt(line.sellable, now) !== line.unitPrice
    ),
    hasUnavailableItems: unavailableItemIds.length > 0,
    unavailableItemIds,
    expiresAt: cart.expiresAt.toISOString(),
    createdAt: cart.createdAt.toISOString(),
    updatedAt: cart.updatedAt.toISOString(),
    reservation: reservationView(store.reservationStrategy, cart.reservedUntil, now),
    recommendations: [],
    upgrades: [],
    bundles: []
  }
}
