/** What a provider or a shopper keeps secret is in no log and in no stored text, whatever goes wrong. */
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { Database } from "../../src/database/Database.ts"
import { PaymentNotices } from "../../src/notice/PaymentNotices.ts"
import type { PaymentProvider, RawNotice } from "../../src/payment/PaymentProvider.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import { signed } from "../notice/receivedNotices.ts"
import {
  beginChange,
  charged,
  happens,
  noticed,
  operated,
  operatedShop,
  passAfter,
  passesFor,
  room,
  setUp
} from "./operatedShop.ts"

const lines: Array<string> = []
const logging = Layer.merge(
  Logger.layer([Logger.make((options) => void lines.push(Logger.formatJson.log(options)))]),
  Layer.succeed(References.MinimumLogLevel, "All")
)

/** An error as an SDK throws it: with its whole request. */
const sdkError = () =>
  Object.assign(new Error("POST /v1/charges authorization: Bearer sk_live_secret cardholder@example.com"), {
    request: { headers: { authorization: "Bearer sk_live_secret" } }
  })
const breaking = (provider: PaymentProvider): PaymentProvider => ({
  ...provider,
  code: "breaking",
  lookup: () => Effect.die(sdkError()),
  refund: () => Effect.die(sdkError()),
  readNotice: () => Effect.die(sdkError())
})

layer(operatedShop.pipe(Layer.provideMerge(logging)))("the log", (it) => {
  it.effect("has no secret of a provider whose code breaks, no header of a notice and no way to pay", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      const provider = yield* TestProvider
      room.waits = 24 * 3_600_000
      setUp.more = [breaking(provider)]
      lines.length = 0
      // A charge that waits for the shopper, of a provider that breaks when it is asked.
      const awaited = yield* charged(shop, null, "breaking")
      const secret = awaited._tag === "AwaitsShopper" ? awaited.nextAction?.clientSecret : undefined
      expect(secret).toContain("_secret_")
      const raw: RawNotice = yield* happens(shop, "captured")
      const marked = { ...raw, headers: { ...raw.headers, "x-forwarded-for": "203.0.113.77" } }
      yield* noticed(marked, "breaking")
      yield* passesFor(2 * 3_600_000, 600_000)
      const spoilt = yield* signed('{"card":"4242424242424242"}')
      yield* noticed({ ...spoilt, headers: { ...spoilt.headers, "x-forwarded-for": "203.0.113.77" } })
      yield* Effect.flatMap(PaymentNotices, (notices) => notices.sweep)
      room.fails = true
      yield* passAfter(600_000)
      expect(lines.length).toBeGreaterThan(2)
      expect(lines.join("\n")).toContain("The payment provider breaking broke")
      const { sql } = yield* Database
      const rows = yield* sql<{ row: string }>`SELECT to_jsonb(o)::text AS row FROM provider_operation o
        WHERE store_id = ${shop.store.id} UNION ALL SELECT data::text FROM event WHERE store_id = ${shop.store.id}`
      const everything = [...lines, ...rows.map(({ row }) => row)].join("\n")
      for (const hidden of [
        "sk_live_secret",
        "cardholder@example.com",
        "4242424242424242",
        "203.0.113.77",
        raw.headers["x-test-signature"] ?? "?",
        secret ?? "?",
        "_secret_"
      ])
        expect(everything).not.toContain(hidden)
    })
  )

  it.effect("has no secret of a provider that breaks while it refunds", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      setUp.more = [breaking(yield* TestProvider)]
      lines.length = 0
      yield* charged(shop, "approve", "breaking")
      expect(yield* shop.operations.run(shop.store, yield* beginChange(shop, "refund", 700n))).toEqual({
        _tag: "Unknown"
      })
      expect(lines.join("\n")).toContain("The payment provider breaking broke")
      expect(lines.join("\n")).not.toMatch(/sk_live_secret|cardholder/)
    })
  )
})
