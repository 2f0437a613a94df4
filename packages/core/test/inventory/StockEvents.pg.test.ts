/**
 * `inventory.updated` tells of every change of a total or of what is reserved: one event for each product and
 * transaction, as the transaction leaves it.
 */
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Database } from "../../src/database/Database.ts"
import { Inventory } from "../../src/inventory/Inventory.ts"
import { inventoryUpdated } from "../../src/inventory/InventoryEvents.ts"
import { StockLedger } from "../../src/inventory/StockLedger.ts"
import { seedProduct } from "../../src/testing/Factories.ts"
import { at, of, openStore, seedVariants, stockedShop, write } from "./stockedShop.ts"

const minute = 60_000

/** The event is written by SQL, so only a reading of what is stored shows that it has every field, and no other. */
const decode = Schema.decodeUnknownSync(inventoryUpdated.data, { onExcessProperty: "error" })

const ready = Effect.gen(function* () {
  const [store, ledger, now] = [yield* openStore, yield* StockLedger, yield* at]
  let seen = 0n
  /** What has been told since it was asked last. */
  const news = Effect.gen(function* () {
    const { sql } = yield* Database
    const rows = yield* sql<{ readonly seq: bigint; readonly type: string; readonly data: unknown }>`
      SELECT seq, type, data FROM event WHERE store_id = ${store.id} AND seq > ${seen} ORDER BY seq`
    seen = rows.at(-1)?.seq ?? seen
    return rows.map(({ type, data: written }): readonly [string, number, number, number] => {
      expect(type).toBe("inventory.updated")
      const data = decode(written)
      const { total, reserved, available } = data.inventory
      return [data.productId, total, reserved, available]
    })
  })
  const later = (minutes: number) => new Date(now.getTime() + minutes * minute)
  return { store, ledger, now, later, news }
})

layer(stockedShop)("the event of stock", (it) => {
  describe("is told", () => {
    it.effect(
      "of units that are held, of more and fewer, and of what is given back; not of a hold that changes nothing",
      () =>
        Effect.gen(function* () {
          const { store, ledger, now, later, news } = yield* ready
          const lamp = yield* seedProduct(store.id, { stock: 7 })
          const hold = (quantity: number) =>
            write(store.id, ledger.hold(store.id, "cart_1", [of(lamp, quantity)], later(15), now))
          yield* hold(2)
          expect(yield* news).toEqual([[lamp, 7, 2, 5]])
          yield* hold(5)
          expect(yield* news).toEqual([[lamp, 7, 5, 2]])
          yield* hold(5)
          expect(yield* news).toEqual([])
          yield* hold(1)
          expect(yield* news).toEqual([[lamp, 7, 1, 6]])
          yield* write(store.id, ledger.release(store.id, "cart_1"))
          expect(yield* news).toEqual([[lamp, 7, 0, 7]])
          yield* write(store.id, ledger.release(store.id, "cart_1"))
          expect(yield* news).toEqual([])
        })
    )

    it.effect("of each product that a hold takes up or lets go, once, and of nothing that it refuses", () =>
      Effect.gen(function* () {
        const { store, ledger, now, later, news } = yield* ready
        const [lamp, sofa, mat] = (yield* Effect.forEach([1, 2, 3], () =>
          seedProduct(store.id, { stock: 7 })
        )).toSorted() as [string, string, string]
        const hold = (...demands: ReadonlyArray<ReturnType<typeof of>>) =>
          write(store.id, ledger.hold(store.id, "cart_1", demands, later(15), now))
        yield* hold(of(lamp, 1), of(lamp, 1), of(sofa, 3))
        expect((yield* news).toSorted()).toEqual([
          [lamp, 7, 2, 5],
          [sofa, 7, 3, 4]
        ])
        yield* Effect.flip(hold(of(mat, 1), of(sofa, 8)))
        expect(yield* news).toEqual([])
        yield* hold(of(mat, 1), of(sofa, 3))
        expect((yield* news).toSorted()).toEqual(
          [
            [lamp, 7, 0, 7],
            [mat, 7, 1, 6]
          ].toSorted()
        )
        yield* hold()
        expect((yield* news).toSorted()).toEqual(
          [
            [mat, 7, 0, 7],
            [sofa, 7, 0, 7]
          ].toSorted()
        )
      })
    )

    it.effect("of a sale, also of what was held for it and is not counted any more", () =>
      Effect.gen(function* () {
        const { store, ledger, now, later, news } = yield* ready
        const lamp = yield* seedProduct(store.id, { stock: 7 })
        yield* write(store.id, ledger.hold(store.id, "chk_1", [of(lamp, 3)], later(15), now))
        yield* news
        yield* write(store.id, ledger.sellHeld(store.id, "chk_1", [of(lamp, 2)], "ord_1", now))
        expect(yield* news).toEqual([[lamp, 5, 1, 4]])
        yield* (yield* Inventory).set(store, lamp, { trackingMode: "UNTRACKED" })
        expect(yield* news).toEqual([[lamp, 5, 1, 4]])
        yield* write(store.id, ledger.sellHeld(store.id, "chk_1", [of(lamp, 9)], "ord_2", now))
        expect(yield* news).toEqual([[lamp, 5, 0, 5]])
        yield* write(store.id, ledger.sell(store.id, [of(lamp, 9)], "ord_3", now))
        expect(yield* news).toEqual([])
      })
    )

    it.effect("of what runs out, by the worker and by whoever comes first", () =>
      Effect.gen(function* () {
        const { store, ledger, later, news } = yield* ready
        const lamp = yield* seedProduct(store.id, { stock: 7 })
        const hold = (cart: string, quantity: number, from: number) =>
          write(store.id, ledger.hold(store.id, cart, [of(lamp, quantity)], later(from + 15), later(from)))
        yield* hold("cart_1", 3, 0)
        yield* hold("cart_2", 2, 1)
        yield* news
        expect(yield* ledger.expire(later(15), store.id)).toBe(1)
        expect(yield* news).toEqual([[lamp, 7, 2, 5]])
        // What ran out is given back and held anew in one transaction: told once, as it is at its end.
        yield* hold("cart_3", 6, 16)
        expect(yield* news).toEqual([[lamp, 7, 6, 1]])
        yield* write(store.id, ledger.sell(store.id, [of(lamp, 7)], "ord_1", later(60)))
        expect(yield* news).toEqual([[lamp, 0, 0, 0]])
      })
    )

    it.effect("once of a transaction that changes a product three times, and of no other store's namesake", () =>
      Effect.gen(function* () {
        const { store, ledger, now, later, news } = yield* ready
        const other = yield* ready
        const { product, variants } = yield* seedVariants(store.id, [5, 5])
        const [small, large] = variants
        yield* write(
          store.id,
          Effect.gen(function* () {
            yield* ledger.hold(store.id, "cart_1", [of(product, 1, small), of(product, 2, large)], later(15), now)
            yield* ledger.holdFrom("cart_1", store.id, "chk_1", [of(product, 2, large)], later(15), now)
            yield* ledger.sellHeld(store.id, "chk_1", [of(product, 2, large)], "ord_1", now)
            yield* (yield* Inventory).setTogether(store, product, [{ variantId: small ?? "", total: 9 }])
          })
        )
        expect(yield* news).toEqual([[product, 12, 1, 11]])
        yield* write(store.id, ledger.release(store.id, "cart_1"))
        expect(yield* news).toEqual([[product, 12, 0, 12]])
        expect(yield* other.news).toEqual([])
      })
    )

    it.effect("of what a reconciliation puts right, and of nothing a dry run finds", () =>
      Effect.gen(function* () {
        const { store, news } = yield* ready
        const { sql } = yield* Database
        const inventory = yield* Inventory
        const lamp = yield* seedProduct(store.id, { stock: 7 })
        yield* write(
          store.id,
          Effect.orDie(sql`UPDATE stock SET reserved = 4 WHERE store_id = ${store.id} AND key = ${lamp}`)
        )
        expect((yield* inventory.reconcile(store, { dryRun: true })).drifted).toHaveLength(1)
        expect(yield* news).toEqual([])
        expect((yield* inventory.reconcile(store, { dryRun: false })).fixed).toBe(1)
        expect(yield* news).toEqual([[lamp, 7, 0, 7]])
      })
    )

    it.effect("of nothing that was taken back, and of no product that is deleted", () =>
      Effect.gen(function* () {
        const { store, ledger, now, later, news } = yield* ready
        const { sql } = yield* Database
        const lamp = yield* seedProduct(store.id, { stock: 7 })
        yield* Effect.flip(
          write(store.id, Effect.andThen(ledger.sell(store.id, [of(lamp, 1)], "ord_1", now), Effect.fail("no")))
        )
        expect(yield* news).toEqual([])
        yield* write(store.id, ledger.hold(store.id, "cart_1", [of(lamp, 1)], later(15), now))
        yield* news
        yield* write(
          store.id,
          Effect.orDie(sql`UPDATE product SET deleted_at = ${now} WHERE store_id = ${store.id} AND id = ${lamp}`)
        )
        yield* write(store.id, ledger.release(store.id, "cart_1"))
        expect(yield* news).toEqual([])
      })
    )
  })

  it.effect(
    "keeps whoever mirrors it right after every transaction, whatever happens, with one event for each product that changed",
    () =>
      Effect.gen(function* () {
        const { store, ledger, later, news } = yield* ready
        const { sql } = yield* Database
        const inventory = yield* Inventory
        const shirt = yield* seedVariants(store.id, [6, 6, 6])
        const lamps = yield* Effect.forEach([1, 2], () => seedProduct(store.id, { stock: 8 }))
        const things = [
          ...shirt.variants.map((variant) => [shirt.product, variant] as const),
          ...lamps.map((lamp) => [lamp, null] as const)
        ]
        let state = 20_260_122
        const random = (below: number) => {
          state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
          return Math.floor((state / 2_147_483_648) * below)
        }
        const some = () =>
          Array.from({ length: 1 + random(3) }, () => things[random(things.length)] ?? things[0]!).map(([p, v]) =>
            of(p, 1 + random(3), v)
          )
        const holder = () => `cart_${random(3)}`
        const books = Effect.map(
          sql<{
            productId: string
            total: number
            reserved: number
          }>`SELECT product_id, sum(total)::int AS total, sum(reserved)::int AS reserved FROM stock
          WHERE store_id = ${store.id} GROUP BY product_id`,
          (rows) => new Map(rows.map((row) => [row.productId, `${row.total} ${row.reserved}`]))
        )
        const mirror = new Map(yield* books)
        for (let step = 0; step < 120; step++) {
          const moment = later(step)
          const one = () => {
            const [id, variant] = things[random(things.length)] ?? things[0]!
            return [
              id,
              variant === null ? { total: 5 + random(9) } : { total: 5 + random(9), variantId: variant }
            ] as const
          }
          const steps = [
            () => write(store.id, ledger.hold(store.id, holder(), some(), later(step + 5), moment)),
            () => write(store.id, ledger.holdFrom(holder(), store.id, "chk_1", some(), later(step + 5), moment)),
            () => write(store.id, ledger.sellHeld(store.id, holder(), some(), `ord_${step}`, moment)),
            () => write(store.id, ledger.sell(store.id, some(), `ord_${step}`, moment)),
            () => write(store.id, ledger.release(store.id, holder())),
            () => ledger.expire(moment, store.id),
            () => inventory.set(store, ...one())
          ]
          const before = yield* books
          const which = random(steps.length)
          yield* Effect.ignore(steps[which]?.() ?? Effect.void)
          const told = yield* news
          for (const [id, total, reserved, available] of told) {
            mirror.set(id, `${total} ${reserved}`)
            expect(available).toBe(total - reserved)
          }
          const after = yield* books
          expect([step, mirror]).toEqual([step, after])
          const changed = [...after].filter(([id, counts]) => before.get(id) !== counts).map(([id]) => id)
          expect(new Set(told.map(([id]) => id)).size).toBe(told.length)
          expect(changed.filter((id) => !told.some(([one]) => one === id))).toEqual([])
        }
      })
  )
})
