/** Writes what people change of a placed order: its row and how many units of its lines were sent, in one statement. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none } from "../database/Repository.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import type { OrderState } from "./Order.ts"

const json = (value: unknown): string | null => (value === null ? null : jsonText(value))

export class OrderChangeRepository extends Context.Service<OrderChangeRepository>()(
  "@effect-commerce/core/order/OrderChangeRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        save: ({ storeId, id, items, ...order }: OrderState) => {
          const units = items.map((item) => ({ id: item.id, fulfilledQuantity: item.fulfilledQuantity }))
          return none(
            sql`WITH sent AS (
                UPDATE order_item i SET fulfilled_quantity = u."fulfilledQuantity"
                FROM jsonb_to_recordset(${jsonText(units)}::jsonb) AS u (id text, "fulfilledQuantity" int)
                WHERE i.store_id = ${storeId} AND i.order_id = ${id} AND i.id = u.id
                  AND i.fulfilled_quantity <> u."fulfilledQuantity"
              )
              UPDATE orders SET status = ${order.status}, fulfillment_status = ${order.fulfillmentStatus},
                status_history = ${jsonText(order.statusHistory)}::jsonb, status_label_id = ${order.statusLabelId},
                notes = ${order.notes}, admin_field_values = ${jsonText(order.adminFieldValues)}::jsonb,
                shipping_address = ${json(order.shippingAddress)}::jsonb, is_read = ${order.isRead},
                tracking_number = ${order.trackingNumber}, tracking_url = ${order.trackingUrl},
                carrier = ${order.carrier}, updated_at = ${order.updatedAt}
              WHERE store_id = ${storeId} AND id = ${id}`
          )
        }
      }
    })
  }
) {
  static readonly layer = Layer.effect(OrderChangeRepository, OrderChangeRepository.make)
}
