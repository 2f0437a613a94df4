import type { NewsletterTokenRejected } from "@effect-commerce/core/newsletter/NewsletterErrors"
import type { ErrorRows } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

const spent = fieldErrors({ token: "is unknown or has expired: sign up again" })

export const newsletterErrors: ErrorRows<NewsletterTokenRejected> = {
  NewsletterTokenRejected: { code: "VALIDATION_FAILED", message: () => spent.message, details: () => spent.details }
}
