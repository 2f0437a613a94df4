/** The books follow what the provider has, down as well as up. */
import { describe, expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Database } from "../../src/database/Database.ts"
import { ChargeLooks } from "../../src/charge/ChargeLooks.ts"
import type { ChargeFound } from "../../src/payment/PaymentProvider.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import {
  beginChange,
  calls,
  charged,
  chargeOf,
  happens,
  keyOf,
  logOf,
  noticed,
  operated,
  operatedShop,
  type Operated,
  passAfter,
  passesFor,
  rowsOf,
  setUp
} from "./operatedShop.ts"

const [minute, hour] = [60_000, 3_600_000]
const day = 24 * hour

const refunded = (shop: Operated, amount: bigint) =>
  Effect.flatMap(beginChange(shop, "refund", amount), (begun) => shop.operations.run(shop.store, begun))
/** Something happens, and its notice comes. */
const heard = (shop: Operated, ...event: [Parameters<typeof happens>[1], bigint?]) =>
  Effect.flatMap(happens(shop, ...event), (raw) => noticed(raw))
const looked = ({ store }: Operated, chargeKey: string) =>
  Effect.flatMap(ChargeLooks, (looks) => looks.look(store, chargeKey))
/** The disputes as the charge's stored answer has them. */
const disputesOf = ({ subjectId }: Operated) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      sql<{ disputes: ReadonlyArray<{ status: string; amount: string }> }>`SELECT
        answer->'data'->'charge'->'disputes' AS disputes FROM provider_operation WHERE subject_id = ${subjectId}`,
      (rows) => rows[0]?.disputes.map(({ status, amount }) => `${status} ${amount}`)
    )
  )

layer(operatedShop)("the books of a charge", (it) => {
  describe("with a refund that the bank has not made yet", () => {
    it.effect("show it once it is made; until then it counts as under way, and both are watched", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "refund_pends")
        expect(yield* refunded(shop, 700n)).toEqual({ _tag: "Pending" })
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0 open", "refund pending 2500/0 open"])
        expect(yield* Effect.flip(beginChange(shop, "refund", 1_801n))).toMatchObject({ available: 1_800n })
        yield* happens(shop, "refund_succeeded")
        yield* passAfter(minute)
        yield* passAfter(minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/700", "refund succeeded 2500/700"])
        expect((yield* logOf(shop))?.filter((line) => line.startsWith("refund"))).toEqual(["refund 2500/700 late"])
        expect(calls.get("refund")).toBe(1)
      })
    )

    it.effect("go back to what they were when the bank refuses it, and it can be refunded again", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "refund_pends")
        yield* refunded(shop, 2_500n)
        yield* heard(shop, "refund_failed")
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0", "refund failed 2500/0"])
        expect((yield* logOf(shop))?.filter((line) => line.startsWith("refund"))).toEqual(["refund failed was pending"])
        expect(yield* refunded(shop, 2_500n)).toEqual({ _tag: "Pending" })
      })
    )

    it.effect("never show one that fails at once", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "refund_fails")
        expect(yield* refunded(shop, 700n)).toMatchObject({ _tag: "Refused", state: "failed" })
        yield* passesFor(day, hour)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0", "refund failed 2500/0"])
      })
    )
  })

  describe("go down", () => {
    it.effect("when a refund that was made comes back weeks later", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "approve")
        yield* refunded(shop, 700n)
        expect((yield* rowsOf(shop))[0]).toBe("authorize succeeded 2500/700")
        yield* passAfter(21 * day)
        expect(yield* heard(shop, "refund_failed")).toBe(true)
        expect((yield* rowsOf(shop))[0]).toBe("authorize succeeded 2500/0")
        expect((yield* logOf(shop))?.at(-1)).toBe("told captured 2500/0")
      })
    )
  })

  describe("go up", () => {
    it.effect("when the merchant refunds in the provider's dashboard", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "approve")
        yield* heard(shop, "refunded", 500n)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/500"])
        yield* heard(shop, "refunded")
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/2500"])
        expect((yield* logOf(shop))?.slice(1)).toEqual(["told captured 2500/500", "told captured 2500/2500"])
        expect(yield* Effect.flip(beginChange(shop, "refund", 1n))).toMatchObject({ available: 0n })
      })
    )
  })

  describe("with a dispute", () => {
    for (const outcome of ["won", "lost"] as const)
      it.effect(`show it, and are watched until it is ${outcome}`, () =>
        Effect.gen(function* () {
          const shop = yield* operated
          yield* charged(shop, "approve")
          yield* heard(shop, "disputed", 900n)
          expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0 open"])
          expect(yield* disputesOf(shop)).toEqual(["open 900"])
          yield* happens(shop, `dispute_${outcome}`)
          yield* passesFor(day, 6 * hour)
          expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
          expect(yield* disputesOf(shop)).toEqual([`${outcome} 900`])
          const asked = calls.get("lookup")
          yield* passesFor(2 * day, day)
          expect(calls.get("lookup")).toBe(asked)
        })
      )
  })

  describe("take nothing", () => {
    it.effect("from an answer that was given before another one was applied: the provider is asked again", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const provider = yield* TestProvider
        const [entered, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        let isHeld = false
        const held = (found: ChargeFound) => {
          if (!isHeld) return Effect.succeed(found)
          isHeld = false
          return Effect.as(Effect.andThen(Deferred.succeed(entered, undefined), Deferred.await(open)), found)
        }
        setUp.more = [
          {
            ...provider,
            code: "held",
            lookup: (account, name) => Effect.flatMap(provider.lookup(account, name), held)
          }
        ]
        yield* charged(shop, "pending", "held")
        isHeld = true
        const first = yield* Effect.forkChild(looked(shop, keyOf(shop)))
        yield* Deferred.await(entered)
        yield* happens(shop, "captured")
        yield* happens(shop, "refunded", 400n)
        yield* looked(shop, keyOf(shop))
        yield* Deferred.succeed(open, undefined)
        expect(yield* Fiber.join(first)).toMatchObject({ _tag: "Settled", charge: { captured: 2_500n } })
        expect(calls.get("lookup")).toBe(3)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/400"])
        expect((yield* logOf(shop))?.slice(1)).toEqual(["told captured 2500/400", "told captured 2500/400"])
        expect(yield* chargeOf(shop)).toEqual({ status: "captured", captured: 2_500n, refunded: 400n })
      })
    )
  })
})
