/**
 * Request coalescing: calls with the same key that arrive while one is under way wait for it to end, and are then
 * served together by the next. So no call is answered by work that began before it arrived, and the busier a key is,
 * the less each of its calls costs. A caller that leaves takes nothing from the others.
 */
import { Deferred, Effect } from "effect"

interface Waiting<Ask, Answer, E> {
  readonly ask: Ask
  readonly answered: Deferred.Deferred<Answer, E>
}

/**
 * `serve` handles several calls at once, up to a total weight of `most`, and a heavier one by itself; if it fails, each
 * of them fails with the same error. A call weighs 1 by default.
 */
export const coalesced = <Ask, Answer, E, R>(
  most: number,
  serve: (key: string, asks: ReadonlyArray<Ask>) => Effect.Effect<Answer, E, R>,
  weightOf: (ask: Ask) => number = () => 1
): ((key: string, ask: Ask) => Effect.Effect<Answer, E, R>) => {
  /** By the keys that are being served. */
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
    // Nobody leaves between making a queue and starting who serves it: the next would wait for ever.
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
