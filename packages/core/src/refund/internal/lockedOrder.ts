/** An order under the locks of its charges and its own, in this order. */
import { Effect } from "effect"
import { Charges } from "../../charge/Charges.ts"
import { lockThenRead, orFail } from "../../database/Repository.ts"
import { OrderNotFound } from "../../order/OrderErrors.ts"
import { OrderMoneyRepository } from "../../order/OrderMoneyRepository.ts"
import { OrderRepository } from "../../order/OrderRepository.ts"

export const makeLockedOrders = Effect.gen(function* () {
  const orders = yield* OrderRepository
  const { lock } = yield* OrderMoneyRepository
  const charges = yield* Charges

  const find = (storeId: string, id: string) => orFail(orders.find(storeId, id), () => new OrderNotFound({ id }))

  return {
    find,
    /** Inside a transaction. */
    locked: Effect.fnUntraced(function* (storeId: string, id: string) {
      const seen = yield* find(storeId, id)
      if (seen.checkoutId !== null) yield* charges.lock(storeId, seen.checkoutId)
      const [, order] = yield* lockThenRead(lock(storeId, id), orders.find(storeId, id))
      return order ?? seen
    })
  }
})
