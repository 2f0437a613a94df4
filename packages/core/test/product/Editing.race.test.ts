import { expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { ProductRepository } from "../../src/product/ProductRepository.ts"
import { Database } from "../../src/database/Database.ts"
import { StockLedger } from "../../src/inventory/StockLedger.ts"
import { seedProduct } from "../../src/testing/Factories.ts"
import { at, booksOf, of, openStore, stockedShop, write } from "../inventory/stockedShop.ts"

const shop = ProductRepository.layer.pipe(Layer.provideMerge(stockedShop))

layer(shop)("a product that a merchant is editing", (it) => {
  it.effect("is sold meanwhile: the sale does not wait for the edit to end", () =>
    Effect.gen(function* () {
      const [store, ledger, repository, now] = [
        yield* openStore,
        yield* StockLedger,
        yield* ProductRepository,
        yield* at
      ]
      const lamp = yield* seedProduct(store.id, { stock: 7 })
      const [locked, sold] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const edit = write(
        store.id,
        Effect.gen(function* () {
          expect(yield* repository.lock(store.id, lamp)).toBe(true)
          yield* Deferred.succeed(locked, undefined)
          yield* Deferred.await(sold)
        })
      )
      const editing = yield* Effect.forkChild(edit)
      yield* Deferred.await(locked)
      // A sale that waits is given up after the lock timeout, and fails here.
      yield* write(store.id, ledger.sell(store.id, [of(lamp, 1)], "ord_meanwhile", now))
      yield* Deferred.succeed(sold, undefined)
      yield* Fiber.join(editing)
      expect(yield* booksOf(store.id, lamp)).toEqual({ total: 6, reserved: 0, moved: 6, held: 0 })
    })
  )

  it.effect("still has one editor at a time", () =>
    Effect.gen(function* () {
      const [store, repository] = [yield* openStore, yield* ProductRepository]
      const lamp = yield* seedProduct(store.id)
      let inside = 0
      const most: Array<number> = []
      const edit = write(
        store.id,
        Effect.gen(function* () {
          yield* repository.lock(store.id, lamp)
          most.push((inside += 1))
          yield* repository.find(store.id, { id: lamp }, false)
          inside -= 1
        })
      )
      yield* Effect.all(
        Array.from({ length: 12 }, () => edit),
        { concurrency: "unbounded" }
      )
      expect(most).toEqual(Array.from({ length: 12 }, () => 1))
    })
  )
})

layer(shop)("stock asked for by the merchant's own numbers", (it) => {
  it.effect.each(["product", "product_variant"])(
    "finds rows of %s by an index, not by reading the catalogue",
    (table) =>
      Effect.gen(function* () {
        const { sql, platform } = yield* Database
        const plan = yield* platform(
          Effect.gen(function* () {
            yield* sql`SET LOCAL enable_seqscan = off`
            return yield* sql`EXPLAIN SELECT id FROM ${sql(table)} WHERE store_id = ${"store_1"} AND sku = ANY(${["A", "B"]}::text[])`
          })
        )
        expect(JSON.stringify(plan)).toContain(`${table}_store_id_sku_idx`)
      })
  )
})
