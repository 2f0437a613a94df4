import { describe, expect, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/database/Database.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { Regions } from "../../src/store/Regions.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { Stores } from "../../src/store/Stores.ts"
import { TaxClasses } from "../../src/tax/TaxClasses.ts"
import { TaxRates } from "../../src/tax/TaxRates.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

const counter = makeStatementCounter()
const live = Layer.mergeAll(TaxRates.layer, TaxClasses.layer).pipe(
  Layer.provideMerge(Regions.layer),
  Layer.provideMerge(Stores.layer),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Layer.succeed(CurrentStatementLog, counter))
)

const makeStore = (country = "DE") => Stores.use((stores) => stores.create({ name: "Shop", currency: "EUR", country }))

/** The version as a fresh read of the store brings it along, past every cache. */
const versionOf = (storeId: string) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      sql<{ readonly rulesVersion: bigint }>`SELECT rules_version FROM store WHERE id = ${storeId}`,
      (rows) => rows[0]?.rulesVersion ?? 0n
    )
  )

const vat = { name: "VAT", country: "DE", rate: 19 }

const ratesAt = Effect.fnUntraced(function* (store: StoreContext, postalCode: string | null = null) {
  const matcher = yield* TaxRates.use((rates) =>
    Effect.flatMap(versionOf(store.id), (version) => rates.matcher(store.id, version))
  )
  return matcher
    .match({ country: "DE", region: "BY", postalCode }, null)
    .rates.map((rate) => `${rate.name} ${rate.text}`)
})

/** The test's own clock, as answers show it. */
const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

layer(live)("tax rates", (it) => {
  describe("stored and answered", () => {
    it.effect("answers every field with its default", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const rates = yield* TaxRates
        const at = yield* now
        const created = yield* rates.create(store, vat)
        expect(created).toEqual({
          id: expect.stringMatching(/^tax_[0-9a-z]{26}$/),
          accountId: store.accountId,
          storeId: store.id,
          name: "VAT",
          country: "DE",
          region: null,
          postalCode: null,
          rate: "19",
          taxType: null,
          isInclusive: false,
          priority: 0,
          stackable: false,
          exceptionCountries: [],
          isActive: true,
          taxClassId: null,
          createdAt: at,
          updatedAt: at
        })
        expect(yield* rates.get(store, created.id)).toEqual(created)
        expect(yield* rates.list(store)).toEqual([created])
      })
    )

    it.effect("keeps a percentage exactly, whether it came as a number or as text", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const rates = yield* TaxRates
        const answered = []
        for (const rate of [8.875, "8.8750", "100", 0, "0.000000000001"]) {
          const { id } = yield* rates.create(store, { ...vat, rate })
          answered.push((yield* rates.get(store, id)).rate)
        }
        expect(answered).toEqual(["8.875", "8.875", "100", "0", "0.000000000001"])
      })
    )

    it.effect("takes the inclusive default from the store, and the rate's own word before it", () =>
      Effect.gen(function* () {
        const gross = yield* makeStore().pipe(
          Effect.flatMap((store) => Stores.use((stores) => stores.update(store, { priceIncludesTax: true })))
        )
        const rates = yield* TaxRates
        expect((yield* rates.create(gross, vat)).isInclusive).toBe(true)
        expect((yield* rates.create(gross, { ...vat, isInclusive: false })).isInclusive).toBe(false)
      })
    )

    it.effect(
      "clears what may be cleared, keeps what is not mentioned, and takes the prefix of its country off a region",
      () =>
        Effect.gen(function* () {
          const store = yield* makeStore()
          const rates = yield* TaxRates
          const { id } = yield* rates.create(store, {
            ...vat,
            region: "de-by",
            postalCode: " 80331 ",
            taxType: "vat",
            exceptionCountries: ["AT", "AT"]
          })
          const before = yield* rates.get(store, id)
          expect(before).toMatchObject({
            region: "BY",
            postalCode: "80331",
            taxType: "vat",
            exceptionCountries: ["AT"]
          })
          const after = yield* rates.update(store, id, {
            postalCode: null,
            exceptionCountries: null,
            rate: "7.0",
            priority: -3
          })
          expect(after).toMatchObject({
            region: "BY",
            postalCode: null,
            taxType: "vat",
            exceptionCountries: [],
            rate: "7",
            priority: -3,
            name: "VAT"
          })
          expect(yield* rates.get(store, id)).toEqual(after)
        })
    )

    it.effect("names every field that is wrong, and stores nothing", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const rates = yield* TaxRates
        const bad = { name: " ", country: "de", rate: "100.01", priority: 2 ** 31, exceptionCountries: ["AT", "UK"] }
        const error = yield* Effect.flip(rates.create(store, bad))
        expect(error.errors).toEqual({
          name: "must not be empty",
          country: "must be an ISO 3166-1 alpha-2 code such as US",
          rate: "must be between 0 and 100",
          priority: "must be a whole number from -2147483647 to 2147483647",
          "exceptionCountries.1": "must be an ISO 3166-1 alpha-2 code such as US"
        })
        expect(yield* rates.list(store)).toEqual([])
        expect(yield* versionOf(store.id)).toBe(store.rulesVersion)
      })
    )

    it.effect("treats another store's rate as unknown", () =>
      Effect.gen(function* () {
        const [mine, other] = [yield* makeStore(), yield* makeStore()]
        const rates = yield* TaxRates
        const { id } = yield* rates.create(other, vat)
        for (const attempt of [
          rates.get(mine, id),
          rates.update(mine, id, { rate: 1 }),
          rates.remove(mine, id),
          rates.get(mine, "tax_none")
        ]) {
          expect((yield* Effect.flip(attempt))._tag).toBe("TaxRateNotFound")
        }
        expect((yield* rates.get(other, id)).rate).toBe("19")
        expect(yield* rates.list(mine)).toEqual([])
        yield* rates.remove(other, id)
        expect((yield* Effect.flip(rates.remove(other, id)))._tag).toBe("TaxRateNotFound")
      })
    )
  })

  describe("tax classes", () => {
    it.effect("refuses a class that the store does not have, naming the field", () =>
      Effect.gen(function* () {
        const [mine, other] = [yield* makeStore(), yield* makeStore()]
        const foreign = yield* TaxClasses.use((classes) => classes.create(other, { name: "Reduced" }))
        const rates = yield* TaxRates
        const { id } = yield* rates.create(mine, vat)
        for (const taxClassId of [foreign.id, "taxclass_none"]) {
          const refusal = { taxClassId: "is not a tax class of this store" }
          expect((yield* Effect.flip(rates.create(mine, { ...vat, taxClassId }))).errors).toEqual(refusal)
          expect(yield* Effect.flip(rates.update(mine, id, { taxClassId }))).toMatchObject({
            _tag: "TaxRateRejected",
            errors: refusal
          })
        }
        expect((yield* rates.list(mine)).map((rate) => rate.taxClassId)).toEqual([null])
      })
    )

    it.effect("keeps names unique within a store and trims them", () =>
      Effect.gen(function* () {
        const [mine, other] = [yield* makeStore(), yield* makeStore()]
        const classes = yield* TaxClasses
        const at = yield* now
        const books = yield* classes.create(mine, { name: " Books " })
        expect(books).toEqual({
          id: books.id,
          accountId: mine.accountId,
          storeId: mine.id,
          name: "Books",
          createdAt: at,
          updatedAt: at
        })
        yield* TestClock.adjust("1 second")
        const food = yield* classes.create(mine, { name: "Food" })
        expect((yield* classes.create(other, { name: "Books" })).name).toBe("Books")
        expect((yield* Effect.flip(classes.create(mine, { name: "Books" })))._tag).toBe("TaxClassNameTaken")
        expect((yield* Effect.flip(classes.update(mine, food.id, { name: "Books" })))._tag).toBe("TaxClassNameTaken")
        expect((yield* Effect.flip(classes.create(mine, { name: "  " })))._tag).toBe("FieldRejected")
        expect((yield* classes.update(mine, food.id, { name: "Groceries" })).name).toBe("Groceries")
        expect((yield* Effect.flip(classes.update(other, food.id, { name: "x" })))._tag).toBe("TaxClassNotFound")
        const { items, total } = yield* classes.list(mine, { page: 2, limit: 1 })
        expect([items.map((row) => row.name), total]).toEqual([["Groceries"], 2])
      })
    )

    it.effect("is not deleted while products are taxed by it", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const [classes, { sql, write }] = [yield* TaxClasses, yield* Database]
        const books = yield* classes.create(store, { name: "Books" })
        const at = new Date(0)
        yield* write(store.id)(sql`INSERT INTO product (store_id, id, name, slug, tax_class_id, created_at, updated_at)
          VALUES (${store.id}, 'prod_1', 'Novel', 'novel', ${books.id}, ${at}, ${at})`)
        const before = yield* versionOf(store.id)
        expect(yield* Effect.flip(classes.remove(store, books.id))).toMatchObject({
          _tag: "TaxClassInUse",
          by: "products"
        })
        expect([(yield* classes.get(store, books.id)).name, yield* versionOf(store.id)]).toEqual(["Books", before])
      })
    )

    it.effect("is not deleted while rates name it", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const [classes, rates] = [yield* TaxClasses, yield* TaxRates]
        const reduced = yield* classes.create(store, { name: "Reduced" })
        const rate = yield* rates.create(store, { ...vat, rate: 7, taxClassId: reduced.id })
        expect(yield* Effect.flip(classes.remove(store, reduced.id))).toMatchObject({
          _tag: "TaxClassInUse",
          by: "rates"
        })
        yield* rates.update(store, rate.id, { taxClassId: null })
        yield* classes.remove(store, reduced.id)
        expect((yield* Effect.flip(classes.get(store, reduced.id)))._tag).toBe("TaxClassNotFound")
        expect((yield* Effect.flip(classes.remove(store, reduced.id)))._tag).toBe("TaxClassNotFound")
        expect((yield* rates.get(store, rate.id)).taxClassId).toBe(null)
      })
    )
  })

  describe("compiled", () => {
    it.effect("asks the database once per version, and not at all when warm", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const rates = yield* TaxRates
        yield* rates.create(store, vat)
        const version = yield* versionOf(store.id)
        counter.reset()
        const cold = yield* rates.matcher(store.id, version)
        expect(counter.statements()).toHaveLength(1)
        const warm = yield* rates.matcher(store.id, version)
        const older = yield* rates.matcher(store.id, version - 1n)
        expect(counter.statements()).toHaveLength(1)
        expect([warm === cold, older === cold, cold.version, cold.size]).toEqual([true, true, version, 1])
      })
    )

    it.effect("charges what the contract says: postal code before region before country", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const rates = yield* TaxRates
        yield* rates.create(store, vat)
        yield* rates.create(store, { ...vat, name: "Bavaria", region: "BY", rate: 9 })
        yield* rates.create(store, { ...vat, name: "Munich", postalCode: "80-331", rate: 3 })
        yield* rates.create(store, { ...vat, name: "Pattern", postalCode: "803*", rate: 1 })
        yield* rates.create(store, { ...vat, name: "Off", postalCode: "80331", rate: 2, isActive: false, priority: -1 })
        expect(yield* ratesAt(store, "80331")).toEqual(["Munich 3"])
        expect(yield* ratesAt(store, "80399")).toEqual(["Bavaria 9"])
      })
    )

    it.effect("lets another process see a change with the next version it reads", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const here = yield* TaxRates
        const { connection } = yield* TestDatabase
        const elsewhere = yield* Layer.build(
          Layer.fresh(
            TaxRates.layer.pipe(
              Layer.provide(Regions.layer),
              Layer.provide(Stores.layer),
              Layer.provide(Database.layer(connection))
            )
          )
        ).pipe(Effect.flatMap((context) => Effect.provide(TaxRates, context)))
        const seen = Effect.gen(function* () {
          const matcher = yield* elsewhere.matcher(store.id, yield* versionOf(store.id))
          return matcher.match({ country: "DE" }, null).rates.map((rate) => rate.text)
        })
        const { id } = yield* here.create(store, vat)
        expect(yield* seen).toEqual(["19"])
        yield* here.update(store, id, { rate: "16" })
        expect(yield* seen).toEqual(["16"])
        yield* here.update(store, id, { isActive: false })
        expect(yield* seen).toEqual([])
        yield* here.update(store, id, { isActive: true })
        expect(yield* seen).toEqual(["16"])
        yield* here.remove(store, id)
        expect(yield* seen).toEqual([])
      })
    )

    it.effect("keeps nothing of a transaction that comes to nothing", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const [rates, { write }] = [yield* TaxRates, yield* Database]
        yield* rates.create(store, vat)
        const before = yield* versionOf(store.id)
        const seenInside = yield* Effect.flip(
          write(store.id)(
            Effect.gen(function* () {
              yield* rates.create(store, { ...vat, name: "Undone", rate: 50, priority: -1 })
              const matcher = yield* rates.matcher(store.id, before + 1n)
              return yield* Effect.fail(matcher.match({ country: "DE" }, null).rates.map((rate) => rate.text))
            })
          )
        )
        expect(seenInside).toEqual(["50"])
        expect(yield* versionOf(store.id)).toBe(before)
        yield* rates.create(store, { ...vat, name: "Other", rate: 20, priority: -1 })
        expect(yield* versionOf(store.id)).toBe(before + 1n)
        expect(
          (yield* rates.matcher(store.id, before + 1n)).match({ country: "DE" }, null).rates.map((rate) => rate.text)
        ).toEqual(["20"])
      })
    )
  })
})
