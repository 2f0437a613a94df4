/** The errors of captures and voids. Amounts are decimal strings in the order's currency. */
import { Schema } from "effect"

/**
 * Nothing is reserved that could be captured or released: it was voided, has lapsed or failed, was let go when a part
 * was captured, or the payment is none of a provider's.
 */
export class NothingReserved extends Schema.TaggedError<NothingReserved>()("NothingReserved", {
  reason: Schema.Literals(["voided", "failed", "expired", "released", "pending", "by_hand", "void_under_way"]),
  paymentId: Schema.NullOr(Schema.String)
}) {}

/** All of it is captured, or a capture is under way. */
export class ChargeAlreadyCaptured extends Schema.TaggedError<ChargeAlreadyCaptured>()("ChargeAlreadyCaptured", {
  paymentId: Schema.String,
  isUnderWay: Schema.Boolean
}) {}

/** More than is reserved and not captured yet. */
export class CaptureExceedsReserved extends Schema.TaggedError<CaptureExceedsReserved>()("CaptureExceedsReserved", {
  amount: Schema.String,
  reserved: Schema.String
}) {}

/** The provider did not do it. */
export class ChargeChangeFailed extends Schema.TaggedError<ChargeChangeFailed>()("ChargeChangeFailed", {
  kind: Schema.Literals(["capture", "void"]),
  reason: Schema.String
}) {}

/** What became of it is not known yet. It is found out, and nothing is done twice. */
export class ChargeChangeUnknown extends Schema.TaggedError<ChargeChangeUnknown>()("ChargeChangeUnknown", {
  kind: Schema.Literals(["capture", "void"])
}) {}
