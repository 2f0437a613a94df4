/** The errors of exports. */
import { Schema } from "effect"

export class ExportNotFound extends Schema.TaggedError<ExportNotFound>()("ExportNotFound", { id: Schema.String }) {}

/** The link opens no file: it was changed, has expired, or the file is deleted. Nobody is told which. */
export class ExportLinkInvalid extends Schema.TaggedError<ExportLinkInvalid>()("ExportLinkInvalid", {}) {}
