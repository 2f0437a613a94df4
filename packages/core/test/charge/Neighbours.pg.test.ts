/** A provider that is down or slow delays nobody but itself. */
import { describe, expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Database } from "../../src/database/Database.ts"
import { makeProviderTurns } from "../../src/payment/ProviderTurns.ts"
import { PaymentUnanswered } from "../../src/payment/PaymentErrors.ts"
import type { PaymentProvider } from "../../src/payment/PaymentProvider.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import {
  another,
  charged,
  operated,
  operatedShop,
  type Operated,
  pass,
  passAfter,
  rowsOf,
  setUp
} from "./operatedShop.ts"

const [second, minute] = [1_000, 60_000]
const noLine = Effect.fail(new PaymentUnanswered({ reason: "no line" }))

/** A provider whose lookups wait until the test opens them. */
const hanging = (provider: PaymentProvider, entered: Deferred.Deferred<void>, open: Deferred.Deferred<void>) => ({
  ...provider,
  code: "hanging",
  lookup: () =>
    Effect.andThen(
      Effect.andThen(Deferred.succeed(entered, undefined), Deferred.await(open)),
      Effect.succeed({ _tag: "Processing" as const })
    )
})
/** Subjects of the shop with a charge that waits to be looked at. */
const pendingOnes = (shop: Operated, many: number, provider: string) =>
  Effect.forEach(
    Array.from({ length: many }, (_, n) => n),
    () => Effect.tap(another(shop), (subject) => charged(subject, "pending", provider))
  )
const bringForward = ({ store }: Operated) =>
  Effect.gen(function* () {
    const { sql, write } = yield* Database
    const now = new Date(yield* Effect.clockWith((clock) => clock.currentTimeMillis))
    yield* write(store.id)(
      sql`UPDATE provider_operation SET check_at = ${now} WHERE store_id = ${store.id} AND check_at IS NOT NULL`
    )
  })

/** A pass that begins while another is still finding out what is due. Returns the first. */
const twoPasses = Effect.fnUntraced(function* ({ store }: Operated) {
  const { sql, write } = yield* Database
  const [one, two] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const first = yield* Effect.forkChild(Effect.andThen(Deferred.await(one), pass))
  const second = yield* Effect.forkChild(Effect.andThen(Deferred.await(two), pass))
  yield* write(store.id)(
    Effect.gen(function* () {
      yield* sql`LOCK TABLE provider_operation IN EXCLUSIVE MODE`
      const waiting = sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))`
      yield* Deferred.succeed(one, undefined)
      yield* Effect.repeat(waiting, { until: (rows) => (rows[0]?.n ?? 0) > 0, times: 5_000 })
      yield* Deferred.succeed(two, undefined)
      yield* Effect.repeat(waiting, {
        until: (rows) => second.pollUnsafe() !== undefined || (rows[0]?.n ?? 0) > 1,
        times: 5_000
      })
    })
  )
  return first
})

layer(operatedShop)("a provider that hangs", (it) => {
  it.effect("delays neither another provider of its store nor another store, nor its own in the other store", () =>
    Effect.gen(function* () {
      const otherShop = yield* operated
      const shop = yield* operated
      const provider = yield* TestProvider
      const [entered, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      setUp.more = [hanging(provider, entered, open)]
      yield* pendingOnes(shop, 10, "hanging")
      const beside = yield* another(shop)
      yield* charged(beside, "lost")
      yield* charged(otherShop, "lost")
      yield* bringForward(shop)
      yield* bringForward(otherShop)
      const first = yield* Effect.forkChild(pass)
      yield* Deferred.await(entered)
      // What hangs has its slots; everything else goes on.
      yield* Effect.repeat(rowsOf(beside), { until: ([row]) => row === "authorize succeeded 2500/0", times: 5_000 })
      yield* Effect.repeat(rowsOf(otherShop), { until: ([row]) => row === "authorize succeeded 2500/0", times: 5_000 })
      expect([yield* rowsOf(beside), yield* rowsOf(otherShop)]).toEqual([
        ["authorize succeeded 2500/0"],
        ["authorize succeeded 2500/0"]
      ])
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(first)
    })
  )

  it.effect("is asked for eight charges of a store at a time, and no more until one of them is answered", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      const provider = yield* TestProvider
      const [entered, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let asked = 0
      const slow = hanging(provider, entered, open)
      setUp.more = [
        {
          ...slow,
          lookup: ({ storeId }) =>
            Effect.andThen(
              Effect.sync(() => (asked += storeId === shop.store.id ? 1 : 0)),
              slow.lookup()
            )
        }
      ]
      yield* pendingOnes(shop, 12, "hanging")
      yield* bringForward(shop)
      const first = yield* twoPasses(shop)
      yield* Effect.repeat(rowsOf(shop), { until: () => asked >= 8, times: 5_000 })
      // Whoever asks for more does so while the database is asked this often.
      yield* Effect.repeat(rowsOf(shop), { until: () => asked > 8, times: 100 })
      yield* pass
      expect(asked).toBe(8)
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(first)
      yield* pass
      expect(asked).toBe(12)
    })
  )
})

layer(operatedShop)("a provider that does not answer", (it) => {
  it.effect("is asked ever less often, by one charge at a time, and by all again once it answers", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      const provider = yield* TestProvider
      let [asked, isDown] = [0, true]
      setUp.more = [
        {
          ...provider,
          code: "down",
          lookup: (account, name) =>
            Effect.andThen(
              Effect.sync(() => (asked += 1)),
              Effect.suspend(() => (isDown ? noLine : provider.lookup(account, name)))
            )
        }
      ]
      yield* pendingOnes(shop, 12, "down")
      yield* bringForward(shop)
      yield* pass
      expect(asked).toBe(8)
      const sums: Array<number> = []
      for (let n = 0; n < 6; n += 1) {
        yield* bringForward(shop)
        yield* passAfter(n < 3 ? 1 : 5 * minute)
        sums.push(asked)
      }
      expect(sums).toEqual([8, 8, 8, 9, 10, 11])
      isDown = false
      yield* bringForward(shop)
      yield* passAfter(5 * minute)
      expect(asked).toBe(12)
      yield* bringForward(shop)
      yield* passAfter(1)
      expect(asked).toBe(20)
    })
  )
})

describe("the turns of a provider of a store", () => {
  const whose = { storeId: "store_a", providerId: "test" }

  layer(operatedShop)("are counted", (it) => {
    it.effect("apart from those of another provider, and of the same one in another store", () =>
      Effect.sync(() => {
        const turns = makeProviderTurns()
        turns.begin(whose, 8)
        expect(turns.room(whose, 0)).toBe(0)
        expect(turns.room({ ...whose, providerId: "stripe" }, 0)).toBe(8)
        expect(turns.room({ ...whose, storeId: "store_b" }, 0)).toBe(8)
        turns.end(whose, true, 0)
        expect(turns.room(whose, 0)).toBe(1)
      })
    )

    it.effect(
      "the circuit opens after five failures for five seconds, then for twice as long, five minutes at most",
      () =>
        Effect.sync(() => {
          const turns = makeProviderTurns()
          const fails = (now: number) => {
            turns.begin(whose, 1)
            turns.end(whose, false, now)
          }
          for (let n = 0; n < 4; n += 1) fails(0)
          expect(turns.room(whose, 0)).toBe(8)
          const pauses: Array<number> = []
          let now = 0
          for (let n = 0; n < 9; n += 1) {
            fails(now)
            const since = now
            while (turns.room(whose, now) === 0) now += second
            pauses.push((now - since) / second)
            expect(turns.room(whose, now)).toBe(1)
          }
          expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
          // A check that asked nobody says nothing about the provider.
          turns.begin(whose, 1)
          expect(turns.room(whose, now)).toBe(0)
          turns.end(whose, undefined, now)
          expect(turns.room(whose, now)).toBe(1)
          turns.begin(whose, 1)
          turns.end(whose, true, now)
          expect(turns.room(whose, now)).toBe(8)
        })
    )
  })
})
