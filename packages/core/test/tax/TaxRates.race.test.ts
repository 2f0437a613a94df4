import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { Regions } from "../../src/store/Regions.ts"
import { Stores } from "../../src/store/Stores.ts"
import { TaxRates } from "../../src/tax/TaxRates.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

const live = TaxRates.layer.pipe(
  Layer.provideMerge(Regions.layer),
  Layer.provideMerge(Stores.layer),
  Layer.provideMerge(TestDatabase.layer)
)

const writers = 24

layer(live)("tax rates under concurrent writers", (it) => {
  it.effect("a matcher never holds rates of another version than its own", () =>
    Effect.gen(function* () {
      const store = yield* Stores.use((stores) => stores.create({ name: "Shop", currency: "EUR", country: "DE" }))
      const [rates, { sql, write }] = [yield* TaxRates, yield* Database]
      const { id } = yield* rates.create(store, { name: "v2", country: "DE", rate: 19 })
      const version = Effect.map(
        sql<{ readonly rulesVersion: bigint }>`SELECT rules_version FROM store WHERE id = ${store.id}`,
        (rows) => rows[0]?.rulesVersion ?? 0n
      )
      /** Writes the version that its own transaction will be known by into the name of the rate. */
      const writeOne = write(store.id)(
        Effect.gen(function* () {
          yield* rates.update(store, id, { isActive: true })
          yield* rates.update(store, id, { name: `v${(yield* version) + 1n}` })
        })
      )
      const readOne = Effect.gen(function* () {
        const asked = yield* version
        const matcher = yield* rates.matcher(store.id, asked)
        const names = matcher.match({ country: "DE" }, null).rates.map((rate) => rate.name)
        return { names, belongs: [`v${matcher.version}`], fresh: matcher.version >= asked }
      })
      let writing = true
      const writeAll = Effect.forEach(Array.from({ length: writers }), () => writeOne, {
        concurrency: 2,
        discard: true
      })
      const readOn = Effect.gen(function* () {
        const found = []
        while (writing) found.push(yield* readOne)
        return found
      })
      const [, ...found] = yield* Effect.all(
        [
          Effect.ensuring(
            writeAll,
            Effect.sync(() => (writing = false))
          ),
          readOn,
          readOn,
          readOn
        ],
        { concurrency: "unbounded" }
      )
      const seen = found.flat()
      expect(new Set(seen.map(({ names }) => names[0])).size).toBeGreaterThan(1)
      expect(seen.filter(({ names, belongs, fresh }) => !fresh || names[0] !== belongs[0])).toEqual([])
      expect(yield* version).toBe(2n + 2n * BigInt(writers))
      expect((yield* readOne).names).toEqual([`v${2 + 2 * writers}`])
    })
  )
})
