/**
 * The webhook subscriptions of a store. A signing secret is returned once, when it is made, and stored sealed. A URL is
 * checked when it is stored and again at every delivery.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { randomHex } from "../crypto/Hashing.ts"
import { newSecret } from "../crypto/WebhookSigner.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { FairTurns } from "../database/FairTurns.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Pagination.ts"
import { callBounds } from "../outbound/callBounds.ts"
import { GuardedFetch } from "../outbound/GuardedFetch.ts"
import { fullProblem } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { eventTypes, unknownEvents } from "./EventCatalog.ts"
import { encodeEvent } from "./EventEnvelope.ts"
import { WebhookDeliveryRepository } from "./WebhookDeliveryRepository.ts"
import { WebhookSubscriptionNotFound, WebhookSubscriptionRejected } from "./WebhookErrors.ts"
import { WebhookSender } from "./WebhookSender.ts"
import {
  fieldProblems,
  type NewWebhookSubscription,
  prefixOf,
  secretContext,
  secretPurpose,
  type TestWebhookSubscription,
  toWebhookSubscriptionView,
  type WebhookSubscriptionChanges,
  type WebhookSubscriptionState,
  webhookSubscriptionBound
} from "./WebhookSubscription.ts"
import { toWebhookDeliveryView } from "./WebhookDelivery.ts"
import { WebhookSubscriptionRepository } from "./WebhookSubscriptionRepository.ts"

export class WebhookSubscriptions extends Context.Service<WebhookSubscriptions>()(
  "@effect-commerce/core/webhook/WebhookSubscriptions",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* WebhookSubscriptionRepository
      const deliveries = yield* WebhookDeliveryRepository
      const guard = yield* GuardedFetch
      const secrets = yield* RootSecret
      const sender = yield* WebhookSender
      const testTurns = new FairTurns(callBounds)

      const find = Effect.fnUntraced(function* (storeId: string, id: string) {
        return (yield* repository.find(storeId, id)) ?? (yield* new WebhookSubscriptionNotFound({ id }))
      })

      /** Locks a subscription and changes it. */
      const change = Effect.fnUntraced(function* (
        storeId: string,
        id: string,
        changed: (current: WebhookSubscriptionState, now: Date) => Effect.Effect<WebhookSubscriptionState>
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        return yield* database.write(storeId)(
          Effect.gen(function* () {
            const current = yield* repository.lockToChange(storeId, id)
            if (current === undefined) return yield* new WebhookSubscriptionNotFound({ id })
            const next = { ...(yield* changed(current, now)), updatedAt: now }
            yield* repository.update(storeId, next)
            return next
          })
        )
      })

      const check = Effect.fnUntraced(function* (input: WebhookSubscriptionChanges) {
        const unknown = unknownEvents(input.events ?? [])
        const url = input.url === undefined ? undefined : yield* guard.problem(input.url)
        const errors = {
          ...(url === undefined ? {} : { url }),
          ...fieldProblems(input),
          ...(unknown.length === 0 ? {} : { events: `not event types that are sent: ${unknown.join(", ")}` })
        }
        if (Object.keys(errors).length > 0) return yield* new WebhookSubscriptionRejected({ errors, unknown })
      })

      const create = Effect.fn("WebhookSubscriptions.create")(function* (
        store: StoreContext,
        input: NewWebhookSubscription
      ) {
        yield* check(input)
        const now = yield* Clock.currentTimeMillis
        const at = new Date(now)
        const id = makeId("whs", now)
        const secret = newSecret()
        const row: WebhookSubscriptionState = {
          id,
          url: input.url,
          events: [...new Set(input.events)],
          description: input.description ?? null,
          isActive: input.isActive ?? true,
          standardHeaders: input.standardHeaders ?? false,
          secret: secrets.seal(secretPurpose, secretContext(store.id, id), secret),
          secretPrefix: prefixOf(secret),
          failureCount: 0,
          circuitOpenedAt: null,
          probingSince: null,
          lastSuccessAt: null,
          lastFailureAt: null,
          createdAt: at,
          updatedAt: at
        }
        yield* database.write(store.id)(
          Effect.gen(function* () {
            const webhookSubscriptions = fullProblem(webhookSubscriptionBound, yield* repository.countToAdd(store.id))
            if (webhookSubscriptions !== undefined)
              return yield* new WebhookSubscriptionRejected({ errors: { webhookSubscriptions }, unknown: [] })
            yield* repository.insert(store.id, row)
          })
        )
        return { ...toWebhookSubscriptionView(store.id, row), secret }
      })

      /** Switching on closes the circuit and resets its counter; switching off cancels pending deliveries. */
      const update = Effect.fn("WebhookSubscriptions.update")(function* (
        store: StoreContext,
        id: string,
        changes: WebhookSubscriptionChanges
      ) {
        yield* find(store.id, id)
        yield* check(changes)
        const row = yield* change(store.id, id, (current, now) => {
          const isActive = changes.isActive ?? current.isActive
          const merged = {
            ...current,
            ...changes,
            events: [...new Set(changes.events ?? current.events)],
            ...(isActive && !current.isActive ? { failureCount: 0, circuitOpenedAt: null, probingSince: null } : {})
          }
          const isSwitchedOff = current.isActive && !isActive
          return Effect.as(isSwitchedOff ? deliveries.cancelPending(store.id, id, now) : Effect.void, merged)
        })
        return toWebhookSubscriptionView(store.id, row)
      })

      /** Makes a new secret, which signs every delivery from now on. */
      const rotateSecret = Effect.fn("WebhookSubscriptions.rotateSecret")(function* (store: StoreContext, id: string) {
        const secret = newSecret()
        const sealed = secrets.seal(secretPurpose, secretContext(store.id, id), secret)
        yield* change(store.id, id, (current) =>
          Effect.succeed({ ...current, secret: sealed, secretPrefix: prefixOf(secret) })
        )
        return { secret }
      })

      /** Sends one sample event now, also to an inactive subscription. The result does not count for the circuit. */
      const test = Effect.fn("WebhookSubscriptions.test")(function* (
        store: StoreContext,
        id: string,
        { type }: TestWebhookSubscription
      ) {
        const { url, secret, standardHeaders, events } = yield* find(store.id, id)
        if (type !== undefined && !eventTypes.includes(type)) {
          const errors = { type: `no such event type: ${type}` }
          return yield* new WebhookSubscriptionRejected({ errors, unknown: [type] })
        }
        const named = type ?? events.find((name) => eventTypes.includes(name)) ?? "order.created"
        const event = encodeEvent(sampleOf(named, new Date(yield* Clock.currentTimeMillis)))
        const message = { storeId: store.id, subscriptionId: id, url, secret, standardHeaders, event }
        const { result, statusCode, error, durationMs } = yield* testTurns.run(store.id)(sender.send(message))
        return { delivered: result === "delivered", statusCode, durationMs, error }
      })

      return {
        /** Oldest first. */
        list: (store: StoreContext, page: Page) =>
          Effect.map(repository.list(store.id, page), ({ items, total }) => ({
            items: items.map((row) => toWebhookSubscriptionView(store.id, row)),
            total
          })),
        get: (store: StoreContext, id: string) =>
          Effect.map(find(store.id, id), (row) => toWebhookSubscriptionView(store.id, row)),
        create,
        update,
        /** Nothing is sent any more. What there was of deliveries is deleted by the worker (WebhookCleanup). */
        remove: Effect.fn("WebhookSubscriptions.remove")(function* (store: StoreContext, id: string) {
          yield* database.write(store.id)(
            Effect.gen(function* () {
              if ((yield* repository.lockToChange(store.id, id)) === undefined)
                return yield* new WebhookSubscriptionNotFound({ id })
              yield* repository.end(store.id, id, new Date(yield* Clock.currentTimeMillis))
            })
          )
        }),
        rotateSecret,
        test,
        /** Newest first. */
        deliveries: Effect.fnUntraced(function* (store: StoreContext, id: string, page: Page) {
          yield* find(store.id, id)
          const { items, total } = yield* deliveries.list(store.id, id, page)
          return { items: items.map(toWebhookDeliveryView), total }
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(WebhookSubscriptions, WebhookSubscriptions.make)
}

/** A sample event; its data says that it is a test. */
const sampleOf = (type: string, createdAt: Date) => {
  const resource = type.slice(0, type.indexOf("."))
  const data = { [`${resource}Id`]: `${resource}_test`, test: true }
  return { id: randomHex("evt_", 16), type, createdAt, sequence: 0n, data }
}
