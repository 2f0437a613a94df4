/**
 * Port. Each room whose resources show files of the media library implements how they drop a deleted file, and how they
 * show a thumbnail that was made late. Called in the transaction that deletes the file or adds the thumbnail, with the
 * file locked, so that no reference can be made meanwhile. `LibraryFiles` is for making references. Default: no
 * references; `CommerceCore` collects the rooms' implementations.
 */
import { Context, type Effect } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"

export interface ReferredFile {
  readonly id: string
  readonly key: string
}

export interface MediaReferenceHolder {
  /**
   * Removes the file from everything of the store that refers to it, by its key or by an address that ends with it, and
   * publishes the change (events, composed documents). Whatever the number of resources, it works in batches of bounded
   * size.
   */
  readonly removeFile: (store: StoreContext, file: ReferredFile, now: number) => Effect.Effect<void>
  /** Adds the thumbnail that the file now has, wherever the file is shown with a thumbnail. */
  readonly addThumbnail?: (store: StoreContext, file: ReferredFile, now: number) => Effect.Effect<void>
}

export class MediaReferences extends Context.Service<MediaReferences, ReadonlyArray<MediaReferenceHolder>>()(
  "@effect-commerce/core/media/MediaReferences"
) {}
