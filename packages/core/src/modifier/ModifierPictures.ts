/** Removes a deleted file of the media library from modifiers; their groups get a new version. */
import { Effect } from "effect"
import { Database } from "../database/Database.ts"
import { none } from "../database/Repository.ts"
import { markOf } from "../media/MediaFile.ts"
import type { MediaReferenceHolder } from "../media/MediaReferences.ts"
import { clearedParts } from "../taxonomy/ClearedPictures.ts"

const images = { owner: "modifier_group", part: "modifier", ownerId: "group_id", column: "image", isVersioned: false }

export const modifierPictureReferences = Effect.map(
  Database,
  ({ sql }) =>
    ({
      removeFile: (store, { key }, now) =>
        none(clearedParts(sql, images, { storeId: store.id, mark: markOf(key), now: new Date(now) }))
    }) satisfies MediaReferenceHolder
)
