/** Notices of providers: verified, stored as they came, and a reason to look at the charges that they name. */
import { describe, expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/database/Database.ts"
import { mostNoticeBytes, NoticesFull } from "../../src/notice/NoticeErrors.ts"
import { PaymentNotices } from "../../src/notice/PaymentNotices.ts"
import { NoticeRejected, PaymentMethodUnavailable, PaymentUnanswered } from "../../src/payment/PaymentErrors.ts"
import type { ChargeFound, PaymentProvider } from "../../src/payment/PaymentProvider.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import {
  another,
  calls,
  charged,
  crashingAt,
  happens,
  keyOf,
  logOf,
  operated,
  operatedShop,
  type Operated,
  rowsOf,
  setUp,
  silence
} from "../charge/operatedShop.ts"
import { becameOf, naming, noticePassAfter, platform, received, signed } from "./receivedNotices.ts"

const second = 1_000
const paid = ["authorize succeeded 2500/0"]
const unsignedOf = ({ store, subjectId }: Operated) =>
  Effect.flatMap(TestProvider, (provider) => provider.notice(store.id, [subjectId], "unsigned"))

layer(operatedShop)("a notice of a payment provider", (it) => {
  describe("is stored as it came", () => {
    it.effect("and applied once, however often it is sent", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        const raw = yield* happens(shop, "captured")
        expect([yield* received(raw), yield* received(raw), yield* received(raw)]).toEqual([true, true, true])
        const { sql } = yield* Database
        expect(
          yield* platform(sql`SELECT body, state, check_at, version FROM provider_notice WHERE body = ${raw.body}`)
        ).toMatchObject([{ state: "applied", checkAt: null, version: 1 }])
        expect(yield* rowsOf(shop)).toEqual(paid)
        expect([calls.get("lookup"), yield* logOf(shop)]).toEqual([1, ["authorize 0/0 late", "told captured 2500/0"]])
      })
    )

    it.effect("before it is interpreted, so that a process that dies in between loses nothing", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        const raw = yield* happens(shop, "captured")
        yield* Effect.exit(received(raw).pipe(crashingAt("payment.notice-kept")))
        expect(yield* becameOf(raw)).toMatchObject({ state: "open", checks: 0 })
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0 open"])
        expect((yield* noticePassAfter(5 * second, raw))?.state).toBe("applied")
        expect(yield* rowsOf(shop)).toEqual(paid)
      })
    )

    it.effect("or not at all, where the process dies before: then it was not answered, and is sent again", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        const raw = yield* happens(shop, "captured")
        yield* Effect.exit(received(raw).pipe(crashingAt("payment.notice-read")))
        expect(yield* becameOf(raw)).toBeUndefined()
        expect(yield* received(raw)).toBe(true)
        expect(yield* rowsOf(shop)).toEqual(paid)
      })
    )
  })

  describe("is refused and not stored", () => {
    it.effect("without its signature, with a false one, or with another body under it", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        const raw = yield* happens(shop, "captured")
        const changed = Buffer.from(`${Buffer.from(raw.body).toString()} `)
        for (const one of [
          { ...raw, headers: {} },
          { ...raw, headers: { "x-test-signature": "00" } },
          { ...raw, body: changed }
        ]) {
          expect(yield* Effect.flip(received(one))).toBeInstanceOf(NoticeRejected)
          expect(yield* becameOf(one)).toBeUndefined()
        }
        const large = yield* signed(" ".repeat(mostNoticeBytes + 1))
        expect(yield* Effect.flip(received(large))).toEqual(new NoticeRejected({ reason: "The notice is too large" }))
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0 open"])
      })
    )

    it.effect("at the address of a provider that sends none, or is not there", () =>
      Effect.gen(function* () {
        yield* operated
        const raw = yield* naming("x")
        for (const providerId of ["manual", "nobody"])
          expect(yield* Effect.flip(received(raw, providerId))).toEqual(
            new PaymentMethodUnavailable({ paymentMethod: providerId })
          )
      })
    )

    it.effect("while ten thousand of its provider are open: they are to be sent again", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        setUp.more = [{ ...(yield* TestProvider), code: "flood" }]
        yield* charged(shop, "pending", "flood")
        const { sql } = yield* Database
        yield* platform(sql`INSERT INTO provider_notice (provider_id, event_id, body, received_at, check_at)
          SELECT 'flood', 'e' || n, '', now(), now() + interval '1 day' FROM generate_series(1, 10000) AS n`)
        const raw = yield* happens(shop, "captured")
        expect(yield* Effect.flip(received(raw, "flood"))).toEqual(new NoticesFull({ providerId: "flood" }))
        yield* platform(sql`DELETE FROM provider_notice WHERE provider_id = 'flood' AND event_id = 'e1'`)
        expect(yield* received(raw, "flood")).toBe(true)
        yield* platform(sql`DELETE FROM provider_notice WHERE provider_id = 'flood'`)
      })
    )
  })

  describe("may name", () => {
    it.effect("no charge at all", () =>
      Effect.gen(function* () {
        yield* operated
        const raw = yield* signed({ version: 1, id: "tev_none", charges: [] })
        expect([yield* received(raw), (yield* becameOf(raw))?.state]).toEqual([true, "applied"])
      })
    )

    it.effect("many, which are each looked at; where one is not known yet, it is interpreted again as a whole", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const second_ = yield* another(shop)
        const third = yield* another(shop)
        yield* charged(shop, "pending")
        yield* charged(second_, "pending")
        yield* happens(shop, "captured")
        yield* happens(second_, "captured")
        const raw = yield* naming(keyOf(shop), keyOf(third), keyOf(second_))
        expect(yield* received(raw)).toBe(false)
        expect([yield* rowsOf(shop), yield* rowsOf(second_)]).toEqual([paid, paid])
        expect(yield* becameOf(raw)).toMatchObject({ state: "open", reason: "it names a charge that we do not know" })
        yield* charged(third, "approve")
        expect((yield* noticePassAfter(5 * second, raw))?.state).toBe("applied")
      })
    )

    it.effect("more than two hundred: that is not a notice to believe, and is set aside", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const raw = yield* naming(...Array.from({ length: 201 }, (_, n) => keyOf(shop, n)))
        yield* received(raw)
        expect(yield* becameOf(raw)).toMatchObject({ state: "set_aside", reason: "it names more than 200 charges" })
      })
    )
  })

  describe("without a signature", () => {
    it.effect("is only a reason to look: what it says moves nothing, and what the provider has is booked", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        const raw = yield* unsignedOf(shop)
        expect(yield* received(raw)).toBe(true)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0 open"])
        yield* happens(shop, "captured")
        expect(yield* received(yield* unsignedOf(shop))).toBe(true)
        expect(yield* rowsOf(shop)).toEqual(paid)
      })
    )

    it.effect("waits while the provider cannot be asked, and counts that once", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        yield* happens(shop, "captured")
        const raw = yield* unsignedOf(shop)
        yield* silence(10 * second)
        expect(yield* received(raw)).toBe(false)
        expect(yield* becameOf(raw)).toMatchObject({
          state: "open",
          reason: "The provider did not answer in time",
          checks: 1
        })
        yield* silence(0)
        expect((yield* noticePassAfter(10 * second, raw))?.state).toBe("applied")
        expect(yield* rowsOf(shop)).toEqual(paid)
      })
    )

    it.effect("that comes again while the first is being looked at is looked at again", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const provider = yield* TestProvider
        const [entered, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        let isHeld = true
        const held = (found: ChargeFound) => {
          if (!isHeld) return Effect.succeed(found)
          isHeld = false
          return Effect.as(Effect.andThen(Deferred.succeed(entered, undefined), Deferred.await(open)), found)
        }
        const slow: PaymentProvider = {
          ...provider,
          code: "slow",
          lookup: (account, name) =>
            Effect.flatMap(provider.lookup(account, name), (found) =>
              name.key === null ? Effect.succeed(found) : held(found)
            )
        }
        setUp.more = [slow]
        yield* charged(shop, "pending", "slow")
        const raw = yield* unsignedOf(shop)
        const first = yield* Effect.forkChild(received(raw, "slow"))
        yield* Deferred.await(entered)
        yield* happens(shop, "captured")
        expect(yield* received(raw, "slow")).toBe(true)
        yield* Deferred.succeed(open, undefined)
        yield* Fiber.join(first)
        expect(yield* rowsOf(shop)).toEqual(paid)
      })
    )

    it.effect("about a charge that the provider does not know ends as nobody's, so that none can fill the room", () =>
      Effect.gen(function* () {
        yield* operated
        const raw = { headers: {}, body: Buffer.from("id=tch_madeup0000") }
        expect(yield* received(raw)).toBe(false)
        expect((yield* noticePassAfter(5 * second, raw))?.state).toBe("foreign")
      })
    )
  })

  it.effect("that cannot be read because the provider has to be asked first waits for it", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      const provider = yield* TestProvider
      let isDown = true
      const asking: PaymentProvider = {
        ...provider,
        code: "asking",
        readNotice: (account, body) =>
          isDown ? Effect.fail(new PaymentUnanswered({ reason: "no line" })) : provider.readNotice(account, body)
      }
      setUp.more = [asking]
      yield* charged(shop, "pending", "asking")
      const raw = yield* happens(shop, "captured")
      expect(yield* received(raw, "asking")).toBe(false)
      expect(yield* becameOf(raw)).toMatchObject({ state: "open", reason: "no line", checks: 1 })
      isDown = false
      yield* TestClock.adjust(1)
      expect((yield* noticePassAfter(5 * second, raw))?.state).toBe("applied")
      expect(yield* rowsOf(shop)).toEqual(paid)
      expect(yield* Effect.flatMap(PaymentNotices, (notices) => notices.reopen({ providerId: "asking" }))).toEqual([])
    })
  )
})
