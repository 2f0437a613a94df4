/** The use cases of orders outside of a checkout: placing one with an admin key, reading and listing. */
import { Clock, Context, Effect, Layer } from "effect"
import { Customers } from "../customer/Customers.ts"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { explainRecorded } from "../explanation/explainRecorded.ts"
import { decodeExplanation } from "../explanation/StoredExplanation.ts"
import { demandsOf, ofLines } from "../inventory/SoldLines.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { type Address, normaliseEmail, personOf, toAddress } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Pagination.ts"
import { checkAcceptedCodes, checkCodes } from "../pricing/CodeErrors.ts"
import { hasGoods, type QuoteBuyer, type QuoteRequest, subtotalOf, unknownBuyer } from "../pricing/Quote.ts"
import { Quotes } from "../pricing/Quotes.ts"
import { chosenOf, modifierErrors, ModifiersInvalid } from "../modifier/LineModifiers.ts"
import { chooseVariant, type Sellable, unitPriceAt } from "../pricing/Sellable.ts"
import { SellableRepository } from "../pricing/SellableRepository.ts"
import { soldLine } from "../pricing/SellableStock.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { checkAll, checkEach, FieldRejected } from "../kernel/FieldRejected.ts"
import { Stores } from "../store/Stores.ts"
import type { OrderSort, OrderState, OrderStatus } from "./Order.ts"
import { OrderCustomerUnknown, OrderNotFound, OrderProductUnknown, soldOut } from "./OrderErrors.ts"
import { type ReadOrder, readOrder } from "./ReadOrder.ts"
import type { OrderInput } from "./OrderInput.ts"
import { OrderPlacement, type PlacedLine } from "./OrderPlacement.ts"
import { OrderRepository } from "./OrderRepository.ts"
import { toOrderView } from "./OrderView.ts"
import { toShopperOrder } from "./ShopperOrderView.ts"
import { checkStorable } from "./StorableOrder.ts"

type ReadOrderItem = ReadOrder["items"][number]

export interface OrderListInput {
  readonly page: Page
  readonly statuses?: ReadonlyArray<OrderStatus> | undefined
  readonly search?: string | undefined
  readonly sortBy: OrderSort
  readonly descending: boolean
}

export class Orders extends Context.Service<Orders>()("@effect-commerce/core/order/Orders", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* OrderRepository
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

    const create = Effect.fn("Orders.create")(function* (cachedStore: StoreContext, body: OrderInput) {
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

    /** As it was explained when it was placed; an order from before that is explained by its rows. */
    const explanationOf = Effect.fnUntraced(function* (order: OrderState) {
      const stored = yield* decodeExplanation(yield* repository.explanationOf(order.storeId, order.id), order.id)
      return stored ?? explainRecorded(order)
    })

    return {
      create,
      get: (store: StoreContext, id: string) =>
        Effect.map(
          orFail(repository.find(store.id, id), () => new OrderNotFound({ id })),
          toOrderView
        ),
      explain: (store: StoreContext, id: string) =>
        Effect.flatMap(
          orFail(repository.find(store.id, id), () => new OrderNotFound({ id })),
          explanationOf
        ),
      explanationOf,
      list: (store: StoreContext, input: OrderListInput) =>
        Effect.map(repository.list(store.id, { ...input, statuses: input.statuses }), ({ items, total }) => ({
          items: items.map(toOrderView),
          total
        })),
      /** Newest first. */
      listOfCustomer: (store: StoreContext, customerId: string, page: Page) =>
        Effect.map(
          repository.list(store.id, { page, statuses: undefined, customerId, sortBy: "createdAt", descending: true }),
          ({ items, total }) => ({
            items: items.map((order) => toShopperOrder(toOrderView(order))),
            total
          })
        ),
      /** Another customer's order is reported as not found. */
      getOfCustomer: (store: StoreContext, customerId: string, id: string) =>
        Effect.flatMap(repository.find(store.id, id), (order) =>
          order === undefined || order.customerId !== customerId
            ? Effect.fail(new OrderNotFound({ id }))
            : Effect.succeed(toShopperOrder(toOrderView(order)))
        )
    }
  })
}) {
  static readonly layer = Layer.effect(Orders, Orders.make).pipe(
    Layer.provide([OrderRepository.layer, SellableRepository.layer])
  )
}

/**
 * Why a product cannot be sold as requested: it is sold by its variants, or it is a kit without all of its components.
 */
const wholeRefusal = ({ type, variantId, kit }: Sellable): [field: string, reason: string] | undefined => {
  if (kit?.some((part) => !part.isThere) === true) return ["productId", "a component of this kit is not there any more"]
  return type === "VARIABLE" && variantId === null ? ["variantId", chooseVariant] : undefined
}

/** Why an item cannot be a line: an unknown product, a VARIABLE one without its variant, or no price. */
const refusalOf = (
  item: ReadOrderItem,
  at: number,
  sellable: Sellable | null,
  currency: { readonly order: string; readonly catalogue: string }
): OrderProductUnknown | FieldRejected | undefined => {
  const refuse = (field: string, reason: string) => FieldRejected.at(`items.${at}.${field}`, reason)
  if (
    item.productId !== undefined &&
    (sellable === null || sellable.deleted || sellable.variantId !== (item.variantId ?? null))
  ) {
    return new OrderProductUnknown({ productId: item.productId })
  }
  if (item.productId === undefined && item.variantId !== undefined)
    return refuse("variantId", "goes with the productId of its product")
  if (sellable === null) {
    return item.name === undefined || item.price === undefined
      ? refuse("productId", "an item without a product needs a name and a price")
      : undefined
  }
  const whole = wholeRefusal(sellable)
  if (whole !== undefined) return refuse(...whole)
  return item.price === undefined && currency.order !== currency.catalogue
    ? refuse("price", `prices of the catalogue are in ${currency.catalogue}`)
    : undefined
}

/** Modifiers in the request must fit; without any, the product is sold without modifiers. */
const checkModifiers = (
  { modifiers = [] }: ReadOrderItem,
  at: number,
  sellable: Sellable | null
): Effect.Effect<void, ModifiersInvalid | FieldRejected> => {
  if (modifiers.length === 0) return Effect.void
  if (sellable === null) return FieldRejected.at(`items.${at}.modifiers`, "go with the productId of their product")
  const errors = sellable.modifiers === null ? [] : modifierErrors(sellable.modifiers)
  return errors.length === 0 ? Effect.void : Effect.fail(new ModifiersInvalid({ errors }))
}

const toLine = (item: ReadOrderItem, sellable: Sellable | null, now: number): PlacedLine => ({
  id: makeId("item", now),
  productId: item.productId ?? null,
  variantId: item.variantId ?? null,
  quantity: item.quantity,
  unitPrice: item.price ?? (sellable === null ? 0n : unitPriceAt(sellable, now)),
  name: item.name ?? null,
  metadata: {},
  customizations: {},
  modifiers: chosenOf(item.modifiers ?? []),
  sellable
})

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
