/** A charge that its provider does not know: that is not believed too soon, nor for good. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/database/Database.ts"
import type { ChargeFound, PaymentProvider } from "../../src/payment/PaymentProvider.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import {
  beginCharge,
  calls,
  charged,
  chargeOf,
  crashingAt,
  exactly,
  lease,
  logOf,
  operated,
  operatedShop,
  passAfter,
  passesFor,
  rowsOf,
  setUp,
  silence,
  waitOf,
  wantNothing
} from "./operatedShop.ts"

const [second, hour] = [1_000, 3_600_000]
const day = 24 * hour

/** What a provider shows from a time on; the request arrives late, after every answer was given up. */
const arrivingAt = (at: number) =>
  Effect.map(
    TestProvider,
    (provider): PaymentProvider => ({
      ...provider,
      code: "late",
      lookup: (account, name) =>
        Effect.flatMap(
          Effect.clockWith((clock) => clock.currentTimeMillis),
          (now) => (now < at ? Effect.succeed<ChargeFound>({ _tag: "Absent" }) : provider.lookup(account, name))
        )
    })
  )

layer(operatedShop)("a charge that the provider does not know", (it) => {
  it.effect("is not absent while a request may still be on its way: it is found once the provider shows it", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      expect(yield* charged(shop, "unseen")).toEqual({ _tag: "Unknown" })
      yield* passAfter(4 * second)
      expect(yield* rowsOf(shop)).toEqual(["authorize calling 0/0 open"])
      expect(yield* logOf(shop)).toEqual([])
      yield* passAfter(10 * second)
      expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
      expect(calls.get("authorize")).toBe(1)
    })
  )

  it.effect("is looked at right when the provider's settling time is over", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      setUp.more = [{ ...(yield* TestProvider), code: "slow", settling: 60 * second }]
      const begun = yield* beginCharge(shop, "approve", "slow")
      yield* shop.operations.run(shop.store, begun).pipe(crashingAt("payment.begun"))
      yield* passAfter(5 * second)
      expect(yield* waitOf(shop)).toBe(55 * second)
      yield* passAfter(54 * second)
      expect(yield* rowsOf(shop)).toEqual(["authorize calling 0/0 open"])
      yield* passAfter(second)
      expect(yield* rowsOf(shop)).toEqual(["authorize absent 0/0 open"])
      expect(yield* logOf(shop)).toEqual(["authorize absent was calling"])
    }).pipe(exactly)
  )

  it.effect("is looked for again after an hour and after a day, and then no more", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "unreachable")
      yield* passAfter(5 * second)
      expect(yield* rowsOf(shop)).toEqual(["authorize absent 0/0 open"])
      expect([yield* waitOf(shop), calls.get("lookup")]).toEqual([hour, 1])
      yield* passAfter(hour)
      expect(calls.get("lookup")).toBe(2)
      expect(yield* waitOf(shop)).toBe(23 * hour - 5 * second - 1)
      yield* passAfter(23 * hour)
      expect(calls.get("lookup")).toBe(3)
      expect(yield* rowsOf(shop)).toEqual(["authorize absent 0/0"])
      yield* passesFor(2 * day, day / 2)
      expect(calls.get("lookup")).toBe(3)
    }).pipe(exactly)
  )

  it.effect("is looked for after a day also where the provider was down in between", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "unreachable")
      yield* passAfter(5 * second)
      yield* silence(2 * hour)
      yield* passesFor(3 * hour, hour / 4)
      expect(yield* rowsOf(shop)).toEqual(["authorize absent 0/0 open"])
      const asked = calls.get("lookup") ?? 0
      yield* passAfter(22 * hour)
      expect(calls.get("lookup")).toBe(asked + 1)
      expect(yield* rowsOf(shop)).toEqual(["authorize absent 0/0"])
    })
  )

  describe("and that turns up", () => {
    for (const [when, after] of [
      ["an hour", hour],
      ["a day", day]
    ] as const) {
      it.effect(`after ${when} is late money: an order, where its room still wants it`, () =>
        Effect.gen(function* () {
          const shop = yield* operated
          const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
          setUp.more = [yield* arrivingAt(now + after - lease)]
          yield* charged(shop, "lost", "late")
          yield* passAfter(lease)
          expect(yield* rowsOf(shop)).toEqual(["authorize absent 0/0 open"])
          yield* passesFor(day + hour, hour / 2)
          expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
          expect(yield* logOf(shop)).toEqual(["authorize absent was calling", "authorize 2500/0 late"])
          expect(calls.get("authorize")).toBe(1)
        })
      )
    }

    it.effect("where nobody wants it any more is refunded", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        setUp.more = [yield* arrivingAt(now + hour - lease)]
        yield* charged(shop, "lost", "late")
        yield* passAfter(lease)
        yield* wantNothing(shop)
        yield* passesFor(2 * hour, hour / 2)
        expect(yield* rowsOf(shop)).toEqual(["authorize refunded 2500/2500"])
        expect(yield* chargeOf(shop)).toEqual({ status: "captured", captured: 2_500n, refunded: 2_500n })
        expect(yield* logOf(shop)).toEqual(["authorize absent was calling", "gone back 2500"])
      })
    )

    it.effect("as one that waits for the shopper is looked at less and less often, not at every pass", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        setUp.more = [yield* arrivingAt(now + hour / 2)]
        const begun = yield* beginCharge(shop, "redirect", "late")
        yield* shop.operations.run(shop.store, begun).pipe(crashingAt("payment.answered"))
        yield* passAfter(lease)
        expect(yield* rowsOf(shop)).toEqual(["authorize absent 0/0 open"])
        const { sql, write } = yield* Database
        yield* write(shop.store.id)(sql`UPDATE test_charge SET expires_at = NULL WHERE store_id = ${shop.store.id}`)
        yield* passAfter(hour)
        expect(calls.get("lookup")).toBe(1)
        yield* passesFor(hour, hour / 60)
        expect(yield* rowsOf(shop)).toEqual(["authorize absent 0/0 open"])
        expect(calls.get("lookup")).toBe(5)
      }).pipe(exactly)
    )
  })

  it.effect("may be requested again under its key, and is then one charge", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "unreachable")
      yield* passAfter(lease)
      expect(yield* rowsOf(shop)).toEqual(["authorize absent 0/0 open"])
      yield* shop.operations.run(shop.store, yield* beginCharge(shop, "approve"), "at once")
      yield* passesFor(2 * day, day / 2)
      expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
      expect(yield* logOf(shop)).toEqual(["authorize absent was calling", "authorize 2500/0 at once"])
    })
  )
})
