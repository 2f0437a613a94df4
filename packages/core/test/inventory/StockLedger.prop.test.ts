import { expect, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { Database } from "../../src/database/Database.ts"
import { Inventory } from "../../src/inventory/Inventory.ts"
import { StockLedger } from "../../src/inventory/StockLedger.ts"
import { seedProduct } from "../../src/testing/Factories.ts"
import { of, openStore, stockedShop, write } from "./stockedShop.ts"

/** Rounds of a run; a failure prints the seed, LEDGER_SEED=… repeats it. */
const rounds = Number(process.env["LEDGER_ROUNDS"] ?? 12)
const seed = Number(process.env["LEDGER_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

interface Step {
  readonly what: "sell" | "hold" | "sellHeld" | "release" | "extend" | "expire" | "set" | "adjust" | "reconcile"
  readonly holder: number
  readonly things: ReadonlyArray<{ readonly thing: number; readonly quantity: number }>
  readonly minute: number
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    "sell",
    "hold",
    "hold",
    "sellHeld",
    "release",
    "extend",
    "expire",
    "set",
    "adjust",
    "reconcile"
  ),
  holder: fc.integer({ min: 0, max: 4 }),
  things: fc.array(fc.record({ thing: fc.integer({ min: 0, max: 4 }), quantity: fc.integer({ min: 1, max: 6 }) }), {
    minLength: 1,
    maxLength: 4
  }),
  minute: fc.integer({ min: 0, max: 30 })
})

const kinds = [
  { stock: 20 },
  { stock: 15 },
  { stock: 5, backorderMode: "LIMITED", backorderLimit: 4 },
  { stock: 3, backorderMode: "ALLOW" },
  { stock: 0, trackingMode: "UNTRACKED" }
] as const

/** Rows that break a law, with all that is known of them. */
const broken = Effect.fnUntraced(function* (storeId: string) {
  const { sql } = yield* Database
  return yield* sql`SELECT * FROM (
      SELECT s.key, s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, s.reserved,
        (SELECT coalesce(sum(delta), 0)::int FROM stock_movement m WHERE m.store_id = s.store_id AND m.key = s.key) AS moved,
        (SELECT coalesce(sum(quantity), 0)::int FROM reservation r WHERE r.store_id = s.store_id AND r.key = s.key) AS held
      FROM stock s WHERE s.store_id = ${storeId}
    ) b WHERE b.total <> b.moved OR b.reserved <> b.held
      OR (b.tracking_mode = 'TRACKED' AND b.backorder_mode = 'DENY' AND b.total < b.reserved)
      OR (b.tracking_mode = 'TRACKED' AND b.backorder_mode = 'LIMITED' AND b.total - b.reserved < -b.backorder_limit)`
})

layer(stockedShop)("whatever is sold, held, given back, set and adjusted, at once", (it) => {
  it.effect(`totals are the sums of their entries and what is reserved is what is held (LEDGER_SEED=${seed})`, () =>
    Effect.gen(function* () {
      const [ledger, inventory] = [yield* StockLedger, yield* Inventory]
      const plans = fc.sample(fc.array(step, { minLength: 30, maxLength: 60 }), { seed, numRuns: rounds })
      const tags: Record<string, number> = {}
      for (const [round, plan] of plans.entries()) {
        const store = yield* openStore
        const ids = yield* Effect.forEach(kinds, (kind) => seedProduct(store.id, kind))
        const idOf = (thing: number) => ids[thing % ids.length]!
        const run = ({ what, holder, things, minute }: Step) => {
          const now = new Date(minute * 60_000)
          const demands = things.map(({ thing, quantity }) => of(idOf(thing), quantity))
          const cart = `cart_${holder}`
          const first = things[0]!
          const product = idOf(first.thing)
          const until = new Date(now.getTime() + 10 * 60_000)
          switch (what) {
            case "sell":
              return write(store.id, ledger.sell(store.id, demands, "ord_1", now))
            case "hold":
              return write(store.id, ledger.hold(store.id, cart, demands, until, now))
            case "sellHeld":
              return write(store.id, ledger.sellHeld(store.id, cart, demands, "ord_1", now))
            case "release":
              return write(store.id, ledger.release(store.id, cart))
            case "extend":
              return write(store.id, ledger.extend(store.id, [cart], until, now))
            case "expire":
              return ledger.expire(now)
            case "set":
              return inventory.set(store, product, { total: first.quantity * 5 })
            case "adjust":
              return inventory.adjust(store, product, {
                delta: first.quantity % 2 === 0 ? first.quantity : -first.quantity,
                reason: "correction"
              })
            case "reconcile":
              return inventory.reconcile(store, { dryRun: false })
          }
        }
        const results = yield* Effect.forEach(
          plan,
          (one) => Effect.result(run(one) as Effect.Effect<unknown, { readonly _tag: string }>),
          { concurrency: 8 }
        )
        for (const [i, result] of results.entries()) {
          const tag = `${plan[i]!.what} ${Result.isSuccess(result) ? "done" : result.failure._tag}`
          tags[tag] = (tags[tag] ?? 0) + 1
        }
        expect(yield* broken(store.id), `LEDGER_SEED=${seed}, round ${round}`).toEqual([])
      }
      if (rounds >= 12)
        expect(Object.keys(tags)).toEqual(
          expect.arrayContaining(["sell done", "hold done", "sellHeld done", "sell StockInsufficient"])
        )
    })
  )
})
