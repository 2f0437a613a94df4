/**
 * The conditions for completing a checkout, each with its own error. `checkCompletion` checks them all once, on the
 * locked rows. Only stock is checked elsewhere: by `StockLedger`, when `Completion` sells or holds it; `stockRefusal`
 * turns that error into the shopper's. Pure.
 */
import { Effect } from "effect"
import { formatMoney, parseAmount } from "../kernel/Money.ts"
import { isStorable } from "../pricing/PricingResult.ts"
import { unitPriceAt } from "../pricing/Sellable.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { hasGoods } from "../pricing/Quote.ts"
import { checkCurrency } from "../cart/Cart.ts"
import { type CheckoutState, statusAt } from "../checkout/Checkout.ts"
import {
  AddressUnserved,
  CheckoutIncomplete,
  CheckoutNotEditable,
  CheckoutProcessing,
  LinesAlreadyOrdered,
  PriceDrifted,
  CheckoutStockInsufficient,
  ReservationExpired,
  TotalMismatch
} from "../checkout/CheckoutErrors.ts"
import type { CompletionInput } from "../checkout/CheckoutInput.ts"
import type { CheckoutQuote } from "../checkout/CheckoutQuote.ts"
import type { LoadedCheckout } from "../checkout/CheckoutReading.ts"
import { checkModifiers, checkOffered } from "../checkout/offeredLines.ts"

/** Whether the units that the store held for this cart (ON_CART) are no longer held. */
const hasLapsed = (store: StoreContext, checkout: CheckoutState, now: number): boolean =>
  store.reservationStrategy === "ON_CART" && (checkout.reservedUntil === null || checkout.reservedUntil <= now)

/** The error for a shopper when there is too little stock: that the cart's reservation expired, if it did. */
export const stockRefusal = (
  { store, checkout }: Pick<LoadedCheckout, "store" | "checkout">,
  items: CheckoutStockInsufficient["items"],
  now: number
): ReservationExpired | CheckoutStockInsufficient =>
  hasLapsed(store, checkout, now)
    ? new ReservationExpired({ id: checkout.id })
    : new CheckoutStockInsufficient({ items })

const checkStatus = (
  checkout: CheckoutState,
  status: CheckoutState["status"]
): Effect.Effect<void, CheckoutNotEditable | CheckoutProcessing | ReservationExpired> => {
  const { id } = checkout
  if (status === "PROCESSING") return Effect.fail(new CheckoutProcessing({ id }))
  if (status === "EXPIRED") return Effect.fail(new ReservationExpired({ id }))
  return status === "PENDING" ? Effect.void : Effect.fail(new CheckoutNotEditable({ id, status }))
}

/**
 * A shopper with two windows buys once: while another checkout of the cart is paying for a line of this one, the
 * completion has to wait; afterwards it is rejected.
 */
const checkCompeting = ({
  id,
  competing
}: CheckoutState): Effect.Effect<void, CheckoutProcessing | LinesAlreadyOrdered> => {
  if (competing === null) return Effect.void
  return Effect.fail(
    competing.status === "PROCESSING"
      ? new CheckoutProcessing({ id })
      : new LinesAlreadyOrdered({ id, by: competing.id })
  )
}

/**
 * The delivery fields that are still missing: an address and, where there is a choice, a method; for a pickup, the
 * location.
 */
const missingDelivery = (checkout: CheckoutState, quote: CheckoutQuote): ReadonlyArray<string> => {
  const isChosen = !quote.needsMethod || quote.chosen !== undefined
  const goods = hasGoods(checkout.lines)
  if (goods && checkout.deliveryType === "pickup") return isChosen ? [] : ["pickupLocationId"]
  const address = goods ? checkout.shippingAddress : (checkout.billingAddress ?? checkout.shippingAddress)
  if (address === null) return [goods ? "shippingAddress" : "billingAddress"]
  return isChosen ? [] : ["shippingRateId"]
}

/** E-mail, an address in a shipping zone, and a method where one is needed. */
const checkReady = (
  checkout: CheckoutState,
  quote: CheckoutQuote
): Effect.Effect<void, CheckoutIncomplete | AddressUnserved> => {
  if (checkout.email !== null && quote.unserved)
    return Effect.fail(new AddressUnserved({ country: checkout.shippingAddress?.country ?? "" }))
  const fields = [...(checkout.email === null ? ["email"] : []), ...missingDelivery(checkout, quote)]
  return fields.length > 0 ? Effect.fail(new CheckoutIncomplete({ fields })) : Effect.void
}

const checkPrices = (checkout: CheckoutState, now: number): Effect.Effect<void, PriceDrifted> => {
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

const checkTotal = (
  { currency }: CheckoutState,
  quote: CheckoutQuote,
  expected: number | string | undefined
): Effect.Effect<void, TotalMismatch | FieldRejected> => {
  if (!isStorable(quote)) return FieldRejected.at("total", "is more than an order can come to")
  if (expected === undefined) return Effect.void
  const minor = parseAmount(expected, currency)
  if (typeof minor !== "bigint") return FieldRejected.at("expectedTotal", minor.message)
  if (minor === quote.total) return Effect.void
  return Effect.fail(
    new TotalMismatch({ expectedTotal: formatMoney(minor, currency), actualTotal: formatMoney(quote.total, currency) })
  )
}

/** The payment method: the id or the code of a provider, or `free`. */
const methodOf = (
  { amountDue }: CheckoutQuote,
  { paymentMethod, providerId }: CompletionInput
): Effect.Effect<string, FieldRejected> => {
  const given = paymentMethod ?? (amountDue === 0n ? "free" : "manual")
  // `provider` without a name stays as it is: no store has a default provider, so it is rejected as unavailable.
  const method = given === "provider" && typeof providerId === "string" && providerId !== "" ? providerId : given
  return method === "free" && amountDue !== 0n
    ? FieldRejected.at("paymentMethod", "free is for orders with nothing due")
    : Effect.succeed(method)
}

/** Every check of a completion, in this order. Returns the payment method. */
export const checkCompletion = Effect.fnUntraced(function* (
  { store, checkout, quote }: LoadedCheckout,
  input: CompletionInput,
  now: number
) {
  yield* checkStatus(checkout, statusAt(checkout, now))
  yield* checkCompeting(checkout)
  yield* checkCurrency(checkout, store)
  yield* checkReady(checkout, quote)
  // A removed modifier has changed the price too: the shopper must get the error about the modifier.
  yield* checkModifiers(checkout.lines)
  yield* checkPrices(checkout, now)
  yield* checkOffered(checkout.lines)
  const { method } = yield* checkAll({
    total: checkTotal(checkout, quote, input.expectedTotal),
    method: methodOf(quote, input)
  })
  return method
})
