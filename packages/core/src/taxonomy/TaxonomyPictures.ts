/**
 * Removes a deleted file of the media library from categories, brands and attribute options. Products read these
 * pictures from these rows, so nothing else has to change.
 */
import { Effect } from "effect"
import { Database } from "../database/Database.ts"
import { none } from "../database/Repository.ts"
import { lockStoreFor } from "../database/StoreLocks.ts"
import { markOf } from "../media/MediaFile.ts"
import type { MediaReferenceHolder } from "../media/MediaReferences.ts"
import { clearedParts, clearedPicture } from "./ClearedPictures.ts"

const swatches = {
  owner: "attribute",
  part: "attribute_option",
  ownerId: "attribute_id",
  column: "swatch_image_url",
  isVersioned: true
}

export const taxonomyPictureReferences = Effect.map(
  Database,
  ({ sql }) =>
    ({
      removeFile: Effect.fn("TaxonomyPictures.removeFile")(function* (store, { key }, now) {
        const file = { storeId: store.id, mark: markOf(key), now: new Date(now) }
        yield* none(lockStoreFor(sql, "category_tree", store.id))
        yield* none(clearedPicture(sql, "category", ["image", "image_key"], file))
        yield* none(clearedPicture(sql, "brand", ["logo", "logo_key"], file))
        yield* none(clearedParts(sql, swatches, file))
      })
    }) satisfies MediaReferenceHolder
)
