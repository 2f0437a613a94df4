/**
 * Port. Each room whose resources show files of the media library says here how they drop one that is deleted, and how
 * they show a thumbnail that was made late. Called in the transaction that deletes the file or adds the thumbnail, with
 * the file locked, so that nobody can begin to refer to it meanwhile. It differs from `LibraryFiles`, which a room asks
 * when it begins to refer. Default: nobody refers to anything; `CommerceCore` collects what the rooms bring.
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
   * announces the change (events, composed documents). Whatever the number of resources, it works in batches of
   * bounded size.
   */
  readonly removeFile: (store: StoreContext, file: ReferredFile, now: number) => Effect.Effect<void>
  /** Adds the thumbnail that the file has by now, wherever the file is shown with its thumbnail. */
  readonly addThumbnail?: (store: StoreContext, file: ReferredFile, now: number) => Effect.Effect<void>
}

export class MediaReferences extends Context.Service<MediaReferences, ReadonlyArray<MediaReferenceHolder>>()(
  "@effect-commerce/core/media/MediaReferences"
) {}
