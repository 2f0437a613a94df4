import { describe, expect, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { OperationOutcomes } from "../../src/charge/OperationOutcomes.ts"
import { OutcomeHandlers } from "../../src/charge/OutcomeHandlers.ts"
import { ChangeExceedsCharge } from "../../src/payment/PaymentErrors.ts"
import { ProviderOperations } from "../../src/charge/ProviderOperations.ts"
import {
  beginChange,
  beginCharge,
  calls,
  charged,
  chargeOf,
  crashingAt,
  gate,
  lease,
  logOf,
  operated,
  operatedShop,
  operationOf,
  pass,
  rowsOf,
  shownCharge,
  TestOutcomes,
  wantNothing
} from "./operatedShop.ts"

/** The lease of whoever died is over. */
const later = TestClock.adjust(lease)

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
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 1000/0 open", "capture succeeded 1000/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 0/0 at once", "capture 1000/0 at once", "told captured 1000/0"])
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
          "authorize succeeded 2500/1400",
          "refund succeeded 2500/700",
          "refund succeeded 2500/1400"
        ])
        expect(yield* logOf(shop)).toEqual([
          "authorize 2500/0 late",
          "refund 2500/700 late",
          "told captured 2500/700",
          "refund 2500/1400 late",
          "told captured 2500/1400"
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

    it.effect("ends when the provider refuses it, and the handler of the room is called once", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store, operations } = shop
        yield* charged(shop, "refund_refused")
        expect(yield* operations.run(store, yield* beginChange(shop, "refund", 700n))).toEqual({
          _tag: "Refused",
          state: "failed",
          code: "processing_error",
          reason: "The account has too little money for the refund"
        })
        yield* later
        yield* pass
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0", "refund failed 0/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 2500/0 late", "refund failed was calling"])
        expect(yield* chargeOf(shop)).toMatchObject({ refunded: 0n })
      })
    )

    it.effect("of more than the charge has left is not begun, and nobody is asked", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "approve")
        const refused = yield* Effect.flip(beginChange(shop, "refund", 2_501n))
        expect(refused).toEqual(new ChangeExceedsCharge({ available: 2_500n, currency: "USD" }))
        expect(yield* Effect.flip(beginChange(shop, "capture", 1n))).toMatchObject({ available: 0n })
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 2500/0 late"])
        expect(calls.get("refund")).toBeUndefined()
      })
    )
  })

  describe("a process that dies", () => {
    for (const [kind, reference, amount, done] of [
      ["capture", "pending", 1_000n, { status: "captured", captured: 1_000n, refunded: 0n }],
      ["refund", "approve", 700n, { status: "captured", captured: 2_500n, refunded: 700n }],
      ["void", "pending", 0n, { status: "voided", captured: 0n, refunded: 0n }]
    ] as const) {
      for (const point of ["payment.begun", "payment.answered", "payment.answer-kept", "payment.locked"] as const) {
        it.effect(`at ${point} of a ${kind} leaves it to another, and it is done once`, () =>
          Effect.gen(function* () {
            const shop = yield* operated
            const { store, operations } = shop
            yield* charged(shop, reference)
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
            const sums = `${done.captured}/${done.refunded}`
            expect((yield* rowsOf(shop)).at(-1)).toBe(`${kind} succeeded ${sums}`)
            expect((yield* logOf(shop))?.slice(1)).toEqual([`${kind} ${sums} late`, `told ${done.status} ${sums}`])
            expect(calls.get(kind)).toBe(1)
            // Once the answer is stored, nobody has to be asked what it was.
            expect(calls.get("lookupChange")).toBe(
              point === "payment.begun" || point === "payment.answered" ? 1 : undefined
            )
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
        expect(yield* rowsOf(shop)).toEqual(["authorize absent 0/0 open"])
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
        expect((yield* logOf(shop))?.slice(1)).toEqual(["refund 2500/700 late", "told captured 2500/700"])
      })
    )

    it.effect("settlements: the second one changes nothing", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store } = shop
        const { operation } = yield* beginCharge(shop, "approve")
        const outcomes = yield* OperationOutcomes
        const settling = { handler: yield* TestOutcomes, store, operation }
        const done = { _tag: "Answered", charge: shownCharge(shop) } as const
        const settle = outcomes.settle(settling, done)
        const both = yield* Effect.all([settle, settle], { concurrency: "unbounded" })
        expect(both.map(({ _tag }) => _tag).toSorted()).toEqual(["Accepted", "Overlapped"])
        const row = yield* rowsOf(shop)
        expect(yield* settle).toEqual({ _tag: "Overlapped" })
        yield* outcomes.refuseMoney(settling, done.charge, "too late")
        yield* outcomes.settle(settling, refusal("declined"))
        yield* outcomes.giveUp(settling)
        expect(yield* rowsOf(shop)).toEqual(row)
        expect(row).toEqual(["authorize succeeded 2500/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 2500/0 late"])
      })
    )

    it.effect("looks: what is known already is followed, and a late refusal undoes nothing", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store } = shop
        yield* charged(shop, "approve")
        const outcomes = yield* OperationOutcomes
        const now = yield* operationOf(shop)
        const settling = { handler: yield* TestOutcomes, store, operation: now }
        expect(yield* outcomes.settle(settling, { _tag: "Answered", charge: shownCharge(shop) })).toEqual({
          _tag: "Followed"
        })
        const seen = { ...settling, operation: yield* operationOf(shop) }
        yield* outcomes.settle(seen, refusal("declined"))
        yield* outcomes.giveUp(seen)
        yield* outcomes.refuseMoney(seen, shownCharge(shop), "too late")
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 2500/0 late", "told captured 2500/0"])
      })
    )

    it.effect("refusals: the second one changes nothing, and money that comes later is still taken", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const { store } = shop
        const { operation } = yield* beginCharge(shop, "approve")
        const outcomes = yield* OperationOutcomes
        const settling = { handler: yield* TestOutcomes, store, operation }
        const refuse = outcomes.settle(settling, refusal("declined"))
        yield* Effect.all([refuse, refuse], { concurrency: "unbounded" })
        expect(yield* logOf(shop)).toEqual(["authorize declined was calling"])
        const late = { ...settling, operation: yield* operationOf(shop) }
        expect((yield* outcomes.settle(late, { _tag: "Answered", charge: shownCharge(shop) }))._tag).toBe("Accepted")
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
      ["capture", "pending", 1_000n, "captured 1000/0"],
      ["refund", "approve", 700n, "captured 2500/700"],
      ["void", "pending", 0n, "voided 0/0"]
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
          expect((yield* rowsOf(shop)).at(-1)).toBe(`${kind} succeeded ${sums.split(" ")[1]}`)
          expect((yield* logOf(shop))?.slice(1)).toEqual([`${kind} unwanted was calling`, `told ${sums}`])
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
})

const refusal = (state: "declined" | "failed" | "absent") =>
  ({ _tag: "Refused", state, code: "card_declined", reason: "no" }) as const
