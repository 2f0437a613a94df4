/**
 * Which uploads checkouts need: those that an order may still refer to. That is so while a checkout can be completed,
 * and for good once a payment was requested: late money makes an order of the checkout's lines.
 */
import { Effect } from "effect"
import { Database } from "../database/Database.ts"
import { many } from "../database/Repository.ts"
import type { NeededUpload, UploadUse } from "../media/UploadUses.ts"

export const checkoutUploads = Effect.map(
  Database,
  ({ sql }) =>
    ({
      // checkout_line_customizations_idx finds the lines.
      needed: (storeId, fileIds, now) =>
        many(sql<NeededUpload>`SELECT u.id, interval '1 day'
        + max(CASE WHEN k.status = 'PENDING' AND k.expires_at > ${now} THEN k.expires_at ELSE ${now} END) AS until
      FROM checkout_line l JOIN checkout k ON k.store_id = l.store_id AND k.id = l.checkout_id
      CROSS JOIN LATERAL unnest(media_ids(l.customizations)) AS u (id)
      WHERE l.store_id = ${storeId} AND l.customizations <> '{}' AND media_ids(l.customizations) && ${fileIds}::text[]
        AND u.id = ANY(${fileIds}::text[])
        AND (k.status = 'PENDING' AND k.expires_at > ${now}::timestamptz - interval '1 day' OR k.status = 'PROCESSING'
          OR k.status <> 'COMPLETED' AND EXISTS (SELECT FROM provider_operation o WHERE o.store_id = k.store_id
            AND o.subject_id = k.id AND o.kind = 'authorize' AND o.state NOT IN ('refund_due', 'refunded')))
      GROUP BY u.id`)
    }) satisfies UploadUse
)
