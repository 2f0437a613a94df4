/**
 * Named places in the product's code where a crash would do most harm. In production nothing happens there; a test
 * provides `FaultPoint.Faults` (fail, kill the process, wait, lose the connection) and proves that nothing is lost or
 * done twice. A name is `room.moment` and says what has just been done.
 */
import { Context, Effect } from "effect"

/** All fault points; the test that visits them all reads this list. */
export const faultPoints = [
  "completion.locked",
  "completion.sold",
  "completion.placed",
  "completion.committed",
  "payment.begun",
  "payment.answered",
  "payment.answer-kept",
  "payment.locked",
  "payment.sold",
  "payment.placed",
  "payment.concluded",
  "payment.given-up",
  "payment.notice-read",
  "payment.notice-kept",
  "export.part-begun",
  "export.part-stored",
  "export.part-recorded",
  "transfer.written",
  "refund.begun",
  "refund.recorded",
  "refund.failed",
  "refund.run",
  "capture.begun",
  "void.begun"
] as const
export type FaultPointName = (typeof faultPoints)[number]

/** What happens at the points; absent in production. */
const Faults = Context.Reference<((name: FaultPointName) => Effect.Effect<void>) | undefined>(
  "@effect-commerce/core/database/Faults",
  {
    defaultValue: () => undefined
  }
)

export const FaultPoint = {
  /** Called by the code under test. */
  hit: (name: FaultPointName): Effect.Effect<void> =>
    Effect.flatMap(Faults, (faults) => (faults === undefined ? Effect.void : faults(name))),
  /** Provided by a test. */
  Faults
}
