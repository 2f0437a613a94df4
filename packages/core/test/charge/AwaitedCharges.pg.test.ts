/** A charge that begins before the shopper pays: on a page of the provider, or in its form. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/database/Database.ts"
import { ChargeLooks } from "../../src/charge/ChargeLooks.ts"
import { Charges } from "../../src/charge/Charges.ts"
import {
  attentionOf,
  beginCharge,
  calls,
  charged,
  chargeOf,
  crashingAt,
  exactly,
  happens,
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
  silence,
  waitOf,
  wantNothing
} from "./operatedShop.ts"

const [minute, hour] = [60_000, 3_600_000]

const nextActionOf = ({ store, subjectId }: Operated) =>
  Effect.flatMap(Charges, (charges) =>
    Effect.map(charges.openOf(store.id, subjectId), (open) => open?.nextAction ?? undefined)
  )
const comesBack = ({ store, subjectId }: Operated) =>
  Effect.flatMap(ChargeLooks, (looks) => looks.lookOnReturn(store, subjectId))
const chargesOf = ({ subjectId }: Operated) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(sql`SELECT 1 FROM test_charge WHERE checkout_id = ${subjectId}`, ({ length }) => length)
  )

layer(operatedShop)("a charge that waits for the shopper", (it) => {
  describe("begins", () => {
    it.effect("with what the shopper has to do next, which is stored sealed and given to the next request again", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const settled = yield* charged(shop, null)
        const nextAction = settled._tag === "AwaitsShopper" ? settled.nextAction : null
        expect(nextAction).toEqual({ redirectUrl: null, clientSecret: expect.stringMatching(/^tch_.+_secret_/) })
        expect(yield* rowsOf(shop)).toEqual(["authorize awaiting_shopper 0/0 open"])
        expect(yield* nextActionOf(shop)).toEqual(nextAction)
        const { sql } = yield* Database
        const [stored] = yield* sql<{ row: string }>`SELECT to_jsonb(o)::text AS row FROM provider_operation o
          WHERE subject_id = ${shop.subjectId}`
        expect(stored?.row).not.toContain("_secret_")
        expect(yield* logOf(shop)).toEqual([])
      })
    )

    it.effect("on a page of the provider", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const settled = yield* charged(shop, "redirect")
        expect(settled).toMatchObject({ _tag: "AwaitsShopper" })
        expect((yield* nextActionOf(shop))?.redirectUrl).toMatch(/^https:\/\/test-payments\.invalid\/pay\/tch_/)
      })
    )

    it.effect("also where the process dies with the answer stored: the shopper is still told where to pay", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const begun = yield* beginCharge(shop, null)
        yield* shop.operations.run(shop.store, begun).pipe(crashingAt("payment.answer-kept"))
        yield* passAfter(lease)
        expect(yield* rowsOf(shop)).toEqual(["authorize awaiting_shopper 0/0 open"])
        expect((yield* nextActionOf(shop))?.clientSecret).toContain("_secret_")
      })
    )
  })

  describe("goes on", () => {
    it.effect("under the same key when the storefront sends what the shopper paid by: one charge, once", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, null)
        const paid = yield* shop.operations.run(shop.store, yield* beginCharge(shop, "approve"), "at once")
        expect(paid).toEqual({ _tag: "Accepted", result: "authorize 2500/0 at once" })
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(yield* chargeOf(shop)).toEqual({ status: "captured", captured: 2_500n, refunded: 0n })
        expect(yield* chargesOf(shop)).toBe(1)
        expect(yield* nextActionOf(shop)).toBeUndefined()
      })
    )

    it.effect("and is declined with a code that a shopper may read", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, null)
        const declined = yield* shop.operations.run(shop.store, yield* beginCharge(shop, "insufficient_funds"))
        expect(declined).toMatchObject({ _tag: "Refused", state: "declined", code: "insufficient_funds" })
        expect(yield* rowsOf(shop)).toEqual(["authorize declined 0/0"])
        expect(yield* logOf(shop)).toEqual(["authorize declined was calling"])
      })
    )

    it.effect("from where it was, if the process dies before the provider heard of it", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, null)
        const begun = yield* beginCharge(shop, "approve")
        yield* shop.operations.run(shop.store, begun).pipe(crashingAt("payment.begun"))
        yield* passAfter(lease)
        expect(yield* rowsOf(shop)).toEqual(["authorize awaiting_shopper 0/0 open"])
        expect((yield* nextActionOf(shop))?.clientSecret).toContain("_secret_")
        expect(yield* logOf(shop)).toEqual([])
      })
    )
  })

  describe("is settled", () => {
    it.effect("by the notice, in whatever browser the shopper paid", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "redirect")
        expect(yield* noticed(yield* happens(shop, "captured"))).toBe(true)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 2500/0 late"])
      })
    )

    it.effect(
      "by a look where the notice is lost: after a minute, then after twice as long, at most half an hour",
      () =>
        Effect.gen(function* () {
          const shop = yield* operated
          room.waits = 4 * hour
          yield* charged(shop, "redirect")
          const { sql, write } = yield* Database
          // The provider waits as long as the shop does.
          yield* write(shop.store.id)(sql`UPDATE test_charge SET expires_at = NULL WHERE store_id = ${shop.store.id}`)
          const waits: Array<number | undefined> = []
          yield* passAfter(minute)
          for (let n = 0; n < 7; n += 1) {
            const wait = yield* waitOf(shop)
            waits.push((wait ?? 0) / minute)
            yield* passAfter(wait ?? 0)
          }
          expect(waits).toEqual([2, 4, 8, 16, 30, 30, 30])
          yield* happens(shop, "captured")
          yield* passAfter(30 * minute)
          expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
          expect(yield* logOf(shop)).toEqual(["authorize 2500/0 late"])
        }).pipe(exactly)
    )

    it.effect("when the shopper comes back; however often that is, the provider is asked once in two seconds", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "redirect")
        yield* TestClock.adjust(2_000)
        yield* Effect.all([comesBack(shop), comesBack(shop), comesBack(shop)], { concurrency: "unbounded" })
        yield* TestClock.adjust(1_999)
        yield* comesBack(shop)
        expect(calls.get("lookup")).toBe(1)
        yield* happens(shop, "captured")
        yield* TestClock.adjust(1)
        yield* comesBack(shop)
        yield* comesBack(shop)
        expect(calls.get("lookup")).toBe(2)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
      })
    )

    it.effect("later, where the provider is silent when the shopper comes back", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "redirect")
        yield* happens(shop, "captured")
        yield* silence(minute)
        yield* TestClock.adjust(2_000)
        yield* comesBack(shop)
        expect(yield* rowsOf(shop)).toEqual(["authorize awaiting_shopper 0/0 open"])
        yield* passesFor(3 * minute, minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
      })
    )
  })

  describe("that nobody pays", () => {
    it.effect("ends as declined when the provider's own time is over", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        room.waits = 4 * hour
        yield* charged(shop, "redirect")
        yield* passesFor(hour + minute, 10 * minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize declined 0/0"])
        expect(yield* logOf(shop)).toEqual(["authorize declined was awaiting_shopper"])
      })
    )

    it.effect("is given up at the shop's deadline, and voided at the provider", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        room.waits = 10 * minute
        yield* charged(shop, "redirect")
        yield* passesFor(9 * minute, minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize awaiting_shopper 0/0 open"])
        yield* passesFor(10 * minute, minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize failed 0/0"])
        expect(yield* logOf(shop)).toEqual(["authorize failed was awaiting_shopper"])
        expect(yield* chargeOf(shop)).toMatchObject({ status: "voided", captured: 0n })
      })
    )

    it.effect("is voided at the deadline also where the provider never says what became of it", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        room.waits = 10 * minute
        expect(yield* charged(shop, "timeout")).toEqual({ _tag: "Unknown" })
        yield* passesFor(9 * minute, minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize calling 0/0 open"])
        yield* passesFor(20 * minute, minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize failed 0/0"])
        expect(yield* logOf(shop)).toEqual(["authorize failed was calling"])
        expect(yield* chargeOf(shop)).toMatchObject({ status: "voided" })
      })
    )

    it.effect(
      "is given up although the provider is silent, and voided until that is done; an hour of it is reported",
      () =>
        Effect.gen(function* () {
          const shop = yield* operated
          room.waits = 10 * minute
          yield* charged(shop, "redirect")
          yield* silence(2 * hour)
          yield* passesFor(20 * minute, minute)
          expect(yield* rowsOf(shop)).toEqual(["authorize failed 0/0 open"])
          expect(yield* logOf(shop)).toEqual(["authorize failed was awaiting_shopper"])
          expect(yield* attentionOf(shop)).toEqual([])
          yield* passesFor(80 * minute, 5 * minute)
          expect(yield* attentionOf(shop)).toEqual(["The provider did not answer in time"])
          yield* passesFor(hour, 5 * minute)
          expect(yield* rowsOf(shop)).toEqual(["authorize failed 0/0"])
          expect(yield* attentionOf(shop)).toEqual([])
        })
    )

    it.effect(
      "is refunded if it is paid after it was given up and before it was voided, where the shop does not want it",
      () =>
        Effect.gen(function* () {
          const shop = yield* operated
          room.waits = 10 * minute
          yield* charged(shop, "redirect")
          yield* silence(30 * minute)
          yield* passesFor(15 * minute, minute)
          yield* happens(shop, "captured")
          yield* wantNothing(shop)
          yield* passesFor(30 * minute, 5 * minute)
          expect(yield* rowsOf(shop)).toEqual(["authorize refunded 2500/2500"])
          expect(yield* chargeOf(shop)).toEqual({ status: "captured", captured: 2_500n, refunded: 2_500n })
          expect(yield* logOf(shop)).toEqual(["authorize failed was awaiting_shopper", "gone back 2500"])
        })
    )

    for (const [what, prepare, row, line] of [
      [
        "ends in an order where the shop still wants it",
        () => Effect.void,
        "succeeded 2500/0",
        "authorize 2500/0 late"
      ],
      ["is refunded where nobody wants it", wantNothing, "refunded 2500/2500", "gone back 2500"]
    ] as const)
      it.effect(`and whose money comes after all ${what}`, () =>
        Effect.gen(function* () {
          const shop = yield* operated
          room.waits = 10 * minute
          yield* charged(shop, "redirect")
          yield* passesFor(20 * minute, minute)
          yield* prepare(shop)
          expect(yield* noticed(yield* happens(shop, "captured"))).toBe(true)
          yield* pass
          expect(yield* rowsOf(shop)).toEqual([`authorize ${row}`])
          expect((yield* logOf(shop))?.slice(1)).toEqual([line])
        })
      )
  })
})
