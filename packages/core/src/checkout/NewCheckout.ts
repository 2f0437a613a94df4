/** Creating a checkout from lines of a cart. Pure. */
import { Effect } from "effect"
import type { CartState } from "../cart/Cart.ts"
import type { CartAccess } from "../cart/Carts.ts"
import { ordinaryLine } from "../cart/ReleasedOffers.ts"
import type { CustomerState } from "../customer/Customer.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId, makeSecretId } from "../kernel/Ids.ts"
import { shortLines } from "../inventory/SoldLines.ts"
import { releasedBy } from "../offer/ReleasedLines.ts"
import { soldLines, unitsOf } from "../pricing/SellableStock.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CheckoutState } from "./Checkout.ts"
import { CheckoutEmpty, CheckoutStockInsufficient } from "./CheckoutErrors.ts"

/** The lines of the cart to buy: all of them, or those that the request names. */
export const selectLines = (
  cart: CartState,
  ids: ReadonlyArray<string> | undefined
): Effect.Effect<CartState["lines"], CheckoutEmpty | FieldRejected> => {
  if (ids === undefined) return cart.lines.length === 0 ? Effect.fail(new CheckoutEmpty()) : Effect.succeed(cart.lines)
  const unknown = ids.find((id) => !cart.lines.some((line) => line.id === id))
  if (unknown !== undefined) return FieldRejected.at("selectedItemIds", `${unknown} is not an item of this cart`)
  const chosen = cart.lines.filter((line) => ids.includes(line.id))
  return chosen.length === 0 ? Effect.fail(new CheckoutEmpty()) : Effect.succeed(chosen)
}

/** Rejects lines with too little stock, as far as can be seen before anything is held. */
export const checkStock = (
  { holding }: Pick<CartState, "holding">,
  lines: CartState["lines"]
): Effect.Effect<void, CheckoutStockInsufficient> => {
  const own = (key: string) => holding[key] ?? 0
  const short = shortLines(soldLines(lines), unitsOf(lines, own))
  return short.length > 0 ? Effect.fail(new CheckoutStockInsufficient({ items: short })) : Effect.void
}

interface ChosenLines {
  readonly cart: CartState
  readonly lines: CartState["lines"]
  readonly regionId: string | null
  /** The customer whose cart it is, if anybody's. */
  readonly customer: Pick<CustomerState, "email" | "firstName" | "lastName" | "phone"> | undefined
}

export const newCheckout = (
  store: StoreContext,
  access: CartAccess,
  { cart, lines, regionId, customer }: ChosenLines,
  now: number
): CheckoutState => {
  const at = new Date(now)
  // Without its whole bundle, or without the product that brought its offer up, a line is sold as an ordinary one.
  const released = releasedBy(cart.lines, lines)
  const bought = lines.map((line) => (released.has(line.id) ? ordinaryLine(line, now) : line))
  return {
    id: makeSecretId("chk", now),
    cartId: cart.id,
    salesChannelId: cart.salesChannelId ?? access.salesChannelId,
    customerId: cart.customerId ?? access.customerId,
    status: "PENDING",
    attempt: 1,
    email: customer?.email ?? null,
    customer:
      customer === undefined
        ? {}
        : { firstName: customer.firstName, lastName: customer.lastName, phone: customer.phone },
    deliveryType: "shipping",
    shippingAddress: null,
    billingAddress: null,
    shippingRateId: null,
    regionId,
    currency: cart.currency,
    presentedIn: null,
    locale: cart.locale,
    couponCode: cart.couponCode,
    tenders: [],
    customFieldValues: {},
    notes: cart.notes,
    draft: null,
    expiresAt: new Date(now + store.checkoutLifetimeMinutes * 60_000),
    recoveryEmailSentAt: null,
    createdAt: at,
    updatedAt: at,
    rulesVersion: cart.rulesVersion,
    holding: cart.holding,
    reservedUntil: cart.reservedUntil,
    competing: null,
    lines: bought.map(({ id, identity: _identity, ...line }) => ({
      ...line,
      id: makeId("line", now),
      cartItemId: id,
      name: null
    }))
  }
}
