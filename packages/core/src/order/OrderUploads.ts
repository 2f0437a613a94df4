/** Which uploads orders need: all that their items reference, for good. */
import { Effect } from "effect"
import { Database } from "../database/Database.ts"
import { many } from "../database/Repository.ts"
import type { NeededUpload, UploadUse } from "../media/UploadUses.ts"

export const orderUploads = Effect.map(
  Database,
  ({ sql }) =>
    ({
      // order_item_customizations_idx finds the items.
      needed: (storeId, fileIds) =>
        many(sql<NeededUpload>`SELECT DISTINCT u.id, NULL::timestamptz AS until FROM order_item i
      CROSS JOIN LATERAL unnest(media_ids(i.customizations)) AS u (id)
      WHERE i.store_id = ${storeId} AND i.customizations <> '{}' AND media_ids(i.customizations) && ${fileIds}::text[]
        AND u.id = ANY(${fileIds}::text[])`)
    }) satisfies UploadUse
)
