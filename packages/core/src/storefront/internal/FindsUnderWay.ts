/**
 * Lists that requests of this process are finding now. A request for one of them waits until it is found, and then uses
 * what the other request has remembered: in a large catalogue a list that many ask for at once, right after a start or
 * a write, is found once and not by each of them (decision 0024).
 */
import { Deferred, Effect, Exit } from "effect"
import { isJoined } from "../../kernel/JoinedTransaction.ts"

export class FindsUnderWay {
  readonly #ends = new Map<string, Deferred.Deferred<void>>()

  /**
   * Returns whether another request was finding the list, and has ended. It dies of what the other one has died of: a
   * list that takes too long is not tried by each of those that wait. Inside a host's transaction nobody waits.
   */
  wait(key: string): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const end = isJoined() ? undefined : this.#ends.get(key)
      return end === undefined ? Effect.succeed(false) : Effect.as(Deferred.await(end), true)
    })
  }

  /** Finds the list; requests that come meanwhile wait for its end. */
  during<A>(key: string, find: Effect.Effect<A>): Effect.Effect<A> {
    return Effect.suspend(() => {
      if (isJoined()) return find
      const end = Deferred.makeUnsafe<void>()
      this.#ends.set(key, end)
      return Effect.onExit(find, (exit) =>
        Effect.sync(() => {
          if (this.#ends.get(key) === end) this.#ends.delete(key)
          Deferred.doneUnsafe(end, Exit.isSuccess(exit) || Exit.hasInterrupts(exit) ? Exit.void : Exit.asVoid(exit))
        })
      )
    })
  }
}
