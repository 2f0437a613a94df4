import { isCurrency } from "@effect-commerce/core/kernel/Currency"
import { parseIsoTime } from "@effect-commerce/core/kernel/IsoTime"
import { parseAmount } from "@effect-commerce/core/kernel/Money"
import { pageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import { type OrderSort, orderSorts, type OrderStatus, orderStatuses } from "@effect-commerce/core/order/Order"
import { OrderMoney } from "@effect-commerce/core/settlement/OrderMoney"
import { type OrderInput as CoreOrderInput, Orders } from "@effect-commerce/core/order/Orders"
import { StorefrontOrders } from "@effect-commerce/core/order/StorefrontOrders"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { checkAll, checkEach, FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { languageKeptOf } from "../middleware/RequestLanguages.ts"
import { blankAsAbsent } from "../middleware/SearchQuery.ts"
import { asAdmin, onChannel } from "../middleware/Surfaces.ts"
import type { OrderInput } from "./OrderBodies.ts"
import { OrdersGroup, StorefrontOrdersGroup } from "./OrderApi.ts"

const isSort = (name: string | undefined): name is OrderSort => orderSorts.some((sort) => sort === name)
const isStatus = (name: string): name is OrderStatus => orderStatuses.some((status) => status === name)

const statusesOf = (text: string | undefined): Effect.Effect<ReadonlyArray<OrderStatus> | undefined, FieldRejected> => {
  if (text === undefined || text === "") return Effect.undefined
  const names = text.split(",").map((name) => name.trim().toUpperCase())
  return names.every(isStatus)
    ? Effect.succeed([...new Set(names)])
    : FieldRejected.at("status", `must be of ${orderStatuses.join(", ")}`)
}

/** Amounts of a body as minor units. */
const amounts = (currency: string) => (field: string, given: number | string | undefined) => {
  if (given === undefined) return Effect.undefined
  const minor = parseAmount(given, currency)
  return typeof minor === "bigint" ? Effect.succeed(minor) : FieldRejected.at(field, minor.message)
}

/** An ISO 8601 time of a body. */
const timeOf = (field: string, given: string | null | undefined) => {
  if (given === undefined || given === null) return Effect.undefined
  const at = parseIsoTime(given)
  return at === undefined ? FieldRejected.at(field, "must be an ISO 8601 time") : Effect.succeed(at)
}

const nameOf = (customer: NonNullable<OrderInput["customer"]>): string | undefined => {
  const parts = [customer.firstName, customer.lastName].filter((part) => part !== undefined && part !== "")
  return customer.name ?? (parts.length === 0 ? undefined : parts.join(" "))
}

const toInput = Effect.fnUntraced(function* (store: StoreContext, payload: OrderInput) {
  const currency = payload.currency ?? store.currency
  // The currency decides which amounts are valid: if it is unknown, amounts are not checked.
  const amount = isCurrency(currency) ? amounts(currency) : () => Effect.undefined
  const { customer, couponCode, discountAmount, shippingAmount, taxAmount, items, status: _status, ...rest } = payload
  const { currency: _currency, ...read } = yield* checkAll({
    items: checkEach(items, ({ price, variantId, ...item }, i) =>
      Effect.map(amount(`items.${i}.price`, price), (minor) => ({
        ...item,
        variantId: variantId ?? undefined,
        price: minor
      }))
    ),
    currency: isCurrency(currency) ? Effect.void : FieldRejected.at("currency", "must be an ISO 4217 code such as USD"),
    discountAmount: amount("discountAmount", discountAmount),
    shippingAmount: amount("shippingAmount", shippingAmount),
    taxAmount: amount("taxAmount", taxAmount)
  })
  const input: CoreOrderInput = {
    ...rest,
    ...read,
    currency,
    couponCode: couponCode ?? undefined,
    customer:
      customer === undefined ? undefined : { email: customer.email, name: nameOf(customer), phone: customer.phone }
  }
  return input
})

const orders = endpointsOf(
  OrdersGroup,
  Effect.fnUntraced(function* (handlers) {
    const orders = yield* Orders
    const money = yield* OrderMoney
    return handlers.handleAll({
      list: asAdmin(
        Effect.fnUntraced(function* ({ store }, { query }) {
          const page = pageOf(query)
          const statuses = yield* statusesOf(query.status)
          const sortBy = isSort(query.sortBy) ? query.sortBy : "createdAt"
          const search = blankAsAbsent(query.search)
          const found = yield* orders.list(store, {
            page,
            statuses,
            search,
            sortBy,
            descending: query.sortOrder !== "asc"
          })
          return toEnvelope(page, found)
        })
      ),
      create: asAdmin(
        Effect.fnUntraced(function* ({ store }, { payload }) {
          return yield* orders.create(store, (current) => toInput(current, payload))
        })
      ),
      recordPayment: asAdmin(
        Effect.fnUntraced(function* ({ store }, { params, payload }) {
          const { currency } = yield* orders.get(store, params.id)
          const { amount, paidAt } = yield* checkAll({
            amount: Effect.flatMap(amounts(currency)("amount", payload.amount), (minor = 0n) =>
              minor === 0n ? FieldRejected.at("amount", "must be more than zero") : Effect.succeed(minor)
            ),
            paidAt: timeOf("paidAt", payload.paidAt)
          })
          return yield* money.record(store, params.id, {
            amount,
            method: payload.method,
            reference: payload.reference,
            paidAt
          })
        })
      ),
      get: asAdmin(({ store }, { params }) => orders.get(store, params.id))
    })
  })
)

const storefrontOrders = endpointsOf(
  StorefrontOrdersGroup,
  Effect.fnUntraced(function* (handlers) {
    const orders = yield* StorefrontOrders
    return handlers.handleAll({
      place: onChannel(
        Effect.fnUntraced(function* ({ store, channel, customer }, { payload, query }) {
          const { email, phone } = payload.customer
          const described = { email, name: nameOf(payload.customer) ?? null, phone: phone ?? null }
          const buyer = {
            salesChannelId: channel.id,
            isTest: channel.mode === "test",
            customerId: customer?.id ?? null,
            locale: yield* languageKeptOf(store, query)
          }
          const asked = (current: StoreContext) =>
            Effect.map(
              checkEach(payload.items, ({ price, variantId, ...item }, i) =>
                Effect.map(amounts(current.currency)(`items.${i}.price`, price), (minor) => ({
                  ...item,
                  variantId: variantId ?? null,
                  price: minor ?? 0n
                }))
              ),
              (items) => ({ ...payload, items, customer: described })
            )
          const { id, orderNumber, status, totalAmount, financialStatus } = yield* orders.place(store, buyer, asked)
          const message = financialStatus === "paid" ? "Order placed and paid" : "Order placed; payment is pending"
          return { orderId: id, orderNumber, status, total: totalAmount, message }
        })
      ),
      status: onChannel(({ store, channel }, { params, query }) =>
        orders.status(store, channel.id, params.id, query.email)
      )
    })
  })
)

export const orderEndpoints = Layer.mergeAll(orders, storefrontOrders)
