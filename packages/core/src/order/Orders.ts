/** Reading and listing orders, however they were placed. */
import { Context, Effect, Layer } from "effect"
import { orFail } from "../database/Repository.ts"
import { explainRecorded } from "../explanation/explainRecorded.ts"
import { decodeExplanation } from "../explanation/StoredExplanation.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { OrderSort, OrderState, OrderStatus } from "./Order.ts"
import { OrderNotFound } from "./OrderErrors.ts"
import { OrderRepository } from "./OrderRepository.ts"
import { toOrderView } from "./OrderView.ts"
import { toShopperOrder } from "./ShopperOrderView.ts"

export interface OrderListInput {
  readonly page: Page
  readonly statuses?: ReadonlyArray<OrderStatus> | undefined
  readonly search?: string | undefined
  readonly sortBy: OrderSort
  readonly descending: boolean
}

export class Orders extends Context.Service<Orders>()("@effect-commerce/core/order/Orders", {
  make: Effect.gen(function* () {
    const repository = yield* OrderRepository

    /** As it was explained when it was placed; an order from before that is explained by its rows. */
    const explanationOf = Effect.fnUntraced(function* (order: OrderState) {
      const stored = yield* decodeExplanation(yield* repository.explanationOf(order.storeId, order.id), order.id)
      return stored ?? explainRecorded(order)
    })

    return {
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
      /** The orders that have completed these draft orders. */
      ofDrafts: repository.ofDrafts,
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
  static readonly layer = Layer.effect(Orders, Orders.make).pipe(Layer.provide(OrderRepository.layer))
}
