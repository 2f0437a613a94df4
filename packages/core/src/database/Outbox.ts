/**
 * The transactional outbox: what happened, written in the transaction in which it happened, with the snapshot that subscribers get. An id is fixed
 * here and never changes; the workers are told by NOTIFY when the transaction commits.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { randomHex } from "../crypto/Hashing.ts"
import { Database } from "./Database.ts"

/** `type` as in the catalogue of interface.md, Events; `data` is the envelope's data. At most one of a type per resource and request. */
export interface NewEvent {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface OutboxMethods {
  /** One statement for any number of events. Runs inside a write transaction of the store. */
  readonly appendAll: (storeId: string, events: ReadonlyArray<NewEvent>) => Effect.Effect<void>
  readonly append: (storeId: string, type: string, data: NewEvent["data"]) => Effect.Effect<void>
}

/** The channel that LISTEN hears. */
export const eventChannel = "commerce_event"

export class Outbox extends Context.Service<Outbox, OutboxMethods>()("@effect-commerce/core/database/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.map(Database, ({ sql }) => {
      const appendAll = Effect.fnUntraced(function* (storeId: string, events: ReadonlyArray<NewEvent>) {
        if (events.length === 0) return
        const now = yield* Clock.currentTimeMillis
        const rows = events.map((event) => ({ id: randomHex("evt_", 16), ...event }))
        yield* Effect.orDie(
          sql`WITH appended AS (
              INSERT INTO event (store_id, id, type, data, created_at)
              SELECT ${storeId}, e.id, e.type, e.data, ${new Date(now)}
              FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS e (id text, type text, data jsonb))
            SELECT pg_notify(${eventChannel}, ${storeId})`
        )
      })
      return Outbox.of({ appendAll, append: (storeId, type, data) => appendAll(storeId, [{ type, data }]) })
    })
  )
}
