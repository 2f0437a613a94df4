/** What is sent of an order: the body of a fulfilment, the parcel it makes, and the order afterwards. Pure. */
import { Schema } from "effect"
import { clearable, described, optional, Reference, text } from "../kernel/Fields.ts"
import type { OrderItem, OrderParcel, OrderState } from "../order/Order.ts"
import { fulfillmentStatusOf, isLegalMove, openUnits } from "../order/OrderStates.ts"
import { moved, type Moved } from "../order/StatusHistory.ts"
import { nextVersion } from "../database/Precondition.ts"

const httpUrl = text(2_000)
  .annotate({ format: "uri" })
  .pipe(Schema.check(Schema.makeFilter((value: string) => isHttpUrl(value) || "must be a http or https URL")))

const isHttpUrl = (value: string): boolean => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value)

export const FulfilInput = Schema.Struct({
  items: optional(
    Schema.Array(
      Schema.Struct({
        itemId: described(Reference, "Id of an item of the order."),
        quantity: described(
          Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 }))),
          "How many units of it are sent.",
          1
        )
      }).annotate({ identifier: "FulfillItem", description: "Units of an item that are sent." })
    ).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(500))),
    "What is sent. By default every unit that is not sent and not refunded yet."
  ),
  trackingNumber: clearable(text(200), "Tracking number of the parcel.", "1Z999AA10123456784"),
  trackingUrl: clearable(httpUrl, "Where the parcel can be followed.", "https://carrier.example/track/1Z999AA10"),
  carrier: clearable(text(100), "Who carries it.", "UPS"),
  notifyCustomer: optional(Schema.Boolean, "Whether the buyer gets a mail about it. True by default.", true),
  delivered: optional(Schema.Boolean, "Whether it is handed over already. False by default.", false)
}).annotate({ identifier: "FulfillOrder", description: "What of an order is sent, or handed over, together." })
export type FulfilInput = typeof FulfilInput.Type

/** Units of one item. */
export interface SentUnits {
  readonly itemId: string
  readonly quantity: number
}

/** Every unit that is still to be sent. */
export const allOpen = (items: ReadonlyArray<OrderItem>): ReadonlyArray<SentUnits> =>
  items.flatMap((item) => {
    const quantity = openUnits(item)
    return quantity === 0 ? [] : [{ itemId: item.id, quantity }]
  })

export const isComplete = (items: ReadonlyArray<OrderItem>): boolean => items.every((item) => openUnits(item) === 0)

/** The order once this parcel is sent. Its status moves by itself where nothing is left to send. */
export const withParcel = (
  order: OrderState,
  parcel: OrderParcel,
  { to, ...move }: Moved & { readonly to: "SHIPPED" | "DELIVERED" }
): OrderState => {
  const sent = new Map(parcel.items.map(({ itemId, quantity }) => [itemId, quantity]))
  const items = order.items.map((item) => ({
    ...item,
    fulfilledQuantity: item.fulfilledQuantity + (sent.get(item.id) ?? 0)
  }))
  const { trackingNumber, trackingUrl, carrier } = parcel
  const isTracked = trackingNumber !== null || trackingUrl !== null || carrier !== null
  const next = {
    ...order,
    items,
    fulfillmentStatus: fulfillmentStatusOf(items),
    parcels: [...order.parcels, parcel],
    ...(isTracked ? { trackingNumber, trackingUrl, carrier } : {})
  }
  return isComplete(items) && isLegalMove(order.status, to)
    ? withDelivered(moved(next, to, move), move.now)
    : { ...next, updatedAt: nextVersion(order.updatedAt, move.now) }
}

/** What is delivered as a whole is delivered parcel by parcel. */
export const withDelivered = (order: OrderState, now: number): OrderState =>
  order.status === "DELIVERED"
    ? {
        ...order,
        parcels: order.parcels.map((parcel) => ({
          ...parcel,
          deliveredAt: parcel.deliveredAt ?? new Date(now).toISOString()
        }))
      }
    : order
