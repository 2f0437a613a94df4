/** What time does to the model: holds lapse, payments are given up, checkouts and carts end. */
import { paymentEnds } from "./modelCheckouts.ts"
import {
  abandonedAfter,
  type Cart,
  checkoutLifetime,
  checkoutsOf,
  isWritable,
  shopperTime,
  type State
} from "./modelState.ts"

/** A cart is not idle while a checkout of it is being filled in or paid. */
const idleSince = (state: State, cart: Cart): number =>
  Math.max(
    cart.writtenAt,
    ...checkoutsOf(state, cart).map(({ status, writtenAt }) =>
      status === "PENDING" || status === "PROCESSING" ? writtenAt : 0
    )
  )

export const pass = (state: State, minutes: number): void => {
  state.now += minutes
  const hasPassed = (time: number) => time <= state.now
  for (const holder of [...state.carts, ...state.checkouts])
    if (holder.hold !== null && hasPassed(holder.hold.until)) holder.hold = null
  for (const checkout of state.checkouts)
    if (checkout.cardHold !== null && hasPassed(checkout.cardHold.until)) checkout.cardHold = null
  for (const cart of state.carts) if (isWritable(cart) && hasPassed(cart.expiresAt)) cart.status = "EXPIRED"
  for (const checkout of state.checkouts) {
    const { payment } = checkout
    if (payment === null) continue
    const isLost = payment.waitsFor === "provider" && hasPassed(payment.begunAt + checkoutLifetime)
    if (isLost || (payment.waitsFor === "shopper" && hasPassed(payment.begunAt + shopperTime)))
      paymentEnds(state, checkout)
    if (isLost) checkout.lost = payment
  }
  for (const checkout of state.checkouts)
    if (checkout.status === "PENDING" && hasPassed(checkout.expiresAt)) checkout.status = "EXPIRED"
  for (const cart of state.carts) {
    if (cart.status === "EXPIRED") cart.hold = null
    if (cart.status === "ACTIVE" && hasPassed(idleSince(state, cart) + abandonedAfter)) cart.status = "ABANDONED"
  }
}
