/** The layers of the media room. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { ImageDownloads } from "./ImageDownloads.ts"
import { LateThumbnails } from "./LateThumbnails.ts"
import { LibraryFiles } from "./LibraryFiles.ts"
import { MediaAssets } from "./MediaAssets.ts"
import { MediaFileRepository } from "./MediaFileRepository.ts"
import { MediaFiles } from "./MediaFiles.ts"
import { MediaStorageRepository } from "./MediaStorageRepository.ts"
import { MediaSweep } from "./MediaSweep.ts"
import { MediaUrls, type MediaUrlOptions } from "./MediaUrls.ts"
import { limitsOf, objectStoreLayer } from "./MediaOptions.ts"
import { ServedFiles } from "./ServedFiles.ts"
import { StoragePlan } from "./StoragePlan.ts"
import { ThumbnailRepository } from "./ThumbnailRepository.ts"
import { Thumbnails } from "./Thumbnails.ts"
import { UploadedFiles } from "./UploadedFiles.ts"
import { mediaLaws } from "./mediaLaws.ts"

/** Services that every room may use. */
export const mediaRoom = {
  layer: (options: MediaUrlOptions) =>
    Layer.mergeAll(
      UploadedFiles.layer,
      LibraryFiles.layer,
      ServedFiles.layer,
      MediaSweep.layer,
      StoragePlan.layer
    ).pipe(
      Layer.provideMerge(MediaFiles.layer),
      Layer.provideMerge(Thumbnails.layer(limitsOf(options.media))),
      Layer.provideMerge(
        Layer.mergeAll(MediaFileRepository.layer, ThumbnailRepository.layer, MediaUrls.layer(options))
      ),
      Layer.provideMerge(MediaStorageRepository.layer),
      Layer.provideMerge(objectStoreLayer(options.media))
    ),
  rows: {
    mediaFile: { table: "media_file", keepsDeleted: true }
  },
  laws: mediaLaws
} as const satisfies Room

/** The library, which needs `MediaReferences`: the references to files in the rooms above. */
export const mediaLibrary = Layer.merge(MediaAssets.layer, LateThumbnails.layer).pipe(
  Layer.provide(ImageDownloads.layer)
)
