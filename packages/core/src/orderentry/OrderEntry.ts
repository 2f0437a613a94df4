/**
 * Orders that an admin key enters: they came some other way, by telephone, from a marketplace, from an import. They are
 * priced by the store's rules except for the amounts that the key states, and take stock as a checkout does.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Customers } from "../customer/Customers.ts"
import { Database } from "../database/Database.ts"
import { demandsOf, ofLines } from "../inventory/SoldLines.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { type Address, normaliseEmail, personOf, toAddress } from "../kernel/Address.ts"
import { checkAll, checkEach, FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { chosenOf } from "../modifier/LineModifiers.ts"
import { OrderCustomerUnknown, soldOut } from "../order/OrderErrors.ts"
import { OrderPlacement, type PlacedLine } from "../order/OrderPlacement.ts"
import { checkStorable } from "../order/StorableOrder.ts"
import { checkAcceptedCodes, checkCodes } from "../pricing/CodeErrors.ts"
import { hasGoods, type QuoteBuyer, type QuoteRequest, subtotalOf, unknownBuyer } from "../pricing/Quote.ts"
import { Quotes } from "../pricing/Quotes.ts"
import { SellableRepository } from "../pricing/SellableRepository.ts"
import { soldLine } from "../pricing/SellableStock.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { checkModifiers, type ReadOrderItem, refusalOf, toLine } from "./EnteredItems.ts"
import type { OrderInput } from "./OrderInput.ts"
import { type ReadOrder, readOrder } from "./ReadOrder.ts"

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

    const quoteOf = Effect.fnUntraced(function* (store: StoreContext, request: QuoteRequest<PlacedLine>) {
      if ((request.statedDiscount ?? 0n) > subtotalOf(request.lines))
        return yield* FieldRejected.at("discountAmount", "is more than the items cost")
      const quote = yield* quotes.quote(store, request)
      yield* checkCodes(quote)
      yield* checkAcceptedCodes(quote)
      return yield* Effect.as(checkStorable(quote, "items"), quote)
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

    const create = Effect.fn("OrderEntry.create")(function* (cachedStore: StoreContext, body: OrderInput) {
      const now = yield* Clock.currentTimeMillis
      const id = makeId("ord", now)
      return yield* database.write(cachedStore.id)(
        Effect.gen(function* () {
          const store = yield* stores.fresh(cachedStore)
          const input = yield* readOrder(store, body)
          const {
            buyer: { customer, ...buyer },
            lines
          } = yield* checkAll({ buyer: buyerOf(store, input), lines: linesOf(store, input, now) })
          if (!hasGoods(lines) && input.shippingAddress === undefined && input.billingAddress === undefined)
            return yield* FieldRejected.at("billingAddress", "is needed where nothing is shipped")
          const quote = yield* quoteOf(store, requestOf(input, lines, buyer))
          const sold = lines.flatMap(({ productId, sellable, ...line }) =>
            productId === null || sellable === null ? [] : [soldLine({ ...line, productId, sellable })]
          )
          if (sold.length > 0) {
            yield* ledger
              .sell(store.id, demandsOf(sold), id, new Date(now))
              .pipe(Effect.mapError(ofLines(sold)), Effect.mapError(soldOut))
          }
          const placement = {
            id,
            quote,
            customer,
            externalId: input.externalId ?? null,
            sourceName: input.sourceName ?? "api",
            isTestOrder: false,
            paymentMethod: input.paymentMethod ?? "manual",
            notes: input.notes ?? null,
            isPaidWhenFree: false
          }
          return yield* placements.placeOrder(store, placement, now)
        })
      )
    })

    return { create }
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

const requestOf = (
  input: ReadOrder,
  lines: ReadonlyArray<PlacedLine>,
  buyer: Pick<QuoteBuyer, "customerId" | "email">
): QuoteRequest<PlacedLine> => ({
  currency: input.currency,
  lines,
  codes: input.couponCode === undefined ? [] : [input.couponCode],
  buyer: { ...unknownBuyer, ...buyer },
  delivery: { by: "stated", amount: input.shippingAmount ?? null, ...addressesOf(input) },
  statedDiscount: input.discountAmount,
  statedTax: input.taxAmount
})
