import { expect, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import pg from "pg"
import { ProviderOperationRepository } from "../../src/charge/ProviderOperationRepository.ts"
import { Database } from "../../src/database/Database.ts"
import { StoreProviders } from "../../src/payment/StoreProviders.ts"
import { waitedFor } from "../../src/testing/LockWaits.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"
import { keys, newStore, operationSql, paidShop } from "./paidShop.ts"

const shop = Layer.provideMerge(ProviderOperationRepository.layer, paidShop)

const begun = (storeId: string, providerId: string) =>
  ProviderOperationRepository.use((operations) =>
    operations.begin(storeId, {
      id: `pop_${providerId}`,
      kind: "authorize",
      subjectType: "test",
      subjectId: "sub",
      chargeId: null,
      chargeKey: `key ${providerId}`,
      amount: 100n,
      currency: "EUR",
      details: null,
      provider: "card",
      providerId,
      account: "acct_1",
      mode: "live",
      checkAt: new Date(),
      keyLives: new Date(0),
      now: new Date()
    })
  )

const session = Effect.acquireRelease(
  Effect.flatMap(TestDatabase, ({ nodePostgres }) =>
    Effect.promise(async () => {
      const client = new pg.Client(nodePostgres)
      await client.connect()
      return client
    })
  ),
  (client) => Effect.promise(() => client.end())
)

layer(shop)("removing a payment provider", (it) => {
  it.effect("waits for a payment that begins by it at the same moment, and is then refused", () =>
    Effect.gen(function* () {
      const store = yield* newStore
      const own = yield* StoreProviders
      const { id } = yield* own.create(store, { type: "card", credentials: keys("key_live_1") })
      const beginner = yield* session
      yield* Effect.promise(() => beginner.query("BEGIN"))
      yield* Effect.promise(() => beginner.query("SELECT FROM payment_provider WHERE id = $1 FOR KEY SHARE", [id]))
      yield* Effect.promise(() => beginner.query(operationSql, [store.id, `pop_${id}`, id]))
      const removing = yield* Effect.forkChild(Effect.flip(own.remove(store, id)))
      yield* Effect.promise(() => waitedFor(beginner))
      yield* Effect.promise(() => beginner.query("COMMIT"))
      expect(yield* Fiber.join(removing)).toMatchObject({ _tag: "PaymentProviderInUse", id })
    })
  )

  it.effect("keeps a payment from beginning by it", () =>
    Effect.gen(function* () {
      const store = yield* newStore
      const { id } = yield* StoreProviders.use((own) =>
        own.create(store, { type: "card", credentials: keys("key_live_1") })
      )
      const { write, sql } = yield* Database
      const remover = yield* session
      yield* Effect.promise(() => remover.query("BEGIN"))
      yield* Effect.promise(() => remover.query("DELETE FROM payment_provider WHERE id = $1", [id]))
      const beginning = yield* Effect.forkChild(write(store.id)(begun(store.id, id)))
      yield* Effect.promise(() => waitedFor(remover))
      yield* Effect.promise(() => remover.query("COMMIT"))
      expect(yield* Fiber.join(beginning)).toEqual({ looks: null, isSetUp: false })
      expect(yield* sql`SELECT id FROM provider_operation WHERE store_id = ${store.id}`).toEqual([])
    })
  )
})
