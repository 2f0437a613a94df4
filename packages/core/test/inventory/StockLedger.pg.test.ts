import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/database/Database.ts"
import { Reservations } from "../../src/inventory/Reservations.ts"
import { StockLedger } from "../../src/inventory/StockLedger.ts"
import { seedProduct } from "../../src/testing/Factories.ts"
import { at, booksOf, eventsOf, of, openStore, seedVariants, stockedShop, statements, write } from "./stockedShop.ts"

const minute = 60_000

const ready = Effect.gen(function* () {
  const [store, ledger, now] = [yield* openStore, yield* StockLedger, yield* at]
  return { store, ledger, now, until: new Date(now.getTime() + 15 * minute) }
})

const movementsOf = Effect.fnUntraced(function* (storeId: string, key: string) {
  const { sql } = yield* Database
  return yield* sql`SELECT delta, reason, reference, product_id, variant_id FROM stock_movement WHERE store_id = ${storeId} AND key = ${key} AND reason = 'sale' ORDER BY id`
})

const heldBy = Effect.fnUntraced(function* (storeId: string, holderId: string) {
  const { sql } = yield* Database
  const rows = yield* sql<{
    key: string
    quantity: number
    expiresAt: Date
  }>`SELECT key, quantity, expires_at FROM reservation
    WHERE store_id = ${storeId} AND holder_id = ${holderId} ORDER BY key`
  return rows.map((row) => [row.key, row.quantity, row.expiresAt.getTime()])
})

layer(stockedShop)("the stock ledger", (it) => {
  describe("selling", () => {
    it.effect("takes the units, writes the entry with the order's id and tells subscribers", () =>
      Effect.gen(function* () {
        const { store, ledger, now } = yield* ready
        const lamp = yield* seedProduct(store.id, { stock: 7 })
        yield* write(store.id, ledger.sell(store.id, [of(lamp, 2)], "ord_1", now))
        expect(yield* booksOf(store.id, lamp)).toEqual({ total: 5, reserved: 0, moved: 5, held: 0 })
        expect(yield* movementsOf(store.id, lamp)).toEqual([
          { delta: -2, reason: "sale", reference: "ord_1", productId: lamp, variantId: null }
        ])
        const inventory = {
          productId: lamp,
          trackingMode: "TRACKED",
          total: 5,
          reserved: 0,
          available: 5,
          lastInventorySyncAt: null,
          variants: []
        }
        expect(yield* eventsOf(store.id)).toEqual([{ type: "inventory.updated", data: { productId: lamp, inventory } }])
      })
    )

    it.effect("sums lines that draw on one row, and says of every row what it lacks", () =>
      Effect.gen(function* () {
        const { store, ledger, now } = yield* ready
        const [lamp, sofa, mat] = [
          yield* seedProduct(store.id, { stock: 7 }),
          yield* seedProduct(store.id, { stock: 1 }),
          yield* seedProduct(store.id, { stock: 9 })
        ]
        const gone = yield* seedProduct(store.id, { stock: null })
        const demands = [of(lamp, 4), of(mat, 1), of(sofa, 2), of(lamp, 4), of(gone, 1), of("prod_none", 1)]
        const refused = yield* Effect.flip(write(store.id, ledger.sell(store.id, demands, "ord_1", now)))
        expect(refused.items).toEqual([
          { productId: lamp, variantId: null, available: 7, requested: 8 },
          { productId: sofa, variantId: null, available: 1, requested: 2 },
          { productId: gone, variantId: null, available: 0, requested: 1 },
          { productId: "prod_none", variantId: null, available: 0, requested: 1 }
        ])
        for (const [id, total] of [
          [lamp, 7],
          [sofa, 1],
          [mat, 9]
        ] as const)
          expect(yield* booksOf(store.id, id)).toEqual({ total, reserved: 0, moved: total, held: 0 })
        expect(yield* eventsOf(store.id)).toEqual([])
      })
    )

    it.effect("writes nothing also where the caller goes on after the refusal", () =>
      Effect.gen(function* () {
        const { store, ledger, now } = yield* ready
        const [lamp, sofa] = [yield* seedProduct(store.id, { stock: 7 }), yield* seedProduct(store.id, { stock: 1 })]
        yield* write(store.id, Effect.flip(ledger.sell(store.id, [of(lamp, 1), of(sofa, 2)], "ord_1", now)))
        expect(yield* booksOf(store.id, lamp)).toEqual({ total: 7, reserved: 0, moved: 7, held: 0 })
      })
    )

    it.effect("goes below zero as far as backorders allow, over all orders", () =>
      Effect.gen(function* () {
        const { store, ledger, now } = yield* ready
        const limited = yield* seedProduct(store.id, { stock: 1, backorderMode: "LIMITED", backorderLimit: 3 })
        const open = yield* seedProduct(store.id, { stock: 1, backorderMode: "ALLOW" })
        const sell = (id: string, quantity: number) =>
          write(store.id, ledger.sell(store.id, [of(id, quantity)], "ord_1", now))
        yield* sell(limited, 2)
        expect((yield* Effect.flip(sell(limited, 3))).items).toEqual([
          { productId: limited, variantId: null, available: 2, requested: 3 }
        ])
        yield* sell(limited, 2)
        expect(yield* booksOf(store.id, limited)).toMatchObject({ total: -3, moved: -3 })
        yield* sell(open, 500)
        expect(yield* booksOf(store.id, open)).toMatchObject({ total: -499, moved: -499 })
      })
    )

    it.effect("never refuses and never counts what is not tracked, and sells nothing that is switched off", () =>
      Effect.gen(function* () {
        const { store, ledger, now, until } = yield* ready
        const air = yield* seedProduct(store.id, { stock: 0, trackingMode: "UNTRACKED" })
        const off = yield* seedProduct(store.id, { stock: 9, trackingMode: "DISABLED", backorderMode: "ALLOW" })
        yield* write(store.id, ledger.sell(store.id, [of(air, 1_000)], "ord_1", now))
        yield* write(store.id, ledger.hold(store.id, "cart_1", [of(air, 1_000)], until, now))
        expect(yield* booksOf(store.id, air)).toEqual({ total: 0, reserved: 0, moved: 0, held: 0 })
        expect(yield* eventsOf(store.id)).toEqual([])
        const refused = yield* Effect.flip(write(store.id, ledger.sell(store.id, [of(off, 1)], "ord_1", now)))
        expect(refused.items).toEqual([{ productId: off, variantId: null, available: 0, requested: 1 }])
      })
    )

    it.effect("tells of a product once, however many of its variants were sold", () =>
      Effect.gen(function* () {
        const { store, ledger, now } = yield* ready
        const { product, variants } = yield* seedVariants(store.id, [5, 5, 5])
        yield* write(
          store.id,
          ledger.sell(store.id, [of(product, 1, variants[0]), of(product, 2, variants[1])], "ord_1", now)
        )
        const events = yield* eventsOf(store.id)
        const level = { trackingMode: "TRACKED", reserved: 0, lastInventorySyncAt: null }
        const left = (total: number, i: number) => ({ variantId: variants[i], ...level, total, available: total })
        expect(events.map((event) => event.data)).toEqual([
          {
            productId: product,
            inventory: {
              productId: product,
              ...level,
              total: 12,
              available: 12,
              variants: [left(4, 0), left(3, 1), left(5, 2)]
            }
          }
        ])
      })
    )

    it.effect("costs a lock and a verdict that tells of itself, for one line as for fifty", () =>
      Effect.gen(function* () {
        const { store, ledger, now } = yield* ready
        const ids = yield* Effect.forEach(Array.from({ length: 50 }), () => seedProduct(store.id, { stock: 7 }))
        for (const lines of [ids.slice(0, 1), ids]) {
          const demands = lines.map((id) => of(id, 1))
          statements.reset()
          yield* write(store.id, ledger.sell(store.id, demands, "ord_1", now))
          expect(statements.statements()).toHaveLength(2)
          statements.reset()
          yield* write(store.id, ledger.hold(store.id, "cart_1", demands, now, now))
          yield* write(store.id, ledger.release(store.id, "cart_1"))
          expect(statements.statements()).toHaveLength(4)
        }
      })
    )

    it.effect("of one store leaves a namesake in another alone", () =>
      Effect.gen(function* () {
        const { store, ledger, now } = yield* ready
        const theirs = yield* openStore
        const lamp = yield* seedProduct(theirs.id, { stock: 7 })
        expect(
          (yield* Effect.flip(write(store.id, ledger.sell(store.id, [of(lamp, 1)], "ord_1", now)))).items
        ).toMatchObject([{ available: 0 }])
        expect(yield* booksOf(theirs.id, lamp)).toMatchObject({ total: 7 })
      })
    )
  })

  describe("holding out of another's hold", () => {
    it.effect(
      "hands the units over, claims the rest from the shelf, and leaves what is not asked for where it was",
      () =>
        Effect.gen(function* () {
          const { store, ledger, now, until } = yield* ready
          const [lamp, sofa] = [yield* seedProduct(store.id, { stock: 5 }), yield* seedProduct(store.id, { stock: 3 })]
          const later = new Date(until.getTime() + minute)
          yield* write(store.id, ledger.hold(store.id, "cart", [of(lamp, 2), of(sofa, 3)], until, now))
          yield* write(store.id, ledger.holdFrom("cart", store.id, "checkout", [of(lamp, 4), of(sofa, 1)], later, now))
          expect(yield* heldBy(store.id, "cart")).toEqual([[sofa, 2, until.getTime()]])
          expect(new Set((yield* heldBy(store.id, "checkout")).map(String))).toEqual(
            new Set(
              [
                [lamp, 4, later.getTime()],
                [sofa, 1, later.getTime()]
              ].map(String)
            )
          )
          expect(yield* booksOf(store.id, lamp)).toEqual({ total: 5, reserved: 4, moved: 5, held: 4 })
          expect(yield* booksOf(store.id, sofa)).toEqual({ total: 3, reserved: 3, moved: 3, held: 3 })
        })
    )

    it.effect("gives them back the same way, and refuses what neither has, with nothing written", () =>
      Effect.gen(function* () {
        const { store, ledger, now, until } = yield* ready
        const lamp = yield* seedProduct(store.id, { stock: 5 })
        yield* write(store.id, ledger.hold(store.id, "cart", [of(lamp, 4)], until, now))
        const refused = yield* Effect.flip(
          write(store.id, ledger.holdFrom("cart", store.id, "checkout", [of(lamp, 6)], until, now))
        )
        expect(refused.items).toEqual([{ productId: lamp, variantId: null, available: 5, requested: 6 }])
        expect(yield* heldBy(store.id, "cart")).toEqual([[lamp, 4, until.getTime()]])
        yield* write(store.id, ledger.holdFrom("cart", store.id, "checkout", [of(lamp, 4)], until, now))
        yield* write(store.id, ledger.holdFrom("checkout", store.id, "cart", [of(lamp, 4)], until, now))
        expect(yield* heldBy(store.id, "cart")).toEqual([[lamp, 4, until.getTime()]])
        expect(yield* heldBy(store.id, "checkout")).toEqual([])
        expect(yield* booksOf(store.id, lamp)).toEqual({ total: 5, reserved: 4, moved: 5, held: 4 })
      })
    )
  })

  describe("holding", () => {
    it.effect("is replaced by the next: more, less, other things, nothing", () =>
      Effect.gen(function* () {
        const { store, ledger, now, until } = yield* ready
        const [lamp, sofa] = [
          yield* seedProduct(store.id, { stock: 7 }),
          yield* seedProduct(store.id, { stock: 7 })
        ].sort() as [string, string]
        const hold = (...demands: ReadonlyArray<ReturnType<typeof of>>) =>
          write(store.id, ledger.hold(store.id, "cart_1", demands, until, now))
        yield* hold(of(lamp, 1), of(lamp, 1))
        expect(yield* heldBy(store.id, "cart_1")).toEqual([[lamp, 2, until.getTime()]])
        yield* hold(of(lamp, 1), of(sofa, 2))
        expect(yield* heldBy(store.id, "cart_1")).toEqual([
          [lamp, 1, until.getTime()],
          [sofa, 2, until.getTime()]
        ])
        expect(yield* booksOf(store.id, sofa)).toMatchObject({ reserved: 2, held: 2 })
        yield* hold(of(sofa, 1))
        expect([yield* booksOf(store.id, lamp), yield* booksOf(store.id, sofa)]).toMatchObject([
          { reserved: 0, held: 0 },
          { reserved: 1, held: 1 }
        ])
        yield* hold()
        expect(yield* heldBy(store.id, "cart_1")).toEqual([])
        expect(yield* booksOf(store.id, sofa)).toMatchObject({ total: 7, reserved: 0, held: 0 })
      })
    )

    it.effect("counts what the holder already holds as its own, and keeps it where more is refused", () =>
      Effect.gen(function* () {
        const { store, ledger, now, until } = yield* ready
        const lamp = yield* seedProduct(store.id, { stock: 5 })
        const hold = (holder: string, quantity: number) =>
          write(store.id, ledger.hold(store.id, holder, [of(lamp, quantity)], until, now))
        yield* hold("cart_1", 3)
        yield* hold("cart_2", 1)
        expect((yield* Effect.flip(hold("cart_1", 5))).items).toEqual([
          { productId: lamp, variantId: null, available: 4, requested: 5 }
        ])
        expect(yield* heldBy(store.id, "cart_1")).toEqual([[lamp, 3, until.getTime()]])
        yield* hold("cart_1", 4)
        expect(
          (yield* Effect.flip(write(store.id, ledger.sell(store.id, [of(lamp, 1)], "ord_1", now)))).items
        ).toMatchObject([{ available: 0 }])
        expect(yield* booksOf(store.id, lamp)).toEqual({ total: 5, reserved: 5, moved: 5, held: 5 })
      })
    )

    it.effect("and selling takes what is held first, and leaves the rest of it held", () =>
      Effect.gen(function* () {
        const { store, ledger, now, until } = yield* ready
        const [lamp, sofa] = [yield* seedProduct(store.id, { stock: 5 }), yield* seedProduct(store.id, { stock: 5 })]
        yield* write(store.id, ledger.hold(store.id, "cart_1", [of(lamp, 3), of(sofa, 2)], until, now))
        yield* write(store.id, ledger.hold(store.id, "cart_2", [of(lamp, 1)], until, now))
        yield* write(store.id, ledger.sellHeld(store.id, "cart_1", [of(lamp, 2)], "ord_1", now))
        expect(yield* booksOf(store.id, lamp)).toEqual({ total: 3, reserved: 2, moved: 3, held: 2 })
        expect(yield* booksOf(store.id, sofa)).toEqual({ total: 5, reserved: 2, moved: 5, held: 2 })
        expect(
          (yield* Effect.flip(write(store.id, ledger.sellHeld(store.id, "cart_1", [of(lamp, 3)], "ord_2", now)))).items
        ).toEqual([{ productId: lamp, variantId: null, available: 2, requested: 3 }])
        yield* write(store.id, ledger.sellHeld(store.id, "cart_1", [of(lamp, 2), of(sofa, 5)], "ord_3", now))
        expect(yield* heldBy(store.id, "cart_1")).toEqual([])
        expect(yield* booksOf(store.id, lamp)).toEqual({ total: 1, reserved: 1, moved: 1, held: 1 })
        expect(yield* booksOf(store.id, sofa)).toEqual({ total: 0, reserved: 0, moved: 0, held: 0 })
        const events = (yield* eventsOf(store.id)).map((event) => event.data)
        expect(events.at(-1)).toMatchObject({ inventory: { total: expect.any(Number) } })
        expect(events).toContainEqual(
          expect.objectContaining({
            productId: lamp,
            inventory: expect.objectContaining({ total: 1, reserved: 1, available: 0 })
          })
        )
      })
    )

    it.effect("survives a change to untracked: what was held goes back when it is sold", () =>
      Effect.gen(function* () {
        const { store, ledger, now, until } = yield* ready
        const lamp = yield* seedProduct(store.id, { stock: 5 })
        yield* write(store.id, ledger.hold(store.id, "cart_1", [of(lamp, 3)], until, now))
        yield* write(
          store.id,
          Database.use(
            ({ sql }) =>
              sql`UPDATE stock SET tracking_mode = 'UNTRACKED' WHERE store_id = ${store.id} AND key = ${lamp}`
          )
        )
        yield* write(store.id, ledger.sellHeld(store.id, "cart_1", [of(lamp, 4)], "ord_1", now))
        expect(yield* booksOf(store.id, lamp)).toEqual({ total: 5, reserved: 0, moved: 5, held: 0 })
      })
    )
  })

  describe("time", () => {
    it.effect("gives back what has run out, in every store, and nothing that has not", () =>
      Effect.gen(function* () {
        const { store, ledger, now, until } = yield* ready
        const second = yield* openStore
        const [lamp, theirs] = [yield* seedProduct(store.id, { stock: 5 }), yield* seedProduct(second.id, { stock: 5 })]
        yield* write(store.id, ledger.hold(store.id, "cart_1", [of(lamp, 2)], until, now))
        yield* write(store.id, ledger.hold(store.id, "cart_2", [of(lamp, 1)], new Date(until.getTime() + 1), now))
        yield* write(second.id, ledger.hold(second.id, "cart_3", [of(theirs, 4)], until, now))
        const { releaseExpired } = yield* Reservations
        yield* TestClock.adjust("14 minutes")
        yield* releaseExpired
        expect(yield* booksOf(store.id, lamp)).toMatchObject({ reserved: 3, held: 3 })
        yield* TestClock.adjust("1 minute")
        yield* releaseExpired
        expect(yield* booksOf(store.id, lamp)).toMatchObject({ reserved: 1, held: 1 })
        expect(yield* booksOf(second.id, theirs)).toMatchObject({ reserved: 0, held: 0 })
        expect(yield* ledger.expire(yield* at)).toBe(0)
        yield* TestClock.adjust("1 millis")
        expect(yield* ledger.expire(yield* at, store.id)).toBe(1)
      })
    )

    it.effect("gives back more than one batch", () =>
      Effect.gen(function* () {
        const { store, ledger, now } = yield* ready
        const { sql } = yield* Database
        yield* write(
          store.id,
          Effect.gen(function* () {
            yield* sql`INSERT INTO product (store_id, id, name, slug, created_at, updated_at)
              SELECT ${store.id}, 'prod_' || n, 'Lamp', 'lamp-' || n, ${now}, ${now} FROM generate_series(1, 1001) n`
            yield* sql`INSERT INTO stock (store_id, key, product_id, total, reserved, updated_at)
              SELECT ${store.id}, 'prod_' || n, 'prod_' || n, 5, 2, ${now} FROM generate_series(1, 1001) n`
            yield* sql`INSERT INTO reservation (store_id, holder_id, key, quantity, expires_at)
              SELECT ${store.id}, 'cart_' || n, 'prod_' || n, 2, ${now} FROM generate_series(1, 1001) n`
          })
        )
        expect(yield* ledger.expire(now)).toBe(1_001)
        expect(
          yield* sql`SELECT sum(reserved)::int AS reserved, sum(total)::int AS total FROM stock WHERE store_id = ${store.id}`
        ).toEqual([{ reserved: 0, total: 5_005 }])
      })
    )

    it.effect("that has passed gives way at once to who would buy or hold", () =>
      Effect.gen(function* () {
        const { store, ledger, now } = yield* ready
        const lamp = yield* seedProduct(store.id, { stock: 2 })
        const soon = new Date(now.getTime() + minute)
        yield* write(store.id, ledger.hold(store.id, "cart_1", [of(lamp, 2)], soon, now))
        const early = new Date(soon.getTime() - 1)
        expect(
          (yield* Effect.flip(write(store.id, ledger.sell(store.id, [of(lamp, 1)], "ord_1", early)))).items
        ).toMatchObject([{ available: 0 }])
        yield* write(store.id, ledger.hold(store.id, "cart_2", [of(lamp, 2)], new Date(soon.getTime() + minute), soon))
        expect(yield* heldBy(store.id, "cart_1")).toEqual([])
        expect(yield* booksOf(store.id, lamp)).toEqual({ total: 2, reserved: 2, moved: 2, held: 2 })
        yield* write(store.id, ledger.sell(store.id, [of(lamp, 2)], "ord_2", new Date(soon.getTime() + minute)))
        expect(yield* booksOf(store.id, lamp)).toEqual({ total: 0, reserved: 0, moved: 0, held: 0 })
      })
    )

    it.effect("is moved on for live reservations only", () =>
      Effect.gen(function* () {
        const { store, ledger, now, until } = yield* ready
        const lamp = yield* seedProduct(store.id, { stock: 5 })
        yield* write(store.id, ledger.hold(store.id, "cart_1", [of(lamp, 2)], until, now))
        const later = new Date(until.getTime() + minute)
        expect(yield* write(store.id, ledger.extend(store.id, ["cart_1", "cart_2"], later, now))).toBe(1)
        expect(yield* heldBy(store.id, "cart_1")).toEqual([[lamp, 2, later.getTime()]])
        expect(
          yield* write(store.id, ledger.extend(store.id, ["cart_1"], new Date(later.getTime() + minute), later))
        ).toBe(0)
      })
    )
  })
})
