/**
 * The transactional outbox. An event is a row that is written in the business transaction, so it exists if and only if
 * the change that it reports was committed. Only listed events can be appended (CommerceEvents.ts): another one is a
 * defect. A caller appends at most one event of a type per resource in one transaction, and holds the lock of the
 * resource: `seq` is given by the INSERT, so later events of the resource then have greater numbers.
 *
 * Workers are woken by NOTIFY, which is sent shortly after the commit and once for many commits: inside the transaction
 * it would make every commit of the server wait for the one before it. If the process dies before it is sent, workers
 * find the event by polling, within 5 s.
 */
import { Clock, Context, Effect, Layer, type Schema } from "effect"
import { Database } from "../database/Database.ts"
import { none } from "../database/Repository.ts"
import { type EventDefinition, internalPrefix, type NewEvent } from "../kernel/EventDefinition.ts"
import { JoinedTransaction } from "../kernel/JoinedTransaction.ts"

/** The channel workers listen on; the payload is the store's id. */
export const eventChannel = "commerce_event"

/**
 * Bytes of an event's data as JSON, as an SQL expression over its row. A row without `size` is estimated at ten times
 * its stored, compressed size, because measuring it would mean reading it.
 */
export const eventSize = "coalesce(size, 10 * pg_column_size(data))"

/** Milliseconds for which wake-ups are gathered. */
const gatherMillis = 10

export class Outbox extends Context.Service<Outbox>()("@effect-commerce/core/outbox/Outbox", {
  make: Effect.fnUntraced(function* (isListed: (definition: EventDefinition) => boolean) {
    const { sql, withCommit, afterCommit } = yield* Database
    const gather = yield* makeWaker((storeIds) =>
      Effect.ignore(sql`SELECT pg_notify(${eventChannel}, store_id) FROM unnest(${storeIds}::text[]) AS store_id`)
    )

    /**
     * Wakes the workers after the commit, for callers whose own statement has written the events. Inside
     * `Database.write(storeId)`.
     */
    const wake = (storeId: string): Effect.Effect<void> =>
      Effect.flatMap(JoinedTransaction, (joined) =>
        // In a host's transaction PostgreSQL itself holds NOTIFY back until the host commits.
        joined ? none(sql`SELECT pg_notify(${eventChannel}, ${storeId})`) : afterCommit(gather(storeId))
      )

    const inserted = (storeId: string, { definition: { type, version }, data }: NewEvent, at: Date) => {
      const json = JSON.stringify(data)
      return sql`INSERT INTO event (store_id, id, type, version, data, size, created_at)
        VALUES (${storeId}, ${makeEventId()}, ${type}, ${version}, ${json}::jsonb, ${Buffer.byteLength(json)},
          ${at})`
    }
    const insertedAll = (storeId: string, events: ReadonlyArray<NewEvent>, at: Date) =>
      sql`INSERT INTO event (store_id, id, type, version, data, size, created_at)
        SELECT ${storeId}, e.id, e.type, e.version, e.data, e.size, ${at}
        FROM jsonb_to_recordset(${rowsOf(events)}::jsonb)
          AS e (id text, type text, version int, data jsonb, size int)`

    /** Appends several in one statement and keeps their order. Inside `Database.write(storeId)`. */
    const appendAll = Effect.fnUntraced(function* (
      storeId: string,
      events: ReadonlyArray<NewEvent>
    ): Effect.fn.Return<void> {
      const [first] = events
      if (first === undefined) return
      const unlisted = events.find(({ definition }) => !isListed(definition))
      if (unlisted !== undefined)
        return yield* Effect.die(new Error(`CommerceEvents.ts does not list the event ${unlisted.definition.type}`))
      const at = new Date(yield* Clock.currentTimeMillis)
      yield* withCommit(events.length === 1 ? inserted(storeId, first, at) : insertedAll(storeId, events, at))
      yield* wake(storeId)
    })

    return {
      /** Inside `Database.write(storeId)`. */
      append: <Data extends Schema.Constraint>(
        storeId: string,
        event: EventDefinition<Data>,
        data: Data["Encoded"]
      ): Effect.Effect<void> => appendAll(storeId, [event.of(data)]),
      appendAll,
      // event_store_id_seq_pending_idx
      /**
       * Takes back internal events about an address that no consumer has got yet; of one that a relay is handing on, it
       * waits for the end of that. Inside `Database.write(storeId)`.
       */
      withdraw: (storeId: string, email: string) =>
        none(sql`DELETE FROM event WHERE store_id = ${storeId} AND relayed_at IS NULL
          AND starts_with(type, ${internalPrefix}) AND data->>'email' = ${email}`),
      wake
    }
  })
}) {
  /** `isListed` tests whether a definition is listed in CommerceEvents.ts. */
  static readonly layer = (isListed: (definition: EventDefinition) => boolean) =>
    Layer.effect(this, this.make(isListed))
}

/** Gathers store ids for a moment of real time and sends them together. Remaining ids are sent when the layer ends. */
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

/** Encodes each event's data as JSON once, with its size. */
const rowsOf = (events: ReadonlyArray<NewEvent>): string => {
  const rows = events.map(({ definition: { type, version }, data }) => {
    const json = JSON.stringify(data)
    const head = `"id":"${makeEventId()}","type":${JSON.stringify(type)},"version":${version}`
    return `{${head},"size":${Buffer.byteLength(json)},"data":${json}}`
  })
  return `[${rows.join(",")}]`
}

/** `evt_` and 32 hex digits. */
const makeEventId = (): string => `evt_${globalThis.crypto.randomUUID().replaceAll("-", "")}`
