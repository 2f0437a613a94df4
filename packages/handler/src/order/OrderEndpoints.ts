import { pageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import { type OrderSort, orderSorts, type OrderStatus, orderStatuses } from "@effect-commerce/core/order/Order"
import { OrderMoney } from "@effect-commerce/core/settlement/OrderMoney"
import { OrderEntry } from "@effect-commerce/core/orderentry/OrderEntry"
import { Orders } from "@effect-commerce/core/order/Orders"
import { StorefrontOrders } from "@effect-commerce/core/quickorder/StorefrontOrders"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { languageKeptOf } from "../middleware/RequestLanguages.ts"
import { blankAsAbsent } from "../middleware/SearchQuery.ts"
import { asAdmin, onChannel } from "../middleware/Surfaces.ts"
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

const orders = endpointsOf(
  OrdersGroup,
  Effect.fnUntraced(function* (handlers) {
    const orders = yield* Orders
    const entry = yield* OrderEntry
    const money = yield* OrderMoney
    return handlers.handleAll({
      list: asAdmin(
        Effect.fnUntraced(function* ({ store }, { query }) {
          const page = pageOf(query)
          const statuses = yield* statusesOf(query.status)
          const sortBy = isSort(query.sortBy) ? query.sortBy : "createdAt"
          const search = blankAsAbsent(query.search)
          const list = orders.list(store, {
            page,
            statuses,
            search,
            sortBy,
            descending: query.sortOrder !== "asc"
          })
          return toEnvelope(page, yield* list)
        })
      ),
      create: asAdmin(({ store }, { payload }) => entry.create(store, payload)),
      recordPayment: asAdmin(({ store }, { params, payload }) => money.record(store, params.id, payload)),
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
          const buyer = {
            salesChannelId: channel.id,
            isTest: channel.mode === "test",
            customerId: customer?.id ?? null,
            locale: yield* languageKeptOf(store, query)
          }
          const { id, orderNumber, status, totalAmount, financialStatus } = yield* orders.place(store, buyer, payload)
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
