/** A capture, a void or a refund happens once, whatever becomes of the answer, of the key and of this process. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PaymentUnanswered } from "../../src/payment/PaymentErrors.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import {
  attentionOf,
  beginChange,
  beginCharge,
  calls,
  charged,
  chargeOf,
  counted,
  crashingAt,
  exactly,
  happens,
  keyOf,
  lease,
  logOf,
  noticed,
  operated,
  operatedShop,
  type Operated,
  pass,
  passAfter,
  passesFor,
  room,
  rowsOf,
  setUp,
  silence,
  waitOf,
  wantNothing
} from "./operatedShop.ts"

const hour = 3_600_000
const day = 24 * hour

const changed = (shop: Operated, kind: "capture" | "void" | "refund", amount: bigint) =>
  Effect.flatMap(beginChange(shop, kind, amount), (begun) => shop.operations.run(shop.store, begun))
const neverSent = (shop: Operated) =>
  Effect.flatMap(beginChange(shop, "refund", 700n), (begun) =>
    shop.operations.run(shop.store, begun).pipe(crashingAt("payment.begun"))
  )
/** What the newest operation is, what the provider has, and how often it was asked. */
const standing = Effect.fnUntraced(function* (shop: Operated, kind: string) {
  const books = yield* chargeOf(shop)
  return [(yield* rowsOf(shop)).at(-1), books?.captured, books?.refunded, calls.get(kind), calls.get("lookupChange")]
})

layer(operatedShop)("a change of a charge", (it) => {
  describe("whose answer is lost", () => {
    for (const [kind, reference, amount, row, captured, refunded] of [
      ["capture", "capture_lost", 1_000n, "capture succeeded 1000/0", 1_000n, 0n],
      ["refund", "refund_lost", 700n, "refund succeeded 2500/700", 2_500n, 700n],
      ["void", "void_lost", 0n, "void succeeded 0/0", 0n, 0n]
    ] as const) {
      const done = [row, captured, refunded, 1, 1]

      it.effect(`is found at the provider and not asked for again: a ${kind}`, () =>
        Effect.gen(function* () {
          const shop = yield* operated
          yield* charged(shop, reference)
          expect(yield* changed(shop, kind, amount)).toEqual({ _tag: "Unknown" })
          expect((yield* rowsOf(shop)).at(-1)).toBe(`${kind} calling 0/0 open`)
          yield* passAfter(lease)
          yield* passesFor(hour)
          expect(yield* standing(shop, kind)).toEqual(done)
        })
      )

      it.effect(`is not done again although the provider has forgotten the key: a ${kind}`, () =>
        Effect.gen(function* () {
          const shop = yield* operated
          yield* charged(shop, reference)
          yield* changed(shop, kind, amount)
          yield* (yield* TestProvider).forget(shop.store.id, keyOf(shop))
          yield* passAfter(lease)
          yield* passesFor(hour)
          expect(yield* standing(shop, kind)).toEqual(done)
        })
      )
    }

    it.effect("is found when the provider speaks again, after more than a day of silence", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "refund_lost")
        yield* changed(shop, "refund", 700n)
        yield* silence(day + hour)
        yield* passesFor(day)
        expect((yield* rowsOf(shop)).at(-1)).toBe("refund calling 0/0 open")
        yield* passesFor(2 * hour)
        const books = yield* chargeOf(shop)
        expect([(yield* rowsOf(shop)).at(-1), books?.refunded, calls.get("refund")]).toEqual([
          "refund succeeded 2500/700",
          700n,
          1
        ])
      })
    )
  })

  describe("that never reached the provider", () => {
    it.effect("is asked for once more, under its key, while the provider recognises that", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "approve")
        yield* neverSent(shop)
        yield* silence(2 * hour)
        yield* passesFor(3 * hour)
        const [row, , refunded, asked] = yield* standing(shop, "refund")
        expect([row, refunded, asked]).toEqual(["refund succeeded 2500/700", 700n, 1])
      })
    )

    it.effect(
      "is looked up and never asked for once the key's lifetime is over: it has failed, and nothing moved",
      () =>
        Effect.gen(function* () {
          const shop = yield* operated
          yield* charged(shop, "approve")
          yield* neverSent(shop)
          yield* silence(day)
          yield* passesFor(day + hour)
          const [row, , refunded, asked] = yield* standing(shop, "refund")
          expect([row, refunded, asked]).toEqual(["refund failed 0/0", 0n, undefined])
          expect((yield* logOf(shop))?.at(-1)).toBe("refund failed was calling")
        })
    )

    it.effect("is not asked for while the first request may still be on its way", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        setUp.more = [{ ...(yield* TestProvider), code: "slow", settling: 60_000 }]
        yield* charged(shop, "approve", "slow")
        yield* neverSent(shop)
        yield* passAfter(lease)
        expect(yield* standing(shop, "refund")).toEqual(["refund calling 0/0 open", 2_500n, 0n, undefined, 1])
        yield* passAfter(lease)
        expect(yield* standing(shop, "refund")).toEqual(["refund succeeded 2500/700", 2_500n, 700n, 1, 2])
      })
    )
  })

  describe("that was answered", () => {
    it.effect("is settled with the stored answer after a crash, although the provider is down by then", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "approve")
        const begun = yield* beginChange(shop, "refund", 700n)
        yield* shop.operations.run(shop.store, begun).pipe(crashingAt("payment.answer-kept"))
        yield* silence(day)
        yield* passAfter(lease)
        expect(yield* standing(shop, "refund")).toEqual(["refund succeeded 2500/700", 2_500n, 700n, 1, undefined])
        yield* silence(0)
      })
    )

    it.effect("brings its charge's books along, also where the process died right after it was settled", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "approve")
        const begun = yield* beginChange(shop, "refund", 700n)
        yield* shop.operations.run(shop.store, begun).pipe(crashingAt("payment.concluded"))
        yield* passAfter(lease)
        yield* passAfter(lease)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/700", "refund succeeded 2500/700"])
        expect((yield* logOf(shop))?.slice(1)).toEqual(["refund 2500/700 late", "told captured 2500/700"])
      })
    )

    it.effect("goes to the room again and again, less and less often, where the room fails; nobody else is asked", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "approve")
        room.fails = true
        expect(yield* changed(shop, "refund", 700n)).toEqual({ _tag: "Unknown" })
        const waits: Array<number | undefined> = []
        for (let n = 0; n < 8; n += 1) {
          const wait = yield* waitOf(shop, "refund")
          waits.push(wait)
          yield* passAfter(wait ?? 0)
        }
        expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000])
        room.fails = false
        yield* passAfter(300_000)
        expect(yield* standing(shop, "refund")).toEqual(["refund succeeded 2500/700", 2_500n, 700n, 1, undefined])
        expect((yield* logOf(shop))?.slice(1)).toEqual(["refund 2500/700 late", "told captured 2500/700"])
      }).pipe(exactly)
    )
  })

  describe("a charge", () => {
    it.effect("whose room fails is settled from the answer; after its deadline the money is refunded, once", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        room.fails = true
        yield* shop.operations.run(shop.store, yield* beginCharge(shop, "approve"))
        yield* passesFor(hour / 2)
        expect(yield* rowsOf(shop)).toEqual(["authorize calling 0/0 open"])
        expect([calls.get("authorize"), calls.get("lookup")]).toEqual([1, undefined])
        yield* passesFor(hour)
        expect(yield* rowsOf(shop)).toEqual(["authorize refunded 2500/2500"])
        expect(yield* chargeOf(shop)).toEqual({ status: "captured", captured: 2_500n, refunded: 2_500n })
        expect([calls.get("authorize"), calls.get("refund")]).toEqual([1, 1])
        expect(yield* logOf(shop)).toEqual(["authorize unwanted was calling", "gone back 2500"])
      })
    )

    it.effect("that nobody wants is refunded once, although the refund's answer is lost and its key forgotten", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* wantNothing(shop)
        yield* charged(shop, "refund_lost")
        yield* pass
        expect(yield* rowsOf(shop)).toEqual(["authorize refund_due 2500/0 open"])
        yield* (yield* TestProvider).forget(shop.store.id, keyOf(shop))
        yield* passesFor(hour)
        expect(yield* rowsOf(shop)).toEqual(["authorize refunded 2500/2500"])
        expect(yield* chargeOf(shop)).toEqual({ status: "captured", captured: 2_500n, refunded: 2_500n })
        expect(calls.get("refund")).toBe(1)
        expect(yield* logOf(shop)).toEqual(["authorize unwanted was calling", "gone back 2500"])
      })
    )

    it.effect("that nobody wants and that comes in parts goes back in parts, each once", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* wantNothing(shop)
        yield* charged(shop, "lost")
        yield* happens(shop, "refunded", 400n)
        yield* passAfter(lease)
        yield* passesFor(hour)
        expect(yield* rowsOf(shop)).toEqual(["authorize refunded 2500/2500"])
        expect([(yield* chargeOf(shop))?.refunded, calls.get("refund")]).toEqual([2_500n, 1])
        // The bank sends our refund back: it is made again, under another key.
        yield* noticed(yield* happens(shop, "refund_failed"))
        expect(yield* rowsOf(shop)).toEqual(["authorize refund_due 2500/400 open"])
        yield* passesFor(hour)
        expect(yield* rowsOf(shop)).toEqual(["authorize refunded 2500/2500"])
        expect([(yield* chargeOf(shop))?.refunded, calls.get("refund")]).toEqual([2_500n, 2])
      })
    )

    it.effect("that nobody wants is refunded as far as it has come, and the rest when that comes", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "redirect")
        yield* wantNothing(shop)
        yield* noticed(yield* happens(shop, "captured", 1_000n))
        yield* passesFor(hour)
        expect(yield* rowsOf(shop)).toEqual(["authorize refunded 1000/1000"])
        yield* noticed(yield* happens(shop, "captured"))
        yield* passesFor(hour)
        expect(yield* rowsOf(shop)).toEqual(["authorize refunded 2500/2500"])
        expect([(yield* chargeOf(shop))?.refunded, calls.get("refund")]).toEqual([2_500n, 2])
      })
    )

    it.effect("that nobody wants is not refunded again under a key that the provider may have forgotten", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const provider = yield* TestProvider
        // The first request is lost on its way.
        const refund = () => Effect.fail(new PaymentUnanswered({ reason: "the line is dead" }))
        setUp.more = [counted({ ...provider, code: "far", refund })]
        yield* wantNothing(shop)
        yield* charged(shop, "approve", "far")
        yield* pass
        expect(calls.get("refund")).toBe(1)
        setUp.more = [counted({ ...provider, code: "far" })]
        yield* passAfter(day)
        yield* passesFor(3 * hour)
        expect(yield* rowsOf(shop)).toEqual(["authorize refund_due 2500/0 open"])
        expect([(yield* chargeOf(shop))?.refunded, calls.get("refund")]).toEqual([0n, 1])
        expect(yield* attentionOf(shop)).toEqual([
          "the refund was asked for long ago, and the provider has no trace of it"
        ])
      })
    )
  })
})
