/** The shop that the model is compared with: a store of its own behind the API, and what the API shows of it. */
import { PaymentRecovery } from "@effect-commerce/core/charge/PaymentRecovery"
import { Reservations } from "@effect-commerce/core/inventory/Reservations"
import { Effect } from "effect"
import { expect } from "vitest"
import { type Called, runWith, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { lookAfterLeft } from "../abandonment/lookAfterLeft.ts"
import { customersOf } from "../customer/SignedIn.ts"
import {
  type Answer,
  balanceAtStart,
  type Cart,
  type Checkout,
  discountOf,
  isWritable,
  type Kind,
  kinds,
  prices,
  reservationTime,
  reserved,
  type State,
  shippingPrice,
  stockAtStart,
  subtotalOf,
  sumsOf
} from "./modelState.ts"

export const money = (cents: number): string => (cents / 100).toFixed(2)

export interface Sent {
  readonly checkout: Checkout
  readonly key: string
  readonly body: object
  readonly called: Called
  readonly at: number
}

export interface RealShop {
  readonly call: (method: string, path: string, of: { readonly isCustomers: boolean }, body?: object) => Promise<Called>
  readonly complete: (checkout: Checkout, key: string, body: object) => Promise<Called>
  readonly tell: (checkout: Checkout, type: string) => Promise<Called>
  readonly products: Readonly<Record<Kind, string>>
  readonly rateId: string
  readonly card: { readonly id: string; readonly code: string }
  readonly pass: (minutes: number, isSettled: () => Promise<boolean>) => Promise<void>
  readonly admin: (path: string) => Promise<Called>
  /** The completions that were sent. */
  readonly sent: Array<Sent>
  /** Carts and checkouts that are over, as they were last seen. */
  readonly over: Map<Cart | Checkout, string>
}

const made = ({ status, body, text }: Called) => {
  if (status !== 201) throw new Error(text)
  return body
}

export const openRealShop = async (shop: TestCommerce, reserves: State["reserves"]): Promise<RealShop> => {
  const store: TestStore = await shop.openStore()
  const admin = (method: string, path: string, body?: object) =>
    shop.call(method, `/v1${path}`, { key: store.apiKey, ...(body === undefined ? {} : { body }) })
  const product = async (kind: Kind) => {
    const inventory = { trackingMode: "TRACKED", total: stockAtStart[kind] }
    return made(
      await admin("POST", "/products", { name: kind, basePrice: money(prices[kind]), status: "active", inventory })
    ).id
  }
  const rate = async () => {
    const zone = made(await admin("POST", "/shipping/zones", { name: "United States", countries: ["US"] }))
    const flat = { name: "Standard", type: "FLAT", rateConfig: { amount: money(shippingPrice) } }
    return made(await admin("POST", `/shipping/zones/${zone.id}/rates`, flat)).id
  }
  const coupon = { code: "TEN", title: "Ten", type: "PERCENTAGE", value: 10 }
  const [lamp, book, rateId, card] = await Promise.all([
    product("lamp"),
    product("book"),
    rate(),
    admin("POST", "/gift-cards", { initialBalance: money(balanceAtStart) }).then(made),
    admin("POST", "/coupons", coupon).then(made),
    admin("PATCH", "/store", { reservation: { strategy: reserves, minutes: reservationTime } })
  ])
  const customers = customersOf(shop, store)
  const { id: customerId, token: first } = await customers.known()
  let token = first
  const vc = `/vc/${store.channelId}`
  const headersOf = (isCustomers: boolean) => (isCustomers ? { authorization: `Bearer ${token}` } : {})
  const ofPayments = Effect.gen(function* () {
    yield* (yield* Reservations).releaseExpired
    yield* (yield* PaymentRecovery).pass
  }) as Effect.Effect<void>
  const passes = async () => {
    await runWith(shop.commerce, ofPayments)
    await lookAfterLeft(shop, store.storeId)
  }
  return {
    call: (method, path, { isCustomers }, body) =>
      shop.call(method, `${vc}${path}`, { headers: headersOf(isCustomers), ...(body === undefined ? {} : { body }) }),
    complete: (checkout, key, body) =>
      shop.call("POST", `${vc}/checkout/${checkout.id}/complete`, {
        body,
        headers: { ...headersOf(checkout.cart.isCustomers), "idempotency-key": key }
      }),
    tell: ({ id: checkoutId }, type) => shop.call("POST", "/test/provider-events", { body: { checkoutId, type } }),
    products: { lamp, book },
    rateId,
    card,
    pass: async (minutes, isSettled) => {
      await shop.call("POST", "/test/clock", { body: { advanceMs: minutes * 60_000 } })
      await passes()
      for (let tries = 0; tries < 20 && !(await isSettled()); tries++) await passes()
      token = await customers.issue(customerId)
    },
    admin: (path) => admin("GET", path),
    sent: [],
    over: new Map()
  }
}

/** Status, code and, where the model knows them, details. */
export const expectAnswer = ({ status, body }: Called, { details, code, ...answer }: Answer): void => {
  expect([status, status < 400 ? undefined : body.code]).toEqual([answer.status, code])
  if (details !== undefined) expect(body.details).toMatchObject(details)
}

const kindOf = ({ products }: RealShop, productId: string) => kinds.find((kind) => products[kind] === productId)
// oxlint-disable-next-line typescript/no-explicit-any -- an item as the API shows it
const shownItems = (real: RealShop, items: ReadonlyArray<any>) =>
  items.map(({ productId, quantity }) => [kindOf(real, productId), quantity])

const expectCart = async (real: RealShop, cart: Cart): Promise<void> => {
  const { body } = await real.call("GET", `/cart/${cart.id}`, cart)
  const subtotal = subtotalOf(cart.lines)
  expect({
    status: body.status,
    items: shownItems(real, body.items),
    subtotal: body.subtotal,
    reservation: body.reservation.hasReservation,
    ...(isWritable(cart) ? { discount: body.discountAmount, coupon: body.couponCode } : {})
  }).toEqual({
    status: cart.status,
    items: cart.lines.map(({ kind, quantity }) => [kind, quantity]),
    subtotal: money(subtotal),
    reservation: cart.hold !== null,
    ...(isWritable(cart)
      ? { discount: money(discountOf(subtotal, cart.hasCoupon)), coupon: cart.hasCoupon ? "TEN" : null }
      : {})
  })
  for (const [i, line] of cart.lines.entries()) line.id = body.items[i].id
}

const expectCheckout = async (real: RealShop, state: State, checkout: Checkout): Promise<void> => {
  const { body } = await real.call("GET", `/checkout/${checkout.id}`, checkout.cart)
  const { subtotal, discount, shipping, total, card, due } = sumsOf(state, checkout)
  expect({ status: body.status, items: shownItems(real, body.lineItems), subtotal: body.subtotal }).toEqual({
    status: checkout.status,
    items: checkout.bought.map(({ kind, quantity }) => [kind, quantity]),
    subtotal: money(subtotal)
  })
  if (checkout.status !== "PENDING") return
  expect({
    discount: body.discountAmount,
    shipping: body.shippingAmount,
    total: body.total,
    card: body.tenders
      .map(({ amountApplied }: { amountApplied: string }) => amountApplied)
      .filter((paid: string) => paid !== "0.00"),
    due: body.providerAmountDue
  }).toEqual({
    discount: money(discount),
    shipping: money(shipping),
    total: money(total),
    card: card === 0 ? [] : [money(card)],
    due: money(due)
  })
}

const expectOrders = async (real: RealShop, { checkouts }: State): Promise<void> => {
  const { body } = await real.admin("/orders?limit=100")
  const shown = body.data.map(
    ({ status, financialStatus, totalAmount, syncWarning }: Record<string, string | null>) => [
      status,
      financialStatus,
      totalAmount,
      syncWarning?.startsWith("Paid after its stock was gone") ?? false
    ]
  )
  const orders = checkouts.flatMap(({ order }) =>
    order === null ? [] : [[order.status, order.financialStatus, money(order.total), order.isShort]]
  )
  expect(shown.toSorted()).toEqual(orders.toSorted())
}

const expectStock = async (real: RealShop, state: State, kind: Kind): Promise<void> => {
  const { body } = await real.admin(`/products/${real.products[kind]}/inventory`)
  expect([kind, body.total, body.reserved]).toEqual([kind, state.stock[kind], reserved(state)[kind]])
}

const open: ReadonlyArray<string> = ["ACTIVE", "ABANDONED", "PENDING", "PROCESSING"]

/** Everything that the API shows is what the model says. What is over is read once more, and at the end. */
export const expectSame = async (real: RealShop, state: State): Promise<void> => {
  const isRead = (each: Cart | Checkout) => real.over.get(each) !== each.status
  await Promise.all([
    ...state.carts.filter(isRead).map((cart) => expectCart(real, cart)),
    ...state.checkouts.filter(isRead).map((checkout) => expectCheckout(real, state, checkout)),
    ...kinds.map((kind) => expectStock(real, state, kind)),
    expectOrders(real, state),
    real.admin(`/gift-cards/${real.card.id}`).then(({ body }) => expect(body.balance).toBe(money(state.balance)))
  ])
  for (const each of [...state.carts, ...state.checkouts])
    if (!open.includes(each.status)) real.over.set(each, each.status)
}
