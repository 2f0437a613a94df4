/**
 * Errors of the database as a whole: each message is one line for the operator, without passwords.
 */
import { Schema } from "effect"

/** A migration that must not or cannot be applied. */
export class MigrationRefused extends Schema.TaggedError<MigrationRefused>()("MigrationRefused", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/**
 * The embedded server cannot be used: wrong platform, a folder that is not ours, a newer version's data, a failed
 * start.
 */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** The idempotency records could not be read, so no key was claimed and the request must not run. `cause` is logged. */
export class ClaimUnavailable extends Schema.TaggedError<ClaimUnavailable>()("ClaimUnavailable", {
  cause: Schema.Defect()
}) {}

/**
 * A heavy read (HeavyReads.ts) was not run or not completed: too many reads of the store were waiting (`busy`), or it
 * took too long (`slow`). Raised as a defect, because no use case can handle it: the caller has to retry.
 */
export class HeavyReadRefused extends Schema.TaggedError<HeavyReadRefused>()("HeavyReadRefused", {
  reason: Schema.Literals(["busy", "slow"])
}) {}

/** A write transaction of one store was asked to write for another: a bug of the caller. */
export class WriteOutsideStore extends Schema.TaggedError<WriteOutsideStore>()("WriteOutsideStore", {
  open: Schema.String,
  asked: Schema.String
}) {
  override get message() {
    return `a write transaction of store ${this.open} cannot write for store ${this.asked}`
  }
}

/**
 * The host's transaction cannot be joined: none is open, it is aborted, or its user may not act as our role. A bug of
 * the caller.
 */
export class HostTransactionUnusable extends Schema.TaggedError<HostTransactionUnusable>()("HostTransactionUnusable", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/**
 * A use case that calls a provider over the network cannot run inside a host's open transaction: a ROLLBACK could not
 * undo the call.
 */
export class NeedsOwnTransaction extends Schema.TaggedError<NeedsOwnTransaction>()("NeedsOwnTransaction", {
  operation: Schema.String
}) {
  override get message() {
    return (
      `${this.operation} calls out over the network and cannot run inside a host's transaction: run it before ` +
      `BEGIN or after COMMIT`
    )
  }
}
