/**
 * The errors of the pipeline itself, before a use case runs. The rooms' errors have their rows in `<room>Errors.ts`.
 */
import type { HeavyReadRefused } from "@effect-commerce/core/database/DatabaseErrors"
import type { RateStoreUnreached } from "@effect-commerce/core/guard/RateLimitErrors"
import type { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { Schema } from "effect"

/** Any credential failure: absent, malformed, unknown, expired, revoked, doubled, or from the wrong origin. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", { reason: Schema.String }) {}

/** The time of a dashboard's session has passed. */
export class SessionExpired extends Schema.TaggedError<SessionExpired>()("SessionExpired", {}) {}

/** A cookie came with a request that a page of another origin may have made. */
export class CrossSiteRequest extends Schema.TaggedError<CrossSiteRequest>()("CrossSiteRequest", {
  reason: Schema.String
}) {}

export class ScopeInsufficient extends Schema.TaggedError<ScopeInsufficient>()("ScopeInsufficient", {
  required: Schema.String
}) {}

/** The token is of another installation than the path names, or the path names none. */
export class InstallationMismatch extends Schema.TaggedError<InstallationMismatch>()("InstallationMismatch", {}) {}

/** The channel has switched this part of its surface off. */
export class ChannelScopeDisabled extends Schema.TaggedError<ChannelScopeDisabled>()("ChannelScopeDisabled", {
  scope: Schema.String
}) {}

/**
 * `scope` is the kind of limit that was reached: ip, route, auth, key, account or installation. Times in the units of
 * their names.
 */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  limit: Schema.Int,
  ttlMs: Schema.Int,
  retryAfterSeconds: Schema.Int,
  scope: Schema.String,
  tier: Schema.optionalKey(Schema.String)
}) {}

export class RequestInvalid extends Schema.TaggedError<RequestInvalid>()("RequestInvalid", {
  errors: Schema.Record(Schema.String, Schema.String)
}) {}

export class RouteUnknown extends Schema.TaggedError<RouteUnknown>()("RouteUnknown", {}) {}

export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  allow: Schema.Array(Schema.String)
}) {}

export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", {
  maxBytes: Schema.Int
}) {}

/** The host has read the body and left nothing of it. The request cannot be known, so nothing is done. */
export class BodyGone extends Schema.TaggedError<BodyGone>()("BodyGone", {}) {}

/** A message for the developer of the host. */
export const bodyGone =
  "The body was read before commerce saw it, and is gone: mount commerce before body parsers, leave what they parsed " +
  "in req.body, or pass a Request that nobody has read (Hono: cloneRawRequest)"

/** The same, where the exact bytes are needed. */
export const bodyParsed =
  "A body that is kept byte for byte was parsed before commerce saw it, and is gone: mount commerce before body " +
  "parsers, or leave the bytes in req.rawBody"

export class MediaTypeUnsupported extends Schema.TaggedError<MediaTypeUnsupported>()("MediaTypeUnsupported", {
  expected: Schema.String
}) {}

export class StoreIdRequired extends Schema.TaggedError<StoreIdRequired>()("StoreIdRequired", {}) {}

export class StoreIdMismatch extends Schema.TaggedError<StoreIdMismatch>()("StoreIdMismatch", {}) {}

export class IdempotencyKeyOnGet extends Schema.TaggedError<IdempotencyKeyOnGet>()("IdempotencyKeyOnGet", {}) {}

export class IdempotencyKeyMissing extends Schema.TaggedError<IdempotencyKeyMissing>()("IdempotencyKeyMissing", {}) {}

export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {}) {}

/** The same request under the same key is still running. */
export class IdempotencyKeyInFlight extends Schema.TaggedError<IdempotencyKeyInFlight>()(
  "IdempotencyKeyInFlight",
  {}
) {}

/** The Idempotency-Key of a completion could not be claimed; nothing was done. */
export class IdempotencyLockUnavailable extends Schema.TaggedError<IdempotencyLockUnavailable>()(
  "IdempotencyLockUnavailable",
  {}
) {}

/** The database does not answer, or does not have this version's schema. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {}) {}

/** This instance is shutting down; another one, or the next one, serves the request. */
export class InstanceEnding extends Schema.TaggedError<InstanceEnding>()("InstanceEnding", {}) {}

/** The client, or all clients together, have left so many bytes of responses unread that no long response is added. */
export class AnswersUnread extends Schema.TaggedError<AnswersUnread>()("AnswersUnread", {}) {}

/** Too many requests of the store are waiting, or this one has waited too long. */
export class StoreBusy extends Schema.TaggedError<StoreBusy>()("StoreBusy", {}) {}

/** The client, or all clients together, send so many large bodies at once that no other one is read. */
export class BodiesUnderWay extends Schema.TaggedError<BodiesUnderWay>()("BodiesUnderWay", {}) {}

export type PipelineError =
  | Unauthorized
  | SessionExpired
  | CrossSiteRequest
  | ScopeInsufficient
  | InstallationMismatch
  | ChannelScopeDisabled
  | RateLimited
  | RequestInvalid
  | RouteUnknown
  | MethodNotAllowed
  | PayloadTooLarge
  | BodyGone
  | MediaTypeUnsupported
  | StoreIdRequired
  | StoreIdMismatch
  | IdempotencyKeyOnGet
  | IdempotencyKeyMissing
  | IdempotencyKeyReused
  | IdempotencyKeyInFlight
  | IdempotencyLockUnavailable
  | ResourceChanged
  | HeavyReadRefused
  | RateStoreUnreached
  | NotReady
  | InstanceEnding
  | AnswersUnread
  | BodiesUnderWay
  | StoreBusy
