/** A room of a test that asks the real `test` provider for operations and keeps a log of what came of them. */
import { Context, Deferred, Effect, Layer } from "effect"
import pg from "pg"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import type { FaultPointName } from "../../src/database/FaultPoint.ts"
import { FaultPoint } from "../../src/database/FaultPoint.ts"
import { makeId } from "../../src/kernel/Ids.ts"
import { Charges } from "../../src/payment/Charges.ts"
import { OperationOutcomes } from "../../src/payment/OperationOutcomes.ts"
import { type OutcomeHandler, OutcomeHandlers } from "../../src/payment/OutcomeHandlers.ts"
import { PaymentNotices } from "../../src/payment/PaymentNotices.ts"
import { PaymentProviders } from "../../src/payment/PaymentProviders.ts"
import { PaymentRecovery } from "../../src/payment/PaymentRecovery.ts"
import { ProviderOperations } from "../../src/payment/ProviderOperations.ts"
import { TestProvider } from "../../src/payment/TestProvider.ts"
import { SalesChannels } from "../../src/store/SalesChannels.ts"
import { Stores } from "../../src/store/Stores.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { TestDatabase, testSecret } from "../../src/testing/TestDatabase.ts"

export interface Logged {
  readonly log: ReadonlyArray<string>
  readonly wants: boolean
}

/** How often the provider was called, by what was asked of it. */
export const calls = new Map<string, number>()

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

const countingProvider = Layer.effect(
  TestProvider,
  Effect.map(TestProvider, (provider) => {
    const counted = <A, E>(act: string, call: Effect.Effect<A, E>) =>
      Effect.suspend(() => {
        calls.set(act, (calls.get(act) ?? 0) + 1)
        return call
      })
    return TestProvider.of({
      ...provider,
      authorize: (request) => counted("authorize", provider.authorize(request)),
      capture: (change) => counted("capture", provider.capture(change)),
      void: (change) => counted("void", provider.void(change)),
      refund: (change) => counted("refund", Effect.andThen(atGate, provider.refund(change))),
      lookup: (storeId, key) => counted("lookup", provider.lookup(storeId, key))
    })
  })
).pipe(Layer.provide(TestProvider.layer))

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
      return TestOutcomes.of({
        subjectType: "test",
        lock: (storeId, id) =>
          sql`SELECT log, wants FROM test_subject WHERE store_id = ${storeId} AND id = ${id} FOR UPDATE`,
        succeeded: Effect.fnUntraced(function* ({ store, operation }, { captured, refunded }, inHand) {
          if (!operation.wants) return { _tag: "Unwanted" as const, reason: "not wanted" }
          const line = `${operation.kind} ${captured}/${refunded} ${inHand ?? "late"}`
          yield* log(store.id, operation.subjectId, line)
          return { _tag: "Accepted" as const, result: line }
        }),
        ended: ({ store, operation }, { state }) =>
          log(store.id, operation.subjectId, `${operation.kind} ${state} was ${operation.state}`),
        charges: {
          deadline: (_, { createdAt }) => createdAt.getTime() + 3_600_000,
          refunded: (storeId, { subjectId, refunded }) => log(storeId, subjectId, `gone back ${refunded}`),
          noticed: (store, { subjectId }, { captured, refunded }) =>
            Effect.flatMap(Effect.succeed(undefined), () =>
              writing(sql, store.id, log(store.id, subjectId, `told ${captured}/${refunded}`))
            )
        }
      })
    })
  )
}

/** `noticed` is called outside of a transaction. */
const writing = (sql: Database["Service"]["sql"], storeId: string, body: Effect.Effect<void>) =>
  Effect.orDie(sql.withTransaction(Effect.andThen(sql`SELECT set_config('app.store_id', ${storeId}, true)`, body)))

const handlers = Layer.effect(
  OutcomeHandlers,
  Effect.map(TestOutcomes, (handler) => [handler])
)

export const operatedShop = Layer.mergeAll(ProviderOperations.layer, PaymentRecovery.layer).pipe(
  Layer.provideMerge(PaymentNotices.layer),
  Layer.provideMerge(OperationOutcomes.layer),
  Layer.provideMerge(handlers),
  Layer.provideMerge(TestOutcomes.layer),
  Layer.provideMerge(Layer.merge(PaymentProviders.layer, Charges.layer)),
  Layer.provideMerge(countingProvider),
  Layer.provideMerge(Layer.merge(Stores.layer, SalesChannels.layer)),
  Layer.provide(RootSecret.layer(testSecret)),
  Layer.provideMerge(subjects),
  Layer.provideMerge(TestDatabase.layer)
)

const write = <A, E, R>(storeId: string, body: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Database, (database) => database.write(storeId)(body))

let subjectsMade = 0
/** A store and a subject of its own in it, with the operations of the test's room. */
export const operated = Effect.gen(function* () {
  calls.clear()
  const stores = yield* Stores
  const store = yield* stores.create({ name: "Shop", currency: "USD", country: "US" })
  const subjectId = makeId("sub", subjectsMade++)
  const { sql } = yield* Database
  yield* write(store.id, sql`INSERT INTO test_subject (store_id, id, wants) VALUES (${store.id}, ${subjectId}, true)`)
  return { store, subjectId, operations: yield* (yield* ProviderOperations).of(yield* TestOutcomes) }
})

export type Operated = Effect.Success<typeof operated>

/** Writes an authorization of 25.00 whose fate the reference chooses. */
export const beginCharge = Effect.fnUntraced(function* ({ store, subjectId, operations }: Operated, reference: string) {
  const provider = (yield* PaymentProviders).byCode("test")
  if (provider === undefined) return yield* Effect.die("no test provider")
  const asked = {
    provider,
    subjectId,
    chargeKey: `test:${subjectId}:1`,
    amount: 2_500n,
    currency: "USD",
    details: null,
    reference,
    email: null
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
