/** The Cart on the wire. Money is decimal strings in the cart's currency. */
import { Schema } from "effect"
import { ReservationView, reservationView } from "../inventory/ReservationView.ts"
import { BundleOfferView } from "../pricing/BundleOffer.ts"
import { PublicProductView } from "../product/ProductView.ts"
import {
  arrayOf,
  boolean,
  integer,
  json,
  money,
  nullableString,
  oneOf,
  string,
  timestamp,
  textMap,
  nullableFileUrl,
  listedText
} from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import { ChosenModifierView, chosenModifierViews } from "../pricing/ChosenModifierView.ts"
import { appliedDiscounts, appliedDiscountTypes } from "../pricing/AppliedAdjustments.ts"
import { NotAppliedView, notAppliedViews, nudgesOf, NudgeView } from "../pricing/NotAppliedView.ts"
import type { Quote } from "../pricing/Quote.ts"
import { pricesNow } from "../offer/OfferTerms.ts"
import { isBuyable, lineName } from "../pricing/Sellable.ts"
import { unitsSellable } from "../pricing/SellableStock.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CartLine, CartState } from "./Cart.ts"
import { cartStatuses } from "./CartStatus.ts"

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
  bundleItemId: nullableString("The bundle that the line is part of; null for a line of its own."),
  offerId: nullableString("The offer whose price the line has, taken as a bundle, order bump or upgrade; null without.")
}).annotate({ identifier: "CartItem", description: "One line of a cart." })

const AppliedDiscountView = Schema.Struct({
  ruleId: string("Id of the promotion or coupon."),
  ruleName: string("Name of the promotion, title of the coupon.", "Summer sale"),
  type: listedText(appliedDiscountTypes, "How it is worked out."),
  discountAmount: money("Its discount.", "4.00"),
  description: nullableString("A sentence for the shopper.")
}).annotate({ identifier: "AppliedDiscount", description: "A promotion or a coupon that applies to a cart." })

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
  couponCode: nullableString(
    "The coupon code that was entered, as the store writes it; null without one.",
    "WELCOME10"
  ),
  appliedDiscounts: arrayOf(AppliedDiscountView, "The promotions that apply, and the coupon."),
  notApplied: arrayOf(NotAppliedView, "Promotions and codes that do not apply, and why; codes come first."),
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
  bundles: arrayOf(BundleOfferView, "Offers of several products, where `include` asks for them."),
  orderBumps: arrayOf(BundleOfferView, "Small additions to what is in the cart, where `include` asks for them.")
}).annotate({ identifier: "Cart", description: "Products that a shopper wants to buy, with prices and totals." })
export type CartView = typeof CartView.Type

/** Units of a row of stock that are held for this cart and its checkouts. */
export const ownUnits =
  ({ holding, paying }: Pick<CartState, "holding" | "paying">) =>
  (key: string): number =>
    (holding[key] ?? 0) + (paying[key] ?? 0)

const isUnavailable = (cart: CartState, line: CartLine): boolean =>
  !isBuyable(line.sellable, line.variantId) || unitsSellable(line, ownUnits(cart)) < line.quantity

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
  bundleItemId: line.offer?.bundleItemId ?? null,
  offerId: line.offer?.offerId ?? null
})

/** `quote` is the quote of the cart's lines; `store` has the currency of the catalogue's prices. */
export const toCartView = (
  cart: CartState,
  quote: Pick<Quote, "subtotal" | "discountAmount" | "ruleDiscountAmount" | "adjustments" | "notApplied" | "codes">,
  store: StoreContext,
  now: number
): CartView => {
  const { currency, lines } = cart
  const { subtotal, discountAmount, ruleDiscountAmount, notApplied } = quote
  const prices = pricesNow(lines, now)
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
    couponCode: quote.codes[0] ?? null,
    appliedDiscounts: appliedDiscounts(quote, currency),
    notApplied: notAppliedViews(notApplied, currency),
    nudges: nudgesOf(notApplied, currency),
    items: lines.map((line) => toItem(line, currency)),
    itemCount: lines.reduce((sum, line) => sum + line.quantity, 0),
    // Prices in different currencies differ, even where the numbers are equal.
    hasPriceChanges: lines.some((line, i) => currency !== store.currency || prices[i] !== line.unitPrice),
    hasUnavailableItems: unavailableItemIds.length > 0,
    unavailableItemIds,
    expiresAt: cart.expiresAt.toISOString(),
    createdAt: cart.createdAt.toISOString(),
    updatedAt: cart.updatedAt.toISOString(),
    reservation: reservationView(store.reservationStrategy, cart.reservedUntil, now),
    recommendations: [],
    upgrades: [],
    bundles: [],
    orderBumps: []
  }
}
