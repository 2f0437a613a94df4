import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import type { Charge, ChargeRequest } from "../../src/payment/PaymentProvider.ts"
import type { TestEvent } from "../../src/testpayment/TestEvents.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import { TestDatabase, testSecret } from "../../src/testing/TestDatabase.ts"
import { accountOf, later, newCheckout, otherStoreId, storeId } from "./testSubject.ts"

const runtime = ManagedRuntime.make(
  TestProvider.layer.pipe(Layer.provide(RootSecret.layer(testSecret)), Layer.provideMerge(TestDatabase.layer))
)
let test: TestProvider["Service"]
const run = <A, E>(effect: Effect.Effect<A, E>) => runtime.runPromise(effect)
/** The tag of the error that an effect fails with. */
const refusal = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  run(Effect.map(Effect.flip(effect), ({ _tag }) => _tag))

beforeAll(async () => {
  test = await runtime.runPromise(TestProvider)
  await runtime.runPromise(
    Effect.gen(function* () {
      const { sql, platform } = yield* Database
      yield* platform(
        Effect.gen(function* () {
          yield* sql`INSERT INTO account (id, name, created_at) VALUES ('acct_a', 'A', now())`
          for (const id of [storeId, otherStoreId])
            yield* sql`INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at) VALUES (${id}, 'acct_a', 'S', 'USD', 'US', now(), now())`
        })
      )
    })
  )
})
afterAll(() => runtime.dispose())

const account = accountOf(storeId)
const day = 86_400_000

const requestOf = (reference: string | null, returnUrl: string | null = null): Promise<ChargeRequest> =>
  run(
    Effect.map(newCheckout, (checkoutId) => ({
      account,
      checkoutId,
      key: `${storeId}/complete:${checkoutId}:1`,
      amount: 2_500n,
      currency: "USD",
      reference,
      email: null,
      returnUrl,
      noticeUrl: null
    }))
  )
const charged = async (reference: string | null) => {
  const request = await requestOf(reference)
  return { request, charge: await run(test.authorize(request)) }
}
const found = ({ key }: ChargeRequest) => test.lookup(account, { key, externalId: null })
const chargeOf = async (request: ChargeRequest): Promise<Charge | string> => {
  const looked = await run(found(request))
  return looked._tag === "Found" ? looked.charge : looked._tag
}
const move = (request: ChargeRequest, type: TestEvent, amount?: bigint) =>
  run(test.move(storeId, { checkoutId: request.checkoutId, type, amount }))
const changeOf = (request: ChargeRequest, key: string, amount: bigint) => ({
  account,
  chargeKey: request.key,
  externalId: "",
  key,
  amount
})

describe("a key of a change", () => {
  it("does it once for a day, and once more after that: who does not look first refunds twice", async () => {
    const { request } = await charged("approve")
    const refund = test.refund(changeOf(request, "refund:1", 500n))
    await run(refund)
    await run(later(day - 60_000)(refund))
    expect(await chargeOf(request)).toMatchObject({ refunds: [{ amount: 500n }] })
    await run(later(day)(refund))
    expect(await chargeOf(request)).toMatchObject({ refunds: [{ amount: 500n }, { amount: 500n }] })
    expect(await run(later(day)(test.lookupChange(changeOf(request, "refund:1", 500n), "refund")))).toMatchObject({
      _tag: "Done"
    })
  })

  it("can be forgotten before its time", async () => {
    const { request } = await charged("authorize")
    const capture = test.capture(changeOf(request, "capture:1", 500n))
    await run(capture)
    await run(test.forget(storeId, request.key))
    expect(await run(capture)).toMatchObject({ state: "captured", captured: 1_000n })
  })
})

describe("references", () => {
  it("lose the request: nothing is made, now or later", async () => {
    const request = await requestOf("unreachable")
    expect(await refusal(test.authorize(request))).toBe("PaymentUnanswered")
    expect(await run(later(day)(found(request)))).toEqual({ _tag: "Absent" })
  })

  it("lose the answer: a charge that is reserved is found, and one that is unseen is found in five seconds", async () => {
    const [reserved, unseen] = [await requestOf("authorize_lost"), await requestOf("unseen")]
    for (const request of [reserved, unseen]) expect(await refusal(test.authorize(request))).toBe("PaymentUnanswered")
    expect(await chargeOf(reserved)).toMatchObject({ state: "authorized", authorized: 2_500n })
    expect(await chargeOf(unseen)).toBe("Absent")
    expect(await run(later(test.settling)(found(unseen)))).toMatchObject({ charge: { captured: 2_500n } })
  })

  it("take another amount or another currency than was requested", async () => {
    expect((await charged("wrong_amount")).charge).toMatchObject({ amount: 2_501n, captured: 2_501n, currency: "USD" })
    expect((await charged("wrong_currency")).charge).toMatchObject({ captured: 2_500n, currency: "EUR" })
  })

  it("refuse a refund, which leaves nothing behind", async () => {
    const { request } = await charged("refund_refused")
    const refund = changeOf(request, "refund:1", 1n)
    expect(await refusal(test.refund(refund))).toBe("PaymentFailed")
    expect(await run(test.lookupChange(refund, "refund"))).toEqual({ _tag: "Absent" })
  })

  it("decline a reference that is not known", async () => {
    const error = await run(Effect.flip(test.authorize(await requestOf("aprove"))))
    expect(error).toMatchObject({ _tag: "PaymentDeclined", code: "incorrect_details" })
  })
})

describe("a shopper who has to act", () => {
  it("is sent to a page that leads back where the storefront wanted it", async () => {
    const bare = await charged(null)
    expect(bare.charge).toMatchObject({ state: "awaiting_shopper", nextAction: { redirectUrl: null } })
    expect(bare.charge.nextAction?.clientSecret).toMatch(/^tch_[0-9a-z]+_secret_[0-9a-f]{24}$/)
    const { nextAction } = await run(test.authorize(await requestOf(null, "https://shop.example/back?a=1")))
    expect(nextAction?.redirectUrl).toMatch(
      /^https:\/\/test-payments\.invalid\/pay\/tch_[0-9a-z]+\?return=https%3A%2F%2Fshop\.example%2Fback%3Fa%3D1$/
    )
    const redirected = await charged("redirect")
    expect(redirected.charge.nextAction?.redirectUrl).toMatch(/\/pay\/tch_[0-9a-z]+$/)
  })

  it("may pay with another reference for an hour, and not after that", async () => {
    const [early, late] = [await charged(null), await charged("redirect")]
    const paying = (request: ChargeRequest) => test.authorize({ ...request, reference: "approve" })
    expect(await run(later(3_540_000)(paying(early.request)))).toMatchObject({
      externalId: early.charge.externalId,
      state: "captured"
    })
    const error = await run(Effect.flip(later(3_600_000)(paying(late.request))))
    expect(error).toMatchObject({ _tag: "PaymentDeclined", code: "expired" })
    expect(await run(later(3_600_000)(found(late.request)))).toMatchObject({
      charge: { state: "failed", reason: "expired", captured: 0n, nextAction: null, expiresAt: null }
    })
  })

  it("who pays on the page after the charge was voided has paid all the same", async () => {
    const { request } = await charged(null)
    await run(test.void(changeOf(request, "void:1", 0n)))
    expect(await chargeOf(request)).toMatchObject({ state: "voided" })
    await move(request, "captured")
    expect(await chargeOf(request)).toMatchObject({ state: "captured", captured: 2_500n, reason: null })
  })
})

describe("time", () => {
  it("releases after seven days what was reserved, or what is left of it", async () => {
    const [whole, part] = [await charged("authorize"), await charged("authorize")]
    await run(test.capture(changeOf(part.request, "capture:1", 1_000n)))
    const week = later(7 * day)
    expect(await run(week(found(whole.request)))).toMatchObject({ charge: { state: "voided", reason: "expired" } })
    expect(await run(week(found(part.request)))).toMatchObject({ charge: { state: "captured", captured: 1_000n } })
    for (const { request } of [whole, part])
      expect(await refusal(week(test.capture(changeOf(request, "capture:2", 1n))))).toBe("PaymentFailed")
  })

  it("of silence: nothing arrives and nothing is answered, and a day later all is as it was", async () => {
    const { request, charge } = await charged("approve")
    const late = await requestOf("approve")
    await run(test.silence(day))
    expect(await refusal(found(request))).toBe("PaymentUnanswered")
    expect(await refusal(test.authorize(late))).toBe("PaymentUnanswered")
    const notice = await run(test.notice(storeId, [request.checkoutId], "unsigned"))
    expect(await run(test.verifyNotice(account, notice))).toEqual({ eventId: null })
    expect(await refusal(test.readNotice(account, notice.body))).toBe("PaymentUnanswered")
    expect(await run(later(day)(found(request)))).toEqual({ _tag: "Found", charge })
    expect(await run(later(day)(found(late)))).toEqual({ _tag: "Absent" })
    await run(test.silence(0))
    expect(await run(test.readNotice(account, notice.body))).toEqual([{ key: null, externalId: charge.externalId }])
  })
})

describe("the shopper's bank", () => {
  it("leaves less to refund while it claims money back, and for good when the dispute is lost", async () => {
    const { request } = await charged("approve")
    await move(request, "disputed", 2_000n)
    const refund = (n: number) => test.refund(changeOf(request, `refund:${n}`, 600n))
    expect(await refusal(refund(1))).toBe("PaymentFailed")
    await move(request, "dispute_won")
    await run(refund(2))
    await move(request, "disputed")
    await move(request, "dispute_lost")
    expect(await chargeOf(request)).toMatchObject({
      captured: 2_500n,
      refunds: [{ amount: 600n }],
      disputes: [
        { amount: 2_000n, status: "won", dueAt: null },
        { amount: 1_900n, status: "lost", dueAt: null }
      ]
    })
    expect(await refusal(test.refund(changeOf(request, "refund:3", 1n)))).toBe("PaymentFailed")
  })
})

describe("a notice", () => {
  it("is one for several charges, and may be of a later release, which can be read later", async () => {
    const charges = [await charged("approve"), await charged("pending")]
    const raw = await run(
      test.notice(
        storeId,
        charges.map(({ request }) => request.checkoutId)
      )
    )
    expect(await run(test.readNotice(account, raw.body))).toEqual(
      charges.map(({ request, charge }) => ({ key: request.key, externalId: charge.externalId }))
    )
    const newer = Buffer.from(JSON.stringify({ version: 2, id: "tev_1", about: [] }), "utf8")
    expect(await run(Effect.flip(test.readNotice(account, newer)))).toMatchObject({
      _tag: "NoticeUnreadable",
      isNewer: true
    })
  })

  it("is verified before its store is known", async () => {
    const { request } = await charged("approve")
    const raw = await move(request, "refunded")
    const anyStore = { ...account, storeId: null }
    expect(await run(test.verifyNotice(anyStore, raw ?? { headers: {}, body: new Uint8Array() }))).toEqual({
      eventId: expect.stringMatching(/^tev_[0-9a-f]{32}$/)
    })
    expect(await move({ ...request, checkoutId: "chk_of_nobody" }, "captured")).toBeUndefined()
  })
})
