/**
 * The use cases of draft orders but for their invoices: made, changed, read, deleted, completed. A draft is priced when
 * it is written, as an order that a key enters is; it takes no stock and no number until it is completed.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { Page } from "../kernel/Pagination.ts"
import { encodeDraft, isDraftStorable, maxDraftBytes } from "../order/OrderDraft.ts"
import type { NewOrder, OrderState } from "../order/Order.ts"
import { draftOrder } from "../order/OrderPlacement.ts"
import { Orders } from "../order/Orders.ts"
import { toOrderView } from "../order/OrderView.ts"
import { checkBilling, type EnteredOrder, OrderEntry, placementOf, type PricedOrder } from "../orderentry/OrderEntry.ts"
import type { OrderInput } from "../orderentry/OrderInput.ts"
import { OrderMoney } from "../settlement/OrderMoney.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { systemActor } from "../store/Actor.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { CurrencyChanged } from "../store/StoreErrors.ts"
import { Stores } from "../store/Stores.ts"
import { DraftCheckouts } from "./DraftCheckouts.ts"
import {
  type DraftCompletion,
  type DraftOrderInput,
  type DraftOrderPatch,
  type DraftOrderState,
  toDraftOrderView
} from "./DraftOrder.ts"
import { DraftOrderBeingPaid, DraftOrderCompleted, DraftOrderNotFound } from "./DraftOrderErrors.ts"
import { DraftOrderRepository } from "./DraftOrderRepository.ts"
import { bodyOf, changedBody, changesOf, checkItemIds, itemIdsOf, withPrices } from "./internal/draftBody.ts"

interface DraftToPrice {
  readonly id: string
  readonly body: OrderInput
  readonly salesChannelId: string | null
  /** Ids that its items keep, by their place. */
  readonly itemIds?: ReadonlyArray<string | undefined>
}

export class DraftOrders extends Context.Service<DraftOrders>()("@effect-commerce/core/draftorder/DraftOrders", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* DraftOrderRepository
    const checkouts = yield* DraftCheckouts
    const channels = yield* SalesChannels
    const stores = yield* Stores
    const entry = yield* OrderEntry
    const orders = yield* Orders
    const money = yield* OrderMoney

    const notFound = (id: string) => () => new DraftOrderNotFound({ id })

    /** Whether the channel, which has to be the store's, is in test mode. */
    const isTestOn = (store: StoreContext, salesChannelId: string | null) =>
      salesChannelId === null
        ? Effect.succeed(false)
        : channels.get(store.id, salesChannelId).pipe(
            Effect.map(({ mode }) => mode === "test"),
            Effect.catchTag("SalesChannelNotFound", () =>
              FieldRejected.at("salesChannelId", "is not a sales channel of this store")
            )
          )

    /** Reads and prices what is drafted. */
    const priced = Effect.fnUntraced(function* (store: StoreContext, { id, ...draft }: DraftToPrice, now: number) {
      const { isTestOrder, read } = yield* checkAll({
        isTestOrder: isTestOn(store, draft.salesChannelId),
        read: entry.read(store, draft, now)
      })
      const entered = { ...read, lines: read.lines.map((line, i) => ({ ...line, id: draft.itemIds?.[i] ?? line.id })) }
      const quote = yield* entry.price(store, entered)
      const order: PricedOrder = { id, quote, draftId: null, isTestOrder, isPaidWhenFree: false }
      return { entered, order }
    })

    /** What is written of a draft. */
    const drafted = Effect.fnUntraced(function* (store: StoreContext, draft: DraftToPrice, now: number) {
      const { entered, order } = yield* priced(store, draft, now)
      const unplaced = unplacedOrder(store, entered, order, now)
      if (!isDraftStorable(unplaced, encodeDraft(unplaced)))
        return yield* FieldRejected.at("items", `come to more than ${maxDraftBytes} bytes`)
      const { customerId, email, salesChannelId } = entered.buyer
      return { customerId, email, salesChannelId, body: withPrices(draft.body, entered), priced: unplaced }
    })

    const orderOf = (storeId: string, id: string) =>
      Effect.map(orders.ofDrafts(storeId, [id]), ([order]): OrderState | undefined => order)

    /**
     * Locks a draft and its checkouts, and cancels the one that is open. Returns the order that it has become, if it
     * has: none can come to be before the transaction ends. Inside a write.
     */
    const lockAndClose = Effect.fnUntraced(function* (store: StoreContext, id: string, now: number) {
      const draft = yield* orFail(repository.lock(store.id, id), notFound(id))
      const before = yield* orderOf(store.id, id)
      if (before !== undefined) return { draft, order: before }
      yield* checkouts.close(store, id, now).pipe(Effect.mapError(() => new DraftOrderBeingPaid({ id })))
      return { draft, order: yield* orderOf(store.id, id) }
    })

    /** `lockAndClose` of a draft that is to be written. */
    const lockOpen = Effect.fnUntraced(function* (store: StoreContext, id: string, now: number) {
      const { draft, order } = yield* lockAndClose(store, id, now)
      return order === undefined ? draft : yield* new DraftOrderCompleted({ id, orderId: order.id })
    })

    const create = Effect.fn("DraftOrders.create")(function* (cachedStore: StoreContext, input: DraftOrderInput) {
      const now = yield* Clock.currentTimeMillis
      const id = makeId("draft", now)
      return yield* database.write(cachedStore.id)(
        Effect.gen(function* () {
          const store = yield* stores.fresh(cachedStore)
          const wanted = { id, body: bodyOf(input), salesChannelId: input.salesChannelId ?? null }
          const fields = yield* drafted(store, wanted, now)
          const { currency } = fields.priced
          const draft: DraftOrderState = {
            ...fields,
            id,
            storeId: store.id,
            currency,
            inStoreCurrency: currency === store.currency,
            invoiceSentAt: null,
            invoiceExpiresAt: null,
            createdAt: new Date(now),
            updatedAt: new Date(now)
          }
          yield* repository.insert(store.id, draft)
          return toDraftOrderView(draft, undefined)
        })
      )
    })

    const read = Effect.fnUntraced(function* (store: StoreContext, id: string) {
      const draft = yield* orFail(repository.find(store.id, id), notFound(id))
      return toDraftOrderView(draft, yield* orderOf(store.id, id))
    })

    const update = Effect.fn("DraftOrders.update")(function* (
      cachedStore: StoreContext,
      id: string,
      patch: DraftOrderPatch
    ) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(cachedStore.id)(
        Effect.gen(function* () {
          const store = yield* stores.fresh(cachedStore)
          const draft = yield* lockOpen(store, id, now)
          yield* checkCurrency(draft, store)
          const { currency } = draft
          if (patch.currency !== undefined && patch.currency !== currency)
            return yield* FieldRejected.at("currency", `a draft keeps the currency that it began in: ${currency}`)
          const salesChannelId = patch.salesChannelId === undefined ? draft.salesChannelId : patch.salesChannelId
          yield* checkItemIds(draft, patch)
          const body = changedBody(draft.body, changesOf(draft, patch))
          const wanted = { id, body, salesChannelId, itemIds: itemIdsOf(draft, patch) }
          yield* repository.update(store.id, id, yield* drafted(store, wanted, now), new Date(now))
          return yield* read(store, id)
        })
      )
    })

    const remove = Effect.fn("DraftOrders.remove")(function* (store: StoreContext, id: string) {
      const now = yield* Clock.currentTimeMillis
      yield* database.write(store.id)(
        Effect.andThen(lockOpen(store, id, now), repository.remove(store.id, id, new Date(now)))
      )
    })

    /** Places the order of a draft that has none. */
    const place = Effect.fnUntraced(function* (
      store: StoreContext,
      draft: DraftOrderState,
      { paymentMethod, reference, paid = false }: DraftCompletion,
      now: number
    ) {
      yield* checkCurrency(draft, store)
      const named = paymentMethod ?? draft.body.paymentMethod
      const body = named === undefined ? draft.body : { ...draft.body, paymentMethod: named }
      const { salesChannelId } = draft
      const { entered, order } = yield* priced(store, { id: makeId("ord", now), body, salesChannelId }, now)
      yield* checkBilling(entered)
      const placed = yield* entry.place(store, entered, { ...order, draftId: draft.id, isPaidWhenFree: paid }, now)
      const due = order.quote.amountDue
      if (!paid || due === 0n) return placed
      const payment = { amount: formatMoney(due, draft.currency), method: placed.paymentMethod ?? "manual" }
      return yield* Effect.orDie(money.record(store, placed.id, { ...payment, reference: reference ?? null }))
    })

    /** The order of the draft; a repeated completion returns the first. */
    const complete = Effect.fn("DraftOrders.complete")(function* (
      cachedStore: StoreContext,
      id: string,
      input: DraftCompletion
    ) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(cachedStore.id)(
        Effect.gen(function* () {
          const store = yield* stores.fresh(cachedStore)
          const { draft, order } = yield* lockAndClose(store, id, now)
          return order === undefined ? yield* place(store, draft, input, now) : toOrderView(order)
        })
      )
    })

    return {
      create,
      get: read,
      update,
      remove,
      complete,
      /** The draft, locked, with no checkout open and no order. Inside a write. */
      lockOpen,
      /** The order that a draft has become, if it has. */
      orderOf,
      list: Effect.fnUntraced(function* (store: StoreContext, page: Page, statuses: ReadonlyArray<string> | undefined) {
        const { items, total } = yield* repository.list(store.id, page, statuses)
        const placed =
          items.length === 0
            ? []
            : yield* orders.ofDrafts(
                store.id,
                items.map(({ id }) => id)
              )
        const byDraft = new Map(placed.map((order) => [order.draftId, order]))
        return { items: items.map((draft) => toDraftOrderView(draft, byDraft.get(draft.id))), total }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(DraftOrders, DraftOrders.make).pipe(Layer.provide(DraftOrderRepository.layer))
}

/** The order that a draft would be: nothing is paid of it, and nothing has happened to it. */
const unplacedOrder = (store: StoreContext, entered: EnteredOrder, order: PricedOrder, now: number): NewOrder => ({
  ...draftOrder(store, placementOf(entered, order), { now, actor: systemActor }),
  payments: [],
  statusHistory: [],
  explanation: null
})

/** A draft keeps the currency that it began in: where that was the store's and is no more, it is only read. */
export const checkCurrency = (
  { currency, inStoreCurrency }: Pick<DraftOrderState, "currency" | "inStoreCurrency">,
  store: StoreContext
): Effect.Effect<void, CurrencyChanged> =>
  inStoreCurrency && currency !== store.currency
    ? Effect.fail(new CurrencyChanged({ currency, storeCurrency: store.currency }))
    : Effect.void
