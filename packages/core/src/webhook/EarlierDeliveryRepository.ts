/**
 * The SQL of `webhook_parcel`. The release before this one queued new deliveries there, up to 32 in one row, and some
 * of its processes may still run while an installation is upgraded. What they leave there becomes rows of
 * `webhook_delivery` when it is due. The next release drops the table and this file.
 */
import type { SqlClient } from "effect/sql"
import { none } from "../database/Repository.ts"

export const makeEarlierDeliveries = (sql: SqlClient.SqlClient) => ({
  /** Selects the subscriptions of all stores that have such deliveries due by `until`. */
  due: (until: Date) =>
    sql`SELECT store_id, subscription_id, min(due_at) AS due_at FROM webhook_parcel WHERE due_at <= ${until}
      GROUP BY store_id, subscription_id`,
  /**
   * Moves those that are due by `until` into `webhook_delivery`, or all of them. The id of such a delivery is made of
   * the id of its row here and its place there. A delivery that has been attempted has a row already.
   */
  move: (storeId: string, subscriptionIds: ReadonlyArray<string>, until: Date | "all") => {
    const which =
      until === "all"
        ? sql`ORDER BY p.id FOR UPDATE`
        : sql`AND p.due_at <= ${until} ORDER BY p.due_at, p.id LIMIT 32 FOR UPDATE SKIP LOCKED`
    return none(
      sql`WITH picked AS MATERIALIZED (
          SELECT p.ctid FROM unnest(${subscriptionIds}::text[]) AS asked (id), LATERAL (
            SELECT p.ctid FROM webhook_parcel p WHERE p.store_id = ${storeId} AND p.subscription_id = asked.id ${which}
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
  }
})
