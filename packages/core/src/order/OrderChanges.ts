/**
 * How the rooms above change a placed order: they lock and read it, decide on the order as it is in memory, and write
 * it back, all in one transaction. Whoever touches its money as well locks its charges first (`settlement/OrderMoney`).
 */
import { Context, Effect, Layer } from "effect"
import { checkVersion } from "../database/Precondition.ts"
import { lockThenRead, orFail } from "../database/Repository.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { OrderNotFound } from "./OrderErrors.ts"
import { OrderChangeRepository } from "./OrderChangeRepository.ts"
import { OrderMoneyRepository } from "./OrderMoneyRepository.ts"
import { OrderRepository } from "./OrderRepository.ts"

export class OrderChanges extends Context.Service<OrderChanges>()("@effect-commerce/core/order/OrderChanges", {
  make: Effect.gen(function* () {
    const { find } = yield* OrderRepository
    const { lock } = yield* OrderMoneyRepository
    const { save } = yield* OrderChangeRepository

    return {
      /** The order as it is, not locked. */
      find: (store: StoreContext, id: string) => orFail(find(store.id, id), () => new OrderNotFound({ id })),
      /** Locks the order, and reads it as the transaction before has left it. Checks If-Match. */
      lock: Effect.fnUntraced(function* (store: StoreContext, id: string) {
        const [isThere, order] = yield* lockThenRead(lock(store.id, id), find(store.id, id))
        if (!isThere || order === undefined) return yield* new OrderNotFound({ id })
        yield* checkVersion(order.updatedAt)
        return order
      }),
      /** Writes what people change of an order; its money is written by `OrderMoney`, its parcels by `fulfilment`. */
      save
    }
  })
}) {
  static readonly layer = Layer.effect(OrderChanges, OrderChanges.make).pipe(
    Layer.provide([OrderRepository.layer, OrderMoneyRepository.layer, OrderChangeRepository.layer])
  )
}
