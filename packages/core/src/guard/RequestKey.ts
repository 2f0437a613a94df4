/**
 * Names a request that is sent under an Idempotency-Key: the same key of the same caller with the same body has the
 * same name. A use case that calls out between two transactions keeps it with what it begins, so that a request which
 * is sent again after a crash finds that, and begins nothing anew.
 */
import { Context } from "effect"

/** How long a request that is sent again under its Idempotency-Key gets its first answer, in milliseconds. */
export const replayWindow = 24 * 3_600_000

/** A hash; null where the request has no key. */
export const RequestKey = Context.Reference<string | null>("@effect-commerce/core/guard/RequestKey", {
  defaultValue: () => null
})
