/** A room of a test that asks the real `test` provider for operations and keeps a log of what came of them. */
import { Clock, Context, Deferred, Effect, Layer, Random } from "effect"
import { TestClock } from "effect/testing"
import pg from "pg"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import type { FaultPointName } from "../../src/database/FaultPoint.ts"
import { FaultPoint } from "../../src/database/FaultPoint.ts"
import { makeId } from "../../src/kernel/Ids.ts"
import { ChargeLooks } from "../../src/charge/ChargeLooks.ts"
import { Charges } from "../../src/charge/Charges.ts"
import { refundedOf } from "../../src/payment/chargeSums.ts"
import { InstalledProviders } from "../../src/payment/InstalledProviders.ts"
import { manualProvider } from "../../src/payment/ManualProvider.ts"
import type { PaymentMethod } from "../../src/payment/PaymentMethod.ts"
import type { Charge, PaymentProvider, ProviderAccount, RawNotice } from "../../src/payment/PaymentProvider.ts"
import type { TestEvent } from "../../src/testpayment/TestEvents.ts"
import { NeglectedPayments } from "../../src/charge/NeglectedPayments.ts"
import { Outbox } from "../../src/outbox/Outbox.ts"
import { OperationOutcomes } from "../../src/charge/OperationOutcomes.ts"
import { type OutcomeHandler, OutcomeHandlers } from "../../src/charge/OutcomeHandlers.ts"
import { PaymentNotices } from "../../src/notice/PaymentNotices.ts"
import { PaymentProviders } from "../../src/payment/PaymentProviders.ts"
import { PaymentRecovery } from "../../src/charge/PaymentRecovery.ts"
import { ProviderOperationRepository } from "../../src/charge/ProviderOperationRepository.ts"
import { ProviderOperations } from "../../src/charge/ProviderOperations.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import { SalesChannels } from "../../src/store/SalesChannels.ts"
import { Stores } from "../../src/store/Stores.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { TestDatabase, testSecret } from "../../src/testing/TestDatabase.ts"

export interface Logged {
  readonly log: ReadonlyArray<string>
  readonly wants: boolean
}

/** How often the provider was called for the newest shop, by what was asked of it; `act store id`: for any shop. */
export const calls = new Map<string, number>()
const watched = { storeId: "" }
const count = (act: string, storeId: string | null): void => {
  for (const name of [...(storeId === watched.storeId ? [act] : []), `${act} ${storeId}`])
    calls.set(name, (calls.get(name) ?? 0) + 1)
}

/** Set, the next refund says that it has reached the provider and waits there. */
export const gate: {
  next: { readonly entered: Deferred.Deferred<void>; readonly open: Deferred.Deferred<void> } | undefined
} = { next: undefined }
const atGate = Effect.suspend(() => {
  const waiting = gate.next
  gate.next = undefined
  return waiting === undefined
    ? Effect.void
    : Effect.andThen(Deferred.succeed(waiting.entered, undefined), Deferred.await(waiting.open))
})

/** A provider that counts what it is asked. */
export const counted = <P extends PaymentProvider>(provider: P): P => {
  const counting = <A, E>(act: string, { storeId }: ProviderAccount, call: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      count(act, storeId)
      return call
    })
  const { authorize, capture, refund, lookup, lookupChange } = provider
  return {
    ...provider,
    authorize: (request) => counting("authorize", request.account, authorize(request)),
    capture: (change) => counting("capture", change.account, capture(change)),
    void: (change) => counting("void", change.account, provider.void(change)),
    refund: (change) => counting("refund", change.account, Effect.andThen(atGate, refund(change))),
    lookup: (account, name) => counting("lookup", account, lookup(account, name)),
    lookupChange: (change, kind) => counting("lookupChange", change.account, lookupChange(change, kind))
  } satisfies PaymentProvider as P
}

const countingProvider = Layer.effect(TestProvider, Effect.map(TestProvider, counted)).pipe(
  Layer.provide(TestProvider.layer)
)

/** What a test makes of the providers that are set up; `operated` sets it back. */
export const setUp: {
  /** More providers, which serve every store. */
  more: ReadonlyArray<PaymentProvider>
  /** Providers that are not set up any more, or for another account. */
  readonly gone: Set<string>
} = { more: [], gone: new Set() }

const methodOf = (provider: PaymentProvider, storeId: string | null): PaymentMethod => ({
  provider,
  account: { storeId, providerId: provider.code, account: "", mode: "test", credentials: [] }
})
const moreOf = (code: string) => setUp.more.find((provider) => provider.code === code)

const installed = Layer.effect(
  InstalledProviders,
  Effect.map(TestProvider, (test) => [manualProvider, test])
)
const changingProviders = Layer.effect(
  PaymentProviders,
  Effect.map(PaymentProviders, (providers) =>
    PaymentProviders.of({
      ...providers,
      forMethod: (store, code, place) => {
        const more = moreOf(code)
        return more === undefined ? providers.forMethod(store, code, place) : Effect.succeed(methodOf(more, store.id))
      },
      ofOperation: (storeId, account) => {
        const more = moreOf(account.provider)
        if (setUp.gone.has(account.provider)) return Effect.undefined
        return more === undefined ? providers.ofOperation(storeId, account) : Effect.succeed(methodOf(more, storeId))
      },
      ofNotices: (providerId) => {
        const more = moreOf(providerId)
        return more === undefined ? providers.ofNotices(providerId) : Effect.succeed(methodOf(more, null))
      }
    })
  )
).pipe(Layer.provide(PaymentProviders.layer), Layer.provide(installed))

/**
 * How the test's room is: whether it fails to take in what has succeeded, or to hear of what it took in, and how long
 * it waits for an outcome.
 */
export const room = { fails: false, forgets: false, waits: 3_600_000 }

/** The table of the test's room, made as a migration would. */
const subjects = Layer.effectDiscard(
  Effect.flatMap(TestDatabase, ({ nodePostgres }) =>
    Effect.promise(async () => {
      const admin = new pg.Client(nodePostgres)
      await admin.connect()
      await admin.query(`CREATE TABLE test_subject (store_id text COLLATE "C", id text COLLATE "C", wants boolean NOT NULL,
          log text[] NOT NULL DEFAULT '{}', PRIMARY KEY (store_id, id));
        SELECT tenant_table('test_subject');
        GRANT SELECT, INSERT, UPDATE ON test_subject TO commerce_app`)
      await admin.end()
    })
  )
)

export class TestOutcomes extends Context.Service<TestOutcomes, OutcomeHandler<Logged, string, string>>()(
  "test/TestOutcomes"
) {
  static readonly layer = Layer.effect(
    TestOutcomes,
    Effect.map(Database, ({ sql }) => {
      const log = (storeId: string, subjectId: string, line: string) =>
        Effect.asVoid(
          Effect.orDie(
            sql`UPDATE test_subject SET log = array_append(log, ${line}) WHERE store_id = ${storeId} AND id = ${subjectId}`
          )
        )
      const hears: typeof log = (...line) => (room.forgets ? Effect.die(new Error("the room is broken")) : log(...line))
      return TestOutcomes.of({
        subjectType: "test",
        lock: (storeId, id) =>
          sql`SELECT log, wants FROM test_subject WHERE store_id = ${storeId} AND id = ${id} FOR UPDATE`,
        succeeded: Effect.fnUntraced(function* ({ store, operation }, charge, inHand) {
          if (room.fails) return yield* Effect.die(new Error("the room is broken"))
          if (!operation.wants) return { _tag: "Unwanted" as const, reason: "not wanted" }
          const line = `${operation.kind} ${charge.captured}/${refundedOf(charge)} ${inHand ?? "late"}`
          yield* log(store.id, operation.subjectId, line)
          return { _tag: "Accepted" as const, result: line }
        }),
        ended: ({ store, operation }, { state }) =>
          log(store.id, operation.subjectId, `${operation.kind} ${state} was ${operation.state}`),
        charges: {
          deadline: (_, { createdAt }) => createdAt.getTime() + room.waits,
          refunded: (storeId, { subjectId, refunded }) => hears(storeId, subjectId, `gone back ${refunded}`),
          followed: ({ store, operation }, charge) =>
            hears(store.id, operation.subjectId, `told ${charge.state} ${charge.captured}/${refundedOf(charge)}`)
        }
      })
    })
  )
}

const handlers = Layer.effect(
  OutcomeHandlers,
  Effect.map(TestOutcomes, (handler) => [handler])
)

export const operatedShop = Layer.mergeAll(ProviderOperations.layer, PaymentRecovery.layer).pipe(
  Layer.provideMerge(PaymentNotices.layer),
  Layer.provideMerge(ChargeLooks.layer),
  Layer.provideMerge(OperationOutcomes.layer),
  Layer.provideMerge(NeglectedPayments.layer),
  Layer.provideMerge(handlers),
  Layer.provideMerge(TestOutcomes.layer),
  Layer.provideMerge(Layer.merge(changingProviders, Charges.layer)),
  Layer.provideMerge(Layer.merge(countingProvider, ProviderOperationRepository.layer)),
  Layer.provideMerge(Layer.merge(Stores.layer, SalesChannels.layer)),
  Layer.provideMerge(Outbox.layer(() => true)),
  Layer.provideMerge(RootSecret.layer(testSecret)),
  Layer.provideMerge(subjects),
  Layer.provideMerge(TestDatabase.layer)
)

const write = <A, E, R>(storeId: string, body: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Database, (database) => database.write(storeId)(body))

/** The provider answers nobody for so long. */
export const silence = (milliseconds: number) =>
  Effect.flatMap(TestProvider, (provider) => provider.silence(milliseconds))

let subjectsMade = 0
/** A store and a subject of its own in it, with the operations of the test's room. */
export const operated = Effect.gen(function* () {
  calls.clear()
  Object.assign(room, { fails: false, forgets: false, waits: 3_600_000 })
  setUp.more = []
  setUp.gone.clear()
  yield* silence(0)
  const stores = yield* Stores
  const store = yield* stores.create({ name: "Shop", currency: "USD", country: "US" })
  const subjectId = makeId("sub", subjectsMade++)
  const { sql } = yield* Database
  watched.storeId = store.id
  yield* write(store.id, sql`INSERT INTO test_subject (store_id, id, wants) VALUES (${store.id}, ${subjectId}, true)`)
  return { store, subjectId, operations: yield* (yield* ProviderOperations).of(yield* TestOutcomes) }
})

/** Another subject of the same store. */
export const another = Effect.fnUntraced(function* (shop: Operated) {
  const { sql } = yield* Database
  const { store } = shop
  const subjectId = makeId("sub", subjectsMade++)
  yield* write(store.id, sql`INSERT INTO test_subject (store_id, id, wants) VALUES (${store.id}, ${subjectId}, true)`)
  return { ...shop, subjectId }
})

export type Operated = Effect.Success<typeof operated>

export const keyOf = ({ store, subjectId }: Operated, attempt = 1): string => `${store.id}/test:${subjectId}:${attempt}`

/** Writes an authorization of 25.00 whose fate the reference chooses; null: the shopper is to act. */
export const beginCharge = Effect.fnUntraced(function* (shop: Operated, reference: string | null, provider = "test") {
  const { store, subjectId, operations } = shop
  const method = yield* Effect.orDie((yield* PaymentProviders).forMethod(store, provider, { isTest: true }))
  const asked = {
    method,
    subjectId,
    chargeKey: keyOf(shop),
    amount: 2_500n,
    currency: "USD",
    details: null,
    reference,
    email: null,
    returnUrl: null,
    noticeUrl: null
  }
  const begun = yield* write(store.id, operations.beginCharge(store, asked))
  return begun === undefined ? yield* Effect.die("the key is taken") : begun
})

/** Writes an operation on the subject's charge. */
export const beginChange = Effect.fnUntraced(function* (
  { store, subjectId, operations }: Operated,
  kind: "capture" | "void" | "refund",
  amount: bigint
) {
  const { sql } = yield* Database
  const [row] = yield* sql<{
    externalId: string
  }>`SELECT external_id FROM provider_operation WHERE subject_id = ${subjectId} AND kind = 'authorize'`
  const charge = yield* (yield* Charges).find(store.id, subjectId, row?.externalId ?? "")
  if (charge === undefined) return yield* Effect.die("there is no charge")
  return yield* write(store.id, operations.begin(store, { kind, subjectId, charge, amount, details: null }))
})

/** Makes the charge of 25.00 and settles it. */
export const charged = Effect.fnUntraced(function* (shop: Operated, reference: string | null, provider = "test") {
  const { store, operations } = shop
  const settled = yield* operations.run(store, yield* beginCharge(shop, reference, provider))
  yield* TestClock.adjust(1)
  return settled
})

/** A charge as the provider would show it: 25.00 captured, unless `over` says otherwise. */
export const shownCharge = (shop: Operated, over: Partial<Charge> = {}): Charge => ({
  externalId: "x",
  key: keyOf(shop),
  state: "captured",
  amount: 2_500n,
  currency: "USD",
  authorized: 2_500n,
  captured: 2_500n,
  refunds: [],
  disputes: [],
  expiresAt: null,
  nextAction: null,
  reason: null,
  ...over
})

export const pass = Effect.flatMap(PaymentRecovery, (recovery) => recovery.pass)

/** Nothing is shortened by chance: waits are exact. */
export const exactly = Effect.provideService(Random.Random, { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => 0 })

/** Some time goes by, and the worker comes by once. */
export const passAfter = (milliseconds: number) => Effect.andThen(TestClock.adjust(milliseconds), pass)

/** Passes at this interval, for so long. */
export const passesFor = (milliseconds: number, every = 1_800_000) =>
  Effect.repeat(passAfter(every), { times: Math.ceil(milliseconds / every) - 1 })

/** The notice arrives. Returns whether it was dealt with. */
export const noticed = (raw: RawNotice, providerId = "test") =>
  Effect.flatMap(PaymentNotices, (notices) => notices.receiveAndApply(providerId, raw))

/** Something happens at the provider; its notice is returned and not sent. */
export const happens = Effect.fnUntraced(function* ({ store, subjectId }: Operated, type: TestEvent, amount?: bigint) {
  const raw = yield* (yield* TestProvider).move(store.id, { checkoutId: subjectId, type, amount })
  return raw ?? (yield* Effect.die("there is no charge"))
})

/** What the process was doing when it died. */
export const crashingAt = (point: FaultPointName) =>
  Effect.provideService(FaultPoint.Faults, (name: FaultPointName) =>
    name === point ? Effect.die("crash") : Effect.void
  )

export const logOf = ({ subjectId }: Operated) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(sql<Logged>`SELECT log FROM test_subject WHERE id = ${subjectId}`, (rows) => rows[0]?.log)
  )

/** `kind state captured/refunded`, and whether it is still checked. */
export const rowsOf = ({ subjectId }: Operated) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      sql<{ line: string }>`SELECT kind || ' ' || state || ' ' || captured || '/' || refunded
        || CASE WHEN check_at IS NULL THEN '' ELSE ' open' END AS line
        FROM provider_operation WHERE subject_id = ${subjectId} ORDER BY created_at, id`,
      (rows) => rows.map(({ line }) => line)
    )
  )

/** The lease of a process that died is over, and what it had sent has become visible at the provider. */
export const lease = 36_000

/** What the provider's own books say. */
export const chargeOf = ({ subjectId }: Operated) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      sql<{ status: string; captured: bigint; refunded: bigint }>`SELECT status, captured, refunded FROM test_charge
        WHERE checkout_id = ${subjectId}`,
      (rows) => rows[0]
    )
  )

export const wantNothing = ({ store, subjectId }: { readonly store: StoreContext; readonly subjectId: string }) =>
  Effect.flatMap(Database, ({ sql }) =>
    write(store.id, sql`UPDATE test_subject SET wants = false WHERE store_id = ${store.id} AND id = ${subjectId}`)
  )

/** The operation that made the subject's charge, as it is now. */
export const operationOf = (shop: Operated) =>
  Effect.flatMap(
    Effect.flatMap(ProviderOperationRepository, ({ findByKey }) => findByKey(shop.store.id, keyOf(shop))),
    (found) => (found === undefined ? Effect.die("there is no operation") : Effect.succeed(found))
  )

/** Milliseconds until the newest operation of this kind is looked at again; undefined: it is over. */
export const waitOf = (shop: Operated, kind = "authorize") =>
  Effect.gen(function* () {
    const { sql } = yield* Database
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<{ checkAt: Date | null }>`SELECT check_at FROM provider_operation
      WHERE store_id = ${shop.store.id} AND kind = ${kind} ORDER BY created_at DESC LIMIT 1`
    return row?.checkAt === null || row?.checkAt === undefined ? undefined : row.checkAt.getTime() - now
  })

/** Why operations of the shop need a person. */
export const attentionOf = ({ store }: Operated) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      sql<{ attention: string }>`SELECT attention FROM provider_operation
        WHERE store_id = ${store.id} AND attention_at IS NOT NULL ORDER BY id`,
      (rows) => rows.map(({ attention }) => attention)
    )
  )
