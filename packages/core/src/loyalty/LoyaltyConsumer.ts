/**
 * Hands orders and registrations to the points: a consumer of the outbox, so that an order earns once, whichever way it
 * was paid, and nobody who buys waits for it. An event that cannot be read is logged and skipped. A store that has
 * never stated a programme costs one statement.
 */
import { Clock, Effect, Schema } from "effect"
import { customerCreated } from "../customer/CustomerEvents.ts"
import { type EventDefinition, eventReader } from "../kernel/EventDefinition.ts"
import { parseMoney } from "../kernel/Money.ts"
import type { StoredDataUnreadable } from "../kernel/StoredData.ts"
import type { OutboxConsumer, RelayedEvent } from "../outbox/OutboxConsumer.ts"
import { LoyaltyPrograms } from "./LoyaltyPrograms.ts"
import { makeOrderPoints, type PointsOrder, type PointsPlace } from "./OrderPoints.ts"

/** What is read of an order's snapshot. */
const OrderFacts = Schema.Struct({
  orderId: Schema.String,
  order: Schema.Struct({
    customerId: Schema.NullOr(Schema.String),
    currency: Schema.String,
    financialStatus: Schema.String,
    subtotal: Schema.String,
    discountAmount: Schema.String,
    ruleDiscountAmount: Schema.String
  })
})
type OrderFacts = typeof OrderFacts.Type

type Handle = (place: PointsPlace, event: RelayedEvent) => Effect.Effect<void, StoredDataUnreadable>

/** Undefined for the order of a guest, who has no account. */
const orderOf = ({ orderId, order }: OrderFacts, currency: string): PointsOrder | undefined => {
  const { customerId, subtotal, discountAmount, ruleDiscountAmount } = order
  if (customerId === null) return undefined
  const minor = (text: string) => {
    const read = parseMoney(text, order.currency)
    return typeof read === "bigint" ? read : 0n
  }
  const lines = minor(subtotal) - minor(discountAmount) - minor(ruleDiscountAmount)
  return { orderId, customerId, isInCurrency: order.currency === currency, lines }
}

/** `orderEvents`: the definitions of the order room, which stands above this one. */
export const makeLoyaltyConsumer = Effect.fnUntraced(function* (orderEvents: ReadonlyArray<EventDefinition>) {
  const points = yield* makeOrderPoints
  const programs = yield* LoyaltyPrograms

  const onOrder: Readonly<Record<string, (place: PointsPlace, facts: OrderFacts) => Effect.Effect<void>>> = {
    "order.created": (place, facts) => {
      const order = orderOf(facts, place.program.currency)
      return order === undefined || facts.order.financialStatus === "paid" ? Effect.void : points.promise(place, order)
    },
    "order.paid": (place, facts) => {
      const order = orderOf(facts, place.program.currency)
      return order === undefined ? Effect.void : points.earn(place, order)
    },
    "order.refunded": (place, { orderId }) => points.undo(place, orderId),
    "order.cancelled": (place, { orderId }) => points.undo(place, orderId)
  }
  const readCustomer = eventReader(customerCreated, Schema.Struct({ customerId: Schema.String }))
  const handles = new Map<string, Handle>([
    [
      customerCreated.type,
      (place, event) => Effect.flatMap(readCustomer(event), ({ customerId }) => points.refer(place, customerId))
    ]
  ])
  for (const definition of orderEvents) {
    const handle = onOrder[definition.type]
    const read = eventReader(definition, OrderFacts)
    if (handle !== undefined)
      handles.set(definition.type, (place, event) => Effect.flatMap(read(event), (facts) => handle(place, facts)))
  }

  const handled = (place: PointsPlace, event: RelayedEvent) =>
    Effect.catchTag(handles.get(event.type)?.(place, event) ?? Effect.void, "StoredDataUnreadable", ({ reason }) =>
      Effect.logError(`No points follow from ${event.type} ${event.id}: ${reason}`)
    )

  const consumer: OutboxConsumer = {
    name: "loyalty",
    consume: Effect.fnUntraced(function* (storeId, events) {
      const relevant = events.filter(({ type }) => handles.has(type))
      if (relevant.length === 0) return
      const program = yield* programs.find(storeId)
      if (program === undefined) return
      const now = new Date(yield* Clock.currentTimeMillis)
      yield* Effect.forEach(relevant, (event) => handled({ storeId, program, now }, event), {
        discard: true
      })
    })
  }
  return consumer
})
