/**
 * Turns a checkout into an order, exactly once. One transaction locks cart and checkout, checks everything against the locked state, sells the
 * stock, writes order, payment and events, and closes checkout and cart; a second completion finds the order. A provider that must be called over
 * the network splits this in two (architecture.md, Consistency); the `manual` and `free` ways of paying need no call.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { ProductUnavailable } from "../cart/CartErrors.ts"
import type { CartAccess } from "../cart/Carts.ts"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { makeId } from "../kernel/Ids.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { OrderState } from "../order/Order.ts"
import { OrderPlacement } from "../order/OrderPlacement.ts"
import { OrderRepository } from "../order/OrderRepository.ts"
import { formatOrderNumber, type OrderView } from "../order/OrderView.ts"
import { unitPriceAt } from "../pricing/Sellable.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { FieldRejected } from "../store/StoreErrors.ts"
import { type CheckoutState, hasGoods, statusAt } from "./Checkout.ts"
import {
  AddressUnserved,
  CheckoutIncomplete,
  CheckoutNotEditable,
  type CheckoutNotFound,
  CheckoutProcessing,
  CheckoutStockInsufficient,
  PaymentMethodUnavailable,
  PriceDrifted,
  ReservationExpired,
  TotalMismatch
} from "./CheckoutErrors.ts"
import { CheckoutRepository } from "./CheckoutRepository.ts"
import { checkLines, Checkouts } from "./Checkouts.ts"
import type { CheckoutTotals } from "./CheckoutTotals.ts"

export interface CompletionInput {
  /** manual unless told, or free when nothing is due. */
  readonly paymentMethod?: string | undefined
  /** Decimal string: the total the shopper agreed to. */
  readonly expectedTotal?: string | undefined
  readonly notes?: string | undefined
}

/** `total` is a decimal string, the same on every surface. */
export interface Completed {
  readonly orderId: string
  readonly orderNumber: string
  readonly status: string
  readonly message: string
  readonly total: string
}

type CompletionError =
  | CheckoutNotFound
  | CheckoutNotEditable
  | CheckoutProcessing
  | CheckoutIncomplete
  | AddressUnserved
  | CheckoutStockInsufficient
  | ProductUnavailable
  | PriceDrifted
  | TotalMismatch
  | ReservationExpired
  | PaymentMethodUnavailable
  | FieldRejected

export interface CompletionMethods {
  readonly complete: (store: StoreContext, access: CartAccess, id: string, input: CompletionInput) => Effect.Effect<Completed, CompletionError>
}

export class Completion extends Context.Service<Completion, CompletionMethods>()("@effect-commerce/core/checkout/Completion") {
  static readonly layer = Layer.effect(
    Completion,
    Effect.gen(function* () {
      const database = yield* Database
      const checkouts = yield* Checkouts
      const repository = yield* CheckoutRepository
      const orders = yield* OrderRepository
      const placement = yield* OrderPlacement
      const ledger = yield* StockLedger

      /** Sells the lines, first from what the cart holds of them. */
      const sell = Effect.fnUntraced(function* (store: StoreContext, checkout: CheckoutState, orderId: string, now: number) {
        const lapsed = hasLapsed(store, checkout, now)
        const demands = checkout.lines.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }))
        const holds = checkout.lines.some((line) => line.held > 0)
        const at = new Date(now)
        const sold = holds ? ledger.sellHeld(store.id, checkout.cartId, demands, orderId, at) : ledger.sell(store.id, demands, orderId, at)
        yield* Effect.mapError(sold, ({ items }) => (lapsed ? new ReservationExpired({ id: checkout.id }) : new CheckoutStockInsufficient({ items })))
      })

      const complete = Effect.fn("Completion.complete")(function* (store: StoreContext, access: CartAccess, id: string, input: CompletionInput) {
        const now = yield* Clock.currentTimeMillis
        const done = yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* repository.lockWithCart(store.id, id)
            yield* FaultPoint.hit("completion.locked")
            const { checkout, totals } = yield* checkouts.load(store, access, id)
            const status = statusAt(checkout, now)
            if (status === "COMPLETED") return yield* placedBefore(store.id, id)
            yield* checkStatus(checkout, status)
            yield* checkReady(checkout, totals)
            yield* checkPrices(checkout, now)
            yield* checkLines(checkout.lines).pipe(
              Effect.mapError((error) =>
                error._tag === "CheckoutStockInsufficient" && hasLapsed(store, checkout, now) ? new ReservationExpired({ id }) : error
              )
            )
            yield* checkTotal(checkout, totals, input.expectedTotal)
            const paymentMethod = yield* methodOf(totals, input.paymentMethod)
            const orderId = makeId("ord", now)
            yield* sell(store, checkout, orderId, now)
            yield* FaultPoint.hit("completion.sold")
            yield* repository.complete(store.id, checkout, new Date(now))
            const view = yield* Effect.orDie(
              placement.place(
                store,
                placementOf(checkout, totals, { id: orderId, paymentMethod, isTestOrder: access.isTest, notes: input.notes ?? checkout.notes }),
                now
              )
            )
            yield* FaultPoint.hit("completion.placed")
            return completedOf(view)
          })
        )
        yield* FaultPoint.hit("completion.committed")
        return done
      })

      const placedBefore = (storeId: string, checkoutId: string) =>
        Effect.flatMap(orders.findByCheckout(storeId, checkoutId), (order) =>
          order === undefined ? Effect.die(new Error(`Checkout ${checkoutId} is COMPLETED and has no order`)) : Effect.succeed(completedBefore(order))
        )

      return Completion.of({ complete })
    })
  ).pipe(Layer.provide([CheckoutRepository.layer, OrderRepository.layer]))
}

/** The store holds units for carts, and holds none for this one any more. */
const hasLapsed = (store: StoreContext, checkout: CheckoutState, now: number): boolean =>
  store.reservationStrategy === "ON_CART" && (checkout.reservedUntil === null || checkout.reservedUntil <= now)

const message = (settled: boolean): string => (settled ? "Order placed and paid" : "Order placed; payment is pending")

const completedOf = (order: OrderView): Completed => ({
  orderId: order.id,
  orderNumber: order.orderNumber,
  status: order.status,
  message: message(order.financialStatus === "paid"),
  total: order.totalAmount
})

const completedBefore = (order: OrderState): Completed => ({
  orderId: order.id,
  orderNumber: formatOrderNumber(order.orderNumber),
  status: order.status,
  message: message(order.financialStatus === "paid"),
  total: formatMoney(order.totalAmount, order.currency)
})

const checkStatus = (
  checkout: CheckoutState,
  status: CheckoutState["status"]
): Effect.Effect<void, CheckoutNotEditable | CheckoutProcessing | ReservationExpired> => {
  const { id } = checkout
  if (status === "PROCESSING") return Effect.fail(new CheckoutProcessing({ id }))
  if (status === "EXPIRED") return Effect.fail(new ReservationExpired({ id }))
  return status === "PENDING" ? Effect.void : Effect.fail(new CheckoutNotEditable({ id, status }))
}

/** E-mail, an address that is served, and a method wherever one is needed. */
const checkReady = (checkout: CheckoutState, totals: CheckoutTotals): Effect.Effect<void, CheckoutIncomplete | AddressUnserved> => {
  const goods = hasGoods(checkout)
  const address = goods ? checkout.shippingAddress : (checkout.billingAddress ?? checkout.shippingAddress)
  if (checkout.email !== null && totals.unserved) return Effect.fail(new AddressUnserved({ country: checkout.shippingAddress?.country ?? "" }))
  const fields = [
    ...(checkout.email === null ? ["email"] : []),
    ...(address === null ? [goods ? "shippingAddress" : "billingAddress"] : []),
    ...(totals.needsMethod && address !== null && totals.chosen === undefined ? ["shippingRateId"] : [])
  ]
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

const checkTotal = (checkout: CheckoutState, totals: CheckoutTotals, expectedTotal: string | undefined): Effect.Effect<void, TotalMismatch> => {
  const actualTotal = formatMoney(totals.total, checkout.currency)
  return expectedTotal === undefined || expectedTotal === actualTotal ? Effect.void : Effect.fail(new TotalMismatch({ expectedTotal, actualTotal }))
}

const methodOf = (totals: CheckoutTotals, asked: string | undefined): Effect.Effect<string, PaymentMethodUnavailable | FieldRejected> => {
  const method = asked ?? (totals.total === 0n ? "free" : "manual")
  if (method === "free" && totals.total !== 0n) return Effect.fail(new FieldRejected({ field: "paymentMethod", reason: "free is for orders with nothing due" }))
  return method === "manual" || method === "free" ? Effect.succeed(method) : Effect.fail(new PaymentMethodUnavailable({ paymentMethod: method }))
}

interface Decided {
  readonly id: string
  readonly paymentMethod: string
  readonly isTestOrder: boolean
  readonly notes: string | null
}

const placementOf = (checkout: CheckoutState, totals: CheckoutTotals, decided: Decided) => {
  const { currency } = checkout
  const { chosen } = totals
  const name = [checkout.customer.firstName, checkout.customer.lastName].filter((part) => typeof part === "string" && part !== "").join(" ")
  return {
    ...decided,
    checkoutId: checkout.id,
    externalId: null,
    salesChannelId: checkout.salesChannelId,
    customerId: checkout.customerId,
    sourceName: "storefront",
    currency,
    email: checkout.email,
    customer: { name: name === "" ? null : name, phone: checkout.customer.phone ?? null },
    shippingAddress: checkout.shippingAddress,
    billingAddress: checkout.billingAddress,
    shippingSelection:
      chosen === undefined
        ? null
        : { carrier: null, service: null, methodName: chosen.rate.name, amount: formatMoney(totals.shippingAmount, currency), shippingRateId: chosen.rate.id },
    customFieldValues: checkout.customFieldValues,
    lines: checkout.lines.map(({ id, productId, variantId, quantity, unitPrice, metadata, customizations, sellable }) => ({
      id,
      productId,
      variantId,
      quantity,
      unitPrice,
      name: null,
      metadata,
      customizations,
      sellable
    })),
    totals,
    settled: totals.total === 0n
  }
}
