import { Audit } from "@effect-commerce/core/audit/Audit"
import type { Finding } from "@effect-commerce/core/audit/Law"
import { Database } from "@effect-commerce/core/database/Database"
import { Effect, Layer } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce()
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

const audit = async () => {
  const findings: Array<Finding> = []
  const run = Effect.flatMap(Audit, (audited) =>
    audited.run({ tell: (found) => Effect.sync(() => void findings.push(...found)) })
  )
  const over = Audit.layer.pipe(Layer.provide(Database.layer(shop.database.connection)))
  const { stores } = await Effect.runPromise(Effect.provide(run, over))
  return { findings, stores }
}

describe("the audit", () => {
  it("goes on behind a store that it cannot read, and says so", async () => {
    const { storeId, apiKey: key } = await shop.openStore()
    const broken = await shop.openStore()
    const mug = { name: "Mug", basePrice: "5.00", status: "active" }
    for (const asking of [key, broken.apiKey]) await shop.call("POST", "/v1/products", { key: asking, body: mug })
    // As a release without a bound over the sum could leave it: names of shared things are one value for a document.
    await owner.query("SET session_replication_role = replica")
    await owner.query(
      `INSERT INTO brand (store_id, id, name, slug, source, translations, is_active, created_at, updated_at)
        SELECT $1, 'brand_' || i, 'B' || i, 'b' || i, 'INTERNAL', jsonb_build_object('de', repeat('a', 65000)), true,
          now(), now() FROM generate_series(1, 270) AS i`,
      [broken.storeId]
    )
    await owner.query("UPDATE product_listing SET base_price = 1 WHERE store_id = $1", [storeId])
    await owner.query("SET session_replication_role = origin")
    const { findings, stores } = await audit()
    expect(stores).toBe(3)
    expect(findings).toMatchObject([
      { law: "listing.row", storeId },
      {
        law: "store.readable",
        says: "what a store has can be read",
        storeId: broken.storeId,
        table: "store",
        id: broken.storeId,
        expected: "readable"
      }
    ])
    expect(findings[1]?.found).toMatch(/^not read to its end: .*over the bound of 16777216/)
  })
})
