/** Calls a listener's function with what a store has for it, under a lease, one event after the other. */
import { Cause, Clock, Effect, Exit } from "effect"
import { randomHex } from "../../crypto/Hashing.ts"
import { Database } from "../../database/Database.ts"
import { typesNamed } from "../../webhook/EventCatalog.ts"
import { type EventEnvelope, type StoredEvent, toEventEnvelope } from "../../webhook/EventEnvelope.ts"
import { EventRepository } from "../../webhook/EventRepository.ts"
import { CurrentWebhookPolicy } from "../../webhook/WebhookPolicy.ts"
import { CurrentListenerPolicy } from "../ListenerPolicy.ts"
import { type ListenerClaim, ListenerRepository } from "../ListenerRepository.ts"

export interface EventListener<E, R> {
  /** Under which the installation knows it; one of a name in a process. */
  readonly name: string
  /** As in a webhook subscription: types, `order.*`, or `*`. */
  readonly types: ReadonlyArray<string>
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

  /** Calls the function, and records the event as handled; false where that failed or the lease is lost. */
  const handled = Effect.fnUntraced(function* <E, R>(
    { name, handle }: EventListener<E, R>,
    storeId: string,
    lease: string,
    failures: number,
    event: StoredEvent & { readonly position: bigint }
  ) {
    const tooLong = () => Effect.die(new Error(`no end after ${policy.handling} ms`))
    const exit = yield* handle(storeId, toEventEnvelope(event)).pipe(
      Effect.timeoutOrElse({ duration: policy.handling, orElse: tooLong }),
      Effect.exit
    )
    const now = yield* Clock.currentTimeMillis
    if (Exit.isSuccess(exit))
      return yield* database.write(storeId)(
        repository.handled(storeId, name, lease, event.position, new Date(now + policy.lease))
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

  /** Page by page, until nothing is left, a call fails, or the listener stops. */
  const work = Effect.fnUntraced(function* <E, R>(
    listening: Listening<E, R>,
    storeId: string,
    lease: string,
    claimed: ListenerClaim
  ) {
    const { listener } = listening
    let { position, failures } = claimed
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      // Read before the page: whatever stands before it in the feed is in the page.
      const end = yield* events.lastPosition(storeId)
      const page = yield* events.read(storeId, {
        after: position,
        types: typesNamed(listener.types),
        since: new Date(now - retention),
        limit: eventsAtOnce
      })
      if (page.length === 0)
        return yield* database.write(storeId)(
          repository.caughtUp(storeId, listener.name, lease, { ...claimed, position: end }, new Date(now))
        )
      for (const event of page) {
        if (listening.isStopping) return yield* release(storeId, listener.name, lease)
        if (!(yield* handled(listener, storeId, lease, failures, event))) return
        position = event.position
        failures = 0
      }
    }
  })

  /** Whatever the store has for the listener, unless another process is handing it over. */
  return Effect.fnUntraced(function* <E, R>(listening: Listening<E, R>, storeId: string) {
    const { name } = listening.listener
    const lease = randomHex("", 16)
    const now = yield* Clock.currentTimeMillis
    const claimed = yield* database.write(storeId)(
      repository.claim(storeId, name, lease, new Date(now), new Date(now + policy.lease))
    )
    if (claimed === undefined) return
    yield* Effect.onInterrupt(work(listening, storeId, lease, claimed), () => release(storeId, name, lease))
  })
})
