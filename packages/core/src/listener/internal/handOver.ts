/** Calls a listener's function with what a store has for it, under a lease, one event after the other. */
import { Cause, Clock, Effect, Exit } from "effect"
import { randomHex } from "../../crypto/Hashing.ts"
import { Database } from "../../database/Database.ts"
import { typesNamed } from "../../webhook/EventCatalog.ts"
import { type EventEnvelope, type StoredEvent, toEventEnvelope } from "../../webhook/EventEnvelope.ts"
import { EventRepository } from "../../webhook/EventRepository.ts"
import { CurrentWebhookPolicy } from "../../webhook/WebhookPolicy.ts"
import { CurrentListenerPolicy } from "../ListenerPolicy.ts"
import { type ListenerClaim, type ListenerNamed, ListenerRepository } from "../ListenerRepository.ts"

/** Under `name` the installation knows it; `types` are as in a webhook subscription: types, `order.*`, or `*`. */
export interface EventListener<E, R> extends ListenerNamed {
  readonly handle: (storeId: string, event: EventEnvelope) => Effect.Effect<unknown, E, R>
}

export interface Listening<E, R> {
  readonly listener: EventListener<E, R>
  /** Nothing is begun any more. */
  isStopping: boolean
}

/** Events that are read at once. */
const eventsAtOnce = 20

const textOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  return (failure instanceof Error ? `${failure.name}: ${failure.message}` : String(failure)).slice(0, 500)
}

export const makeHandOver = Effect.gen(function* () {
  const database = yield* Database
  const events = yield* EventRepository
  const repository = yield* ListenerRepository
  const { retention } = yield* CurrentWebhookPolicy
  const policy = yield* CurrentListenerPolicy

  /** Calls the function, and records the event as handled; false where that failed, or this may work on it no more. */
  const handled = Effect.fnUntraced(function* <E, R>(
    listener: EventListener<E, R>,
    storeId: string,
    lease: string,
    failures: number,
    event: StoredEvent & { readonly position: bigint }
  ) {
    const { name, handle } = listener
    const tooLong = () => Effect.die(new Error(`no end after ${policy.handling} ms`))
    const exit = yield* handle(storeId, toEventEnvelope(event)).pipe(
      Effect.timeoutOrElse({ duration: policy.handling, orElse: tooLong }),
      Effect.exit
    )
    const now = yield* Clock.currentTimeMillis
    if (Exit.isSuccess(exit))
      return yield* database.write(storeId)(
        repository.handled(storeId, listener, lease, event.position, new Date(now + policy.lease))
      )
    const pause = Math.min(policy.shortestPause * 2 ** Math.min(failures, 20), policy.longestPause)
    yield* Effect.annotateLogs(
      Effect.logError(`The listener ${name} failed at ${event.id} (${event.type}) and is called again`, exit.cause),
      { storeId, failures: failures + 1, pauseMillis: pause }
    )
    yield* database.write(storeId)(repository.failed(storeId, name, lease, textOf(exit.cause), new Date(now + pause)))
    return false
  })

  const release = (storeId: string, name: string, lease: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      database.write(storeId)(repository.release(storeId, name, lease, new Date(now)))
    )

  /** One page, so that other stores have their turns; true where there may be more. */
  const work = Effect.fnUntraced(function* <E, R>(
    listening: Listening<E, R>,
    storeId: string,
    lease: string,
    claimed: ListenerClaim
  ) {
    const { listener } = listening
    const now = yield* Clock.currentTimeMillis
    // Read before the page: whatever stands before it in the feed is in the page.
    const end = yield* events.lastPosition(storeId)
    const page = yield* events.read(storeId, {
      after: claimed.position,
      types: typesNamed(listener.types),
      since: new Date(now - retention),
      limit: eventsAtOnce
    })
    if (page.length === 0) {
      const isDone = yield* database.write(storeId)(
        repository.caughtUp(storeId, listener, lease, { ...claimed, position: end }, new Date(now))
      )
      if (!isDone) yield* release(storeId, listener.name, lease)
      return false
    }
    let { failures } = claimed
    let goesOn = true
    for (const event of page) {
      goesOn = !listening.isStopping && (yield* handled(listener, storeId, lease, failures, event))
      if (!goesOn) break
      failures = 0
    }
    // A call that has failed has given the lease back already, with its pause.
    yield* release(storeId, listener.name, lease)
    return goesOn
  })

  /** A page of what the store has for the listener, unless that is another process's; true where there may be more. */
  return Effect.fnUntraced(function* <E, R>(listening: Listening<E, R>, storeId: string) {
    const { name } = listening.listener
    const lease = randomHex("", 16)
    const now = yield* Clock.currentTimeMillis
    const claimed = yield* database.write(storeId)(
      repository.claim(storeId, listening.listener, lease, new Date(now), new Date(now + policy.lease))
    )
    if (claimed === undefined) return false
    return yield* Effect.onInterrupt(work(listening, storeId, lease, claimed), () => release(storeId, name, lease))
  })
})
