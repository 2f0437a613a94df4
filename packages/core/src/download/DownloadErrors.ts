/** The errors of downloads. */
import { Schema } from "effect"

/**
 * The link opens no file: it was changed, has expired, its order no longer grants it, or the file was fetched as often
 * as it may be. Nobody is told which.
 */
export class DownloadLinkInvalid extends Schema.TaggedError<DownloadLinkInvalid>()("DownloadLinkInvalid", {}) {}
