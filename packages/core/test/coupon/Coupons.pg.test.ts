import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { coreLayer } from "../../src/CommerceCore.ts"
import { Coupons } from "../../src/coupon/Coupons.ts"
import { Database } from "../../src/database/Database.ts"
import { Quotes } from "../../src/pricing/Quotes.ts"
import { unknownBuyer } from "../../src/pricing/Quote.ts"
import { Stores } from "../../src/store/Stores.ts"
import { Categories } from "../../src/taxonomy/Categories.ts"
import { TestDatabase, testSecret } from "../../src/testing/TestDatabase.ts"

const statements: Array<string> = []
const core = Layer.unwrap(
  Effect.map(TestDatabase, ({ connection }) =>
    coreLayer({
      connection,
      secret: testSecret,
      maxConnections: 4,
      statementLog: { record: ({ sql, control }) => void (control || statements.push(sql)) }
    })
  )
).pipe(Layer.provide(TestDatabase.layerCopy))

const openStore = Effect.gen(function* () {
  const stores = yield* Stores
  return yield* stores.create({ name: "Shop", currency: "USD", country: "US" })
})

const line = { id: "line_1", quantity: 2, unitPrice: 1_000n, sellable: null }
const request = (...codes: ReadonlyArray<string>) => ({
  currency: "USD",
  lines: [line],
  codes,
  buyer: unknownBuyer,
  delivery: { by: "unknown" } as const
})

layer(core)("coupons", (it) => {
  describe("a quote", () => {
    it.effect("costs no statement without a code, one with a code, and one more where the coupon is limited", () =>
      Effect.gen(function* () {
        const store = yield* openStore
        const coupons = yield* Coupons
        const quotes = yield* Quotes
        yield* coupons.create(store, { code: "FREE", type: "PERCENTAGE", value: 10 })
        yield* coupons.create(store, { code: "LIMITED", type: "PERCENTAGE", value: 10, usageLimit: 1 })
        const cost = Effect.fnUntraced(function* (...codes: ReadonlyArray<string>) {
          const before = statements.length
          const quote = yield* quotes.quote(store, request(...codes))
          return [statements.length - before, quote.discountAmount]
        })
        // The first quote of a process compiles the rules of other rooms.
        yield* cost()
        expect(yield* cost()).toEqual([0, 0n])
        expect(yield* cost("none")).toEqual([1, 0n])
        expect(yield* cost("free")).toEqual([1, 200n])
        expect(yield* cost("limited")).toEqual([2, 200n])
      })
    )

    it.effect(
      "goes by the coupon as it is now, and making one changes no compiled rule unless it names categories",
      () =>
        Effect.gen(function* () {
          const made = yield* openStore
          const [stores, coupons, quotes] = [yield* Stores, yield* Coupons, yield* Quotes]
          const { id } = yield* coupons.create(made, { code: "A", type: "FIXED_AMOUNT", value: "1.00" })
          expect((yield* quotes.quote(made, request("a"))).discountAmount).toBe(100n)
          yield* coupons.update(made, id, { value: "2.00" })
          expect((yield* quotes.quote(made, request("a"))).discountAmount).toBe(200n)
          expect((yield* stores.fresh(made)).rulesVersion).toBe(made.rulesVersion)
          const category = yield* (yield* Categories).create(made, { name: "Sale" })
          const before = (yield* stores.fresh(made)).rulesVersion
          yield* coupons.create(made, { code: "B", type: "PERCENTAGE", value: 1, excludedCategories: [category.id] })
          expect((yield* stores.fresh(made)).rulesVersion).toBe(before + 1n)
          const groups = yield* Database.use(({ sql }) => sql`SELECT discounts_groups FROM store WHERE id = ${made.id}`)
          expect(groups).toEqual([{ discountsGroups: true }])
        })
    )
  })

  describe("a minted coupon", () => {
    it.effect("has a random code, is used once, and goes with the transaction that asks for it", () =>
      Effect.gen(function* () {
        const store = yield* openStore
        const coupons = yield* Coupons
        const { write } = yield* Database
        const promised = {
          prefix: "HELLO-",
          title: "Hello",
          type: "FIXED_AMOUNT",
          value: "5.00",
          endsAt: new Date(Date.UTC(2100, 0, 1)),
          minimumOrderAmount: "15.00"
        } as const
        const minted = yield* coupons.mint(store, promised)
        expect(minted).toMatchObject({
          code: expect.stringMatching(/^HELLO-[2-9A-Z]{12}$/),
          title: "Hello",
          type: "FIXED_AMOUNT",
          value: "5.00",
          usageLimit: 1,
          endsAt: "2100-01-01T00:00:00.000Z",
          minimumOrderAmount: "15.00",
          source: "INTERNAL"
        })
        const quote = yield* (yield* Quotes).quote(store, request(minted.code.toLowerCase()))
        expect(quote.discountAmount).toBe(500n)
        const undone = write(store.id)(Effect.andThen(coupons.mint(store, promised), Effect.fail("undone")))
        expect(yield* Effect.flip(undone)).toBe("undone")
        const { total } = yield* coupons.list(store, { page: 1, limit: 20 }, {})
        expect(total).toBe(1)
        const rejected = yield* Effect.flip(coupons.mint(store, { ...promised, value: "5.001" }))
        expect(rejected).toMatchObject({ _tag: "FieldRejected", field: "value" })
      })
    )
  })
})
