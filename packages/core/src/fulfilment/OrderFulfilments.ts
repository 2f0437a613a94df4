/**
 * Sends orders, parcel by parcel. The row of the order is the lock: two fulfilments of the same units follow one
 * another, and the second is told what is left. Parcel, quantities, status, event and mail are written together.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { NewEvent } from "../kernel/EventDefinition.ts"
import { FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { maxParcelItems, maxParcels, type OrderParcel, type OrderState } from "../order/Order.ts"
import { OrderChanges } from "../order/OrderChanges.ts"
import { OrderStateConflict } from "../order/OrderErrors.ts"
import { orderFulfilled, orderMailAsked, orderUpdated } from "../order/OrderEvents.ts"
import { openUnits } from "../order/OrderStates.ts"
import { type OrderView, toOrderView } from "../order/OrderView.ts"
import { moved, readStatusChange } from "../order/StatusHistory.ts"
import { CurrentActor } from "../store/Actor.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { allOpen, type FulfilInput, isComplete, type SentUnits, withDelivered, withParcel } from "./Fulfilment.ts"
import { FulfilmentExceedsOpen } from "./FulfilmentErrors.ts"
import { FulfilmentRepository } from "./FulfilmentRepository.ts"

/** What is asked of an order: all that is open, or these units. */
interface Sending extends Omit<FulfilInput, "items"> {
  readonly items: ReadonlyArray<SentUnits>
  readonly reason: string | null
}

export class OrderFulfilments extends Context.Service<OrderFulfilments>()(
  "@effect-commerce/core/fulfilment/OrderFulfilments",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const changes = yield* OrderChanges
      const repository = yield* FulfilmentRepository
      const outbox = yield* Outbox

      /** Writes the order after the change, and tells of it. */
      const finish = Effect.fnUntraced(function* (before: OrderState, after: OrderState, mail: Mail | undefined) {
        yield* changes.save(after)
        if (after.status === "DELIVERED" && before.status !== "DELIVERED")
          yield* repository.deliver(after.storeId, after.id, after.updatedAt)
        const view = toOrderView(after)
        yield* outbox.appendAll(after.storeId, eventsOf(before, after, view, mail))
        return view
      })

      /** Sends units of an order that is locked. */
      const send = Effect.fnUntraced(function* (
        order: OrderState,
        { items, delivered = false, notifyCustomer = true, reason, ...tracking }: Sending,
        now: number
      ) {
        const actor = yield* CurrentActor
        const parcel = parcelOf({ items, delivered, ...tracking }, { actor, now })
        const to = delivered ? ("DELIVERED" as const) : ("SHIPPED" as const)
        const after = withParcel(order, parcel, { to, reason, actor, now })
        yield* repository.insert(order.storeId, order.id, parcel)
        return yield* finish(order, after, notifyCustomer ? mailOf(after, parcel, delivered) : undefined)
      })

      return {
        fulfil: Effect.fn("OrderFulfilments.fulfil")(function* (store: StoreContext, id: string, body: FulfilInput) {
          const now = yield* Clock.currentTimeMillis
          return yield* database.write(store.id)(
            Effect.gen(function* () {
              const order = yield* changes.lock(store, id)
              if (!canBeSent.includes(order.status)) return yield* new OrderStateConflict({ id, status: order.status })
              const items = yield* unitsOf(order, body.items)
              yield* checkParcels(order, items)
              return yield* send(order, { ...body, items, reason: null }, now)
            })
          )
        }),
        /**
         * The order, which is locked, moves to SHIPPED or DELIVERED, a legal move: all that is open is sent. What was
         * sent before is delivered now.
         */
        sendAll: Effect.fnUntraced(function* (
          order: OrderState,
          to: "SHIPPED" | "DELIVERED",
          { reason, now }: { readonly reason: string | null; readonly now: number }
        ) {
          const items = allOpen(order.items)
          const delivered = to === "DELIVERED"
          if (items.length > 0) {
            yield* checkParcels(order, items)
            return yield* send(order, { items, delivered, reason }, now)
          }
          const after = withDelivered(moved(order, to, { reason, actor: yield* CurrentActor, now }), now)
          return yield* finish(order, after, mailOf(after, after.parcels.at(-1), delivered))
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(OrderFulfilments, OrderFulfilments.make).pipe(
    Layer.provide(FulfilmentRepository.layer)
  )
}

/** An order that is sent whole has nothing open, which is another error. */
const canBeSent: ReadonlyArray<OrderState["status"]> = [
  "PAID",
  "PROCESSING",
  "PARTIALLY_REFUNDED",
  "SHIPPED",
  "DELIVERED"
]

const unitsOf = Effect.fnUntraced(function* (order: OrderState, asked: FulfilInput["items"]) {
  if (asked === undefined) {
    const items = allOpen(order.items)
    return items.length > 0 ? items : yield* new FulfilmentExceedsOpen({ items: [] })
  }
  const known = new Map(order.items.map((item) => [item.id, item]))
  const ids = asked.map(({ itemId }) => itemId)
  yield* rejectFields(
    Object.fromEntries(
      ids.flatMap((itemId, i) => {
        if (!known.has(itemId)) return [[`items.${i}.itemId`, "is no item of this order"]]
        return ids.indexOf(itemId) === i ? [] : [[`items.${i}.itemId`, "repeats an earlier item"]]
      })
    )
  )
  const over = asked.flatMap(({ itemId, quantity: requested }) => {
    const item = known.get(itemId)
    const open = item === undefined ? 0 : openUnits(item)
    return requested > open ? [{ itemId, open, requested }] : []
  })
  return over.length > 0 ? yield* new FulfilmentExceedsOpen({ items: over }) : asked
})

const checkParcels = ({ parcels }: OrderState, items: ReadonlyArray<SentUnits>) => {
  if (parcels.length >= maxParcels) return FieldRejected.at("items", `an order has at most ${maxParcels} parcels`)
  const rows = parcels.reduce((sum, parcel) => sum + parcel.items.length, items.length)
  return rows > maxParcelItems
    ? FieldRejected.at("items", `the parcels of an order list at most ${maxParcelItems} items`)
    : Effect.void
}

const parcelOf = (
  { items, delivered = false, trackingNumber, trackingUrl, carrier }: Omit<Sending, "reason" | "notifyCustomer">,
  { actor, now }: { readonly actor: OrderParcel["actor"]; readonly now: number }
): OrderParcel => {
  const createdAt = new Date(now).toISOString()
  return {
    id: makeId("ful", now),
    trackingNumber: trackingNumber ?? null,
    trackingUrl: trackingUrl ?? null,
    carrier: carrier ?? null,
    deliveredAt: delivered ? createdAt : null,
    actor,
    createdAt,
    items: items.map(({ itemId, quantity }) => ({ itemId, quantity }))
  }
}

type Mail = Omit<typeof orderMailAsked.data.Encoded, "orderId" | "order">

/**
 * A parcel is on its way, or the order is complete. That a part of it was handed over is no news to who has got it.
 */
const mailOf = (order: OrderState, parcel: OrderParcel | undefined, delivered: boolean): Mail | undefined => {
  if (order.email === null || (delivered && !isComplete(order.items))) return undefined
  const items = parcel?.items.flatMap(({ itemId, quantity }) => {
    const item = order.items.find(({ id }) => id === itemId)
    return item === undefined ? [] : [{ name: item.name, sku: item.sku, quantity }]
  })
  const { trackingNumber = null, trackingUrl = null, carrier = null } = parcel ?? {}
  return {
    mail: delivered ? "ORDER_COMPLETED" : "ORDER_SHIPPED",
    details: { trackingNumber, trackingUrl, carrier, items: items ?? [] }
  }
}

const isSent = (status: OrderState["status"]): boolean => status === "SHIPPED" || status === "DELIVERED"

const wasSent = ({ statusHistory }: OrderState): boolean =>
  statusHistory.some((stored) => isSent(readStatusChange(stored)?.to ?? "PENDING"))

/** Everything is sent for the first time, or something else has changed; never both. */
const eventsOf = (
  before: OrderState,
  after: OrderState,
  order: OrderView,
  mail: Mail | undefined
): ReadonlyArray<NewEvent> => {
  const data = { orderId: after.id, order }
  const isFulfilled = isSent(after.status) && after.fulfillmentStatus === "fulfilled" && !wasSent(before)
  return [
    (isFulfilled ? orderFulfilled : orderUpdated).of(data),
    ...(mail === undefined ? [] : [orderMailAsked.of({ ...data, ...mail })])
  ]
}
