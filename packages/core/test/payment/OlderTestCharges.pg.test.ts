import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import pg from "pg"
import { afterEach, beforeEach, expect, it } from "vitest"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import { migrationsDirectory, readMigrationFiles } from "../../src/migration/internal/migrationFiles.ts"
import * as Migrations from "../../src/migration/Migrations.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import { open, type TestDatabaseMethods, testSecret } from "../../src/testing/TestDatabase.ts"
import { accountOf, storeId } from "./testSubject.ts"

let database: TestDatabaseMethods & { readonly close: () => Promise<void> }
let directory: string

beforeEach(async () => {
  database = await open({ template: false })
  directory = mkdtempSync(join(tmpdir(), "commerce-migrations-"))
})
afterEach(async () => {
  await database.close()
  rmSync(directory, { recursive: true, force: true })
})

it("charges of the release before are found with what was captured and refunded of them", async () => {
  const files = readMigrationFiles(migrationsDirectory())
  for (const { name, sql } of files.filter(({ name }) => name < "0025"))
    writeFileSync(join(directory, `${name}.sql`), sql)
  await Effect.runPromise(Migrations.up({ ...database.connection, directory }))
  const client = new pg.Client(database.nodePostgres)
  await client.connect()
  await client.query(`INSERT INTO account (id, name, created_at) VALUES ('acct_a', 'A', now());
    INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at)
      VALUES ('${storeId}', 'acct_a', 'S', 'USD', 'US', now(), now());
    INSERT INTO test_charge (store_id, charge_key, id, checkout_id, status, amount, captured, refunded, currency,
        done_keys, created_at)
      VALUES ('${storeId}', 'complete:chk_1:1', 'tch_1', 'chk_1', 'captured', 2500, 2500, 700, 'USD', '{refund:a}', now()),
        ('${storeId}', 'complete:chk_2:1', 'tch_2', 'chk_2', 'pending', 2500, 0, 0, 'USD', '{}', now())`)
  await client.end()
  await Effect.runPromise(Migrations.up(database.connection))
  const found = await Effect.runPromise(
    Effect.gen(function* () {
      const test = yield* TestProvider
      const looked = ["complete:chk_1:1", "complete:chk_2:1"].map((key) =>
        test.lookup(accountOf(storeId), { key, externalId: null })
      )
      return yield* Effect.all(looked)
    }).pipe(
      Effect.provide(
        TestProvider.layer.pipe(
          Layer.provide(RootSecret.layer(testSecret)),
          Layer.provide(Database.layer(database.connection))
        )
      )
    )
  )
  const charge = { amount: 2_500n, currency: "USD", disputes: [], expiresAt: null, nextAction: null, reason: null }
  expect(found).toEqual([
    {
      _tag: "Found",
      charge: {
        ...charge,
        externalId: "tch_1",
        key: "complete:chk_1:1",
        state: "captured",
        authorized: 2_500n,
        captured: 2_500n,
        refunds: [{ id: "tch_1_refund", key: null, amount: 700n, status: "succeeded" }]
      }
    },
    {
      _tag: "Found",
      charge: {
        ...charge,
        externalId: "tch_2",
        key: "complete:chk_2:1",
        state: "pending",
        authorized: 0n,
        captured: 0n,
        refunds: []
      }
    }
  ])
})
