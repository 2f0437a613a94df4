/** The bound of a notice, and the error of a provider that has too many open ones. */
import { Schema } from "effect"

/** The largest notice, in bytes. */
export const mostNoticeBytes = 262_144

/** Nobody has interpreted the notices of this provider for long: it has to send them again. */
export class NoticesFull extends Schema.TaggedError<NoticesFull>()("NoticesFull", { providerId: Schema.String }) {}
