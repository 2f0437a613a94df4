/** The model's carts: every write, and the merge of a guest's cart into the customer's. */
import {
  type Answer,
  available,
  type Cart,
  cartLifetime,
  checkoutsOf,
  conflict,
  done,
  eachKind,
  heldBy,
  invalid,
  isWritable,
  type Kind,
  kinds,
  type Line,
  longestCartHold,
  reservationTime,
  type State,
  unitsOf,
  unknown,
  wantedBy
} from "./modelState.ts"

export const newCart = (state: State, isCustomers: boolean): Cart => {
  const cart: Cart = {
    id: "",
    sessionToken: "",
    isCustomers,
    status: "ACTIVE",
    lines: [],
    removed: [],
    hasCoupon: false,
    writtenAt: state.now,
    expiresAt: state.now + cartLifetime,
    hold: null,
    holdsUntil: null,
    mergedInto: null
  }
  state.carts.push(cart)
  return cart
}

/** The customer's newest cart that can be written to, made where there is none. */
export const customersCart = (state: State): Cart =>
  state.carts.findLast((cart) => cart.isCustomers && isWritable(cart)) ?? newCart(state, true)

/** As many of the wanted units as there are, until the time. */
export const holdAgain = (state: State, cart: Cart, until: number): void => {
  const wanted = wantedBy(state, cart)
  const units = eachKind((kind) => Math.min(wanted[kind], available(state, kind, cart)))
  cart.hold = kinds.every((kind) => units[kind] === 0) ? null : { units, until }
}

/** Holding begins anew where the longest time of a cart has passed. */
const holdChanged = (state: State, cart: Cart): void => {
  if (kinds.every((kind) => wantedBy(state, cart)[kind] === 0)) return void (cart.hold = null)
  const { holdsUntil } = cart
  cart.holdsUntil = holdsUntil === null || holdsUntil <= state.now ? state.now + longestCartHold : holdsUntil
  holdAgain(state, cart, Math.min(state.now + reservationTime, cart.holdsUntil))
}

const write = (state: State, cart: Cart, change: () => Answer): Answer => {
  if (!isWritable(cart)) return conflict
  const before = unitsOf(cart.lines)
  const answer = change()
  if (answer.status !== 200) return answer
  cart.status = "ACTIVE"
  cart.writtenAt = state.now
  cart.expiresAt = state.now + cartLifetime
  const after = unitsOf(cart.lines)
  if (state.reserves === "ON_CART" && kinds.some((kind) => before[kind] !== after[kind])) holdChanged(state, cart)
  return answer
}

const shortOf = (state: State, cart: Cart, kind: Kind, requested: number): Answer | undefined => {
  const there = available(state, kind, cart, ...checkoutsOf(state, cart))
  if (requested <= there) return undefined
  return { status: 400, code: "INSUFFICIENT_STOCK", details: { available: there, requested } }
}

export const addLine = (state: State, cart: Cart, kind: Kind, quantity: number): Answer =>
  write(state, cart, () => {
    const line = cart.lines.find((each) => each.kind === kind)
    const wanted = (line?.quantity ?? 0) + quantity
    const short = shortOf(state, cart, kind, wanted)
    if (short !== undefined) return short
    if (line === undefined) cart.lines = [...cart.lines, { id: "", kind, quantity }]
    else line.quantity = wanted
    return done
  })

/** Checkouts that are not being paid for lose the lines too; one that has no other is cancelled as it is. */
const without = (state: State, cart: Cart, lines: ReadonlyArray<Line>): Answer => {
  cart.lines = cart.lines.filter((line) => !lines.includes(line))
  cart.removed = [...lines, ...cart.removed]
  for (const checkout of checkoutsOf(state, cart).filter(({ status }) => status === "PENDING")) {
    const left = checkout.bought.filter(({ line }) => !lines.includes(line))
    if (left.length === checkout.bought.length) continue
    checkout.writtenAt = state.now
    if (left.length === 0) checkout.status = "CANCELLED"
    else checkout.bought = left
  }
  return done
}

/** Fewer units can always be had. */
export const changeLine = (state: State, cart: Cart, line: Line, quantity: number): Answer =>
  write(state, cart, () => {
    if (!cart.lines.includes(line)) return unknown
    if (quantity === 0) return without(state, cart, [line])
    const short = quantity > line.quantity ? shortOf(state, cart, line.kind, quantity) : undefined
    if (short !== undefined) return short
    line.quantity = quantity
    return done
  })

export const removeLine = (state: State, cart: Cart, line: Line): Answer =>
  write(state, cart, () => (cart.lines.includes(line) ? without(state, cart, [line]) : unknown))

export const clear = (state: State, cart: Cart): Answer => write(state, cart, () => without(state, cart, cart.lines))

export const applyCoupon = (state: State, cart: Cart, isKnown: boolean): Answer =>
  write(state, cart, () => {
    if (!isKnown) return { status: 404, code: "COUPON_NOT_FOUND" }
    if (cart.lines.length === 0) return { ...invalid, details: { reason: "no_eligible_items" } }
    cart.hasCoupon = true
    return done
  })

export const removeCoupon = (state: State, cart: Cart): Answer =>
  write(state, cart, () => {
    cart.hasCoupon = false
    return done
  })

/**
 * Merges a guest's cart: quantities add up as far as there are units, and its open checkouts are cancelled. Returns the
 * cart that is answered too.
 */
export const merge = (state: State, source: Cart): { readonly answer: Answer; readonly into?: Cart } => {
  if (source.status === "MERGED") {
    const { mergedInto } = source
    return { answer: done, into: mergedInto !== null && isWritable(mergedInto) ? mergedInto : customersCart(state) }
  }
  const checkouts = checkoutsOf(state, source)
  if (!isWritable(source) || checkouts.some(({ status }) => status === "PROCESSING")) return { answer: conflict }
  for (const checkout of checkouts.filter(({ status }) => status === "PENDING")) checkout.status = "CANCELLED"
  const into = customersCart(state)
  moveLines(state, source, into)
  into.hasCoupon ||= source.hasCoupon
  Object.assign(into, { status: "ACTIVE", writtenAt: state.now, expiresAt: state.now + cartLifetime })
  Object.assign(source, { status: "MERGED", mergedInto: into, lines: [] })
  return { answer: done, into }
}

const moveLines = (state: State, source: Cart, into: Cart): void => {
  const own = into.lines.map((line) => ({ line, more: source.lines.find(({ kind }) => kind === line.kind)?.quantity }))
  const others = source.lines.filter(({ kind }) => into.lines.every((line) => line.kind !== kind))
  const all = [...own, ...others.map((line) => ({ line: { ...line, id: "" }, more: 0 }))]
  for (const { line, more = 0 } of all) {
    const granted = Math.min(line.quantity + more, available(state, line.kind, into, source))
    // A line that gets nothing stays as it is: the shopper sees what is missing.
    if (granted > 0) line.quantity = granted
  }
  into.lines = all.map(({ line }) => line)
  source.hold = null
  if (state.reserves !== "ON_CART") return
  const running = [source, into].flatMap(({ holdsUntil }) => ((holdsUntil ?? 0) > state.now ? [holdsUntil ?? 0] : []))
  if (running.length > 0) into.holdsUntil = Math.min(...running)
  holdChanged(state, into)
}

/** After a sale the cart holds no more than its lines still ask for, until the same time. */
export const trim = (state: State, cart: Cart): void => {
  if (!isWritable(cart) || cart.hold === null) return void (cart.hold = null)
  if (kinds.some((kind) => heldBy(cart, kind) > 0)) holdAgain(state, cart, cart.hold.until)
  else cart.hold = null
}
