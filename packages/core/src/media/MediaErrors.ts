import { Schema } from "effect"

export class MediaNotFound extends Schema.TaggedError<MediaNotFound>()("MediaNotFound", { id: Schema.String }) {}

/** The bytes are no image that may be kept. `reason` continues a sentence about the file. */
export class ImageRejected extends Schema.TaggedError<ImageRejected>()("ImageRejected", { reason: Schema.String }) {}

/** The file is larger than its kind may be. */
export class ImageTooLarge extends Schema.TaggedError<ImageTooLarge>()("ImageTooLarge", { maxBytes: Schema.Int }) {}

/** The image of a `sourceUrl` could not be had. `reason` continues a sentence about the URL. */
export class SourceRejected extends Schema.TaggedError<SourceRejected>()("SourceRejected", {
  reason: Schema.String
}) {}

/** The object storage has not taken the file. Nothing was added to the library. */
export class MediaUploadFailed extends Schema.TaggedError<MediaUploadFailed>()("MediaUploadFailed", {}) {}

/** The disk of the media storage is nearly full. Nothing was added. */
export class StorageFull extends Schema.TaggedError<StorageFull>()("StorageFull", {}) {}

/** The file does not fit into what the operator lets the store keep. */
export class StorageLimitReached extends Schema.TaggedError<StorageLimitReached>()("StorageLimitReached", {
  /** What the merchant keeps, or what shoppers have sent and nothing has named yet. Bytes. */
  of: Schema.Literals(["storage", "unclaimed"]),
  limit: Schema.BigInt,
  used: Schema.BigInt
}) {}
