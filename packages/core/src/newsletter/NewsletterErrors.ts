/** The errors of the newsletter. */
import { Schema } from "effect"

/** The token is unknown or has expired. */
export class NewsletterTokenRejected extends Schema.TaggedError<NewsletterTokenRejected>()(
  "NewsletterTokenRejected",
  {}
) {}
