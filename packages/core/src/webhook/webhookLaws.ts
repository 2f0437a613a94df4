/** The laws of webhook deliveries. */
import type { Law } from "../database/Law.ts"

export const webhookLaws: ReadonlyArray<Law> = [
  {
    law: "webhook.finished",
    says: "a delivery is finished when nothing more is due, and was tried if it was delivered",
    table: "webhook_delivery",
    sql: `SELECT d.id, CASE WHEN d.due_at IS NULL THEN 'finished' ELSE 'unfinished' END AS expected,
        CASE WHEN d.finished_at IS NULL THEN 'unfinished' ELSE 'finished' END || ', ' || d.status || ' after ' ||
          d.attempt_count AS found FROM webhook_delivery d
      WHERE d.store_id = $1 AND
        ((d.due_at IS NULL) <> (d.finished_at IS NOT NULL) OR (d.status IN ('delivered',
        'abandoned') AND d.attempt_count = 0))`
  },
  {
    law: "webhook.whole",
    says: "a delivery has its event and its subscription",
    table: "webhook_delivery",
    // There is no foreign key, because it would be a quarter of a delivery's cost.
    sql: `SELECT d.id, 'event and subscription' AS expected,
      concat_ws(' and ', CASE WHEN e.id IS NOT NULL THEN 'event' END,
      CASE WHEN s.id IS NOT NULL THEN 'subscription' END) AS found
      FROM webhook_delivery d LEFT JOIN event e ON e.store_id = $1 AND e.id = d.event_id LEFT JOIN webhook_subscription
        s ON s.store_id = $1 AND s.id = d.subscription_id
      WHERE d.store_id = $1 AND (e.id IS NULL OR s.id IS NULL)`
  },
  {
    law: "webhook.counted",
    says: "a subscription's deliveries are as many as were counted",
    table: "webhook_delivery_count",
    sql: `SELECT coalesce(d.subscription_id, c.subscription_id) AS id, coalesce(d.deliveries, 0) AS expected,
        coalesce(c.total, 0) AS found
      FROM (SELECT subscription_id, count(*) AS deliveries FROM webhook_delivery WHERE store_id = $1 GROUP BY 1) d
        FULL JOIN (SELECT subscription_id, total FROM webhook_delivery_count WHERE store_id = $1) c
        ON c.subscription_id = d.subscription_id
      WHERE coalesce(d.deliveries, 0) <> coalesce(c.total, 0)`
  }
]
