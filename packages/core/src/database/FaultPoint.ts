/**
 * Named places in the product's code where tests let something go wrong: fail, kill the process, wait, lose the connection. Nothing happens
 * there unless a `Fault` is provided. A name is `room.moment` and says what has just been done.
 */
import { Context, Effect } from "effect"

export interface FaultMethods {
  readonly hit: (name: string) => Effect.Effect<void>
}

/** What happens at the points; absent in production. */
export const Fault = Context.Reference<FaultMethods | undefined>("@effect-commerce/core/database/Fault", { defaultValue: () => undefined })

export const FaultPoint = {
  hit: (name: string): Effect.Effect<void> => Effect.flatMap(Fault, (fault) => (fault === undefined ? Effect.void : fault.hit(name)))
}
