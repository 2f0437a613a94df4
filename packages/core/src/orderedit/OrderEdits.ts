/**
 * What a merchant does with an order by hand: changes its fields, moves its status, notes something, reads its history.
 * A status that means more than a word is what it says: CANCELLED cancels, SHIPPED and DELIVERED send.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { OrderCancellations } from "../cancellation/OrderCancellations.ts"
import { Database } from "../database/Database.ts"
import { nextVersion } from "../database/Precondition.ts"
import { OrderFulfilments } from "../fulfilment/OrderFulfilments.ts"
import { type Address, toAddress } from "../kernel/Address.ts"
import { sameJson } from "../kernel/CanonicalJson.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import type { OrderState } from "../order/Order.ts"
import { OrderChanges } from "../order/OrderChanges.ts"
import { OrderStateConflict } from "../order/OrderErrors.ts"
import { orderMailAsked, orderUpdated } from "../order/OrderEvents.ts"
import { isLegalMove } from "../order/OrderStates.ts"
import { toOrderView } from "../order/OrderView.ts"
import { moved } from "../order/StatusHistory.ts"
import { OrderLabels } from "../orderlabel/OrderLabels.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { CurrentActor } from "../store/Actor.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { NoteRepository } from "./NoteRepository.ts"
import {
  maxNotes,
  maxStatusHistory,
  type NoteInput,
  type NoteState,
  type OrderPatch,
  type StatusInput,
  toNoteView
} from "./OrderEdit.ts"
import { historyOf } from "./OrderHistory.ts"

export class OrderEdits extends Context.Service<OrderEdits>()("@effect-commerce/core/orderedit/OrderEdits", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const changes = yield* OrderChanges
    const cancellations = yield* OrderCancellations
    const fulfilments = yield* OrderFulfilments
    const labels = yield* OrderLabels
    const notes = yield* NoteRepository
    const outbox = yield* Outbox

    /** Writes the order and tells of it. */
    const keep = Effect.fnUntraced(function* (store: StoreContext, after: OrderState) {
      yield* changes.save(after)
      const view = toOrderView(after)
      yield* outbox.append(store.id, orderUpdated, { orderId: after.id, order: view })
      return view
    })

    /** Every other status says only how far the order is. */
    const say = Effect.fnUntraced(function* (
      store: StoreContext,
      order: OrderState,
      { status, reason = null }: StatusInput,
      now: number
    ) {
      if (order.statusHistory.length >= maxStatusHistory)
        return yield* FieldRejected.at("status", `an order's history has at most ${maxStatusHistory} entries`)
      return yield* keep(store, moved(order, status, { reason, actor: yield* CurrentActor, now }))
    })

    const labelOf = Effect.fnUntraced(function* (
      store: StoreContext,
      { statusLabel }: OrderState,
      { statusLabelId }: OrderPatch
    ) {
      if (statusLabelId === undefined) return statusLabel
      const label = statusLabelId === null ? null : yield* labels.find(store, statusLabelId)
      return (
        label ?? (statusLabelId === null ? null : yield* FieldRejected.at("statusLabelId", "is no label of this store"))
      )
    })

    return {
      update: Effect.fn("OrderEdits.update")(function* (store: StoreContext, id: string, patch: OrderPatch) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const order = yield* changes.lock(store, id)
            const statusLabel = yield* labelOf(store, order, patch)
            const after = { ...(yield* patched(order, patch)), statusLabel }
            if (sameJson(fieldsOf(order), fieldsOf(after))) return toOrderView(order)
            return yield* keep(store, { ...after, updatedAt: nextVersion(order.updatedAt, now) })
          })
        )
      }),
      changeStatus: Effect.fn("OrderEdits.changeStatus")(function* (
        store: StoreContext,
        id: string,
        input: StatusInput
      ) {
        const now = yield* Clock.currentTimeMillis
        const { status, reason = null } = input
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const order = yield* status === "CANCELLED" ? cancellations.lock(store, id) : changes.lock(store, id)
            if (!isLegalMove(order.status, status)) return yield* new OrderStateConflict({ id, status: order.status })
            switch (status) {
              case "CANCELLED":
                return yield* cancellations.cancelUnpaid(store, order, { said: reason }, now)
              case "SHIPPED":
              case "DELIVERED":
                return yield* fulfilments.sendAll(order, status, { reason, now })
              default:
                // A further partial refund leaves the order where it is.
                return order.status === status ? toOrderView(order) : yield* say(store, order, input, now)
            }
          })
        )
      }),
      addNote: Effect.fn("OrderEdits.addNote")(function* (store: StoreContext, id: string, body: NoteInput) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const order = yield* changes.lock(store, id)
            if ((yield* notes.count(store.id, id)) >= maxNotes)
              return yield* FieldRejected.at("text", `an order has at most ${maxNotes} notes`)
            const notified = body.notifyCustomer === true && order.email !== null
            const text = body.text.trim()
            const note: NoteState = {
              id: makeId("onote", now),
              text,
              notified,
              actor: yield* CurrentActor,
              createdAt: new Date(now)
            }
            yield* notes.insert(store.id, id, note)
            if (notified) {
              const data = { orderId: id, order: toOrderView(order) }
              yield* outbox.append(store.id, orderMailAsked, { ...data, mail: "ORDER_NOTE", details: { note: text } })
            }
            return toNoteView(id, note)
          })
        )
      }),
      history: Effect.fnUntraced(function* (store: StoreContext, id: string) {
        const [order, noted] = yield* Effect.all([changes.find(store, id), notes.list(store.id, id)], {
          concurrency: 2
        })
        return historyOf(order, noted)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(OrderEdits, OrderEdits.make).pipe(Layer.provide(NoteRepository.layer))
}

/** What PATCH writes. */
const fieldsOf = ({ notes, statusLabelId, adminFieldValues, shippingAddress, isRead }: OrderState) => ({
  notes,
  statusLabelId,
  adminFieldValues,
  shippingAddress,
  isRead
})

const unsent: ReadonlyArray<OrderState["status"]> = ["PENDING", "PAID", "PROCESSING", "PARTIALLY_REFUNDED"]

/** An address as an order shows it has no coordinates: one that is sent back as it was read changes nothing. */
const sameAddress = (a: Address | null, b: Address | null): boolean =>
  sameJson(a === null ? a : { ...a, lat: null, lng: null }, b === null ? b : { ...b, lat: null, lng: null })

const addressOf = Effect.fnUntraced(function* (order: OrderState, { shippingAddress }: OrderPatch) {
  if (shippingAddress === undefined) return order.shippingAddress
  const address = shippingAddress === null ? null : toAddress(shippingAddress)
  if (sameAddress(address, order.shippingAddress) && (address === null || address.lat === null))
    return order.shippingAddress
  if (!unsent.includes(order.status) || order.fulfillmentStatus === "fulfilled")
    return yield* new OrderStateConflict({ id: order.id, status: order.status })
  return address ?? (yield* FieldRejected.at("shippingAddress", "cannot be cleared"))
})

const patched = Effect.fnUntraced(function* (order: OrderState, patch: OrderPatch) {
  return {
    ...order,
    notes: patch.notes === undefined ? order.notes : patch.notes,
    statusLabelId: patch.statusLabelId === undefined ? order.statusLabelId : patch.statusLabelId,
    adminFieldValues: patch.adminFieldValues ?? order.adminFieldValues,
    shippingAddress: yield* addressOf(order, patch),
    isRead: patch.isRead ?? order.isRead
  }
})
