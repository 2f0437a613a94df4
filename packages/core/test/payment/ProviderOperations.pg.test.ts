import { describe, expect, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/database/Database.ts"
import { OperationOutcomes } from "../../src/payment/OperationOutcomes.ts"
import { OutcomeHandlers } from "../../src/payment/OutcomeHandlers.ts"
import { PaymentNotices } from "../../src/payment/PaymentNotices.ts"
import { PaymentRecovery } from "../../src/payment/PaymentRecovery.ts"
import { ProviderOperations } from "../../src/payment/ProviderOperations.ts"
import { TestProvider } from "../../src/payment/TestProvider.ts"
import {
  beginChange,
  beginCharge,
  calls,
  chargeOf,
  crashingAt,
  gate,
  logOf,
  operated,
  operatedShop,
  rowsOf,
  TestOutcomes,
  wantNothing
} from "./operatedShop.ts"

const pass = Effect.flatMap(PaymentRecovery, (recovery) => recovery.pass)
/** The lease of whoever died is over. */
const later = TestClock.adjust(31_000)

layer(operatedShop)("operations of a payment provider", (it) => {
  describe("each kind", () => {
    it.effect("is written, asked for and taken into the room's books: a capture in part, after an authorization", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store, operations } = shop
        const charge = yield* beginCharge(shop, "pending")
        expect(yield* rowsOf(shop)).toEqual(["authorize calling 0/0 open"])
        expect(yield* operations.run(store, charge, "at once")).toEqual({
          _tag: "Accepted",
          result: "authorize 0/0 at once"
        })
        yield* TestClock.adjust(1)
        const capture = yield* beginChange(shop, "capture", 1_000n)
        expect(yield* operations.run(store, capture, "at once")).toEqual({
          _tag: "Accepted",
          result: "capture 1000/0 at once"
        })
        expect(yield* chargeOf(shop)).toEqual({ status: "captured", captured: 1_000n, refunded: 0n })
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0", "capture succeeded 1000/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 0/0 at once", "capture 1000/0 at once"])
      })
    )

    it.effect("refunds in part, each refund by a key of its own", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store, operations } = shop
        yield* operations.run(store, yield* beginCharge(shop, "approve"))
        for (const amount of [700n, 700n]) {
          yield* TestClock.adjust(1)
          yield* operations.run(store, yield* beginChange(shop, "refund", amount))
        }
        expect(yield* chargeOf(shop)).toEqual({ status: "captured", captured: 2_500n, refunded: 1_400n })
        expect(yield* rowsOf(shop)).toEqual([
          "authorize succeeded 2500/0",
          "refund succeeded 0/700",
          "refund succeeded 0/1400"
        ])
      })
    )

    it.effect("voids what was only authorized", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store, operations } = shop
        yield* operations.run(store, yield* beginCharge(shop, "pending"))
        yield* TestClock.adjust(1)
        const voided = yield* operations.run(store, yield* beginChange(shop, "void", 0n))
        expect(voided).toEqual({ _tag: "Accepted", result: "void 0/0 late" })
        expect(yield* chargeOf(shop)).toEqual({ status: "voided", captured: 0n, refunded: 0n })
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0", "void succeeded 0/0"])
      })
    )

    it.effect("ends when the provider declines it, and the handler of the room is called once", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store, operations } = shop
        yield* operations.run(store, yield* beginCharge(shop, "approve"))
        yield* TestClock.adjust(1)
        const refused = yield* operations.run(store, yield* beginChange(shop, "refund", 2_501n))
        expect(refused).toEqual({
          _tag: "Refused",
          state: "failed",
          reason: "More than is left of what was captured"
        })
        yield* later
        yield* pass
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0", "refund failed 0/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 2500/0 late", "refund failed was calling"])
        expect(yield* chargeOf(shop)).toMatchObject({ refunded: 0n })
      })
    )
  })

  describe("a process that dies", () => {
    for (const [kind, reference, amount, done] of [
      ["capture", "pending", 1_000n, { status: "captured", captured: 1_000n, refunded: 0n }],
      ["refund", "approve", 700n, { status: "captured", captured: 2_500n, refunded: 700n }],
      ["void", "pending", 0n, { status: "voided", captured: 0n, refunded: 0n }]
    ] as const) {
      for (const point of ["payment.begun", "payment.answered", "payment.locked"] as const) {
        it.effect(`at ${point} of a ${kind} leaves it to another, and it is done once`, () =>
          Effect.gen(function* () {
            const shop = yield* operated
            const { store, operations } = shop
            yield* operations.run(store, yield* beginCharge(shop, reference))
            yield* TestClock.adjust(1)
            const begun = yield* beginChange(shop, kind, amount)
            expect(yield* operations.run(store, begun).pipe(crashingAt(point))).toEqual({ _tag: "Unknown" })
            const before = (yield* rowsOf(shop)).at(-1)
            expect(before).toBe(`${kind} calling 0/0 open`)
            yield* pass
            expect((yield* rowsOf(shop)).at(-1)).toBe(before)
            yield* later
            yield* pass
            yield* later
            yield* pass
            expect(yield* chargeOf(shop)).toEqual(done)
            const sums = kind === "capture" ? "1000/0" : kind === "refund" ? "0/700" : "0/0"
            expect((yield* rowsOf(shop)).at(-1)).toBe(`${kind} succeeded ${sums}`)
            expect((yield* logOf(shop))?.slice(1)).toEqual([`${kind} ${sums} late`])
            expect(calls.get(kind)).toBe(point === "payment.begun" ? 1 : 2)
          })
        )
      }
    }

    it.effect("after the provider has charged leaves a charge that is looked up, and not made again", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const begun = yield* beginCharge(shop, "approve")
        yield* shop.operations.run(shop.store, begun).pipe(crashingAt("payment.answered"))
        yield* later
        yield* pass
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 2500/0 late"])
        expect([calls.get("authorize"), calls.get("lookup")]).toEqual([1, 1])
      })
    )

    it.effect("before the provider was asked leaves its key free, and nothing charged", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const begun = yield* beginCharge(shop, "approve")
        yield* shop.operations.run(shop.store, begun).pipe(crashingAt("payment.begun"))
        yield* later
        yield* pass
        expect(yield* rowsOf(shop)).toEqual(["authorize absent 0/0"])
        expect(yield* logOf(shop)).toEqual(["authorize absent was calling"])
        const again = yield* beginCharge(shop, "approve")
        yield* shop.operations.run(shop.store, again, "at once")
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(calls.get("authorize")).toBe(1)
      })
    )
  })

  describe("two at once", () => {
    it.effect("workers: one of them has the lease, and the provider is asked once", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store, operations } = shop
        yield* operations.run(store, yield* beginCharge(shop, "approve"))
        yield* TestClock.adjust(1)
        const begun = yield* beginChange(shop, "refund", 700n)
        yield* operations.run(store, begun).pipe(crashingAt("payment.begun"))
        yield* later
        const [entered, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        gate.next = { entered, open }
        const first = yield* Effect.forkChild(pass)
        yield* Deferred.await(entered)
        yield* Effect.all([pass, pass], { concurrency: "unbounded" })
        expect(calls.get("refund")).toBe(1)
        yield* Deferred.succeed(open, undefined)
        yield* Fiber.join(first)
        expect((yield* logOf(shop))?.slice(1)).toEqual(["refund 0/700 late"])
      })
    )

    it.effect("settlements: the second one changes nothing", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store } = shop
        const { operation } = yield* beginCharge(shop, "approve")
        const outcomes = yield* OperationOutcomes
        const settling = { handler: yield* TestOutcomes, store, operation }
        const done = { _tag: "Done", externalId: "x", state: "captured", captured: 2_500n, refunded: 0n } as const
        const settle = outcomes.settle(settling, done)
        const both = yield* Effect.all([settle, settle], { concurrency: "unbounded" })
        expect(both.map(({ _tag }) => _tag).toSorted()).toEqual(["Accepted", "AlreadySettled"])
        const row = yield* rowsOf(shop)
        expect(yield* settle).toEqual({ _tag: "AlreadySettled" })
        yield* outcomes.refuseMoney(settling, done, "too late")
        yield* outcomes.settle(settling, { _tag: "Refused", state: "declined", reason: "too late" })
        yield* outcomes.recordRefund(store, operation, 2_500n)
        expect(yield* rowsOf(shop)).toEqual(row)
        expect(row).toEqual(["authorize succeeded 2500/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 2500/0 late"])
      })
    )

    it.effect("refusals: the second one changes nothing, and money that comes later is still taken", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store } = shop
        const { operation } = yield* beginCharge(shop, "approve")
        const outcomes = yield* OperationOutcomes
        const settling = { handler: yield* TestOutcomes, store, operation }
        const refuse = outcomes.settle(settling, { _tag: "Refused", state: "declined", reason: "no" })
        yield* Effect.all([refuse, refuse], { concurrency: "unbounded" })
        expect(yield* logOf(shop)).toEqual(["authorize declined was calling"])
        const done = { _tag: "Done", externalId: "x", state: "captured", captured: 2_500n, refunded: 0n } as const
        expect((yield* outcomes.settle(settling, done))._tag).toBe("Accepted")
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
      })
    )
  })

  describe("money that nobody wants", () => {
    it.effect("is refunded by the recovery, which reads nothing that the room has stored", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* wantNothing(shop)
        expect(yield* shop.operations.run(shop.store, yield* beginCharge(shop, "approve"))).toEqual({
          _tag: "Unwanted"
        })
        expect(yield* rowsOf(shop)).toEqual(["authorize refund_due 2500/0 open"])
        yield* pass
        expect(yield* rowsOf(shop)).toEqual(["authorize refunded 2500/2500"])
        expect(yield* chargeOf(shop)).toEqual({ status: "captured", captured: 2_500n, refunded: 2_500n })
        expect(yield* logOf(shop)).toEqual(["authorize unwanted was calling", "gone back 2500"])
      })
    )
  })

  describe("a change of a charge that its room does not want", () => {
    for (const [kind, reference, amount, sums] of [
      ["capture", "pending", 1_000n, "1000/0"],
      ["refund", "approve", 700n, "0/700"],
      ["void", "pending", 0n, "0/0"]
    ] as const)
      it.effect(`is settled as done, and asked for no more: a ${kind}, at once and by the recovery`, () =>
        Effect.gen(function* () {
          const shop = yield* operated
          const { store, operations } = shop
          yield* operations.run(store, yield* beginCharge(shop, reference))
          yield* wantNothing(shop)
          yield* TestClock.adjust(1)
          const begun = yield* beginChange(shop, kind, amount)
          if (kind === "refund") yield* operations.run(store, begun).pipe(crashingAt("payment.begun"))
          else expect(yield* operations.run(store, begun)).toEqual({ _tag: "Unwanted" })
          yield* later
          yield* pass
          expect((yield* rowsOf(shop)).at(-1)).toBe(`${kind} succeeded ${sums}`)
          expect((yield* logOf(shop))?.slice(1)).toEqual([`${kind} unwanted was calling`])
          yield* later
          yield* pass
          expect(calls.get(kind)).toBe(1)
        })
      )
  })

  describe("a handler that is not registered", () => {
    it.effect("is refused when its room starts", () =>
      Effect.gen(function* () {
        const handler = { ...(yield* TestOutcomes), subjectType: "draft" }
        const exit = yield* Effect.exit((yield* ProviderOperations).of(handler))
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(
          new Error("The outcome handler of a draft is not registered")
        )
      })
    )

    it.effect("nor are there two for one kind of subject", () =>
      Effect.gen(function* () {
        const handler = yield* TestOutcomes
        const twice = Layer.succeed(OutcomeHandlers, [handler, { ...handler }])
        const starting = Layer.build(Layer.fresh(OperationOutcomes.layer).pipe(Layer.provide(twice)))
        const exit = yield* Effect.exit(Effect.scoped(starting))
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(
          new Error("Two outcome handlers are registered for a test")
        )
      })
    )
  })

  describe("a stored notice", () => {
    it.effect("of a version that is not known here is set aside, and keeps no other waiting", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store, subjectId } = shop
        yield* shop.operations.run(store, yield* beginCharge(shop, "timeout"))
        const { sql, write } = yield* Database
        const provider = yield* TestProvider
        const raw = yield* provider.move(store.id, { checkoutId: subjectId, type: "captured" })
        if (raw === undefined) return yield* Effect.die("no charge")
        const received = Effect.flatMap(PaymentNotices, (notices) => notices.receive(store, "test", raw))
        yield* Effect.exit(received.pipe(crashingAt("payment.notice-kept")))
        yield* write(store.id)(
          sql`INSERT INTO provider_event (store_id, provider, event_id, type, notice, received_at)
            SELECT ${store.id}, 'test', kind, 'captured', notice::jsonb, '1970-01-01'
            FROM (VALUES ('newer', '{"version": 2}'), ('spoilt', '{"eventId": 1}')) AS v (kind, notice)`
        )
        yield* later
        yield* pass
        const kept = yield* sql`SELECT event_id, set_aside FROM provider_event
          WHERE store_id = ${store.id} AND set_aside IS NOT NULL ORDER BY 1`
        expect(kept).toEqual([
          { eventId: "newer", setAside: "it has version 2, and this release reads versions up to 1" },
          { eventId: "spoilt", setAside: "its data have another shape, at eventId" }
        ])
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 2500/0 late", "told 2500/0"])
        yield* later
        yield* pass
        expect(
          yield* sql`SELECT count(*)::int AS n FROM provider_event WHERE store_id = ${store.id} AND checks > 0`
        ).toEqual([{ n: 0 }])
      })
    )
  })
})
