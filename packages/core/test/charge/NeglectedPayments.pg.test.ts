/** What cannot be settled is reported: after an hour, or at once where time does not mend it; once, and until it is settled. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/database/Database.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import {
  attentionOf,
  beginChange,
  calls,
  charged,
  chargeOf,
  happens,
  logOf,
  noticed,
  operated,
  operatedShop,
  type Operated,
  passAfter,
  passesFor,
  room,
  rowsOf,
  setUp,
  silence
} from "./operatedShop.ts"

const [minute, hour] = [60_000, 3_600_000]
const day = 24 * hour

interface Told {
  readonly paymentId: string
  readonly payment: Record<string, string>
}
/** The events that ask for a person. */
const toldOf = ({ store }: Operated) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      sql<{ data: Told }>`SELECT data FROM event WHERE store_id = ${store.id} AND type = 'payment.needs_attention'
        ORDER BY id`,
      (rows) => rows.map(({ data: { payment } }) => `${payment["kind"]} ${payment["amount"]} ${payment["reason"]}`)
    )
  )

layer(operatedShop)("a payment that needs a person", (it) => {
  describe("because it cannot be settled", () => {
    it.effect("is reported by one event after an hour, and is no longer marked once it is settled", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        room.waits = day
        yield* charged(shop, "lost")
        yield* silence(3 * hour)
        yield* passesFor(59 * minute, minute)
        expect([yield* attentionOf(shop), yield* toldOf(shop)]).toEqual([[], []])
        yield* passesFor(10 * minute, 2 * minute)
        const reason = "The provider did not answer in time"
        expect(yield* attentionOf(shop)).toEqual([reason])
        expect(yield* toldOf(shop)).toEqual([`authorize 25.00 ${reason}`])
        yield* passesFor(2 * hour, 5 * minute)
        expect(yield* toldOf(shop)).toHaveLength(1)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(yield* attentionOf(shop)).toEqual([])
      })
    )

    it.effect("is reported where it is a pending refund that the provider has lost", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "refund_pends")
        yield* shop.operations.run(shop.store, yield* beginChange(shop, "refund", 700n))
        expect((yield* rowsOf(shop)).at(-1)).toBe("refund pending 2500/0 open")
        yield* passesFor(5 * hour, hour)
        expect(yield* attentionOf(shop)).toEqual([])
        const { sql, write } = yield* Database
        yield* write(shop.store.id)(sql`UPDATE test_charge SET changes = '[]' WHERE store_id = ${shop.store.id}`)
        yield* passesFor(12 * hour, hour)
        expect(yield* attentionOf(shop)).toEqual(["the provider does not have it yet"])
        expect((yield* toldOf(shop)).length).toBe(1)
        expect(calls.get("refund")).toBe(1)
      })
    )

    it.effect(
      "is not reported while it waits for nothing but time: the shopper, the bank, money that is on its way",
      () =>
        Effect.gen(function* () {
          const shop = yield* operated
          yield* charged(shop, "pending")
          yield* passesFor(3 * day, 6 * hour)
          expect([yield* attentionOf(shop), yield* toldOf(shop)]).toEqual([[], []])
        })
    )
  })

  describe("because the provider speaks of something else", () => {
    for (const [what, reference, found] of [
      ["sum", "wrong_amount", "25.01 USD"],
      ["currency", "wrong_currency", "25.00 EUR"]
    ] as const)
      it.effect(`is reported at once, and nothing of it is booked: another ${what}`, () =>
        Effect.gen(function* () {
          const shop = yield* operated
          const reason = `test has ${found} where 25.00 USD was asked for`
          expect(yield* charged(shop, reference)).toEqual({ _tag: "Mismatched" })
          expect(yield* rowsOf(shop)).toEqual(["authorize calling 0/0 open"])
          expect(yield* attentionOf(shop)).toEqual([reason])
          expect(yield* toldOf(shop)).toEqual([`authorize 25.00 ${reason}`])
          expect(yield* logOf(shop)).toEqual([])
          // Neither notices nor looks change that, nor report it again.
          yield* noticed(yield* (yield* TestProvider).notice(shop.store.id, [shop.subjectId]))
          yield* passesFor(2 * day, day / 2)
          expect(yield* rowsOf(shop)).toEqual(["authorize calling 0/0 open"])
          expect([yield* toldOf(shop), yield* logOf(shop)]).toEqual([[`authorize 25.00 ${reason}`], []])
          expect([calls.get("authorize"), calls.get("refund")]).toEqual([1, undefined])
          expect((yield* chargeOf(shop))?.captured).toBeGreaterThan(0n)
        })
      )

    it.effect("is settled once that was mended, and is then no longer marked", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "wrong_currency")
        const { sql, write } = yield* Database
        yield* write(shop.store.id)(sql`UPDATE test_charge SET currency = 'USD' WHERE store_id = ${shop.store.id}`)
        yield* passAfter(day)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(yield* attentionOf(shop)).toEqual([])
      })
    )

    it.effect("after it was taken in is reported too, and the books stay", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        const { sql, write } = yield* Database
        yield* write(shop.store.id)(sql`UPDATE test_charge SET currency = 'EUR' WHERE store_id = ${shop.store.id}`)
        yield* noticed(yield* happens(shop, "captured"))
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0 open"])
        expect(yield* attentionOf(shop)).toEqual(["test has 25.00 EUR where 25.00 USD was asked for"])
        expect(yield* logOf(shop)).toEqual(["authorize 0/0 late"])
      })
    )
  })

  describe("because what nobody wants cannot be given back", () => {
    it.effect("is reported: a refund that is refused, after an hour; asked for with one key", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { sql, write } = yield* Database
        yield* write(shop.store.id)(sql`UPDATE test_subject SET wants = false WHERE store_id = ${shop.store.id}`)
        yield* charged(shop, "refund_refused")
        yield* passesFor(70 * minute, 5 * minute)
        expect(yield* attentionOf(shop)).toEqual(["The account has too little money for the refund"])
        expect(yield* rowsOf(shop)).toEqual(["authorize refund_due 2500/0 open"])
        const [row] = yield* sql<{ keys: string }>`SELECT refund_key AS keys FROM provider_operation
          WHERE store_id = ${shop.store.id}`
        expect(row?.keys).toMatch(/^refund:pop_[^:]+$/)
      })
    )

    it.effect("is reported: after three refunds that the bank has sent back, no fourth is made", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { sql, write } = yield* Database
        yield* write(shop.store.id)(sql`UPDATE test_subject SET wants = false WHERE store_id = ${shop.store.id}`)
        yield* charged(shop, "refund_fails")
        yield* passesFor(3 * day, 2 * hour)
        expect(calls.get("refund")).toBe(3)
        expect(yield* attentionOf(shop)).toEqual(["3 refunds of it have failed at the provider"])
        expect(yield* toldOf(shop)).toHaveLength(1)
      })
    )

    it.effect("is reported: money that was captured, of a charge that the provider does not know any more", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const provider = yield* TestProvider
        setUp.more = [{ ...provider, code: "amnesic" }]
        const { sql, write } = yield* Database
        yield* write(shop.store.id)(sql`UPDATE test_subject SET wants = false WHERE store_id = ${shop.store.id}`)
        yield* charged(shop, "approve", "amnesic")
        setUp.more = [{ ...provider, code: "amnesic", lookup: () => Effect.succeed({ _tag: "Absent" }) }]
        yield* passesFor(3 * day, 12 * hour)
        expect(yield* rowsOf(shop)).toEqual(["authorize refund_due 2500/0 open"])
        expect(yield* attentionOf(shop)).toEqual(["amnesic does not know the charge any more that it captured"])
      })
    )
  })
})
