/** How long things take that concern listeners, in milliseconds. Tests shorten them. */
import { Context } from "effect"

export interface ListenerPolicy {
  /** What a function may take for one event. */
  readonly handling: number
  /** The lease on a store's events, renewed by each; longer than `handling`. */
  readonly lease: number
  /** The pause after a first failure, doubled with each, and the longest. */
  readonly shortestPause: number
  readonly longestPause: number
  /** How long a listener that is stopped waits for the call under way. */
  readonly stopping: number
}

export const CurrentListenerPolicy = Context.Reference<ListenerPolicy>(
  "@effect-commerce/core/listener/ListenerPolicy",
  {
    defaultValue: () => ({
      handling: 30_000,
      lease: 60_000,
      shortestPause: 1_000,
      longestPause: 300_000,
      stopping: 10_000
    })
  }
)
