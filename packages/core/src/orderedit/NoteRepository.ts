/** The SQL of order_note. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, none, one } from "../database/Repository.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import { maxNotes, type NoteState } from "./OrderEdit.ts"

export class NoteRepository extends Context.Service<NoteRepository>()(
  "@effect-commerce/core/orderedit/NoteRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        /** Under the lock of the order. */
        count: (storeId: string, orderId: string) =>
          Effect.map(
            one(
              sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM order_note
                WHERE store_id = ${storeId} AND order_id = ${orderId}`
            ),
            (row) => row?.count ?? 0
          ),
        insert: (storeId: string, orderId: string, note: NoteState) =>
          none(
            sql`INSERT INTO order_note (store_id, id, order_id, text, notified, actor, created_at)
              VALUES (${storeId}, ${note.id}, ${orderId}, ${note.text}, ${note.notified},
                ${jsonText(note.actor)}::jsonb, ${note.createdAt})`
          ),
        /** The oldest first. */
        list: (storeId: string, orderId: string) =>
          many(
            sql<NoteState>`SELECT id, text, notified, actor, created_at FROM order_note
              WHERE store_id = ${storeId} AND order_id = ${orderId} ORDER BY created_at, id LIMIT ${maxNotes}`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(NoteRepository, NoteRepository.make)
}
