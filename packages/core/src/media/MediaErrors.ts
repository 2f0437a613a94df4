import { Schema } from "effect"

export class MediaNotFound extends Schema.TaggedError<MediaNotFound>()("MediaNotFound", { id: Schema.String }) {}

/** The bytes are not an image that may be stored. `reason` continues a sentence about the file. */
export class ImageRejected extends Schema.TaggedError<ImageRejected>()("ImageRejected", { reason: Schema.String }) {}

/** The file is larger than allowed for its purpose. */
export class ImageTooLarge extends Schema.TaggedError<ImageTooLarge>()("ImageTooLarge", { maxBytes: Schema.Int }) {}

/** The image of a `sourceUrl` could not be fetched. `reason` continues a sentence about the URL. */
export class SourceRejected extends Schema.TaggedError<SourceRejected>()("SourceRejected", {
  reason: Schema.String
}) {}

/** The object storage has not stored the file. Nothing was added to the library. */
export class MediaUploadFailed extends Schema.TaggedError<MediaUploadFailed>()("MediaUploadFailed", {}) {}

/** The disk of the media storage is nearly full. Nothing was added. */
export class StorageFull extends Schema.TaggedError<StorageFull>()("StorageFull", {}) {}

/** The file exceeds the store's storage limit. */
export class StorageLimitReached extends Schema.TaggedError<StorageLimitReached>()("StorageLimitReached", {
  /** Which limit: of the merchant's files, or of shoppers' uploads that nothing refers to yet. */
  of: Schema.Literals(["storage", "unclaimed"]),
  limit: Schema.BigInt,
  used: Schema.BigInt
}) {}
