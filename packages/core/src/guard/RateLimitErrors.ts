/** Errors of the counters of rate limits. */
import { Schema } from "effect"

/**
 * The store of the counters does not answer, and the request guards a secret or something expensive: it was refused
 * before anything was done. Raised as a defect, because no use case can handle it: the caller has to retry.
 */
export class RateStoreUnreached extends Schema.TaggedError<RateStoreUnreached>()("RateStoreUnreached", {}) {}
