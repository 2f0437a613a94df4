/**
 * Port. Each room whose rows name uploads of shoppers for customizations says here which uploads it still needs. It is
 * called before an upload is removed, in the transaction that removes it and with the file locked: a new reference
 * first calls `UploadedFiles.keep`, which waits for the lock. It differs from `MediaReferences`, which makes rooms let
 * go of a file of the library. It has no default: without it everything that was kept would be removed. `CommerceCore`
 * collects what the rooms bring.
 */
import { Context, type Effect } from "effect"

export interface NeededUpload {
  readonly id: string
  /** When to ask again; null where it is needed for good. */
  readonly until: Date | null
}

export interface UploadUse {
  /** Those of these files, by their ids, that the room needs at `now`. One statement, whatever their number. */
  readonly needed: (
    storeId: string,
    fileIds: ReadonlyArray<string>,
    now: Date
  ) => Effect.Effect<ReadonlyArray<NeededUpload>>
}

export class UploadUses extends Context.Service<UploadUses, ReadonlyArray<UploadUse>>()(
  "@effect-commerce/core/media/UploadUses"
) {}
