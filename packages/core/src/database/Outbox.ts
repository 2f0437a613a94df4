/**
 * The transactional outbox: an event is a row of the business transaction, so it exists if and only if what it tells has happened. The
 * workers that deliver it are woken by NOTIFY, which PostgreSQL sends at commit. At most one event of a type per resource in one
 * transaction is the caller's duty.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "./Database.ts"

export interface OutboxEvent {
  /** `order.created` and the like (interface.md, Webhooks). */
  readonly type: string
  /** The snapshot that subscribers get: plain JSON, amounts as decimal strings. */
  readonly data: unknown
}

export interface OutboxMethods {
  /** Inside `Database.write(storeId)`. */
  readonly append: (storeId: string, type: string, data: unknown) => Effect.Effect<void>
  /** Several in one statement, in their order. Inside `Database.write(storeId)`. */
  readonly appendAll: (storeId: string, events: ReadonlyArray<OutboxEvent>) => Effect.Effect<void>
}

/** The channel workers listen on; the payload is the store's id. */
export const eventChannel = "commerce_event"

export class Outbox extends Context.Service<Outbox, OutboxMethods>()("@effect-commerce/core/database/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.map(Database, ({ sql }) => {
      const appendAll = Effect.fnUntraced(function* (storeId: string, events: ReadonlyArray<OutboxEvent>) {
        if (events.length === 0) return
        const at = new Date(yield* Clock.currentTimeMillis)
        const rows = JSON.stringify(events.map(({ type, data }) => ({ id: makeEventId(), type, data })))
        yield* Effect.orDie(
          sql`WITH added AS (
            INSERT INTO event (store_id, id, type, data, created_at)
            SELECT ${storeId}, e.id, e.type, e.data, ${at} FROM jsonb_to_recordset(${rows}::jsonb) AS e (id text, type text, data jsonb)
          ) SELECT pg_notify(${eventChannel}, ${storeId})`
        )
      })
      return Outbox.of({ append: (storeId, type, data) => appendAll(storeId, [{ type, data }]), appendAll })
    })
  )
}

/** `evt_` and 32 hex digits (interface.md, Webhooks). */
const makeEventId = (): string => `evt_${globalThis.crypto.randomUUID().replaceAll("-", "")}`
