/**
 * The release before this one queued new deliveries in `webhook_parcel`, up to 32 in one row, and some of its
 * processes may still run while an installation is upgraded. What they leave there becomes rows of `webhook_delivery`
 * when it is due. The next release drops the table and this file.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Rows that one statement moves. */
const mostRows = 32

/** Subscriptions of all stores that have such deliveries due by `until`. The table is empty, or soon will be. */
export const earlierLanes = (sql: SqlClient.SqlClient, until: Date) =>
  sql`SELECT store_id, subscription_id, min(due_at) AS due_at FROM webhook_parcel WHERE due_at <= ${until}
    GROUP BY store_id, subscription_id`

/**
 * Moves them into `webhook_delivery`, those that are due by `until` or all. The id of such a delivery is made of its
 * parcel's id and its place there; one that has a row already has been attempted.
 */
export const moveEarlier = (
  sql: SqlClient.SqlClient,
  storeId: string,
  subscriptionIds: ReadonlyArray<string>,
  until: Date | "all"
): Effect.Effect<void> =>
  Effect.orDie(
    Effect.asVoid(
      sql`WITH picked AS MATERIALIZED (
          SELECT p.ctid FROM unnest(${subscriptionIds}::text[]) AS asked (id), LATERAL (
            SELECT p.ctid FROM webhook_parcel p WHERE p.store_id = ${storeId} AND p.subscription_id = asked.id
            ${until === "all" ? sql`ORDER BY p.id FOR UPDATE` : sql`AND p.due_at <= ${until} ORDER BY p.due_at, p.id LIMIT ${mostRows} FOR UPDATE SKIP LOCKED`}
          ) p
        ), moved AS (
          DELETE FROM webhook_parcel p USING picked WHERE p.store_id = ${storeId} AND p.ctid = picked.ctid RETURNING p.*
        )
        INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, status, is_probe, due_at, created_at)
        SELECT m.store_id, 'whd_' || substr(m.id, 5) || lpad((e.place - 1)::text, 2, '0'), m.subscription_id,
          e.event_id, 'pending', m.is_probe, m.due_at, m.created_at
        FROM moved m, unnest(m.events) WITH ORDINALITY AS e (event_id, place)
        ON CONFLICT DO NOTHING`
    )
  )
