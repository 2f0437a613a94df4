/**
 * Port. Each room whose rows refer to shoppers' uploads for customizations implements which uploads it still needs. It
 * is called before an upload is removed, in the transaction that removes it and with the file locked: code that adds a
 * reference first calls `UploadedFiles.keep`, which waits for the lock. (`MediaReferences` makes rooms drop a file of
 * the library.) It has no default: without it every kept upload would be removed. `CommerceCore` collects the rooms'
 * implementations.
 */
import { Context, type Effect } from "effect"

export interface NeededUpload {
  readonly id: string
  /** When to ask again; null if it is needed permanently. */
  readonly until: Date | null
}

export interface UploadUse {
  /** Which of these files, by id, the room needs at `now`. One statement, whatever their number. */
  readonly needed: (
    storeId: string,
    fileIds: ReadonlyArray<string>,
    now: Date
  ) => Effect.Effect<ReadonlyArray<NeededUpload>>
}

export class UploadUses extends Context.Service<UploadUses, ReadonlyArray<UploadUse>>()(
  "@effect-commerce/core/media/UploadUses"
) {}
