/**
 * What the model of carts and checkouts remembers, and the sums and units that follow from it. It is written from the
 * contract, and from the API document where the contract is silent; it shares nothing with the product. Money is in
 * cents, time in minutes since the beginning. A store sells two products, has a coupon of 10 % and one way to ship, and
 * has sold one gift card.
 */
export const kinds = ["lamp", "book"] as const
export type Kind = (typeof kinds)[number]
export type Units = Readonly<Record<Kind, number>>
export const prices: Units = { lamp: 2_500, book: 395 }
export const stockAtStart: Units = { lamp: 4, book: 3 }
export const balanceAtStart = 3_000
export const shippingPrice = 500
export const reservationTime = 15
export const longestCartHold = 4 * reservationTime
export const abandonedAfter = 4 * 60
export const checkoutLifetime = 24 * 60
export const cartLifetime = 30 * 24 * 60
/** The test provider waits so long for a shopper. */
export const shopperTime = 60

/** What a response has to say. */
export interface Answer {
  readonly status: number
  readonly code?: string
  readonly details?: object
}
export const done: Answer = { status: 200 }
export const conflict: Answer = { status: 409, code: "CONFLICT" }
export const invalid: Answer = { status: 400, code: "VALIDATION_FAILED" }
export const unknown: Answer = { status: 404, code: "RESOURCE_NOT_FOUND" }
export const paymentFailed: Answer = { status: 500, code: "PAYMENT_PROCESSING_ERROR" }

/** Units set aside until a time. */
export interface Hold {
  units: Units
  until: number
}
export interface Holder {
  hold: Hold | null
}

export interface Line {
  id: string
  readonly kind: Kind
  quantity: number
}

export interface Cart extends Holder {
  id: string
  sessionToken: string
  readonly isCustomers: boolean
  status: "ACTIVE" | "ABANDONED" | "EXPIRED" | "CONVERTED" | "MERGED"
  lines: ReadonlyArray<Line>
  /** Lines that were removed: their ids name nothing any more. */
  removed: ReadonlyArray<Line>
  hasCoupon: boolean
  writtenAt: number
  expiresAt: number
  /** The latest time until which it may hold units; null before it has held any. */
  holdsUntil: number | null
  mergedInto: Cart | null
}

export interface Bought {
  readonly line: Line
  readonly kind: Kind
  readonly quantity: number
}

/** A payment that has begun: the provider is being asked, or waits for the shopper. */
export interface Payment {
  readonly waitsFor: "provider" | "shopper"
  readonly begunAt: number
  readonly sums: Sums
}

export interface Checkout extends Holder {
  id: string
  readonly cart: Cart
  bought: ReadonlyArray<Bought>
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "CANCELLED" | "EXPIRED"
  hasCoupon: boolean
  hasEmail: boolean
  hasAddress: boolean
  hasMethod: boolean
  /** The gift card has been entered, and paid so much when the shopper last saw it. */
  card: { shown: number } | null
  /** What is held of the gift card. */
  cardHold: { readonly amount: number; readonly until: number } | null
  writtenAt: number
  readonly expiresAt: number
  payment: Payment | null
  /** A payment that was given up unanswered at the end of the checkout's time: money may still come of it. */
  lost: Payment | null
  order: Order | null
}

export interface Order {
  readonly total: number
  readonly card: number
  status: "PENDING" | "PAID"
  financialStatus: "pending" | "paid" | "voided"
  /** The test provider still waits for the money. */
  isOpen: boolean
  /** Units that were gone when the money came. */
  readonly isShort: boolean
}

export interface Sums {
  readonly subtotal: number
  readonly discount: number
  readonly shipping: number
  readonly total: number
  readonly card: number
  readonly due: number
}

export interface State {
  readonly reserves: "ON_PAYMENT" | "ON_CART"
  now: number
  stock: Units
  balance: number
  readonly carts: Array<Cart>
  readonly checkouts: Array<Checkout>
}

export const openShop = (reserves: State["reserves"]): State => ({
  reserves,
  now: 0,
  stock: stockAtStart,
  balance: balanceAtStart,
  carts: [],
  checkouts: []
})

export const isWritable = ({ status }: Cart): boolean => status === "ACTIVE" || status === "ABANDONED"
export const eachKind = (units: (kind: Kind) => number): Units => ({ lamp: units("lamp"), book: units("book") })
export const unitsOf = (lines: ReadonlyArray<Pick<Line, "kind" | "quantity">>): Units =>
  eachKind((kind) => lines.reduce((sum, line) => (line.kind === kind ? sum + line.quantity : sum), 0))

export const heldBy = ({ hold }: Holder, kind: Kind): number => hold?.units[kind] ?? 0
export const reserved = ({ carts, checkouts }: State): Units =>
  eachKind((kind) => [...carts, ...checkouts].reduce((sum, holder) => sum + heldBy(holder, kind), 0))
/** Units that these may have: what nobody else holds. */
export const available = (state: State, kind: Kind, ...own: ReadonlyArray<Holder>): number =>
  Math.max(0, state.stock[kind] - reserved(state)[kind] + own.reduce((sum, holder) => sum + heldBy(holder, kind), 0))

export const checkoutsOf = ({ checkouts }: State, cart: Cart): ReadonlyArray<Checkout> =>
  checkouts.filter((checkout) => checkout.cart === cart)
/** What a cart is to hold: its lines, without what its checkouts hold while they are paid for. */
export const wantedBy = (state: State, cart: Cart): Units => {
  const units = unitsOf(cart.lines)
  const paying = checkoutsOf(state, cart)
  return eachKind((kind) => Math.max(0, units[kind] - paying.reduce((sum, each) => sum + heldBy(each, kind), 0)))
}

/** Half up; the coupon takes 10 %. */
export const discountOf = (subtotal: number, hasCoupon: boolean): number => (hasCoupon ? Math.round(subtotal / 10) : 0)
export const subtotalOf = (lines: ReadonlyArray<Pick<Line, "kind" | "quantity">>): number =>
  lines.reduce((sum, { kind, quantity }) => sum + prices[kind] * quantity, 0)
/** What others do not hold of the gift card. */
export const cardLeft = ({ balance, checkouts }: State, ...own: ReadonlyArray<Checkout>): number =>
  checkouts.reduce((left, each) => (own.includes(each) ? left : left - (each.cardHold?.amount ?? 0)), balance)
/** `freed`: checkouts that lose what they hold when this one is paid for. */
export const sumsOf = (state: State, checkout: Checkout, freed: ReadonlyArray<Checkout> = []): Sums => {
  const subtotal = subtotalOf(checkout.bought)
  const discount = discountOf(subtotal, checkout.hasCoupon)
  const shipping = checkout.hasMethod ? shippingPrice : 0
  const total = subtotal - discount + shipping
  const card = checkout.card === null ? 0 : Math.max(0, Math.min(total, cardLeft(state, checkout, ...freed)))
  return { subtotal, discount, shipping, total, card, due: total - card }
}
