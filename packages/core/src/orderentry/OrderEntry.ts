/**
 * Orders that an admin key enters: they came some other way, by telephone, from a marketplace, from an import. They are
 * priced by the store's rules except for the amounts that the key states, and take stock as a checkout does.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Customers } from "../customer/Customers.ts"
import { Database } from "../database/Database.ts"
import { demandsOf, ofLines } from "../inventory/SoldLines.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { type Address, normaliseEmail, type Person, personOf, toAddress } from "../kernel/Address.ts"
import { checkAll, checkEach, FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { chosenOf } from "../modifier/LineModifiers.ts"
import { OrderCustomerUnknown, soldOut } from "../order/OrderErrors.ts"
import { OrderPlacement, type PlacedLine, type Placement } from "../order/OrderPlacement.ts"
import { checkStorable } from "../order/StorableOrder.ts"
import { checkAcceptedCodes, checkCodes } from "../pricing/CodeErrors.ts"
import { hasGoods, type Quote, type QuoteBuyer, type QuoteRequest, subtotalOf, unknownBuyer } from "../pricing/Quote.ts"
import { Quotes } from "../pricing/Quotes.ts"
import { SellableRepository } from "../pricing/SellableRepository.ts"
import { soldLine } from "../pricing/SellableStock.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { checkModifiers, type ReadOrderItem, refusalOf, toLine } from "./EnteredItems.ts"
import type { OrderInput } from "./OrderInput.ts"
import { type ReadOrder, readOrder } from "./ReadOrder.ts"

/** An order as a body describes it, and the sales channel that it is for, if any. */
export interface OrderToEnter {
  readonly body: OrderInput
  readonly salesChannelId: string | null
}

/** An order that has been read: its lines with what they sell, and who buys. */
export interface EnteredOrder {
  readonly input: ReadOrder
  readonly lines: ReadonlyArray<PlacedLine>
  readonly buyer: Pick<QuoteBuyer, "customerId" | "email" | "salesChannelId"> & { readonly customer: Person }
}

/** What is decided of an order beside its body. */
export interface PricedOrder {
  readonly id: string
  readonly quote: Quote<PlacedLine>
  /** The draft order that it completes, if any. */
  readonly draftId: string | null
  readonly isTestOrder: boolean
  /** Whether an order on which nothing is due begins as PAID. */
  readonly isPaidWhenFree: boolean
}

/** Of an order that is entered by itself. */
const ofNoDraft = { draftId: null, isTestOrder: false, isPaidWhenFree: false }

export class OrderEntry extends Context.Service<OrderEntry>()("@effect-commerce/core/orderentry/OrderEntry", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const placements = yield* OrderPlacement
    const sellables = yield* SellableRepository
    const quotes = yield* Quotes
    const ledger = yield* StockLedger
    const customers = yield* Customers
    const stores = yield* Stores

    /** Each item as a line: a product of the catalogue, or an item with its own name and price. */
    const linesOf = Effect.fnUntraced(function* (store: StoreContext, input: ReadOrder, now: number) {
      const refs = input.items.flatMap((item) =>
        item.productId === undefined
          ? []
          : [
              {
                productId: item.productId,
                variantId: item.variantId ?? null,
                modifiers: chosenOf(item.modifiers ?? [])
              }
            ]
      )
      const found =
        refs.length === 0
          ? []
          : yield* sellables.find({ storeId: store.id, channelId: null, locale: null }, refs, new Date(now))
      let ref = 0
      return yield* checkEach(
        input.items,
        Effect.fnUntraced(function* (item: ReadOrderItem, i: number) {
          const sellable = item.productId === undefined ? null : (found[ref++] ?? null)
          const refused = refusalOf(item, i, sellable, { order: input.currency, catalogue: store.currency })
          if (refused !== undefined) return yield* refused
          yield* checkModifiers(item, i, sellable)
          return toLine(item, sellable, now)
        })
      )
    })

    /** The customer with the given id, as stored, or the person described in the body. */
    const buyerOf = Effect.fnUntraced(function* (store: StoreContext, { customerId, customer }: ReadOrder) {
      if (customerId === undefined) {
        const email = customer?.email === undefined ? null : normaliseEmail(customer.email)
        return { customerId: null, email, customer: { name: customer?.name ?? null, phone: customer?.phone ?? null } }
      }
      if (customer !== undefined) return yield* FieldRejected.at("customerId", "give customer or customerId, not both")
      const account = yield* customers.find(store.id, customerId)
      if (account === undefined) return yield* new OrderCustomerUnknown({ customerId })
      return { customerId, email: account.email, customer: personOf(account) }
    })

    /** Reads the body. `store` has its settings as they are in the transaction. */
    const read = Effect.fnUntraced(function* (
      store: StoreContext,
      { body, salesChannelId }: OrderToEnter,
      now: number
    ) {
      const input = yield* readOrder(store, body)
      const { buyer, lines } = yield* checkAll({ buyer: buyerOf(store, input), lines: linesOf(store, input, now) })
      const entered: EnteredOrder = { input, lines, buyer: { ...buyer, salesChannelId } }
      return entered
    })

    const price = Effect.fnUntraced(function* (store: StoreContext, entered: EnteredOrder) {
      const request = requestOf(entered)
      if ((request.statedDiscount ?? 0n) > subtotalOf(request.lines))
        return yield* FieldRejected.at("discountAmount", "is more than the items cost")
      const quote = yield* quotes.quote(store, request)
      yield* checkCodes(quote)
      yield* checkAcceptedCodes(quote)
      return yield* Effect.as(checkStorable(quote, "items"), quote)
    })

    /** Takes the stock and places the order. */
    const place = Effect.fnUntraced(function* (
      store: StoreContext,
      entered: EnteredOrder,
      { quote, ...order }: PricedOrder,
      now: number
    ) {
      const sold = entered.lines.flatMap(({ productId, sellable, ...line }) =>
        productId === null || sellable === null ? [] : [soldLine({ ...line, productId, sellable })]
      )
      if (sold.length > 0) {
        yield* ledger
          .sell(store.id, demandsOf(sold), order.id, new Date(now))
          .pipe(Effect.mapError(ofLines(sold)), Effect.mapError(soldOut))
      }
      return yield* placements.placeOrder(store, placementOf(entered, { quote, ...order }), now)
    })

    const create = Effect.fn("OrderEntry.create")(function* (cachedStore: StoreContext, body: OrderInput) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(cachedStore.id)(
        Effect.gen(function* () {
          const store = yield* stores.fresh(cachedStore)
          const entered = yield* read(store, { body, salesChannelId: null }, now)
          yield* checkBilling(entered)
          const quote = yield* price(store, entered)
          return yield* place(store, entered, { id: makeId("ord", now), quote, ...ofNoDraft }, now)
        })
      )
    })

    return { create, read, price, place }
  })
}) {
  static readonly layer = Layer.effect(OrderEntry, OrderEntry.make).pipe(Layer.provide(SellableRepository.layer))
}

/** The shipping address is also the billing address unless another is given. */
const addressesOf = (
  input: ReadOrder
): { readonly shippingAddress: Address | null; readonly billingAddress: Address | null } => {
  const shippingAddress = input.shippingAddress === undefined ? null : toAddress(input.shippingAddress)
  return {
    shippingAddress,
    billingAddress: input.billingAddress === undefined ? shippingAddress : toAddress(input.billingAddress)
  }
}

/** The buyer of something that is not shipped is known by the billing address. */
export const checkBilling = ({ input, lines }: EnteredOrder): Effect.Effect<void, FieldRejected> =>
  !hasGoods(lines) && input.shippingAddress === undefined && input.billingAddress === undefined
    ? FieldRejected.at("billingAddress", "is needed where nothing is shipped")
    : Effect.void

const requestOf = ({ input, lines, buyer: { customer: _, ...buyer } }: EnteredOrder): QuoteRequest<PlacedLine> => ({
  currency: input.currency,
  lines,
  codes: input.couponCode === undefined ? [] : [input.couponCode],
  buyer: { ...unknownBuyer, ...buyer },
  delivery: { by: "stated", amount: input.shippingAmount ?? null, ...addressesOf(input) },
  statedDiscount: input.discountAmount,
  statedTax: input.taxAmount
})

/** The order that is entered, as it is placed. */
export const placementOf = ({ input, buyer }: EnteredOrder, order: PricedOrder): Placement => ({
  ...order,
  customer: buyer.customer,
  externalId: input.externalId ?? null,
  sourceName: input.sourceName ?? "api",
  paymentMethod: input.paymentMethod ?? "manual",
  notes: input.notes ?? null
})
