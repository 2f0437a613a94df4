/** Which uploads carts need: those that are referenced by lines of carts that can still be bought. */
import { Effect } from "effect"
import { Database } from "../database/Database.ts"
import { many } from "../database/Repository.ts"
import type { NeededUpload, UploadUse } from "../media/UploadUses.ts"

export const cartUploads = Effect.map(
  Database,
  ({ sql }) =>
    ({
      // cart_item_customizations_idx finds the lines. A day is added to the cart's lifetime, in case clocks differ.
      needed: (storeId, fileIds, now) =>
        many(sql<NeededUpload>`SELECT u.id, max(c.expires_at) + interval '1 day' AS until
      FROM cart_item i JOIN cart c ON c.store_id = i.store_id AND c.id = i.cart_id
      CROSS JOIN LATERAL unnest(media_ids(i.customizations)) AS u (id)
      WHERE i.store_id = ${storeId} AND i.customizations <> '{}' AND media_ids(i.customizations) && ${fileIds}::text[]
        AND u.id = ANY(${fileIds}::text[])
        AND c.status IN ('ACTIVE', 'ABANDONED') AND c.expires_at > ${now}::timestamptz - interval '1 day'
      GROUP BY u.id`)
    }) satisfies UploadUse
)
