/** An operation is of one account: where that is not set up any more, nobody else is asked in its place. */
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PaymentMethodUnavailable } from "../../src/payment/PaymentErrors.ts"
import {
  attentionOf,
  beginChange,
  calls,
  charged,
  crashingAt,
  logOf,
  noticed,
  happens,
  operated,
  operatedShop,
  passAfter,
  passesFor,
  room,
  rowsOf,
  setUp
} from "./operatedShop.ts"

const [minute, hour] = [60_000, 3_600_000]
const notSetUp = "the provider test is not set up for this account any more"

layer(operatedShop)("an operation whose account is not set up any more", (it) => {
  it.effect(
    "is looked up nowhere else, waits, needs attention after an hour, and goes on when the account is back",
    () =>
      Effect.gen(function* () {
        const shop = yield* operated
        room.waits = 24 * hour
        yield* charged(shop, "lost")
        setUp.gone.add("test")
        yield* passesFor(50 * minute, 5 * minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize calling 0/0 open"])
        expect(yield* attentionOf(shop)).toEqual([])
        yield* passesFor(20 * minute, 5 * minute)
        expect(yield* attentionOf(shop)).toEqual([notSetUp])
        expect([calls.get("lookup"), calls.get("authorize")]).toEqual([undefined, 1])
        setUp.gone.clear()
        yield* passAfter(5 * minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(yield* attentionOf(shop)).toEqual([])
      })
  )

  it.effect("also where it is a refund under way", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "approve")
      const begun = yield* beginChange(shop, "refund", 700n)
      yield* shop.operations.run(shop.store, begun).pipe(crashingAt("payment.begun"))
      setUp.gone.add("test")
      yield* passesFor(70 * minute, 5 * minute)
      expect(yield* attentionOf(shop)).toEqual([notSetUp])
      expect([calls.get("refund"), calls.get("lookupChange")]).toEqual([undefined, undefined])
      setUp.gone.clear()
      yield* passAfter(5 * minute)
      expect((yield* rowsOf(shop)).at(-1)).toBe("refund succeeded 2500/700")
    })
  )

  it.effect("and where it is a charge that is watched: an hour after it was first due, not at once", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "pending")
      yield* passesFor(10 * hour, hour / 2)
      setUp.gone.add("test")
      yield* passesFor(10 * hour, hour)
      yield* passesFor(50 * minute, 10 * minute)
      const before = yield* attentionOf(shop)
      yield* passesFor(2 * hour, 10 * minute)
      expect([before.length <= 1, yield* attentionOf(shop)]).toEqual([true, [notSetUp]])
      expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0 open"])
    })
  )

  it.effect("begins no change, and a notice about it stays open", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "pending")
      const raw = yield* happens(shop, "captured")
      setUp.gone.add("test")
      expect(yield* Effect.flip(beginChange(shop, "capture", 1n))).toEqual(
        new PaymentMethodUnavailable({ paymentMethod: "test" })
      )
      expect(yield* noticed(raw)).toBe(false)
      expect(yield* logOf(shop)).toEqual(["authorize 0/0 late"])
      setUp.gone.clear()
      yield* passAfter(minute)
      expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
    })
  )

  it.effect("no longer keeps a shopper waiting: it is given up at its deadline", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      room.waits = 10 * minute
      yield* charged(shop, "redirect")
      setUp.gone.add("test")
      yield* passesFor(20 * minute, minute)
      expect(yield* logOf(shop)).toEqual(["authorize failed was awaiting_shopper"])
      expect(yield* rowsOf(shop)).toEqual(["authorize failed 0/0 open"])
    })
  )
})
