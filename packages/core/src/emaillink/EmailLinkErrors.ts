import { Schema } from "effect"

/** A link that this installation has not made. */
export class EmailLinkUnknown extends Schema.TaggedError<EmailLinkUnknown>()("EmailLinkUnknown", {}) {}
