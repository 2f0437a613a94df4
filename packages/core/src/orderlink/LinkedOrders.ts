/**
 * The customer room's port: whoever proves that a mailbox is theirs gets the orders that were placed with it as a
 * guest, in this store. Each linked order emits order.updated, and one mail says how many there are. An order that is
 * being placed at the same moment is a guest's still, and linked at the next proof.
 */
import { Effect, Layer } from "effect"
import type { MailboxProof } from "../customer/MailboxProofs.ts"
import { orderUpdated } from "../order/OrderEvents.ts"
import { OrderRepository } from "../order/OrderRepository.ts"
import { toOrderView } from "../order/OrderView.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { ordersLinked } from "./OrderLinkEvents.ts"
import { OrderLinkRepository } from "./OrderLinkRepository.ts"

/** Orders of one statement, and rounds of one proof, each of three statements: what is left is linked at the next. */
const linkBounds = { atOnce: 50, rounds: 20 }

export const linkedOrders = Effect.gen(function* () {
  const repository = yield* OrderLinkRepository
  const orders = yield* OrderRepository
  const outbox = yield* Outbox

  const proof: MailboxProof = Effect.fnUntraced(function* (store, customer, { salesChannelId, now }) {
    const { id: customerId, email, firstName, locale } = customer
    let orderCount = 0
    for (let round = 0; round < linkBounds.rounds; round++) {
      const linked = yield* repository.link(store.id, { customerId, email }, linkBounds.atOnce, now)
      if (linked.length === 0) break
      const found = yield* orders.findAll(store.id, linked)
      yield* outbox.appendAll(
        store.id,
        found.map((order) => orderUpdated.of({ orderId: order.id, order: toOrderView(order) }))
      )
      orderCount += linked.length
      if (linked.length < linkBounds.atOnce) break
    }
    if (orderCount === 0) return
    yield* outbox.append(store.id, ordersLinked, {
      customerId,
      email,
      firstName,
      language: locale,
      salesChannelId,
      orderCount
    })
  })
  return proof
}).pipe(Effect.provide(Layer.merge(OrderLinkRepository.layer, OrderRepository.layer)))
