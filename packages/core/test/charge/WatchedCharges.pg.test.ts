/** A charge that was taken in before it is final is watched until it is: less and less often, and at its expiry. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/database/Database.ts"
import { Charges } from "../../src/charge/Charges.ts"
import {
  beginChange,
  calls,
  charged,
  chargeOf,
  exactly,
  happens,
  logOf,
  noticed,
  operated,
  operatedShop,
  operationOf,
  type Operated,
  pass,
  passAfter,
  passesFor,
  rowsOf,
  silence,
  waitOf
} from "./operatedShop.ts"

const [minute, hour] = [60_000, 3_600_000]
const day = 24 * hour

/** Waits, in minutes, until each of the next looks. */
const nextWaits = Effect.fnUntraced(function* (shop: Operated, many: number) {
  const waits: Array<number> = []
  for (let n = 0; n < many; n += 1) {
    const wait = (yield* waitOf(shop)) ?? 0
    waits.push(wait / minute)
    yield* passAfter(wait)
  }
  return waits
})

const release = ({ store, subjectId }: Operated, externalId: string | null) =>
  Effect.gen(function* () {
    const charges = yield* Charges
    const { write } = yield* Database
    const now = new Date(yield* Effect.clockWith((clock) => clock.currentTimeMillis))
    yield* write(store.id)(charges.release(store.id, subjectId, externalId ?? "", now))
  })

layer(operatedShop)("a charge that is not final", (it) => {
  it.effect("is looked at after a minute, then after twice as long each time, in the end daily", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "pending")
      const waits = yield* nextWaits(shop, 13)
      expect(waits.map(Math.round)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 1_440, 1_440])
      expect(calls.get("lookup")).toBe(13)
      expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0 open"])
      expect(calls.get("authorize")).toBe(1)
    }).pipe(exactly)
  )

  it.effect("is not looked at before it is due", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "pending")
      yield* passAfter(minute - 2)
      expect(calls.get("lookup")).toBeUndefined()
      yield* passAfter(1)
      expect(calls.get("lookup")).toBe(1)
    }).pipe(exactly)
  )

  describe("and whose money comes", () => {
    it.effect("is taken in when it is looked at, although the notice was lost, and watched no more", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        yield* happens(shop, "captured", 1_000n)
        yield* passAfter(minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 1000/0 open"])
        yield* happens(shop, "captured")
        yield* passAfter(2 * minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 0/0 late", "told captured 1000/0", "told captured 2500/0"])
        yield* passesFor(3 * day, day)
        expect(calls.get("lookup")).toBe(2)
      })
    )
  })

  describe("and fails late", () => {
    it.effect("is reported to its room, whose books then owe nothing of it", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        yield* happens(shop, "failed")
        yield* passAfter(minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0"])
        expect(yield* logOf(shop)).toEqual(["authorize 0/0 late", "told failed 0/0"])
      })
    )

    it.effect("and is paid after all is reported again", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "pending")
        yield* noticed(yield* happens(shop, "failed"))
        yield* noticed(yield* happens(shop, "captured"))
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0"])
        expect((yield* logOf(shop))?.slice(1)).toEqual(["told failed 0/0", "told captured 2500/0"])
      })
    )
  })

  describe("because it is only reserved", () => {
    it.effect("is looked at right after the reservation lapses, and its room hears that it did", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "authorize")
        const { expiresAt, sentAt } = yield* operationOf(shop)
        expect(Number(expiresAt) - Number(sentAt)).toBe(7 * day)
        for (let n = 0; n < 40 && (yield* rowsOf(shop))[0] === "authorize succeeded 0/0 open"; n += 1) {
          const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
          const wait = (yield* waitOf(shop)) ?? 0
          expect(now + wait).toBeLessThanOrEqual(Number(expiresAt) + 1_000)
          yield* passAfter(wait)
        }
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        expect(now).toBe(Number(expiresAt) + 1_000)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0"])
        expect((yield* logOf(shop))?.at(-1)).toBe("told voided 0/0")
      }).pipe(exactly)
    )

    it.effect("is captured in part, and the rest is released once the shop wants no more of it", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "authorize")
        yield* shop.operations.run(shop.store, yield* beginChange(shop, "capture", 1_000n))
        expect((yield* rowsOf(shop))[0]).toBe("authorize succeeded 1000/0 open")
        yield* release(shop, (yield* operationOf(shop)).externalId)
        yield* pass
        yield* passesFor(3 * day, day / 2)
        expect(calls.get("void")).toBe(1)
        expect((yield* rowsOf(shop))[0]).toBe("authorize succeeded 1000/0")
        expect(yield* chargeOf(shop)).toEqual({ status: "captured", captured: 1_000n, refunded: 0n })
      })
    )

    it.effect("is released until that is done: a void whose answer is lost, and a provider that is down", () =>
      Effect.gen(function* () {
        const shop = yield* operated
        yield* charged(shop, "void_lost")
        yield* release(shop, (yield* operationOf(shop)).externalId)
        yield* silence(2 * hour)
        yield* passesFor(hour, 10 * minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0 open"])
        yield* passesFor(2 * hour, 10 * minute)
        expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 0/0"])
        expect(yield* chargeOf(shop)).toMatchObject({ status: "voided" })
        expect((yield* logOf(shop))?.at(-1)).toBe("told voided 0/0")
      })
    )
  })
})
