/** The use cases of order status labels. A label that is deleted is shown by no order any more. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { orderLabelBound, type OrderLabelInput, type OrderLabelPatch, toOrderLabelView } from "./OrderLabel.ts"
import { OrderLabelNotFound } from "./OrderLabelErrors.ts"
import { OrderLabelRepository } from "./OrderLabelRepository.ts"

export class OrderLabels extends Context.Service<OrderLabels>()("@effect-commerce/core/orderlabel/OrderLabels", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* OrderLabelRepository

    const notFound = (id: string) => () => new OrderLabelNotFound({ id })
    const get = (store: StoreContext, id: string) =>
      Effect.map(orFail(repository.find(store.id, id), notFound(id)), (label) => toOrderLabelView(store, label))

    return {
      list: (store: StoreContext, page: Page) =>
        mapItems(repository.list(store.id, page), (label) => toOrderLabelView(store, label)),
      get,
      create: Effect.fn("OrderLabels.create")(function* (store: StoreContext, input: OrderLabelInput) {
        const now = yield* Clock.currentTimeMillis
        const id = makeId("olabel", now)
        const label = { ...input, name: input.name.trim(), color: input.color ?? null }
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* checkRoom(orderLabelBound, yield* repository.countToAdd(store.id))
            yield* repository.insert(store.id, id, label, new Date(now))
            return yield* Effect.orDie(get(store, id))
          })
        )
      }),
      update: Effect.fn("OrderLabels.update")(function* (store: StoreContext, id: string, changes: OrderLabelPatch) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const current = yield* orFail(repository.findLocked(store.id, id), notFound(id))
            const name = (changes.name ?? current.name).trim()
            yield* repository.update(store.id, id, { ...current, ...changes, name }, new Date(now))
            return yield* get(store, id)
          })
        )
      }),
      remove: Effect.fn("OrderLabels.remove")(function* (store: StoreContext, id: string) {
        const isGone = yield* database.write(store.id)(repository.remove(store.id, id))
        if (!isGone) return yield* new OrderLabelNotFound({ id })
      }),
      /** What an order shows of a label; undefined where the store has none of this id. */
      find: (store: StoreContext, id: string) =>
        Effect.map(
          repository.find(store.id, id),
          (label) =>
            label && { id: label.id, name: label.name, color: label.color, canonicalStatus: label.canonicalStatus }
        )
    }
  })
}) {
  static readonly layer = Layer.effect(OrderLabels, OrderLabels.make).pipe(Layer.provide(OrderLabelRepository.layer))
}
