/**
 * Named places where a crash would hurt most. In production a point does nothing; a test replaces what a point does (throw, kill the process, wait)
 * and proves that nothing is lost or done twice.
 */
import { Context, Effect } from "effect"

/** Every point there is; a test that visits them all reads this list. */
export const faultPoints = ["completion.locked", "completion.sold", "completion.placed", "completion.committed"] as const
export type FaultPointName = (typeof faultPoints)[number]

const Faults = Context.Reference<((name: FaultPointName) => Effect.Effect<void>) | undefined>("@effect-commerce/core/database/FaultPoint", {
  defaultValue: () => undefined
})

export const FaultPoint = {
  /** Passed by the code under test. */
  hit: (name: FaultPointName): Effect.Effect<void> => Effect.flatMap(Faults, (faults) => (faults === undefined ? Effect.void : faults(name))),
  /** Provided by a test. */
  Faults
}
