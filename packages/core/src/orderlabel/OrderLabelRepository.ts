/** The SQL of order_status_label. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none, one, page } from "../database/Repository.ts"
import { constraintViolation } from "../database/SqlErrors.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { makeStoreTable, selectedFields, type StoreTable } from "../database/StoreTable.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { OrderLabelFields, OrderLabelState } from "./OrderLabel.ts"
import { OrderLabelNameTaken } from "./OrderLabelErrors.ts"

const table: StoreTable<OrderLabelFields> = {
  table: "order_status_label",
  fields: ["name", "color", "canonicalStatus"]
}

const nameTaken = ({ name }: OrderLabelFields) =>
  constraintViolation("order_status_label_store_id_name_key", () => new OrderLabelNameTaken({ name }))

export class OrderLabelRepository extends Context.Service<OrderLabelRepository>()(
  "@effect-commerce/core/orderlabel/OrderLabelRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const rows = makeStoreTable(sql, table)
      const shown = sql.literal(`l.id, l.created_at, l.updated_at, ${selectedFields(table, "l")}`)
      const ofId = (storeId: string, id: string) =>
        sql`SELECT ${shown} FROM order_status_label l WHERE l.store_id = ${storeId} AND l.id = ${id}`

      return {
        countToAdd: (storeId: string) =>
          countLocked(sql, { table: "order_status_label", ownerId: storeId, which: sql`store_id = ${storeId}` }),
        insert: (storeId: string, id: string, label: OrderLabelFields, now: Date) =>
          none(nameTaken(label)(rows.insert(storeId, id, label, now))),
        update: (storeId: string, id: string, label: OrderLabelFields, now: Date) =>
          none(nameTaken(label)(rows.update(storeId, id, label, now))),
        remove: (storeId: string, id: string) =>
          anyRow(sql`DELETE FROM order_status_label WHERE store_id = ${storeId} AND id = ${id} RETURNING id`),
        find: (storeId: string, id: string) => one(sql<OrderLabelState>`${ofId(storeId, id)}`),
        /** Locked until the transaction ends, to be changed. */
        findLocked: (storeId: string, id: string) => one(sql<OrderLabelState>`${ofId(storeId, id)} FOR UPDATE`),
        list: (storeId: string, at: Page) =>
          page(
            sql<OrderLabelState>`SELECT ${shown} FROM order_status_label l WHERE l.store_id = ${storeId}
              ORDER BY l.created_at, l.id LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
            sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM order_status_label
              WHERE store_id = ${storeId}`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(OrderLabelRepository, OrderLabelRepository.make)
}
