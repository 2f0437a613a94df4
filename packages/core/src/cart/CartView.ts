/** The Cart on the wire. Money is decimal strings in the cart's currency. */
import { Schema } from "effect"
import { BundleOfferView } from "../pricing/BundleOffer.ts"
import { PublicProductView } from "../product/ProductView.ts"
import {
  arrayOf,
  boolean,
  described,
  integer,
  json,
  money,
  nullableInteger,
  nullableMoney,
  nullableString,
  nullableTimestamp,
  oneOf,
  string,
  timestamp,
  textMap,
  nullableFileUrl,
  listedText
} from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import { ChosenModifierView, chosenModifierViews } from "../pricing/ChosenModifierView.ts"
import { appliedDiscounts, promotionTypes } from "../pricing/AppliedAdjustments.ts"
import type { Quote } from "../pricing/Quote.ts"
import { isBuyable, lineName, unitPriceAt } from "../pricing/Sellable.ts"
import { unitsSellable } from "../pricing/SellableStock.ts"
import { ReservationStrategy } from "../store/Store.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CartLine, CartState } from "./Cart.ts"
import { cartStatuses } from "./CartStatus.ts"

export const ReservationView = Schema.Struct({
  hasReservation: boolean("Whether units are reserved for this cart or checkout now."),
  expiresAt: nullableTimestamp("When the reservation ends; null while no units are reserved."),
  remainingSeconds: integer("Seconds until then; 0 while no units are reserved.", 840),
  strategy: described(
    ReservationStrategy,
    "When the store reserves units: ON_CART when they are put into a cart, ON_PAYMENT when they are paid " + "for."
  ),
  countdownMessage: nullableString("A sentence to show while units are reserved.", "Your items are reserved for 14:00")
}).annotate({ identifier: "Reservation", description: "The units that are reserved for a cart or a checkout." })

/** What a shopper wrote about a line, on cart, checkout and order items. */
export const lineExtras = {
  metadata: json("Data of the storefront's own about the line. Lines that differ in it are different lines."),
  customizations: json("What the shopper filled in to customize the product, by key.")
}

export const CartItemView = Schema.Struct({
  id: string("Id of the line."),
  productId: string("The product."),
  variantId: nullableString("The variant; null for a product without variants."),
  quantity: integer("How many units.", 2),
  unitPrice: money("Price of one unit when the shopper last saw it; refresh the cart to update it."),
  totalPrice: money("Unit price times quantity.", "39.98"),
  name: string("Name of the product, and of its variant.", "Desk lamp"),
  sku: nullableString("Stock keeping unit of what is sold.", "LAMP"),
  slug: string("Name of the product in addresses.", "desk-lamp"),
  image: nullableFileUrl("Address of a picture.", "https://cdn.example.com/lamp.jpg"),
  attributes: textMap("Options of the variant: attribute name to option name."),
  notes: nullableString("What the shopper wrote about this line."),
  ...lineExtras,
  modifiers: arrayOf(ChosenModifierView, "What the shopper added to the product. It is part of the unit price."),
  bundleItemId: nullableString("The bundle that the line is part of; null for a line of its own.")
}).annotate({ identifier: "CartItem", description: "One line of a cart." })

const AppliedDiscountView = Schema.Struct({
  ruleId: string("Id of the promotion."),
  ruleName: string("Name of the promotion.", "Summer sale"),
  type: listedText(promotionTypes, "How it is worked out."),
  discountAmount: money("Its discount.", "4.00"),
  description: nullableString("A sentence for the shopper.")
}).annotate({ identifier: "AppliedDiscount", description: "A promotion that applies to a cart." })

const NudgeView = Schema.Struct({
  ruleId: string("Id of the promotion."),
  text: string("A sentence to show.", "Add 10.00 more for free shipping"),
  type: oneOf(["AMOUNT_NEEDED", "QUANTITY_NEEDED"], "What is missing."),
  amountNeeded: nullableMoney("What the subtotal lacks; null where it is not an amount that is missing.", "10.00"),
  quantityNeeded: nullableInteger("How many units are missing; null where it is not units.")
}).annotate({ identifier: "Nudge", description: "A promotion that a cart is close to." })

export const CartView = Schema.Struct({
  id: string("Id of the cart. Anybody who knows the id of a guest's cart can read and change it: keep it secret."),
  sessionToken: string("Secret of a guest's cart. Store it to find the cart again, and to merge it after login."),
  customerId: nullableString("The customer who owns the cart; null for a guest's."),
  status: oneOf(
    cartStatuses,
    "ACTIVE and ABANDONED carts can be changed. CONVERTED (bought), MERGED and EXPIRED carts can only be read."
  ),
  currency: string("ISO 4217 currency of all amounts. A cart keeps the one it began in.", "USD"),
  locale: nullableString(
    "Language of the names of its lines, of its orders and their mails; null for the store's own.",
    "de"
  ),
  notes: nullableString("What the shopper wrote about the order."),
  analyticsClientId: nullableString("Id of the visitor in the storefront's analytics."),
  analyticsSessionId: nullableString("Id of the visit in the storefront's analytics."),
  subtotal: money("Sum of all lines before discounts.", "39.98"),
  discountAmount: money("Discount by the coupon.", "0.00"),
  ruleDiscountAmount: money("Discount by promotions.", "0.00"),
  promoDiscountTotal: money("`discountAmount` and `ruleDiscountAmount` together.", "0.00"),
  couponCode: nullableString("The coupon code that applies; null without one.", "WELCOME10"),
  appliedDiscounts: arrayOf(AppliedDiscountView, "The promotions that apply."),
  nudges: arrayOf(NudgeView, "Promotions that the cart is close to, to show to the shopper."),
  items: arrayOf(CartItemView, "The lines, in the order in which they were added."),
  itemCount: integer("Units of all lines together.", 2),
  hasPriceChanges: boolean(
    "Whether a line's current price differs from the one it shows. Refresh the cart to update it."
  ),
  hasUnavailableItems: boolean("Whether the cart has a line that cannot be bought."),
  unavailableItemIds: arrayOf(Schema.String, "Ids of the lines that cannot be bought."),
  expiresAt: timestamp("When the cart expires, unless it is changed before."),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares."),
  reservation: ReservationView,
  recommendations: arrayOf(PublicProductView, "Products to add, where `include` asks for them."),
  upgrades: arrayOf(BundleOfferView, "Better products in place of those in the cart, where `include` asks for them."),
  bundles: arrayOf(BundleOfferView, "Offers of several products, where `include` asks for them.")
}).annotate({ identifier: "Cart", description: "Products that a shopper wants to buy, with prices and totals." })
export type CartView = typeof CartView.Type

/** Units of a row of stock that are held for this cart and its checkouts. */
export const ownUnits =
  ({ holding, paying }: Pick<CartState, "holding" | "paying">) =>
  (key: string): number =>
    (holding[key] ?? 0) + (paying[key] ?? 0)

const isUnavailable = (cart: CartState, line: CartLine): boolean =>
  !isBuyable(line.sellable, line.variantId) || unitsSellable(line, ownUnits(cart)) < line.quantity

/** The reservation of a cart or checkout as shoppers see it: a countdown while units are held. */
export const reservationView = (
  strategy: typeof ReservationStrategy.Type,
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
  modifiers: chosenModifierViews(line.sellable, currency),
  bundleItemId: null
})

/** `quote` is the quote of the cart's lines; `store` has the currency of the catalogue's prices. */
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
    locale: cart.locale,
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
    // Prices in different currencies differ, even where the numbers are equal.
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

export const BundleOffers = Schema.Struct({ bundles: arrayOf(BundleOfferView, "The offers, best first.") }).annotate({
  identifier: "BundleOffers",
  description: "Bundle offers that fit a cart."
})
