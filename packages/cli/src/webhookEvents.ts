/** The work of `commerce webhook listen` and `replay`: what they ask of an installation. */
import type { CoreServices } from "@effect-commerce/core/CommerceCore"
import { GuardedFetch } from "@effect-commerce/core/outbound/GuardedFetch"
import { Stores } from "@effect-commerce/core/store/Stores"
import { encodeEvent, type StoredEvent } from "@effect-commerce/core/webhook/EventEnvelope"
import { EventFeed } from "@effect-commerce/core/webhook/EventFeed"
import { WebhookDispatcher } from "@effect-commerce/core/webhook/WebhookDispatcher"
import { WebhookReplay } from "@effect-commerce/core/webhook/WebhookReplay"
import { deliveryHeaders } from "@effect-commerce/core/webhook/WebhookSender"
import { RootSecret } from "@effect-commerce/core/crypto/RootSecret"
import { Clock, Effect } from "effect"
import { withExisting } from "./existingDatabase.ts"
import { note, printJson, printLines } from "./print.ts"
import { Refused, WrongUsage } from "./Refused.ts"
import type { Settings } from "./Settings.ts"
import { stopAsked } from "./stopAsked.ts"

export interface ListenFlags {
  readonly storeId: string
  readonly events: ReadonlyArray<string>
  readonly forward: string
  readonly json: boolean
}

/**
 * The same in every run on one installation, so that it has to be configured once in the endpoint under development. It
 * signs nothing but what `listen` forwards.
 */
const listenSecret = (root: RootSecret["Service"], storeId: string): string =>
  `whsec_${Buffer.from(root.derive(`webhook-listen/${storeId}`)).toString("hex")}`

/** Forwards events until it is stopped. It may forward to any address, because the caller chooses it. */
export const listenToEvents = async (
  settings: Settings,
  { storeId, events, forward, json }: ListenFlags
): Promise<void> => {
  if (!URL.canParse(forward) || !/^https?:$/.test(new URL(forward).protocol))
    throw new WrongUsage("--forward: must be an http:// or https:// URL")
  const stopped = stopAsked()
  const tellOf = (sent: {
    readonly id: string
    readonly type: string
    readonly statusCode: number | null
    readonly error: string | null
  }) =>
    Effect.sync(() => {
      if (json) printJson(sent)
      else printLines([`${sent.type.padEnd(20)}  ${sent.id}  ${sent.statusCode ?? sent.error}`])
    })
  const forwardOne = (guard: GuardedFetch["Service"], secret: string) => (event: StoredEvent) =>
    Effect.gen(function* () {
      const encoded = encodeEvent(event)
      const headers = deliveryHeaders(secret, encoded, yield* Clock.currentTimeMillis)
      const { id, type } = encoded
      yield* guard.request({ method: "POST", url: forward, headers, body: encoded.body }).pipe(
        Effect.map(({ status }) => ({ id, type, statusCode: status, error: null })),
        Effect.catchTags({
          OutboundFailed: ({ reason }) => Effect.succeed({ id, type, statusCode: null, error: reason }),
          OutboundBlocked: ({ reason }) => Effect.succeed({ id, type, statusCode: null, error: reason })
        }),
        Effect.flatMap(tellOf)
      )
    })
  const work = Effect.gen(function* () {
    const store = yield* (yield* Stores).context(storeId)
    const guard = yield* GuardedFetch
    const problem = yield* guard.problem(forward)
    if (problem !== undefined) return yield* Effect.fail(new WrongUsage(`--forward: ${problem}`))
    const secret = listenSecret(yield* RootSecret, storeId)
    const feed = yield* EventFeed
    const following = yield* feed.follow(store, events.length === 0 ? undefined : events)
    note(`forwarding events of ${storeId} to ${forward}, signed with ${secret}`)
    yield* Effect.race(
      following(forwardOne(guard, secret)),
      Effect.promise(() => stopped)
    )
  }).pipe(
    Effect.catchTag("EventTypesUnknown", ({ unknown }) =>
      Effect.fail(new WrongUsage(`--events: no such event type: ${unknown.join(", ")}`))
    )
  )
  await withExisting({ ...settings, webhookAllowPrivate: true }, work as Effect.Effect<void, unknown, CoreServices>)
}

/**
 * How long the workers of a running server have to start a replay, before this process makes the first attempt itself.
 */
const takeUpMillis = 1_500
const attemptMillis = 12_000

/**
 * Queues the event for every active subscription to its type, and waits for the result of the first attempt. Sends it
 * itself if no server runs.
 */
export const replayEvent = (settings: Settings, eventId: string) =>
  withExisting(
    settings,
    Effect.gen(function* () {
      const replays = yield* WebhookReplay
      const dispatcher = yield* WebhookDispatcher
      const { storeId, type, deliveries } = yield* replays
        .replay(eventId)
        .pipe(Effect.catchTag("EventNotFound", () => Effect.fail(new Refused(`there is no event ${eventId}`))))
      const progress = replays.progress(
        storeId,
        deliveries.map(({ id }) => id)
      )
      const attempted = poll(progress, (rows) =>
        rows.every(({ lastAttempt, status }) => lastAttempt !== null || status !== "pending")
      )
      const takenUp = poll(progress, (rows) =>
        rows.every(({ lastAttempt, isTaken }) => isTaken || lastAttempt !== null)
      )
      if (deliveries.length > 0) {
        yield* Effect.timeoutOption(takenUp, takeUpMillis)
        const isTaken = (yield* progress).some(({ isTaken: taken, lastAttempt }) => taken || lastAttempt !== null)
        yield* Effect.timeoutOption(isTaken ? attempted : Effect.race(attempted, dispatcher.run), attemptMillis)
      }
      const ended = new Map((yield* progress).map((row) => [row.id, row]))
      return {
        eventId,
        type,
        deliveries: deliveries.map(({ id, subscriptionId, url }) => {
          const row = ended.get(id)
          return {
            subscriptionId,
            url,
            status: row?.status ?? "pending",
            statusCode: row?.lastAttempt?.statusCode ?? null,
            error: row?.lastAttempt?.error ?? null
          }
        })
      }
    })
  )

/** Polls until the result is acceptable. */
const poll = <A>(ask: Effect.Effect<A>, willDo: (answer: A) => boolean): Effect.Effect<A> =>
  Effect.flatMap(ask, (answer) =>
    willDo(answer) ? Effect.succeed(answer) : Effect.andThen(Effect.sleep("50 millis"), poll(ask, willDo))
  )
