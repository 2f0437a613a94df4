import { type FieldRejected, rejectedFields } from "@effect-commerce/core/kernel/FieldRejected"
import type { RoleInsufficient } from "@effect-commerce/core/team/TeamErrors"
import type { ErrorRows } from "./ErrorRow.ts"
import { bodyGone, type PipelineError } from "./Refusals.ts"

/** The most fields that one error names: more than any form has, and few enough to read. */
export const mostFields = 100

export const fieldsMessage = (errors: Readonly<Record<string, string>>): string =>
  `Invalid request: ${Object.entries(errors)
    .map(([field, reason]) => `${field}: ${reason}`)
    .join("; ")}`

/** `field: reason` pairs as one line and as `details.errors`; the first `mostFields` of them. */
export const fieldErrors = (errors: Readonly<Record<string, string>>) => {
  const named = Object.fromEntries(Object.entries(errors).slice(0, mostFields))
  return { message: fieldsMessage(named), details: { errors: named } }
}

/** Rows of the errors that any route may have: the pipeline's own, and fields that a use case rejects. */
export const pipelineErrors: ErrorRows<PipelineError | FieldRejected | RoleInsufficient> = {
  FieldRejected: {
    code: "VALIDATION_FAILED",
    message: (e) => fieldErrors(rejectedFields(e)).message,
    details: (e) => fieldErrors(rejectedFields(e)).details
  },
  // RFC 9110, 11.6.1: a 401 names a way to authenticate.
  Unauthorized: { code: "UNAUTHORIZED", message: (e) => e.reason, headers: () => ({ "www-authenticate": "Bearer" }) },
  SessionExpired: {
    code: "SESSION_EXPIRED",
    message: () => "This session has ended; log in again",
    headers: () => ({ "www-authenticate": "Bearer" })
  },
  CrossSiteRequest: { code: "INSUFFICIENT_PERMISSION", message: (e) => e.reason },
  RoleInsufficient: {
    code: "INSUFFICIENT_PERMISSION",
    message: (e) => `The role ${e.role} does not include this`,
    details: (e) => ({ role: e.role, area: e.area })
  },
  ScopeInsufficient: {
    code: "INSUFFICIENT_SCOPE",
    message: (e) => `This key lacks the scope ${e.required}`,
    details: (e) => ({ required: e.required })
  },
  InstallationMismatch: {
    code: "INSUFFICIENT_PERMISSION",
    message: () => "This token is of another installation"
  },
  ChannelScopeDisabled: {
    code: "INSUFFICIENT_PERMISSION",
    message: (e) => `This sales channel has ${e.scope} switched off`,
    details: (e) => ({ scope: e.scope })
  },
  RateLimited: {
    code: "RATE_LIMITED",
    message: (e) => `Too many requests; try again in ${e.retryAfterSeconds} s`,
    details: ({ retryAfterSeconds, limit, ttlMs, scope, tier }) => ({
      retryAfterSeconds,
      limit,
      ttlMs,
      scope,
      ...(tier === undefined ? {} : { tier })
    }),
    headers: (e) => ({ "retry-after": String(e.retryAfterSeconds) })
  },
  RequestInvalid: {
    code: "VALIDATION_FAILED",
    message: (e) => fieldErrors(e.errors).message,
    details: (e) => fieldErrors(e.errors).details
  },
  RouteUnknown: { code: "RESOURCE_NOT_FOUND", message: () => "No route has this path" },
  MethodNotAllowed: {
    code: "METHOD_NOT_ALLOWED",
    message: (e) => `This path answers ${e.allow.join(", ")}`,
    details: (e) => ({ allow: e.allow }),
    headers: (e) => ({ allow: e.allow.join(", ") })
  },
  PayloadTooLarge: {
    code: "PAYLOAD_TOO_LARGE",
    message: (e) => `The body is larger than ${e.maxBytes} bytes`,
    details: (e) => ({ maxBytes: e.maxBytes }),
    headers: () => ({ connection: "close" })
  },
  BodyGone: {
    code: "VALIDATION_FAILED",
    message: () => bodyGone,
    details: () => ({ errors: { body: "could not be read" } })
  },
  MediaTypeUnsupported: {
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: (e) => `The body must be ${e.expected}`,
    details: (e) => ({ expected: e.expected })
  },
  StoreIdRequired: {
    code: "STORE_ID_REQUIRED",
    message: () => "This credential works for several stores: name one with storeId"
  },
  StoreIdMismatch: {
    code: "STORE_ID_MISMATCH",
    message: () => "storeId names another store than this key works for, or query and body name two"
  },
  IdempotencyKeyOnGet: {
    code: "IDEMPOTENCY_KEY_NOT_SUPPORTED",
    message: () => "Idempotency-Key is not supported on GET requests"
  },
  IdempotencyKeyMissing: {
    code: "MISSING_REQUIRED_FIELDS",
    message: () => "This route needs an Idempotency-Key header",
    details: () => ({ header: "Idempotency-Key", fields: ["Idempotency-Key"] })
  },
  IdempotencyKeyReused: {
    code: "IDEMPOTENCY_KEY_REUSED",
    message: () => "This Idempotency-Key was used with another request"
  },
  IdempotencyKeyInFlight: {
    code: "CONFLICT",
    message: () => "The same request is still running under this Idempotency-Key",
    headers: () => ({ "retry-after": "1" })
  },
  ResourceChanged: {
    code: "CONFLICT",
    message: (e) => `This has changed since it was read, at ${e.updatedAt}: read it again`,
    details: (e) => ({ updatedAt: e.updatedAt })
  },
  HeavyReadRefused: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: ({ reason }) =>
      reason === "busy"
        ? "Too many searches and lists of this store are under way; nothing was read. Retry shortly"
        : "The search or list took too long and was given up: search for fewer or longer words, or narrow it by a " +
          "category, a brand or another filter",
    headers: ({ reason }) => ({ "retry-after": reason === "busy" ? "1" : "5" })
  },
  RateStoreUnreached: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: () => "The counters of rate limits cannot be reached; nothing was processed. Retry shortly",
    headers: () => ({ "retry-after": "1" })
  },
  NotReady: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: () => "The database does not answer or is not migrated",
    headers: () => ({ "retry-after": "1" })
  },
  InstanceEnding: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: () => "This server is being stopped; nothing was processed. Retry shortly",
    headers: () => ({ "retry-after": "1", connection: "close" })
  },
  AnswersUnread: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: () => "Too many answers are still on their way; nothing was changed. Read them and retry shortly",
    headers: () => ({ "retry-after": "1" })
  },
  BodiesUnderWay: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: () => "Too many large bodies are being received; nothing was done. Send fewer at once and retry shortly",
    headers: () => ({ "retry-after": "1" })
  },
  StoreBusy: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: () =>
      "Too many requests of this store are under way; nothing was done. Send fewer at once and retry shortly",
    headers: () => ({ "retry-after": "1" })
  },
  IdempotencyLockUnavailable: {
    code: "IDEMPOTENCY_LOCK_UNAVAILABLE",
    message: () =>
      "The request could not be protected against being done twice; nothing was done. Retry with the same " +
      "Idempotency-Key",
    headers: () => ({ "retry-after": "1" })
  }
}
