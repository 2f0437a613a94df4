/** What only time brings is asked about less and less often, and calls nobody. */
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/database/Database.ts"
import { PaymentFailed } from "../../src/payment/PaymentErrors.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import {
  beginChange,
  calls,
  charged,
  exactly,
  happens,
  noticed,
  operated,
  operatedShop,
  type Operated,
  passAfter,
  rowsOf,
  setUp,
  wantNothing
} from "./operatedShop.ts"

const minute = 60_000

/** Milliseconds until the operation of a kind is looked at, and whether it needs a person. */
const scheduleOf = ({ subjectId }: Operated, kind: string) =>
  Effect.gen(function* () {
    const { sql } = yield* Database
    const now = new Date(yield* Effect.clockWith((clock) => clock.currentTimeMillis))
    const [row] = yield* sql<{ wait: number; attention: string | null }>`SELECT attention,
      (extract(epoch FROM check_at - ${now}::timestamptz) * 1000)::float8 AS wait FROM provider_operation
      WHERE subject_id = ${subjectId} AND kind = ${kind}`
    return { wait: Math.max(0, Math.round(row?.wait ?? -1)), attention: row?.attention }
  })

/** Minutes between the next looks; none of them calls for a person. */
const waitsOf = Effect.fnUntraced(function* (shop: Operated, kind: string, many: number) {
  const waits: Array<number> = []
  for (let n = 0; n < many; n += 1) {
    const { wait, attention } = yield* scheduleOf(shop, kind)
    expect(attention).toBeNull()
    waits.push(Math.round(wait / minute))
    yield* passAfter(wait)
  }
  return waits
})

layer(operatedShop)("a company that takes its time", (it) => {
  it.effect("is asked about a charge that nobody wants, and that it cannot stop, until it can be refunded", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      const provider = yield* TestProvider
      const cannot = Effect.fail(new PaymentFailed({ reason: "it is being worked on" }))
      setUp.more = [{ ...provider, code: "slow", void: () => cannot }]
      yield* wantNothing(shop)
      yield* charged(shop, "pending", "slow")
      const [first, ...waits] = yield* waitsOf(shop, "authorize", 9)
      expect(first).toBe(0)
      expect(waits).toEqual([...waits].sort((a, b) => a - b))
      expect(waits.at(-1)).toBeGreaterThanOrEqual(60)
      yield* happens(shop, "captured")
      yield* passAfter((yield* scheduleOf(shop, "authorize")).wait)
      yield* passAfter((yield* scheduleOf(shop, "authorize")).wait)
      expect(yield* rowsOf(shop)).toEqual(["authorize refunded 2500/2500"])
      expect(calls.get("refund")).toBe(1)
    }).pipe(exactly)
  )

  it.effect("keeps the schedule of a pending refund, however often its charge is looked at", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "refund_pends")
      yield* shop.operations.run(shop.store, yield* beginChange(shop, "refund", 2_500n))
      const before = yield* scheduleOf(shop, "refund")
      for (const _ of [1, 2, 3]) yield* noticed(yield* (yield* TestProvider).notice(shop.store.id, [shop.subjectId]))
      expect(yield* scheduleOf(shop, "refund")).toEqual(before)
      expect(calls.get("lookup")).toBe(3)
    }).pipe(exactly)
  )

  it.effect("is asked about a refund that it says is done and has not made yet less and less often", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      const provider = yield* TestProvider
      setUp.more = [
        {
          ...provider,
          code: "slow",
          lookupChange: ({ account, chargeKey, externalId }) =>
            Effect.map(provider.lookup(account, { key: chargeKey, externalId }), (found) =>
              found._tag === "Found" ? { _tag: "Done" as const, charge: found.charge } : found
            )
        }
      ]
      yield* charged(shop, "refund_pends", "slow")
      yield* shop.operations.run(shop.store, yield* beginChange(shop, "refund", 2_500n))
      const waits = yield* waitsOf(shop, "refund", 8)
      expect(waits).toEqual([1, 1, 2, 4, 8, 16, 32, 64])
      expect(yield* rowsOf(shop)).toEqual(["authorize succeeded 2500/0 open", "refund pending 2500/0 open"])
    }).pipe(exactly)
  )
})
