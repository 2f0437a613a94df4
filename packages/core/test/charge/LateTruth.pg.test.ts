/** What comes after a charge was given up, or while its room fails: it is taken in once, and nothing is forgotten. */
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PaymentFailed } from "../../src/payment/PaymentErrors.ts"
import type { PaymentProvider } from "../../src/payment/PaymentProvider.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import {
  attentionOf,
  charged,
  chargeOf,
  exactly,
  happens,
  logOf,
  noticed,
  operated,
  operatedShop,
  passAfter,
  passesFor,
  room,
  rowsOf,
  setUp,
  silence,
  waitOf,
  wantNothing
} from "./operatedShop.ts"

const [minute, hour] = [60_000, 3_600_000]

layer(operatedShop)("a charge that was given up", (it) => {
  for (const via of ["its notice", "a look"] as const)
    it.effect(`and is reserved after all stays reserved for its order: learned by ${via}`, () =>
      Effect.gen(function* () {
        const shop = yield* operated
        room.waits = 10 * minute
        yield* charged(shop, "redirect")
        yield* silence(30 * minute)
        yield* passesFor(20 * minute, minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize failed 0/0 open"])
        const notice = yield* happens(shop, "authorized")
        yield* silence(0)
        if (via === "its notice") yield* noticed(notice)
        yield* passesFor(2 * hour, 5 * minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0 open"])
        expect((yield* logOf(shop))?.slice(0, 2)).toEqual([
          "authorize failed was awaiting_shopper",
          "authorize 0/0 late"
        ])
        expect(yield* chargeOf(shop)).toMatchObject({ status: "authorized" })
      })
    )

  it.effect("is voided until the company says that it is, not only until it has answered", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      room.waits = 10 * minute
      const provider = yield* TestProvider
      let left = 2
      /** Takes the request in, and does it some time later. */
      const slow: PaymentProvider = {
        ...provider,
        code: "slow",
        void: (change) =>
          Effect.flatMap(provider.lookup(change.account, { key: change.chargeKey, externalId: null }), (found) => {
            left -= 1
            return left >= 0 && found._tag === "Found" ? Effect.succeed(found.charge) : provider.void(change)
          })
      }
      setUp.more = [slow]
      yield* charged(shop, "redirect", "slow")
      yield* passesFor(16 * minute, minute)
      expect(yield* rowsOf(shop)).toEqual(["authorize failed 0/0 open"])
      yield* passesFor(30 * minute, minute)
      expect(yield* rowsOf(shop)).toEqual(["authorize failed 0/0"])
      expect(yield* chargeOf(shop)).toMatchObject({ status: "voided" })
    })
  )

  it.effect("and cannot be found calls for nobody, although the company refuses to void what it does not have", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      room.waits = 10 * minute
      const provider = yield* TestProvider
      const strict = { ...provider, code: "strict" }
      setUp.more = [strict]
      yield* charged(shop, "redirect", "strict")
      setUp.more = [
        {
          ...strict,
          lookup: () => Effect.succeed({ _tag: "Absent" }),
          void: () => Effect.fail(new PaymentFailed({ reason: "no such charge" }))
        }
      ]
      yield* passesFor(9 * minute, minute)
      expect(yield* rowsOf(shop)).toEqual(["authorize awaiting_shopper 0/0 open"])
      yield* passesFor(2 * minute, minute)
      expect(yield* rowsOf(shop)).toEqual(["authorize failed 0/0 open"])
      expect(yield* logOf(shop)).toEqual(["authorize failed was awaiting_shopper"])
      yield* passesFor(23 * hour, 5 * minute)
      expect(yield* attentionOf(shop)).toEqual([])
      yield* passesFor(24 * hour, hour)
      expect(yield* rowsOf(shop)).toEqual(["authorize failed 0/0"])
    }).pipe(exactly)
  )
})

layer(operatedShop)("a room that fails", (it) => {
  it.effect(
    "to follow a charge that it has accepted is asked less and less often, for good, and a person hears of it",
    () =>
      Effect.gen(function* () {
        const shop = yield* operated
        room.waits = 10 * minute
        yield* charged(shop, "pending")
        yield* passesFor(20 * minute, minute)
        yield* happens(shop, "captured")
        room.forgets = true
        yield* passesFor(2 * hour, minute)
        expect(yield* attentionOf(shop)).toEqual(["its outcome could not be recorded"])
        room.forgets = false
        yield* passAfter(5 * minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(yield* attentionOf(shop)).toEqual([])
      }).pipe(exactly)
  )

  it.effect("to hear that unwanted money is back is told again, less and less often, and a person hears of it", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* wantNothing(shop)
      yield* charged(shop, "approve")
      room.forgets = true
      yield* passesFor(2 * hour, minute)
      expect(yield* rowsOf(shop)).toEqual(["authorize refund_due 2500/0 open"])
      expect(yield* chargeOf(shop)).toMatchObject({ refunded: 2_500n })
      expect(yield* waitOf(shop)).toBeGreaterThan(minute)
      expect(yield* attentionOf(shop)).toEqual(["its outcome could not be recorded"])
      room.forgets = false
      yield* passAfter(5 * minute)
      expect(yield* rowsOf(shop)).toEqual(["authorize refunded 2500/2500"])
    }).pipe(exactly)
  )
})
