/**
 * Request coalescing: calls with the same key that arrive while one is under way wait for it to end, and are then
 * served together by the next. So no call gets the result of work that began before it arrived, and the busier a key
 * is, the less each call costs. An interrupted caller does not affect the others.
 */
import { Deferred, Effect } from "effect"

interface Waiting<Ask, Answer, E> {
  readonly ask: Ask
  readonly answered: Deferred.Deferred<Answer, E>
}

/**
 * `serve` handles several calls at once, up to a total weight of `most`, and a heavier call by itself; if it fails,
 * each of the calls fails with the same error. A call weighs 1 by default.
 */
export const coalesced = <Ask, Answer, E, R>(
  most: number,
  serve: (key: string, asks: ReadonlyArray<Ask>) => Effect.Effect<Answer, E, R>,
  weightOf: (ask: Ask) => number = () => 1
): ((key: string, ask: Ask) => Effect.Effect<Answer, E, R>) => {
  /** Waiting calls by key; a key is present while it is being served. */
  const queues = new Map<string, Array<Waiting<Ask, Answer, E>>>()

  const serveAll = Effect.fnUntraced(function* (key: string, queue: Array<Waiting<Ask, Answer, E>>) {
    while (queue.length > 0) {
      let weight = 0
      const beyond = queue.findIndex(({ ask }, at) => (weight += weightOf(ask)) > most && at > 0)
      const batch = queue.splice(0, beyond === -1 ? queue.length : beyond)
      const asks = batch.map(({ ask }) => ask)
      const exit = yield* Effect.exit(Effect.suspend(() => serve(key, asks)))
      for (const { answered } of batch) Deferred.doneUnsafe(answered, exit)
    }
    queues.delete(key)
  })

  return (key, ask) =>
    // Uninterruptible between creating a queue and starting the fiber that serves it: later calls would wait for ever.
    Effect.uninterruptibleMask((restore) => {
      const answered = Deferred.makeUnsafe<Answer, E>()
      const answer = restore(Deferred.await(answered))
      const queue = queues.get(key)
      if (queue !== undefined) {
        queue.push({ ask, answered })
        return answer
      }
      const begun = [{ ask, answered }]
      queues.set(key, begun)
      const serving = Effect.uninterruptible(serveAll(key, begun))
      return Effect.andThen(Effect.forkDetach(serving, { startImmediately: true }), answer)
    })
}
