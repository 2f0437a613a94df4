/**
 * The conditions for completing a checkout, each with its own error. `checkCompletion` checks them all once, on the
 * locked rows. Only stock is checked elsewhere: by `StockLedger`, when `Completion` sells or holds it; `stockRefusal`
 * turns that error into the shopper's. Pure.
 */
import { Effect } from "effect"
import { missingFields } from "../checkoutfield/FieldValues.ts"
import { giftCardKind } from "../giftcard/GiftCardPayments.ts"
import { wholeName } from "../kernel/Address.ts"
import { formatMoney, parseAmount } from "../kernel/Money.ts"
import { TenderShort } from "../claim/ClaimErrors.ts"
import { checkAcceptedCodes } from "../pricing/CodeErrors.ts"
import { checkStorable } from "../order/StorableOrder.ts"
import { pricesNow } from "../offer/OfferTerms.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { hasGoods } from "../pricing/Quote.ts"
import { checkCurrency } from "../cart/Cart.ts"
import { type CheckoutState, type ProductLine, productLines, statusAt } from "../checkout/Checkout.ts"
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
import { checkPresented } from "./AskedAmount.ts"
import { checkModifiers, checkOffered, unavailable } from "../checkout/offeredLines.ts"

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
 * The delivery fields that are still missing: an address and, where there is a choice, a method; for a pickup, the name
 * of who comes, and the location.
 */
const missingDelivery = (checkout: CheckoutState, quote: CheckoutQuote): ReadonlyArray<string> => {
  const isChosen = !quote.needsMethod || quote.chosen !== undefined
  const goods = hasGoods(checkout.lines)
  if (goods && checkout.deliveryType === "pickup") {
    const isNamed = wholeName(checkout.customer) !== null
    return [...(isNamed ? [] : ["firstName"]), ...(isChosen ? [] : ["pickupLocationId"])]
  }
  const address = goods ? checkout.shippingAddress : (checkout.billingAddress ?? checkout.shippingAddress)
  if (address === null) return [goods ? "shippingAddress" : "billingAddress"]
  return isChosen ? [] : ["shippingRateId"]
}

/** E-mail, an address in a shipping zone, a method where one is needed, and the fields that the store requires. */
const checkReady = ({
  checkout,
  quote,
  fields: custom
}: LoadedCheckout): Effect.Effect<void, CheckoutIncomplete | AddressUnserved> => {
  if (checkout.email !== null && quote.unserved)
    return Effect.fail(new AddressUnserved({ country: checkout.shippingAddress?.country ?? "" }))
  const fields = [
    ...(checkout.email === null ? ["email"] : []),
    ...missingDelivery(checkout, quote),
    ...missingFields(custom, checkout.customFieldValues)
  ]
  return fields.length > 0 ? Effect.fail(new CheckoutIncomplete({ fields })) : Effect.void
}

const checkPrices = (checkout: CheckoutState, now: number): Effect.Effect<void, PriceDrifted> => {
  const lines = productLines(checkout.lines)
  const prices = pricesNow(lines, now)
  const items = lines.flatMap((line, i) => {
    const price = prices[i] ?? line.unitPrice
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

/** A product that a merchant has drafted need not be on show, but it is there. */
const isGone = ({ sellable, variantId }: ProductLine): boolean =>
  sellable.deleted || sellable.variantId !== variantId || sellable.kit?.some((part) => !part.isThere) === true

/** What is bought is sold still, at the prices that were shown. A draft order keeps the prices of then. */
const checkLines = Effect.fnUntraced(function* (checkout: CheckoutState, now: number) {
  const lines = productLines(checkout.lines)
  if (checkout.draft !== null) {
    const gone = lines.filter(isGone)
    return gone.length === 0 ? undefined : yield* unavailable(gone)
  }
  // A removed modifier has changed the price too: the shopper must get the error about the modifier.
  yield* checkModifiers(lines)
  yield* checkPrices(checkout, now)
  yield* checkOffered(lines)
})

const checkTotal = (
  { currency }: CheckoutState,
  quote: CheckoutQuote,
  expected: number | string | undefined
): Effect.Effect<void, TotalMismatch | FieldRejected> => {
  if (expected === undefined) return Effect.void
  const minor = parseAmount(expected, currency)
  if (typeof minor !== "bigint") return FieldRejected.at("expectedTotal", minor.message)
  if (minor === quote.total) return Effect.void
  return Effect.fail(
    new TotalMismatch({ expectedTotal: formatMoney(minor, currency), actualTotal: formatMoney(quote.total, currency) })
  )
}

/**
 * What was entered to pay with pays at least what the shopper was shown, or all of a total that has fallen. Where less
 * of it is left, or nothing, and something else would have to pay for it, the shopper has to agree first.
 */
const checkTenders = ({ tenders }: CheckoutState, quote: CheckoutQuote): Effect.Effect<void, TenderShort> => {
  if (quote.amountDue === 0n) return Effect.void
  const short = tenders.find(({ id, shown = "0", shownDue = "0" }) => {
    const paid = quote.tenders.find(({ tenderId }) => tenderId === id)?.amount
    return paid === undefined || (paid < BigInt(shown) && quote.amountDue > BigInt(shownDue))
  })
  if (short === undefined) return Effect.void
  const { id: tenderId, kind, sourceId } = short
  const missed = quote.notApplied.find((each) => each.kind === kind && each.sourceId === sourceId)
  const reason = missed?.reason
  return Effect.fail(new TenderShort({ kind, sourceId, tenderId, ...(reason === undefined ? {} : { reason }) }))
}

/** The payment method: the id or the code of a provider, `free`, or `gift_card`. */
const methodOf = (
  { amountDue, tenders }: CheckoutQuote,
  { paymentMethod, providerId }: CompletionInput
): Effect.Effect<string, FieldRejected> => {
  const given = paymentMethod ?? (amountDue === 0n ? "free" : "manual")
  // `provider` without a name stays as it is: no store has a default provider, so it is rejected as unavailable.
  const method = given === "provider" && typeof providerId === "string" && providerId !== "" ? providerId : given
  if (method === "free" && amountDue !== 0n)
    return FieldRejected.at("paymentMethod", "free is for orders with nothing due")
  const isPaidByCards = amountDue === 0n && tenders.some(({ kind, amount }) => kind === giftCardKind && amount > 0n)
  return method === giftCardKind && !isPaidByCards
    ? FieldRejected.at("paymentMethod", "gift_card is for orders that gift cards pay whole")
    : Effect.succeed(method)
}

/** Every check of a completion, in this order. Returns the payment method. */
export const checkCompletion = Effect.fnUntraced(function* (
  loaded: LoadedCheckout,
  input: CompletionInput,
  now: number
) {
  const { store, checkout, quote } = loaded
  yield* checkStatus(checkout, statusAt(checkout, now))
  yield* checkCompeting(checkout)
  yield* checkCurrency(checkout, store)
  yield* checkPresented(loaded)
  yield* checkReady(loaded)
  yield* checkLines(checkout, now)
  yield* checkAcceptedCodes(quote)
  yield* checkTenders(checkout, quote)
  const { method } = yield* checkAll({
    total: Effect.andThen(checkStorable(quote, "total"), checkTotal(checkout, quote, input.expectedTotal)),
    method: methodOf(quote, input)
  })
  return method
})
