/** The SQL of fulfilment and fulfilment_item. Parcels are read with their order. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none } from "../database/Repository.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import type { OrderParcel } from "../order/Order.ts"

export class FulfilmentRepository extends Context.Service<FulfilmentRepository>()(
  "@effect-commerce/core/fulfilment/FulfilmentRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        insert: (storeId: string, orderId: string, parcel: OrderParcel) =>
          none(
            sql`WITH sent AS (
                INSERT INTO fulfilment (store_id, id, order_id, tracking_number, tracking_url, carrier, delivered_at,
                  actor, created_at)
                VALUES (${storeId}, ${parcel.id}, ${orderId}, ${parcel.trackingNumber}, ${parcel.trackingUrl},
                  ${parcel.carrier}, ${parcel.deliveredAt}::timestamptz, ${jsonText(parcel.actor)}::jsonb,
                  ${parcel.createdAt}::timestamptz)
              )
              INSERT INTO fulfilment_item (store_id, fulfilment_id, order_id, item_id, position, quantity)
              SELECT ${storeId}, ${parcel.id}, ${orderId}, u."itemId", u.position, u.quantity
              FROM jsonb_to_recordset(${jsonText(parcel.items.map((item, position) => ({ ...item, position })))}::jsonb)
                AS u ("itemId" text, quantity int, position int)`
          ),
        /** Marks what is on its way as delivered. */
        deliver: (storeId: string, orderId: string, now: Date) =>
          none(
            sql`UPDATE fulfilment SET delivered_at = ${now}
              WHERE store_id = ${storeId} AND order_id = ${orderId} AND delivered_at IS NULL`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(FulfilmentRepository, FulfilmentRepository.make)
}
