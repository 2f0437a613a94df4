import { expect, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { Database } from "../../src/database/Database.ts"
import { Inventory } from "../../src/inventory/Inventory.ts"
import { StockLedger } from "../../src/inventory/StockLedger.ts"
import { seedProduct } from "../../src/testing/Factories.ts"
import { at, booksOf, eventsOf, of, openStore, stockedShop, write } from "./stockedShop.ts"

const together = { concurrency: "unbounded" } as const
const many = Array.from({ length: 60 }, (_, i) => i)

layer(stockedShop)("merchants changing one stock at once", (it) => {
  it.effect("who all expect the same total: one of them changes it", () =>
    Effect.gen(function* () {
      const [store, inventory] = [yield* openStore, yield* Inventory]
      const lamp = yield* seedProduct(store.id, { stock: 10 })
      const results = yield* Effect.forEach(
        many,
        (i) => Effect.result(inventory.set(store, lamp, { total: 100 + i, expectedTotal: 10 })),
        together
      )
      const failures = results.flatMap((result) => (Result.isFailure(result) ? [result.failure._tag] : []))
      expect(failures).toEqual(Array.from({ length: 59 }, () => "StockTotalMismatch"))
      const winner = results.findIndex(Result.isSuccess)
      expect(yield* booksOf(store.id, lamp)).toEqual({ total: 100 + winner, reserved: 0, moved: 100 + winner, held: 0 })
      expect(yield* eventsOf(store.id)).toHaveLength(1)
    })
  )

  it.effect("and buyers besides: nothing is lost", () =>
    Effect.gen(function* () {
      const [store, inventory, ledger, now] = [yield* openStore, yield* Inventory, yield* StockLedger, yield* at]
      const lamp = yield* seedProduct(store.id, { stock: 1_000 })
      const steps = many.flatMap((i) => [
        inventory.adjust(store, lamp, { delta: 3, reason: "received" }),
        inventory.adjust(store, lamp, { delta: -1, reason: "damage" }),
        write(store.id, ledger.sell(store.id, [of(lamp, 1)], `ord_${i}`, now))
      ])
      yield* Effect.all(steps as ReadonlyArray<Effect.Effect<unknown, unknown>>, together)
      expect(yield* booksOf(store.id, lamp)).toEqual({ total: 1_060, reserved: 0, moved: 1_060, held: 0 })
    })
  )

  it.effect("who count a thing that was never counted make one row of it", () =>
    Effect.gen(function* () {
      const [store, inventory, { sql }] = [yield* openStore, yield* Inventory, yield* Database]
      const lamp = yield* seedProduct(store.id, { stock: null })
      yield* Effect.forEach(many, () => inventory.adjust(store, lamp, { delta: 1, reason: "received" }), together)
      expect(yield* booksOf(store.id, lamp)).toEqual({ total: 60, reserved: 0, moved: 60, held: 0 })
      expect(yield* sql`SELECT count(*)::int AS n FROM stock WHERE store_id = ${store.id}`).toEqual([{ n: 1 }])
    })
  )

  it.effect("of several things in opposite orders do not wait for each other for ever", () =>
    Effect.gen(function* () {
      const [store, inventory] = [yield* openStore, yield* Inventory]
      const ids = [yield* seedProduct(store.id), yield* seedProduct(store.id), yield* seedProduct(store.id)]
      const set = (i: number) => {
        const items = ids.map((productId) => ({ productId, total: i }))
        return inventory.setMany(store, { items: i % 2 === 0 ? items : items.reverse() })
      }
      const results = yield* Effect.forEach(many, set, together)
      expect(results.flat().every((row) => "item" in row)).toBe(true)
      const totals = yield* Effect.forEach(ids, (id) => Effect.map(booksOf(store.id, id), (books) => books.total))
      expect(new Set(totals).size).toBe(1)
    })
  )
})
