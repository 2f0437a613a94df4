/** Notices of the test provider in a test's shop, and what became of them. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { hmacSha256Hex } from "../../src/crypto/Hashing.ts"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import { PaymentNotices } from "../../src/notice/PaymentNotices.ts"
import type { RawNotice } from "../../src/payment/PaymentProvider.ts"

/** A body that the test provider would have signed, whatever it says. */
export const signed = (content: unknown) =>
  Effect.map(RootSecret, ({ derive }): RawNotice => {
    const body = typeof content === "string" ? content : JSON.stringify(content)
    const secret = Buffer.from(derive("payment/test")).toString("hex")
    return { headers: { "x-test-signature": hmacSha256Hex(secret, body) }, body: Buffer.from(body, "utf8") }
  })

let sent = 0
/** A signed notice that names charges by these keys. */
export const naming = (...keys: ReadonlyArray<string>) =>
  signed({ version: 1, id: `tev_${sent++}`, charges: keys.map((key) => ({ key, externalId: `tch_${sent}` })) })

export const received = (raw: RawNotice, providerId = "test") =>
  Effect.flatMap(PaymentNotices, (notices) => notices.receiveAndApply(providerId, raw))

export const platform = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Database, (database) => database.platform(body))

export interface NoticeRow {
  readonly state: string
  readonly reason: string | null
  readonly checks: number
  readonly isMarked: boolean
}

/** What became of the notice with this body. */
export const becameOf = ({ body }: RawNotice) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      platform(sql<NoticeRow>`SELECT state, reason, checks, attention_at IS NOT NULL AS is_marked FROM provider_notice
        WHERE body = ${body}`),
      (rows) => rows[0]
    )
  )

/** The worker comes by after some time; it does not wait for notices, so the test does. */
export const noticePassAfter = Effect.fnUntraced(function* (milliseconds: number, raw: RawNotice) {
  const before = yield* becameOf(raw)
  yield* TestClock.adjust(milliseconds)
  yield* Effect.flatMap(PaymentNotices, (notices) => notices.pass)
  for (let n = 0; n < 20_000; n += 1) {
    const now = yield* becameOf(raw)
    if (now?.state !== before?.state || now?.checks !== before?.checks) return now
  }
  return yield* Effect.die("the worker did nothing about the notice")
})
