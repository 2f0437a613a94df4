import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { ApiKeys } from "../../src/identity/ApiKeys.ts"
import { PasswordHashes } from "../../src/identity/PasswordHashes.ts"
import { Installations } from "../../src/team/Installations.ts"
import { matchesPassword } from "../../src/identity/Passwords.ts"
import { everyScope } from "../../src/identity/Scope.ts"
import { SalesChannels } from "../../src/store/SalesChannels.ts"
import { Stores } from "../../src/store/Stores.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

const live = Installations.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Stores.layer, SalesChannels.layer, ApiKeys.layer, PasswordHashes.layer)),
  Layer.provideMerge(TestDatabase.layer)
)

const asked = {
  name: "Corner shop",
  currency: "EUR",
  country: "DE",
  email: " Ada@Example.com ",
  password: "correct horse"
}

const counts = Effect.flatMap(
  Database,
  ({ sql }) => sql<
    Record<string, number>
  >`SELECT (SELECT count(*)::int FROM account) AS accounts, (SELECT count(*)::int FROM store) AS stores,
    (SELECT count(*)::int FROM sales_channel) AS channels, (SELECT count(*)::int FROM api_key) AS keys, (SELECT count(*)::int FROM dashboard_user) AS users`
)

layer(live)("an installation", (it) => {
  it.effect("is not set up at all when something about it is wrong", () =>
    Effect.gen(function* () {
      const installations = yield* Installations
      const refused = yield* Effect.flip(installations.setUp({ ...asked, currency: "XXX" }))
      expect(refused).toMatchObject({ _tag: "FieldRejected", field: "currency" })
      expect(yield* counts).toEqual([{ accounts: 0, stores: 0, channels: 0, keys: 0, users: 0 }])
    })
  )

  it.effect("is set up once, whole, however many begin at the same time", () =>
    Effect.gen(function* () {
      const installations = yield* Installations
      const tries = yield* Effect.all(
        Array.from({ length: 4 }, () => Effect.result(installations.setUp(asked))),
        { concurrency: "unbounded" }
      )
      const made = tries.flatMap((one) => (one._tag === "Success" ? [one.success] : []))
      expect(made.length).toBe(1)
      expect(tries.flatMap((one) => (one._tag === "Failure" ? [one.failure] : []))).toEqual(
        Array.from({ length: 3 }, () => expect.objectContaining({ _tag: "AlreadySetUp", storeId: made[0]?.storeId }))
      )
      expect(yield* counts).toEqual([{ accounts: 1, stores: 1, channels: 1, keys: 1, users: 1 }])
    })
  )

  it.effect(
    "has a test-mode channel, a key for its store with every scope, and an owner whose password is kept as a hash",
    () =>
      Effect.gen(function* () {
        const [store] = yield* Stores.use((stores) => stores.list)
        expect(store).toMatchObject({ name: "Corner shop", currency: "EUR", country: "DE" })
        const channels = yield* SalesChannels.use((all) => all.list(store?.id))
        expect(channels).toMatchObject([{ mode: "test", domain: null, cartEnabled: true, ordersWriteEnabled: true }])
        const keys = yield* ApiKeys.use((all) => all.list({}))
        expect(keys).toMatchObject([
          { storeId: store?.id, accountId: store?.accountId, scopes: everyScope, tier: "ENTERPRISE", expiresAt: null }
        ])
        const { sql } = yield* Database
        const users = yield* sql<{
          readonly email: string
          readonly passwordHash: string
          readonly accountId: string
        }>`SELECT email, password_hash, account_id FROM dashboard_user`
        expect(users).toMatchObject([{ email: "ada@example.com", accountId: store?.accountId }])
        const hash = users[0]?.passwordHash ?? ""
        expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
        expect([yield* matchesPassword("correct horse", hash), yield* matchesPassword("correct house", hash)]).toEqual([
          true,
          false
        ])
      })
  )
})
