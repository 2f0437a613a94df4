/** Two clicks are one refund, two refunds never more than was captured, and a refund is known by its own notice. */
import { describe, expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Database } from "../../src/database/Database.ts"
import { ChangeExceedsCharge } from "../../src/payment/PaymentErrors.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import {
  another,
  beginChange,
  calls,
  charged,
  chargeOf,
  crashingAt,
  gate,
  happens,
  lease,
  logOf,
  noticed,
  operated,
  operatedShop,
  operationOf,
  type Operated,
  passAfter,
  rowsOf
} from "./operatedShop.ts"

/** Begins a refund of the charge for a subject, in a transaction that waits before it commits. */
const beginIn = Effect.fnUntraced(function* (
  { store, operations }: Operated,
  subjectId: string,
  charge: Effect.Success<ReturnType<typeof operationOf>>,
  before: Effect.Effect<unknown>
) {
  const { write } = yield* Database
  return yield* write(store.id)(
    Effect.tap(
      operations.begin(store, { kind: "refund", subjectId, charge, amount: 1_500n, details: null }),
      () => before
    )
  )
})
const noticeOf = ({ store, subjectId }: Operated) =>
  Effect.flatMap(TestProvider, (provider) => provider.notice(store.id, [subjectId]))

layer(operatedShop)("two refunds of a charge", (it) => {
  it.effect("at once never exceed what was captured, whoever asks for them: the second sees the first", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "approve")
      const charge = yield* operationOf(shop)
      const other = yield* another(shop)
      const [entered, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const waiting = Effect.andThen(Deferred.succeed(entered, undefined), Deferred.await(open))
      const first = yield* Effect.forkChild(beginIn(shop, shop.subjectId, charge, waiting))
      yield* Deferred.await(entered)
      const second = yield* Effect.forkChild(Effect.flip(beginIn(shop, other.subjectId, charge, Effect.void)))
      const { sql } = yield* Database
      // The second waits for the lock of the first.
      yield* Effect.repeat(sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted`, {
        until: (rows) => (rows[0]?.n ?? 0) > 0,
        times: 5_000
      })
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(first)
      expect(yield* Fiber.join(second)).toEqual(new ChangeExceedsCharge({ available: 1_000n, currency: "USD" }))
      expect((yield* rowsOf(shop)).slice(1)).toEqual(["refund calling 0/0 open"])
      expect(yield* rowsOf(other)).toEqual([])
    })
  )

  it.effect("asked for by twenty clicks are as many as the charge pays for, and the provider agrees", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      const { store, operations } = shop
      yield* charged(shop, "approve")
      const clicks = Array.from({ length: 20 }, () =>
        Effect.option(Effect.flatMap(beginChange(shop, "refund", 400n), (begun) => operations.run(store, begun)))
      )
      const settled = yield* Effect.all(clicks, { concurrency: "unbounded" })
      expect(settled.filter(({ _tag }) => _tag === "Some")).toHaveLength(6)
      expect(yield* chargeOf(shop)).toMatchObject({ refunded: 2_400n })
      expect((yield* rowsOf(shop))[0]).toMatch(/^authorize succeeded 2500\/2400/)
      expect(calls.get("refund")).toBe(6)
    })
  )

  it.effect("that are done count until the books of the charge have them, and then no more", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      const { store, operations } = shop
      yield* charged(shop, "authorize")
      for (const [kind, amount, left] of [
        ["capture", 1_000n, 1_500n],
        ["refund", 700n, 300n]
      ] as const) {
        yield* operations.run(store, yield* beginChange(shop, kind, amount)).pipe(crashingAt("payment.concluded"))
        expect((yield* rowsOf(shop)).at(-1)).toMatch(`${kind} succeeded`)
        expect(yield* Effect.flip(beginChange(shop, kind, 2_000n))).toMatchObject({ available: left })
        yield* passAfter(lease)
        expect(yield* Effect.flip(beginChange(shop, kind, 2_000n))).toMatchObject({ available: left })
      }
      expect((yield* rowsOf(shop))[0]).toBe("authorize succeeded 1000/700 open")
      // What the bank has sent back can be refunded again.
      yield* noticed(yield* happens(shop, "refund_failed"))
      expect(yield* Effect.flip(beginChange(shop, "refund", 2_000n))).toMatchObject({ available: 1_000n })
    })
  )

  it.effect("are settled without a lock on their charge before their subject's: nobody waits for each other", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      const { store, operations, subjectId } = shop
      yield* charged(shop, "approve")
      const begun = yield* beginChange(shop, "refund", 700n)
      const { sql, write } = yield* Database
      const locked = yield* Deferred.make<void>()
      const running = yield* Effect.forkChild(Effect.andThen(Deferred.await(locked), operations.run(store, begun)))
      yield* write(store.id)(
        Effect.gen(function* () {
          const [own] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid FROM test_subject
            WHERE store_id = ${store.id} AND id = ${subjectId} FOR UPDATE`
          yield* Deferred.succeed(locked, undefined)
          yield* Effect.repeat(
            sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_stat_activity
              WHERE ${own?.pid ?? 0} = ANY(pg_blocking_pids(pid))`,
            { until: (rows) => (rows[0]?.n ?? 0) > 0, times: 5_000 }
          )
          const charge = yield* sql`SELECT id FROM provider_operation WHERE store_id = ${store.id}
            AND kind = 'authorize' FOR UPDATE NOWAIT`
          expect(charge).toHaveLength(1)
        })
      )
      expect(yield* Fiber.join(running)).toMatchObject({ _tag: "Accepted" })
      expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/700", "refund succeeded 2500/700"])
    })
  )

  it.effect("that are not final count as well, and one that failed counts no more", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      const { store, operations } = shop
      yield* charged(shop, "refund_refused")
      const begun = yield* beginChange(shop, "refund", 2_000n)
      expect(yield* Effect.flip(beginChange(shop, "refund", 501n))).toMatchObject({ available: 500n })
      yield* operations.run(store, begun)
      yield* beginChange(shop, "refund", 2_500n)
    })
  )
})

layer(operatedShop)("the notice of our own refund", (it) => {
  describe("settles our operation", () => {
    it.effect("before our answer comes, which then changes nothing", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store, operations } = shop
        yield* charged(shop, "approve")
        const begun = yield* beginChange(shop, "refund", 700n)
        const provider = yield* TestProvider
        const done = yield* Effect.option(begun.call)
        expect(done).toMatchObject({ _tag: "Some" })
        const [entered, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        gate.next = { entered, open }
        const answered = yield* Effect.forkChild(operations.run(store, begun))
        yield* Deferred.await(entered)
        yield* noticed(yield* provider.notice(store.id, [shop.subjectId]))
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/700", "refund succeeded 2500/700"])
        yield* Deferred.succeed(open, undefined)
        expect(yield* Fiber.join(answered)).toMatchObject({ _tag: "Overlapped" })
        expect(yield* chargeOf(shop)).toMatchObject({ refunded: 700n })
        expect((yield* logOf(shop))?.filter((line) => line.startsWith("refund"))).toEqual(["refund 2500/700 late"])
      })
    )

    it.effect("where the answer is lost", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "refund_lost")
        const begun = yield* beginChange(shop, "refund", 700n)
        expect(yield* shop.operations.run(shop.store, begun)).toEqual({ _tag: "Unknown" })
        yield* noticed(yield* noticeOf(shop))
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/700", "refund succeeded 2500/700"])
        expect([calls.get("refund"), calls.get("lookupChange")]).toEqual([1, undefined])
      })
    )

    it.effect("and not another refund's of the same sum", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "approve")
        const begun = yield* beginChange(shop, "refund", 700n)
        yield* shop.operations.run(shop.store, begun).pipe(crashingAt("payment.begun"))
        const provider = yield* TestProvider
        const raw = yield* provider.move(shop.store.id, { checkoutId: shop.subjectId, type: "refunded", amount: 700n })
        if (raw !== undefined) yield* noticed(raw)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/700", "refund calling 0/0 open"])
      })
    )
  })
})
