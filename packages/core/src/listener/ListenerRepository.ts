/** All SQL of listeners: which there are, how far each is in a store's feed, and who works on it. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one, storesWith } from "../database/Repository.ts"

/** A listener as a process has it. */
export interface ListenerNamed {
  readonly name: string
  readonly types: ReadonlyArray<string>
}

/** What a process that works on a listener's events of a store has been given. */
export interface ListenerClaim {
  /** The event of the feed that was handled last. */
  readonly position: bigint
  readonly told: bigint
  /** How often the event after it has failed. */
  readonly failures: number
}

export class ListenerRepository extends Context.Service<ListenerRepository>()(
  "@effect-commerce/core/listener/ListenerRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database

      /** A process begins with the listener: its types are those from now on. */
      const begin = ({ name, types }: ListenerNamed, now: Date) =>
        none(sql`INSERT INTO event_listener (name, types, created_at, seen_at)
          VALUES (${name}, ${types}::text[], ${now}, ${now})
          ON CONFLICT (name) DO UPDATE SET types = EXCLUDED.types, seen_at = EXCLUDED.seen_at`)

      /** A process still has the listener. Its types stay those of the process that began last. */
      const see = ({ name, types }: ListenerNamed, now: Date) =>
        none(sql`INSERT INTO event_listener (name, types, created_at, seen_at)
          VALUES (${name}, ${types}::text[], ${now}, ${now})
          ON CONFLICT (name) DO UPDATE SET seen_at = EXCLUDED.seen_at`)

      /**
       * Whether the listener has these types. A process of another release, which has others, would pass over events
       * that it does not read.
       */
      const hasTypes = ({ name, types }: ListenerNamed) =>
        sql`EXISTS (SELECT FROM event_listener l WHERE l.name = ${name} AND l.types = ${types}::text[])`

      /**
       * Events that a selector names are about to be in the feed of the store. A listener that is new to the store
       * begins with them, so this runs before they are given their positions. A listener in a pause after a failure, or
       * under a lease, keeps its time.
       */
      const tell = (storeId: string, selectors: ReadonlyArray<string>, now: Date) =>
        none(sql`INSERT INTO event_listener_cursor (store_id, listener, position, due_at, created_at)
          SELECT ${storeId}, l.name, f.position, ${now}, ${now} FROM event_listener l, (
            SELECT coalesce(max(position), 0) AS position FROM event WHERE store_id = ${storeId}) f
          WHERE l.types && ${selectors}::text[] ORDER BY l.name
          ON CONFLICT (store_id, listener) DO UPDATE SET
            told = event_listener_cursor.told + 1,
            due_at = coalesce(event_listener_cursor.due_at, EXCLUDED.due_at)`)

      /** Stores in which the listener has something to do. One probe of the index for each. */
      const storesWaiting = (name: string, now: Date) =>
        many(
          sql<{ readonly storeId: string }>`SELECT w.store_id FROM
            ${storesWith(sql, "event_listener_cursor", sql`listener = ${name} AND due_at IS NOT NULL`)} w
            JOIN event_listener_cursor c ON c.store_id = w.store_id AND c.listener = ${name} AND c.due_at <= ${now}`,
          ({ storeId }) => storeId
        )

      /** Undefined where another process works on it, nothing is due any more, or the listener has other types. */
      const claim = (storeId: string, listener: ListenerNamed, lease: string, now: Date, until: Date) =>
        one(
          sql<ListenerClaim>`UPDATE event_listener_cursor SET lease = ${lease}, due_at = ${until}
            WHERE store_id = ${storeId} AND listener = ${listener.name} AND due_at <= ${now} AND ${hasTypes(listener)}
            RETURNING position, told, failures`
        )

      const held = (storeId: string, name: string, lease: string) =>
        sql`store_id = ${storeId} AND listener = ${name} AND lease = ${lease}`

      return {
        begin,
        see,
        tell,
        storesWaiting,
        claim,
        /** An event was handled. False where the lease is another's, or the listener has other types by now. */
        handled: (storeId: string, listener: ListenerNamed, lease: string, position: bigint, until: Date) =>
          anyRow(sql`UPDATE event_listener_cursor SET position = ${position}, failures = 0, last_error = NULL,
            due_at = ${until} WHERE ${held(storeId, listener.name, lease)} AND ${hasTypes(listener)} RETURNING 1`),
        /** The event after the cursor has failed, and is tried again at `due`. */
        failed: (storeId: string, name: string, lease: string, error: string, due: Date) =>
          none(sql`UPDATE event_listener_cursor SET failures = failures + 1, last_error = ${error}, lease = NULL,
            due_at = ${due} WHERE ${held(storeId, name, lease)}`),
        /** Nothing is left up to `position`; due at once where a batch has come since the claim. False as `handled`. */
        caughtUp: (storeId: string, listener: ListenerNamed, lease: string, reached: ListenerClaim, now: Date) =>
          anyRow(sql`UPDATE event_listener_cursor SET position = greatest(position, ${reached.position}), lease = NULL,
            due_at = CASE WHEN told = ${reached.told} THEN NULL ELSE ${now}::timestamptz END
            WHERE ${held(storeId, listener.name, lease)} AND ${hasTypes(listener)} RETURNING 1`),
        /** The process goes on with others, or stops: whoever looks next may go on at once. */
        release: (storeId: string, name: string, lease: string, now: Date) =>
          none(sql`UPDATE event_listener_cursor SET lease = NULL, due_at = ${now} WHERE ${held(storeId, name, lease)}`),
        /** Drops listeners that no process has had since `before`. */
        dropUnseen: (before: Date) => none(sql`DELETE FROM event_listener WHERE seen_at < ${before}`),
        /** Stores with cursors of listeners that there are no longer. */
        storesWithLeftovers: many(
          sql<{ readonly storeId: string }>`SELECT DISTINCT c.store_id FROM event_listener_cursor c
            WHERE NOT EXISTS (SELECT FROM event_listener l WHERE l.name = c.listener)`,
          ({ storeId }) => storeId
        ),
        dropLeftovers: (storeId: string) =>
          none(sql`DELETE FROM event_listener_cursor c WHERE c.store_id = ${storeId}
            AND NOT EXISTS (SELECT FROM event_listener l WHERE l.name = c.listener)`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ListenerRepository, ListenerRepository.make)
}
