/**
 * A process of a commerce installation as the webhook tests see it: its own clock, relay, claims and dispatcher over a
 * database it shares.
 */
import { Effect, Exit, Layer, Scope } from "effect"
import pg from "pg"
import { coreLayer, type CoreServices } from "../../src/CommerceCore.ts"
import { ClockControl } from "../../src/database/CommerceClock.ts"
import { Database } from "../../src/database/Database.ts"
import { Outbox } from "../../src/outbox/Outbox.ts"
import { OutboxRelay } from "../../src/outbox/OutboxRelay.ts"
import type { OutboundOptions } from "../../src/outbound/GuardedFetch.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { Stores } from "../../src/store/Stores.ts"
import { open as openDatabase, type TestDatabaseMethods, testSecret } from "../../src/testing/TestDatabase.ts"
import type { ClaimedDelivery, WebhookDeliveryView } from "../../src/webhook/WebhookDelivery.ts"
import { WebhookDeliveries } from "../../src/webhook/WebhookDeliveries.ts"
import { WebhookDispatcher } from "../../src/webhook/WebhookDispatcher.ts"
import { contractPolicy, CurrentWebhookPolicy, type WebhookPolicy } from "../../src/webhook/WebhookPolicy.ts"
import { WebhookSender } from "../../src/webhook/WebhookSender.ts"
import { WebhookSubscriptions } from "../../src/webhook/WebhookSubscriptions.ts"
import { anyEvent } from "../outbox/anyEvent.ts"

type Work<A> = Effect.Effect<A, unknown, CoreServices>

export interface Instance {
  readonly run: <A>(work: Work<A>) => Promise<A>
  readonly openStore: () => Promise<StoreContext>
  /** Milliseconds since 1970, on this instance's clock. */
  readonly now: () => Promise<number>
  readonly advance: (millis: number) => Promise<number>
  readonly subscribe: (
    store: StoreContext,
    url: string,
    events?: ReadonlyArray<string>
  ) => Promise<{ readonly id: string; readonly secret: string }>
  /** Commits events of a store, each in a transaction of its own, and answers when they are committed. */
  readonly emit: (store: StoreContext, ...types: ReadonlyArray<string>) => Promise<void>
  readonly relay: (store: StoreContext) => Promise<void>
  /** Claims what is due of a store, at most so many of each subscription. */
  readonly claim: (store: StoreContext, most?: number) => Promise<ReadonlyArray<ClaimedDelivery>>
  /** One attempt at each, recorded. */
  readonly attempt: (store: StoreContext, claimed: ReadonlyArray<ClaimedDelivery>) => Promise<void>
  /** Claims and attempts whatever is due; answers how many. */
  readonly deliver: (store: StoreContext) => Promise<number>
  readonly view: (
    store: StoreContext,
    id: string
  ) => Promise<{
    readonly circuitOpen: boolean
    readonly circuitOpenedAt: string | null
    readonly failureCount: number
  }>
  /** The log of a subscription, oldest first. */
  readonly log: (store: StoreContext, id: string) => Promise<ReadonlyArray<WebhookDeliveryView>>
  /** Relay and dispatcher, until the instance closes. */
  readonly work: () => Promise<void>
  readonly close: () => Promise<void>
}

/** An instance on a database of its own, and a session of the owner beside it. */
export const openOwned = async () => {
  const database = await openDatabase()
  const client = new pg.Client(database.nodePostgres)
  await client.connect()
  const instance = await openInstance(database)
  const close = async () => {
    await instance.close()
    await client.end()
    await database.close()
  }
  return { database, client, instance, close }
}

export const openInstance = async (
  database: TestDatabaseMethods,
  {
    outbound = { allowPrivate: true },
    policy = {}
  }: { readonly outbound?: OutboundOptions; readonly policy?: Partial<WebhookPolicy> } = {}
): Promise<Instance> => {
  const scope = await Effect.runPromise(Scope.make())
  const layer = coreLayer({ connection: database.connection, secret: testSecret, maxConnections: 6, outbound }).pipe(
    Layer.provide(Layer.succeed(CurrentWebhookPolicy, { ...contractPolicy, ...policy }))
  )
  const services = await Effect.runPromise(Scope.provide(Layer.build(layer), scope))
  const run: Instance["run"] = (work) =>
    Effect.runPromise(Effect.provideContext(work, services) as Effect.Effect<never>)

  const emit: Instance["emit"] = (store, ...types) =>
    run(
      Effect.gen(function* () {
        const { write } = yield* Database
        const outbox = yield* Outbox
        yield* Effect.forEach(types, (type, i) =>
          write(store.id)(
            outbox.appendAll(store.id, [anyEvent(type, { [`${type.split(".")[0]}Id`]: `x_${i}`, nth: i })])
          )
        )
      })
    )
  const claim: Instance["claim"] = (store, most = 100) =>
    run(
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const due = (yield* deliveries.due(0)).filter(({ storeId }) => storeId === store.id)
        const subscriptions = due.map(({ subscriptionId }) => ({ subscriptionId, most }))
        return yield* deliveries.claim({ storeId: store.id, subscriptions }, [])
      })
    )
  const attempt: Instance["attempt"] = (store, claimed) =>
    run(
      Effect.gen(function* () {
        const sender = yield* WebhookSender
        const deliveries = yield* WebhookDeliveries
        const finished = yield* Effect.forEach(claimed, (delivery) =>
          Effect.map(sender.send(delivery), (sent) => ({ delivery, sent }))
        )
        yield* deliveries.settle(store.id, finished)
      })
    )
  return {
    run,
    openStore: () =>
      run(
        Effect.flatMap(Stores, (stores) =>
          Effect.flatMap(stores.create({ name: "S", currency: "USD", country: "US" }), ({ id }) => stores.context(id))
        )
      ),
    now: () => run(Effect.flatMap(ClockControl, (clock) => clock.advance(0))),
    advance: (millis) => run(Effect.flatMap(ClockControl, (clock) => clock.advance(millis))),
    subscribe: (store, url, events = ["*"]) =>
      run(Effect.flatMap(WebhookSubscriptions, (webhooks) => webhooks.create(store, { url, events }))),
    emit,
    relay: (store) => run(Effect.flatMap(OutboxRelay, (relay) => relay.relayStore(store.id))),
    claim,
    attempt,
    deliver: async (store) => {
      const claimed = await claim(store)
      await attempt(store, claimed)
      return claimed.length
    },
    view: (store, id) => run(Effect.flatMap(WebhookSubscriptions, (webhooks) => webhooks.get(store, id))),
    log: (store, id) =>
      run(
        Effect.map(
          Effect.flatMap(WebhookSubscriptions, (webhooks) => webhooks.deliveries(store, id, { page: 1, limit: 100 })),
          ({ items }) => items.toReversed()
        )
      ),
    work: () =>
      run(
        Effect.gen(function* () {
          const relay = yield* OutboxRelay
          const dispatcher = yield* WebhookDispatcher
          yield* Effect.forkIn(relay.run, scope)
          yield* Effect.forkIn(dispatcher.run, scope)
        })
      ),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** Two processes of one installation over a database of their own, whose clocks move together. */
export const openTwoInstances = async () => {
  const database = await openDatabase()
  const [a, b] = [await openInstance(database), await openInstance(database)]
  return {
    a,
    b,
    database,
    bothAdvance: async (millis: number) => {
      await a.advance(millis)
      await b.advance(millis)
    },
    close: async () => {
      await a.close()
      await b.close()
      await database.close()
    }
  }
}
