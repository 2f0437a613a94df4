import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { Regions } from "../../src/store/Regions.ts"
import { Stores } from "../../src/store/Stores.ts"
import { TaxClasses } from "../../src/tax/TaxClasses.ts"
import type { TaxRateChanges } from "../../src/tax/TaxRate.ts"
import { mostTaxRates, TaxRates } from "../../src/tax/TaxRates.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

const counter = makeStatementCounter()
const live = Layer.mergeAll(TaxRates.layer, TaxClasses.layer).pipe(
  Layer.provideMerge(Regions.layer),
  Layer.provideMerge(Stores.layer),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Layer.succeed(CurrentStatementLog, counter))
)
const makeStore = Stores.use((stores) => stores.create({ name: "Shop", currency: "EUR", country: "DE" }))
const vat = { name: "VAT", country: "DE", rate: 19 }
const refused = <A, E>(work: Effect.Effect<A, E>) =>
  Effect.match(work, { onFailure: (error): unknown => error, onSuccess: () => "stored" })

layer(live)("how many tax rates a store may have", (it) => {
  it.effect.each<[name: keyof TaxRateChanges, fitting: unknown, over: unknown, problem: string]>([
    ["name", "x".repeat(200), "x".repeat(201), "must have at most 200 characters"],
    ["region", "x".repeat(64), "x".repeat(65), "must have at most 64 characters"],
    ["postalCode", "x".repeat(64), "x".repeat(65), "must have at most 64 characters"],
    ["taxType", "x".repeat(64), "x".repeat(65), "must have at most 64 characters"],
    ["exceptionCountries", Array(300).fill("AT"), Array(301).fill("AT"), "must have at most 300 entries"]
  ])("bounds %s", ([field, fitting, over, problem]) =>
    Effect.gen(function* () {
      const store = yield* makeStore
      const rates = yield* TaxRates
      const { id } = yield* rates.create(store, { ...vat, [field]: fitting })
      for (const work of [rates.create(store, { ...vat, [field]: over }), rates.update(store, id, { [field]: over })])
        expect(yield* refused<unknown, object>(work)).toMatchObject({ errors: { [field]: problem } })
    })
  )

  it.effect("has at most 10,000, also where two are made at once, and reads them as rows", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      const { sql, write } = yield* Database
      yield* write(store.id)(sql`INSERT INTO tax_rate (store_id, id, name, country, rate, created_at, updated_at)
        SELECT ${store.id}, 'tax_' || n, 'R', 'DE', 1, now(), now() FROM generate_series(1, ${mostTaxRates - 1}::int) AS n`)
      const rates = yield* TaxRates
      const one = refused(rates.create(store, vat))
      const both = yield* Effect.all([one, one], { concurrency: "unbounded" })
      expect(both.toSorted((a) => (a === "stored" ? -1 : 1))).toMatchObject([
        "stored",
        { errors: { rates: "this store has 10000 tax rates, which is the most" } }
      ])
      counter.reset()
      const matcher = yield* rates.matcher(store.id, 99n)
      expect(counter.statements().length).toBe(1)
      expect(counter.statements()[0]).not.toContain("json_agg")
      expect(matcher.match({ country: "DE" }, null).rates.length).toBe(1)
    })
  )

  it.effect("bounds the name of a tax class", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      const classes = yield* TaxClasses
      const { id } = yield* classes.create(store, { name: "x".repeat(200) })
      for (const work of [
        classes.create(store, { name: "x".repeat(201) }),
        classes.update(store, id, { name: "y".repeat(201) })
      ])
        expect(yield* refused<unknown, object>(work)).toMatchObject({
          field: "name",
          reason: "must have at most 200 characters"
        })
    })
  )
})
