/** The model's checkouts: made, edited, paid for, cancelled, and what the provider tells later. */
import { holdAgain, trim } from "./modelCarts.ts"
import {
  type Answer,
  available,
  cardLeft,
  type Cart,
  type Checkout,
  checkoutLifetime,
  checkoutsOf,
  conflict,
  done,
  eachKind,
  heldBy,
  invalid,
  isWritable,
  kinds,
  type Line,
  longestCartHold,
  type Order,
  type Payment,
  paymentFailed,
  reservationTime,
  type State,
  type Sums,
  sumsOf,
  unitsOf
} from "./modelState.ts"

/** How the shopper pays: by hand, or by a reference of the test provider. */
export type Paying = "manual" | "approve" | "decline" | "error" | "timeout" | "pending"

const insufficient: Answer = { status: 400, code: "INSUFFICIENT_STOCK" }
const expired: Answer = { status: 409, code: "RESERVATION_EXPIRED" }

export const createCheckout = (
  state: State,
  cart: Cart,
  lines: ReadonlyArray<Line>
): { readonly answer: Answer; readonly checkout?: Checkout } => {
  if (!isWritable(cart)) return { answer: conflict }
  if (lines.length === 0) return { answer: invalid }
  if (lines.some(({ kind, quantity }) => quantity > available(state, kind, cart))) return { answer: insufficient }
  const checkout: Checkout = {
    id: "",
    cart,
    bought: lines.map((line) => ({ line, kind: line.kind, quantity: line.quantity })),
    status: "PENDING",
    hasCoupon: cart.hasCoupon,
    hasEmail: false,
    hasAddress: false,
    hasMethod: false,
    card: null,
    cardHold: null,
    hold: null,
    writtenAt: state.now,
    expiresAt: state.now + checkoutLifetime,
    payment: null,
    lost: null,
    order: null
  }
  state.checkouts.push(checkout)
  return { answer: { status: 201 }, checkout }
}

const isPast = (state: State, { expiresAt }: Checkout): boolean => expiresAt <= state.now
const waitsForShopper = ({ status, payment }: Checkout): boolean =>
  status === "PROCESSING" && payment?.waitsFor === "shopper"

/** What a payment that makes no order has held is free again; where carts hold units, it is the cart's again. */
const release = (state: State, checkout: Checkout): void => {
  const { cart, status } = checkout
  if (status === "PROCESSING") {
    checkout.status = "PENDING"
    checkout.writtenAt = state.now
  }
  Object.assign(checkout, { payment: null, hold: null, cardHold: null })
  if (state.reserves !== "ON_CART" || status !== "PROCESSING" || !isWritable(cart)) return
  cart.holdsUntil ??= state.now + longestCartHold
  const until = Math.min(state.now + reservationTime, cart.holdsUntil)
  if (until > state.now) holdAgain(state, cart, until)
}

/** Where the shopper only waits at the provider, that payment is given up by the edit. */
const canBeEdited = (state: State, checkout: Checkout): boolean =>
  !isPast(state, checkout) && (checkout.status === "PENDING" || waitsForShopper(checkout))

export const edit = (state: State, checkout: Checkout, change: () => Answer = () => done): Answer => {
  if (!canBeEdited(state, checkout)) return conflict
  const answer = change()
  if (answer.status !== 200) return answer
  if (checkout.status === "PROCESSING") release(state, checkout)
  checkout.writtenAt = state.now
  if (checkout.card !== null) checkout.card.shown = sumsOf(state, checkout).card
  return answer
}

export const enterCard = (state: State, checkout: Checkout, isKnown: boolean): Answer =>
  edit(state, checkout, () => {
    if (!isKnown || cardLeft(state, checkout) <= 0) return { status: 400, code: "BAD_REQUEST" }
    checkout.card ??= { shown: 0 }
    return done
  })

export const removeCard = (state: State, checkout: Checkout): Answer =>
  edit(state, checkout, () => {
    if (checkout.card === null) return { status: 404, code: "RESOURCE_NOT_FOUND" }
    checkout.card = null
    return done
  })

export const chooseMethod = (state: State, checkout: Checkout): Answer =>
  edit(state, checkout, () => {
    if (!checkout.hasAddress) return invalid
    checkout.hasMethod = true
    return done
  })

export const cancel = (state: State, checkout: Checkout): Answer => {
  if (!canBeEdited(state, checkout)) return conflict
  if (checkout.status === "PROCESSING") release(state, checkout)
  checkout.status = "CANCELLED"
  return done
}

/** Other checkouts of the cart with a line of this one. */
const rivalsOf = (state: State, checkout: Checkout): ReadonlyArray<Checkout> =>
  checkoutsOf(state, checkout.cart).filter(
    (each) => each !== checkout && each.bought.some(({ line }) => checkout.bought.some((own) => own.line === line))
  )

/** Rivals that only wait for the shopper are given up: what they hold of the card can pay for this. */
export const sumsToPay = (state: State, checkout: Checkout): Sums =>
  sumsOf(state, checkout, rivalsOf(state, checkout).filter(waitsForShopper))

/** Whether this may be paid for now; the first of these answers that applies. */
const refusalOf = (state: State, checkout: Checkout, sums: Sums): Answer | undefined => {
  if (checkout.status === "CANCELLED") return conflict
  if (checkout.status === "PROCESSING" && !waitsForShopper(checkout)) return conflict
  if (isPast(state, checkout)) return expired
  const rivals = rivalsOf(state, checkout)
  const isBusy = (each: Checkout) => each.status === "PROCESSING" && !waitsForShopper(each)
  if (rivals.some((each) => each.status === "COMPLETED" || isBusy(each))) return conflict
  const isReady = checkout.hasEmail && checkout.hasAddress && checkout.hasMethod
  if (!isReady) return { status: 400, code: "MISSING_REQUIRED_FIELDS" }
  const isShort = checkout.card !== null && (sums.card === 0 || sums.card < checkout.card.shown)
  if (isShort && sums.due > 0) return conflict
  return undefined
}

const stockRefusalOf = (state: State, checkout: Checkout): Answer | undefined => {
  const own = [checkout, checkout.cart, ...rivalsOf(state, checkout).filter(waitsForShopper)]
  const units = unitsOf(checkout.bought)
  if (kinds.every((kind) => units[kind] <= available(state, kind, ...own))) return undefined
  const hasLapsed = [checkout, checkout.cart].every(({ hold }) => hold === null)
  return state.reserves === "ON_CART" && hasLapsed ? expired : insufficient
}

/** Units that the holder gives away are no longer held by it. */
const lessen = (holder: Checkout | Cart, units: (kind: (typeof kinds)[number]) => number): void => {
  if (holder.hold === null) return
  const left = eachKind((kind) => heldBy(holder, kind) - Math.min(heldBy(holder, kind), units(kind)))
  holder.hold = kinds.every((kind) => left[kind] === 0) ? null : { ...holder.hold, units: left }
}

/** Sets the units aside for the payment: first those of the cart. */
const holdFor = (state: State, checkout: Checkout, sums: Sums, waitsFor: Payment["waitsFor"]): void => {
  const units = unitsOf(checkout.bought)
  const missing = eachKind((kind) => units[kind] - heldBy(checkout, kind))
  lessen(checkout.cart, (kind) => missing[kind])
  const until = state.now + reservationTime
  checkout.hold = { units, until }
  checkout.cardHold = sums.card === 0 ? null : { amount: sums.card, until }
  checkout.status = "PROCESSING"
  checkout.writtenAt = state.now
  checkout.payment = { waitsFor, begunAt: state.now, sums }
}

/** The order: its units are sold and its part of the card spent. What is short of units is sold as far as there are. */
const place = (state: State, checkout: Checkout, sums: Sums, kind: Pick<Order, "status" | "isOpen">): void => {
  const { cart } = checkout
  const units = unitsOf(checkout.bought)
  const isShort = kinds.some((each) => units[each] > available(state, each, checkout, cart))
  const sold = eachKind((each) => Math.min(units[each], available(state, each, checkout, cart)))
  const rest = eachKind((each) => sold[each] - Math.min(sold[each], heldBy(checkout, each)))
  checkout.hold = null
  lessen(cart, (each) => rest[each])
  state.stock = eachKind((each) => state.stock[each] - sold[each])
  state.balance -= sums.card
  Object.assign(checkout, { status: "COMPLETED", payment: null, lost: null, cardHold: null })
  const financialStatus = kind.status === "PAID" ? "paid" : "pending"
  checkout.order = { ...kind, total: sums.total, card: sums.card, financialStatus, isShort }
  const lines = cart.lines.filter((line) => checkout.bought.every((each) => each.line !== line))
  cart.writtenAt = state.now
  if (cart.status !== "MERGED" && lines.length === 0) cart.status = "CONVERTED"
  else {
    cart.lines = lines
    if (cart.status === "ABANDONED") cart.status = "ACTIVE"
  }
  trim(state, cart)
}

/** Payments of the cart's other checkouts for these lines, which wait for the shopper, and its own, are given up. */
const giveUp = (state: State, checkout: Checkout, own: boolean): void => {
  for (const rival of rivalsOf(state, checkout).filter(waitsForShopper)) release(state, rival)
  if (own && checkout.status === "PROCESSING") release(state, checkout)
}

export const complete = (state: State, checkout: Checkout, paying: Paying): Answer => {
  if (checkout.status === "COMPLETED") return done
  const sums = sumsToPay(state, checkout)
  const refused = refusalOf(state, checkout, sums) ?? stockRefusalOf(state, checkout)
  if (refused !== undefined) return refused
  const isAtOnce = paying === "manual" || sums.due === 0
  giveUp(state, checkout, isAtOnce || checkout.payment?.sums.due !== sums.due)
  if (isAtOnce) {
    place(state, checkout, sums, { status: sums.due === 0 ? "PAID" : "PENDING", isOpen: false })
    return done
  }
  holdFor(state, checkout, sums, "provider")
  if (paying === "timeout") return paymentFailed
  if (paying === "approve" || paying === "pending") {
    place(state, checkout, sums, { status: paying === "approve" ? "PAID" : "PENDING", isOpen: paying === "pending" })
    return done
  }
  release(state, checkout)
  return paying === "decline" ? { status: 422, code: "CARD_DECLINED" } : paymentFailed
}

/** A payment that the shopper makes at the provider. */
export const beginPayment = (state: State, checkout: Checkout): Answer => {
  if (checkout.status === "COMPLETED") return { status: 409, code: "PAYMENT_ALREADY_CAPTURED" }
  const sums = sumsToPay(state, checkout)
  const refused = refusalOf(state, checkout, sums) ?? stockRefusalOf(state, checkout)
  if (refused !== undefined) return refused
  giveUp(state, checkout, checkout.payment?.sums.due !== sums.due)
  const { payment } = checkout
  holdFor(state, checkout, sums, "shopper")
  if (payment !== null) checkout.payment = payment
  return done
}

/** Money that comes makes the order, unless its lines were bought otherwise or the card is spent: then it goes back. */
export const moneyComes = (state: State, checkout: Checkout): void => {
  const { order } = checkout
  if (order !== null) {
    if (order.isOpen) Object.assign(order, { status: "PAID", financialStatus: "paid", isOpen: false })
    return
  }
  const payment = checkout.payment ?? checkout.lost
  if (payment === null) return
  const isBought = rivalsOf(state, checkout).some(({ status }) => status === "COMPLETED")
  const isSpent = payment.sums.card > 0 && cardLeft(state, checkout) < payment.sums.card
  if (!isBought && !isSpent) return place(state, checkout, payment.sums, { status: "PAID", isOpen: false })
  paymentEnds(state, checkout)
}

/** The provider says that the payment has failed. */
export const paymentEnds = (state: State, checkout: Checkout): void => {
  const { order } = checkout
  // What the card has paid stays paid.
  if (order?.isOpen === true)
    Object.assign(order, { financialStatus: order.card > 0 ? "pending" : "voided", isOpen: false })
  if (checkout.status === "PROCESSING") release(state, checkout)
  checkout.lost = null
  if (checkout.status === "PENDING" && isPast(state, checkout)) checkout.status = "EXPIRED"
}
