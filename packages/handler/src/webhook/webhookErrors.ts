import type {
  EventCursorUnknown,
  EventTypesUnknown,
  WebhookSubscriptionNotFound,
  WebhookSubscriptionRejected
} from "@effect-commerce/core/webhook/WebhookErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

const typesUnknown = (unknown: ReadonlyArray<string>) =>
  fieldErrors({ types: `no such event type: ${unknown.join(", ")}` })
const cursorUnknown = fieldErrors({ after: "must be the id of an event of the last 30 days" })

export const webhookErrors: ErrorRows<
  WebhookSubscriptionNotFound | WebhookSubscriptionRejected | EventCursorUnknown | EventTypesUnknown
> = {
  WebhookSubscriptionNotFound: missing("webhook subscription"),
  WebhookSubscriptionRejected: {
    code: "VALIDATION_FAILED",
    message: (e) => fieldErrors(e.errors).message,
    details: (e) => ({ ...fieldErrors(e.errors).details, ...(e.unknown.length === 0 ? {} : { unknown: e.unknown }) })
  },
  EventCursorUnknown: {
    code: "VALIDATION_FAILED",
    message: () => cursorUnknown.message,
    details: () => cursorUnknown.details
  },
  EventTypesUnknown: {
    code: "VALIDATION_FAILED",
    message: (e) => typesUnknown(e.unknown).message,
    details: (e) => ({ ...typesUnknown(e.unknown).details, unknown: e.unknown })
  }
}
