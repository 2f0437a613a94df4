/** Whatever order notices come in, how often, and which are lost: the books come to what the provider has. */
import { expect, layer } from "@effect/vitest"
import { Effect, Random } from "effect"
import type { RawNotice } from "../../src/payment/PaymentProvider.ts"
import type { TestEvent } from "../../src/testpayment/TestEvents.ts"
import {
  beginChange,
  charged,
  chargeOf,
  happens,
  logOf,
  noticed,
  operated,
  operatedShop,
  type Operated,
  passAfter,
  rowsOf
} from "./operatedShop.ts"

const events: ReadonlyArray<TestEvent> = [
  "captured",
  "captured",
  "refunded",
  "refunded",
  "refund_failed",
  "refund_succeeded",
  "disputed",
  "dispute_won",
  "dispute_lost"
]
const day = 24 * 3_600_000

const oneOf = <A>(all: ReadonlyArray<A>) => Effect.map(Random.nextIntBetween(0, all.length - 1), (n) => all[n] as A)

/** A refund of ours, where there is something to refund. */
const refundedByUs = (shop: Operated) =>
  Effect.gen(function* () {
    const begun = yield* Effect.option(beginChange(shop, "refund", 300n))
    if (begun._tag === "Some") yield* shop.operations.run(shop.store, begun.value)
  })

/** Things happen to a charge; of each a notice is sent, which comes now, later, twice or never. */
const history = Effect.fnUntraced(function* (shop: Operated) {
  const underWay: Array<RawNotice> = []
  for (let n = 0; n < 8; n += 1) {
    const amount = BigInt(yield* Random.nextIntBetween(100, 1_500))
    if ((yield* Random.next) < 0.2) yield* refundedByUs(shop)
    const raw = yield* happens(shop, yield* oneOf(events), amount)
    if ((yield* Random.next) < 0.8) underWay.push(raw)
    while (underWay.length > 0 && (yield* Random.next) < 0.5) {
      const next = yield* oneOf(underWay)
      yield* noticed(next)
      if ((yield* Random.next) < 0.7) underWay.splice(underWay.indexOf(next), 1)
    }
    if ((yield* Random.next) < 0.2) yield* passAfter(60_000)
  }
  for (const raw of yield* Random.shuffle(underWay)) yield* noticed(raw)
})

layer(operatedShop)("the books of a charge", (it) => {
  it.effect.each(Array.from({ length: 15 }, (_, n) => n + 1))(
    "are the provider's in the end, with notices in any order (seed %i)",
    (seed) =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, seed % 2 === 0 ? "pending" : "authorize")
        yield* history(shop)
        const last = yield* happens(shop, "captured")
        yield* noticed(last)
        for (let n = 0; n < 3; n += 1) yield* passAfter(2 * day)
        const books = yield* chargeOf(shop)
        const sums = `${books?.captured}/${books?.refunded}`
        expect(yield* rowsOf(shop)).toContainEqual(expect.stringMatching(`^authorize succeeded ${sums}( open)?$`))
        expect((yield* rowsOf(shop)).filter((row) => /^refund (calling|pending)/.test(row))).toEqual([])
        const told = (yield* logOf(shop))?.filter((line) => line.startsWith("told"))
        expect(told?.at(-1)).toMatch(new RegExp(` ${sums}$`))
      }).pipe(Random.withSeed(`books ${seed}`))
  )
})
