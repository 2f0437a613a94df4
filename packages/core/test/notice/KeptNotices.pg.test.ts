/** Notices that cannot be dealt with at once: of another's charge, of a charge to come, of a later release, or unreadable. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/database/Database.ts"
import { PaymentNotices } from "../../src/notice/PaymentNotices.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import {
  calls,
  charged,
  exactly,
  happens,
  keyOf,
  logOf,
  operated,
  operatedShop,
  rowsOf,
  setUp
} from "../charge/operatedShop.ts"
import { becameOf, naming, noticePassAfter, platform, received, signed } from "./receivedNotices.ts"

const [second, hour] = [1_000, 3_600_000]
const day = 24 * hour
const paid = ["authorize succeeded 2500/0"]
const sweep = Effect.flatMap(PaymentNotices, (notices) => notices.sweep)
const reopened = (name: Parameters<PaymentNotices["Service"]["reopen"]>[0]) =>
  Effect.flatMap(PaymentNotices, (notices) => notices.reopen(name))

layer(operatedShop)("a notice of a payment provider", (it) => {
  describe("about a charge that is not ours", () => {
    it.effect("ends as foreign: one made in the provider's dashboard", () =>
      Effect.gen(function* () {
        const { store } = yield* operated
        const raw = yield* (yield* TestProvider).chargeElsewhere(store.id, 900n, "USD")
        // Of a charge without our key the provider's id is all there is.
        expect(yield* received(raw)).toBe(true)
        expect((yield* becameOf(raw))?.state).toBe("foreign")
        expect(calls.get("lookup")).toBeUndefined()
      })
    )

    it.effect("ends as foreign: one of another installation that shares the account", () =>
      Effect.gen(function* () {
        yield* operated
        for (const key of ["store_of_staging/complete:chk_1:1", "a key without a store"]) {
          const raw = yield* naming(key)
          expect(yield* received(raw)).toBe(true)
          expect(yield* becameOf(raw)).toMatchObject({
            state: "foreign",
            reason: "its charges are not of this installation"
          })
        }
      })
    )

    it.effect("is a reason to ask the provider of the charge, where it came to the address of another", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        const test = yield* TestProvider
        const asked: Array<string> = []
        setUp.more = [
          {
            ...test,
            code: "other",
            lookup: (account, name) => {
              asked.push(account.providerId)
              return test.lookup(account, name)
            }
          }
        ]
        yield* charged(shop, "pending", "other")
        const raw = yield* happens(shop, "captured")
        expect(yield* received(raw)).toBe(true)
        expect([yield* rowsOf(shop), asked]).toEqual([paid, ["other"]])
        expect((yield* becameOf(raw))?.state).toBe("applied")
      })
    )
  })

  describe("about a charge that we do not know yet", () => {
    it.effect(
      "stays open, is asked about less and less often, is marked after an hour, and settles it when it is there",
      () =>
        Effect.gen(function* () {
          const shop = yield* operated
          const raw = yield* naming(keyOf(shop))
          expect(yield* received(raw)).toBe(false)
          const { sql } = yield* Database
          const waits: Array<number> = []
          for (let n = 0; n < 5; n += 1) {
            const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
            const rows = yield* platform(
              sql<{ checkAt: Date }>`SELECT check_at FROM provider_notice WHERE body = ${raw.body}`
            )
            const wait = (rows[0]?.checkAt.getTime() ?? now) - now
            waits.push(wait / second)
            yield* noticePassAfter(wait, raw)
          }
          expect(waits).toEqual([5, 10, 20, 40, 80])
          yield* sweep
          expect((yield* becameOf(raw))?.isMarked).toBe(false)
          yield* TestClock.adjust(hour)
          yield* sweep
          expect(yield* becameOf(raw)).toMatchObject({ state: "open", isMarked: true })
          yield* charged(shop, "pending")
          yield* happens(shop, "captured")
          expect(yield* noticePassAfter(2 * day, raw)).toMatchObject({ state: "applied", isMarked: false })
          expect(yield* rowsOf(shop)).toEqual(paid)
          expect(yield* logOf(shop)).toEqual(["authorize 0/0 late", "told captured 2500/0"])
        }).pipe(exactly)
    )
  })

  describe("of a later release", () => {
    it.effect("waits for one that can read it, and keeps no other waiting: by the provider's version", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        const newer = yield* signed({ version: 2, id: "tev_newer", things: [keyOf(shop)] })
        expect(yield* received(newer)).toBe(false)
        expect(yield* becameOf(newer)).toMatchObject({ state: "open", reason: "it has version 2" })
        expect(yield* received(yield* happens(shop, "captured"))).toBe(true)
        expect(yield* rowsOf(shop)).toEqual(paid)
        expect((yield* noticePassAfter(5 * second, newer))?.state).toBe("open")
      })
    )

    it.effect("and by the way in which it was stored", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        const raw = yield* happens(shop, "captured")
        const { sql } = yield* Database
        yield* platform(sql`INSERT INTO provider_notice (provider_id, event_id, body, version, received_at, check_at)
          VALUES ('test', 'tev_stored', ${raw.body}, 2, '1970-01-01', '1970-01-01')`)
        expect(yield* noticePassAfter(1, raw)).toMatchObject({ state: "open", reason: "a later release has stored it" })
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0 open"])
        // The later release stores it as this one does.
        yield* platform(sql`UPDATE provider_notice SET version = 1 WHERE event_id = 'tev_stored'`)
        expect((yield* noticePassAfter(60 * second, raw))?.state).toBe("applied")
        expect(yield* rowsOf(shop)).toEqual(paid)
      })
    )
  })

  describe("that cannot be read", () => {
    it.effect("is set aside, asked about no more, and opened again by a person", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        const spoilt = yield* signed(`{"id":"tev_spoilt ${shop.subjectId}"}`)
        expect(yield* received(spoilt)).toBe(true)
        const aside = { state: "set_aside", reason: "it is not a notice of the test provider" }
        expect(yield* becameOf(spoilt)).toMatchObject(aside)
        yield* TestClock.adjust(day)
        yield* sweep
        yield* Effect.flatMap(PaymentNotices, (notices) => notices.pass)
        expect(yield* becameOf(spoilt)).toMatchObject({ ...aside, checks: 0 })
        expect(yield* reopened({ providerId: "stripe" })).toEqual([])
        const names = yield* reopened({ providerId: "test" })
        expect(names).toEqual([{ providerId: "test", eventId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }])
        expect((yield* becameOf(spoilt))?.state).toBe("open")
        expect(yield* noticePassAfter(0, spoilt)).toMatchObject(aside)
        expect(yield* reopened(names[0] ?? {})).toEqual(names)
        expect(yield* reopened({ providerId: "test", eventId: "another" })).toEqual([])
      })
    )
  })

  describe("that was dealt with", () => {
    it.effect("is kept for thirty days, so that it is recognised; what was set aside stays", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        const raw = yield* happens(shop, "captured")
        const spoilt = yield* signed(`{"id":"tev_kept ${shop.subjectId}"}`)
        yield* received(raw)
        yield* received(spoilt)
        yield* TestClock.adjust(30 * day - 1)
        yield* sweep
        expect([(yield* becameOf(raw))?.state, yield* received(raw), calls.get("lookup")]).toEqual(["applied", true, 1])
        yield* TestClock.adjust(1)
        yield* sweep
        expect([yield* becameOf(raw), (yield* becameOf(spoilt))?.state]).toEqual([undefined, "set_aside"])
      })
    )
  })
})
