/**
 * The transactional outbox: an event is a row of the business transaction, so it exists if and only if what it tells
 * has happened. At most one event of a type per resource in one transaction is the caller's duty.
 *
 * Workers are woken by NOTIFY, sent a moment after the commit and once for many: inside the transaction it would make
 * every commit of the server wait for the one before it. A process that dies in that moment wakes nobody, so workers
 * look by themselves too, every 5 s at most.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { JoinedTransaction } from "../kernel/JoinedTransaction.ts"
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
  /**
   * For events that a statement of the caller's own has written: wakes the workers when they are committed. Inside
   * `Database.write(storeId)`.
   */
  readonly wake: (storeId: string) => Effect.Effect<void>
}

/** The channel workers listen on; the payload is the store's id. */
export const eventChannel = "commerce_event"

/**
 * Bytes of an event's data as JSON, as an expression over its row. Where a process of the release before has written
 * it, ten times what it takes stored and compressed: to measure it would be to read it.
 */
export const eventSize = "coalesce(size, 10 * pg_column_size(data))"

/** How long wake-ups are gathered. */
const gatherMillis = 10

export class Outbox extends Context.Service<Outbox, OutboxMethods>()("@effect-commerce/core/database/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const { sql, withCommit, afterCommit } = yield* Database
      const gather = yield* makeWaker((storeIds) =>
        Effect.ignore(sql`SELECT pg_notify(${eventChannel}, store_id) FROM unnest(${storeIds}::text[]) AS store_id`)
      )
      // In a host's transaction the database holds NOTIFY back until it commits; that it lasts long is the host's to
      // know.
      const wake = (storeId: string) =>
        Effect.flatMap(JoinedTransaction, (joined) =>
          joined
            ? Effect.asVoid(Effect.orDie(sql`SELECT pg_notify(${eventChannel}, ${storeId})`))
            : afterCommit(gather(storeId))
        )
      const appendAll = Effect.fnUntraced(function* (storeId: string, events: ReadonlyArray<OutboxEvent>) {
        if (events.length === 0) return
        const at = new Date(yield* Clock.currentTimeMillis)
        const insert = sql`INSERT INTO event (store_id, id, type, data, size, created_at)
            SELECT ${storeId}, e.id, e.type, e.data, e.size, ${at}
            FROM jsonb_to_recordset(${rowsOf(events)}::jsonb) AS e (id text, type text, data jsonb, size int)`
        yield* withCommit(insert)
        yield* wake(storeId)
      })
      return Outbox.of({ append: (storeId, type, data) => appendAll(storeId, [{ type, data }]), appendAll, wake })
    })
  )
}

/** Gathers store ids for a moment, in real time, and sends them together; what is left is sent when the layer ends. */
const makeWaker = Effect.fnUntraced(function* (send: (storeIds: ReadonlyArray<string>) => Effect.Effect<void>) {
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const run = Effect.runForkWith(yield* Effect.context())
  const flush = Effect.suspend(() => {
    clearTimeout(timer)
    timer = undefined
    const storeIds = [...waiting]
    waiting.clear()
    return storeIds.length === 0 ? Effect.void : send(storeIds)
  })
  yield* Effect.addFinalizer(() => flush)
  return (storeId: string) =>
    Effect.sync(() => {
      waiting.add(storeId)
      timer ??= setTimeout(() => run(flush), gatherMillis)
    })
})

/** Each snapshot is written as JSON once, and its size told beside it. */
const rowsOf = (events: ReadonlyArray<OutboxEvent>): string => {
  const rows = events.map(({ type, data }) => {
    const json = JSON.stringify(data)
    return `{"id":"${makeEventId()}","type":${JSON.stringify(type)},"size":${Buffer.byteLength(json)},"data":${json}}`
  })
  return `[${rows.join(",")}]`
}

/** `evt_` and 32 hex digits (interface.md, Webhooks). */
const makeEventId = (): string => `evt_${globalThis.crypto.randomUUID().replaceAll("-", "")}`
