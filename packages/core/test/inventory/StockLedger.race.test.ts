import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { Database } from "../../src/database/Database.ts"
import { Outbox } from "../../src/outbox/Outbox.ts"
import { InventoryRepository } from "../../src/inventory/InventoryRepository.ts"
import { StockLedger } from "../../src/inventory/StockLedger.ts"
import { Stores } from "../../src/store/Stores.ts"
import { seedProduct } from "../../src/testing/Factories.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"
import { at, booksOf, of, openStore, seedVariants, write } from "./stockedShop.ts"

/** Thirty-two connections, more than twenty of them for writers. */
const wide = Layer.unwrap(
  Effect.map(TestDatabase, ({ connection }) => Database.layer({ ...connection, maxConnections: 36 }))
).pipe(Layer.provideMerge(TestDatabase.layerCopy))
const live = Layer.mergeAll(StockLedger.layer, InventoryRepository.layer).pipe(
  Layer.provideMerge(Outbox.layer(() => true)),
  Layer.provideMerge(Stores.layer),
  Layer.provideMerge(wide)
)

const buyers = Array.from({ length: 200 }, (_, i) => i)
const together = { concurrency: "unbounded" } as const
const tally = (results: ReadonlyArray<Result.Result<unknown, { readonly _tag: string }>>) => {
  const counts: Record<string, number> = {}
  for (const result of results) {
    const what = Result.isSuccess(result) ? "sold" : result.failure._tag
    counts[what] = (counts[what] ?? 0) + 1
  }
  return counts
}

layer(live)("two hundred buyers at once", (it) => {
  it.effect("get exactly the seven units there are", () =>
    Effect.gen(function* () {
      const [store, ledger, now] = [yield* openStore, yield* StockLedger, yield* at]
      const lamp = yield* seedProduct(store.id, { stock: 7 })
      const results = yield* Effect.forEach(
        buyers,
        (i) => Effect.result(write(store.id, ledger.sell(store.id, [of(lamp, 1)], `ord_${i}`, now))),
        together
      )
      expect(tally(results)).toEqual({ sold: 7, StockInsufficient: 193 })
      expect(yield* booksOf(store.id, lamp)).toEqual({ total: 0, reserved: 0, moved: 0, held: 0 })
    })
  )

  it.effect("who hold, then buy or give back, never get more than there is", () =>
    Effect.gen(function* () {
      const [store, ledger, now] = [yield* openStore, yield* StockLedger, yield* at]
      const lamp = yield* seedProduct(store.id, { stock: 7 })
      const until = new Date(now.getTime() + 60_000)
      const visit = Effect.fnUntraced(function* (i: number) {
        const cart = `cart_${i}`
        yield* write(store.id, ledger.hold(store.id, cart, [of(lamp, 1)], until, now))
        if (i % 2 === 0) return yield* Effect.as(write(store.id, ledger.release(store.id, cart)), "left")
        yield* write(store.id, ledger.sellHeld(store.id, cart, [of(lamp, 1)], `ord_${i}`, now))
        return "bought"
      })
      const results = yield* Effect.forEach(buyers, (i) => Effect.result(visit(i)), together)
      const bought = results.filter((result) => Result.isSuccess(result) && result.success === "bought").length
      expect(bought).toBeLessThanOrEqual(7)
      expect(yield* booksOf(store.id, lamp)).toEqual({ total: 7 - bought, reserved: 0, moved: 7 - bought, held: 0 })
    })
  )

  it.effect("who want the same things in different orders neither deadlock nor split an order", () =>
    Effect.gen(function* () {
      const [store, ledger, now] = [yield* openStore, yield* StockLedger, yield* at]
      const { product, variants } = yield* seedVariants(store.id, [20, 20, 20, 20])
      const demands = variants.map((variant) => of(product, 1, variant))
      const rotated = (i: number) => [...demands.slice(i % 4), ...demands.slice(0, i % 4)]
      const results = yield* Effect.forEach(
        buyers,
        (i) => Effect.result(write(store.id, ledger.sell(store.id, rotated(i), `ord_${i}`, now))),
        together
      )
      expect(tally(results)).toEqual({ sold: 20, StockInsufficient: 180 })
      for (const variant of variants)
        expect(yield* booksOf(store.id, variant)).toEqual({ total: 0, reserved: 0, moved: 0, held: 0 })
    })
  )

  it.effect("who share a limited backorder owe no more than its limit over all orders", () =>
    Effect.gen(function* () {
      const [store, ledger, now] = [yield* openStore, yield* StockLedger, yield* at]
      const lamp = yield* seedProduct(store.id, { stock: 3, backorderMode: "LIMITED", backorderLimit: 4 })
      const results = yield* Effect.forEach(
        buyers,
        (i) => Effect.result(write(store.id, ledger.sell(store.id, [of(lamp, 1)], `ord_${i}`, now))),
        together
      )
      expect(tally(results)).toEqual({ sold: 7, StockInsufficient: 193 })
      expect(yield* booksOf(store.id, lamp)).toEqual({ total: -4, reserved: 0, moved: -4, held: 0 })
    })
  )
})

layer(live)("one reservation given back by many", (it) => {
  it.effect("goes back once", () =>
    Effect.gen(function* () {
      const [store, ledger, now] = [yield* openStore, yield* StockLedger, yield* at]
      const lamp = yield* seedProduct(store.id, { stock: 100 })
      for (let round = 0; round < 20; round++) {
        yield* write(
          store.id,
          ledger.hold(store.id, "cart_other", [of(lamp, 50)], new Date(now.getTime() + 60_000), now)
        )
        yield* write(store.id, ledger.hold(store.id, "cart_late", [of(lamp, 5)], now, now))
        const releases = Array.from({ length: 10 }, () => write(store.id, ledger.release(store.id, "cart_late")))
        const sweeps = Array.from({ length: 10 }, () => ledger.expire(now))
        yield* Effect.all([...releases, ...sweeps], together)
        expect(yield* booksOf(store.id, lamp)).toEqual({ total: 100, reserved: 50, moved: 100, held: 50 })
      }
    })
  )
})
