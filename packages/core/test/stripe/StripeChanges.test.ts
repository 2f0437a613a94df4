import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { changeOf, openShop, outcome, requestOf, returnUrl, run } from "./emulatedShop.ts"

let shop: Awaited<ReturnType<typeof openShop>>
let manual: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  shop = await openShop()
  manual = await openShop({ captureMethod: "manual" })
})
afterAll(() => Promise.all([shop.stripe.stop(), manual.stripe.stop()]))

const paid = (more = {}) => run(shop.provider.authorize(requestOf("pm_card_visa", more)))
const reserved = (more = {}) => run(manual.provider.authorize(requestOf("pm_card_visa", more)))
const { refund, lookupChange } = {
  refund: (...args: Parameters<typeof changeOf>) => shop.provider.refund(changeOf(...args)),
  lookupChange: (...args: Parameters<typeof changeOf>) => shop.provider.lookupChange(changeOf(...args), "refund")
}

describe("a refund through Stripe", () => {
  it("gives money back in parts, each once for its key, and never more than was captured", async () => {
    const charge = await paid()
    const first = await run(refund(charge, "refund-1", 345n))
    expect(first.refunds).toEqual([
      { id: expect.stringMatching(/^re_/), key: `refund-1:${charge.key}`, amount: 345n, status: "succeeded" }
    ])
    const repeats = await Promise.all(Array.from({ length: 4 }, () => run(refund(charge, "refund-1", 345n))))
    for (const repeat of repeats) expect(repeat.refunds).toEqual(first.refunds)
    expect(await outcome(refund(charge, "refund-2", 12_001n))).toMatchObject({ _tag: "PaymentFailed" })
    const rest = await run(refund(charge, "refund-3", 12_000n))
    expect(rest.refunds.map(({ amount }) => amount)).toEqual([345n, 12_000n])
    expect(await outcome(refund(charge, "refund-4", 1n))).toMatchObject({ _tag: "PaymentFailed" })
  })

  it("is in Stripe's units of the currency", async () => {
    const charge = await paid({ currency: "ISK", amount: 1_000n })
    const { refunds } = await run(refund(charge, "refund", 7n))
    expect([refunds[0]?.amount, shop.stripe.books.refundsOf(charge.externalId)[0]?.amount]).toEqual([7n, 700])
  })

  it("may be pending, and may fail later; the dashboard's have no key", async () => {
    shop.stripe.books.switches.refundsArePending = true
    const charge = await paid()
    const { refunds } = await run(refund(charge, "refund", 100n))
    shop.stripe.books.switches.refundsArePending = false
    expect(refunds.map(({ status }) => status)).toEqual(["pending"])
    expect(await run(lookupChange(charge, "refund", 100n))).toMatchObject({ _tag: "Done" })
    shop.stripe.books.settleRefund(refunds[0]?.id ?? "", "failed")
    shop.stripe.books.refund(charge.externalId, 50)
    expect((await shop.found(charge)).refunds).toMatchObject([
      { key: `refund:${charge.key}`, amount: 100n, status: "failed" },
      { key: null, amount: 50n, status: "succeeded" }
    ])
    expect(await run(lookupChange(charge, "refund", 100n))).toMatchObject({ _tag: "Failed" })
  })

  it("is found by its key without being asked for again, and is absent where it never arrived", async () => {
    const charge = await paid()
    expect(await run(lookupChange(charge, "refund", 100n))).toEqual({ _tag: "Absent" })
    await run(refund(charge, "refund", 100n))
    shop.stripe.forgetKeys()
    const sent = shop.stripe.requests.filter(({ method }) => method === "POST").length
    expect(await run(lookupChange(charge, "refund", 100n))).toMatchObject({ _tag: "Done" })
    expect(shop.stripe.requests.filter(({ method }) => method === "POST")).toHaveLength(sent)
  })

  it("is listed to the end, however many there are", async () => {
    const charge = await paid()
    for (let n = 0; n < 230; n += 1) shop.stripe.books.refund(charge.externalId, 1)
    const { refunds } = await shop.found(charge)
    expect(refunds).toHaveLength(230)
    expect(refunds.map(({ id }) => id)).toEqual(
      shop.stripe.books
        .refundsOf(charge.externalId)
        .map(({ id }) => id)
        .reverse()
    )
  })

  it("fails for a charge that has another key than it says", async () => {
    const charge = await paid()
    const other = changeOf(charge, "refund", 100n, { chargeKey: "store_2/complete:chk_9:1" })
    expect(await outcome(shop.provider.refund(other))).toMatchObject({ _tag: "PaymentFailed" })
    expect((await shop.found(charge)).refunds).toEqual([])
  })
})

describe("what is reserved at Stripe", () => {
  it("is captured once for a key, and never beyond what was reserved", async () => {
    const charge = await reserved()
    const capture = (key: string, amount: bigint) => manual.provider.capture(changeOf(charge, key, amount))
    expect(await outcome(capture("capture-0", 12_346n))).toMatchObject({ _tag: "PaymentFailed" })
    const done = await run(capture("capture-1", 12_345n))
    expect(done).toMatchObject({ state: "captured", captured: 12_345n, authorized: 12_345n, expiresAt: null })
    expect(await run(capture("capture-1", 12_345n))).toEqual(done)
    expect(await outcome(capture("capture-2", 1n))).toMatchObject({ _tag: "PaymentFailed" })
  })

  it("is released where a part is captured, which is no refund of ours", async () => {
    const charge = await reserved()
    const done = await run(manual.provider.capture(changeOf(charge, "capture", 2_345n)))
    expect(done).toMatchObject({ state: "captured", captured: 2_345n, authorized: 12_345n, refunds: [] })
    const back = await run(manual.provider.refund(changeOf(charge, "refund", 2_345n)))
    expect(back.refunds).toMatchObject([{ amount: 2_345n, status: "succeeded" }])
  })

  it("shows by its metadata whether a capture of ours was done", async () => {
    const charge = await reserved()
    const change = changeOf(charge, "capture", 12_345n)
    const look = () => run(manual.provider.lookupChange(change, "capture"))
    expect(await look()).toEqual({ _tag: "Absent" })
    await run(manual.provider.capture(change))
    expect(await look()).toMatchObject({ _tag: "Done", charge: { captured: 12_345n } })
    const byHand = await reserved()
    manual.stripe.books.capture(byHand.externalId)
    const ours = changeOf(byHand, "capture", 12_345n)
    expect(await run(manual.provider.lookupChange(ours, "capture"))).toEqual({ _tag: "Absent" })
  })

  it("is voided, also twice, and not captured afterwards", async () => {
    const charge = await reserved()
    const release = changeOf(charge, "void", 0n)
    expect(await run(manual.provider.lookupChange(release, "void"))).toEqual({ _tag: "Absent" })
    const voided = await run(manual.provider.void(release))
    expect(voided).toMatchObject({ state: "voided", reason: "cancelled", captured: 0n, refunds: [] })
    expect(await run(manual.provider.void(release))).toEqual(voided)
    expect(await run(manual.provider.lookupChange(release, "void"))).toMatchObject({ _tag: "Done" })
    expect(await outcome(manual.provider.capture(changeOf(charge, "capture", 1n)))).toMatchObject({
      _tag: "PaymentFailed"
    })
  })

  it("lapses when its time is over", async () => {
    const charge = await reserved()
    manual.stripe.books.cancel(charge.externalId, "automatic")
    expect(await manual.found(charge)).toMatchObject({ state: "voided", reason: "expired", refunds: [] })
  })
})

describe("a void through Stripe", () => {
  it("leaves captured money where it is", async () => {
    const charge = await paid()
    expect(await run(shop.provider.void(changeOf(charge, "void", 0n)))).toEqual(charge)
  })

  it("ends what waits for the shopper", async () => {
    const charge = await run(shop.provider.authorize(requestOf(null)))
    expect(await run(shop.provider.void(changeOf(charge, "void", 0n)))).toMatchObject({
      state: "failed",
      reason: "cancelled"
    })
    expect(() => shop.stripe.books.confirm(charge.externalId, "pm_card_visa", returnUrl)).toThrow("canceled")
  })

  it("is done later where it was too early: Stripe does not remember the error", async () => {
    const charge = await run(shop.provider.authorize(requestOf("pm_usBankAccount")))
    const change = changeOf(charge, "void", 0n)
    expect(await outcome(shop.provider.void(change))).toMatchObject({ _tag: "PaymentFailed" })
    shop.stripe.books.settle(charge.externalId, false)
    expect(await run(shop.provider.void(change))).toMatchObject({ state: "failed" })
    expect(shop.stripe.books.get(charge.externalId).status).toBe("canceled")
  })
})

describe("a dispute at Stripe", () => {
  it("is part of the charge, with its reason, its end and how long it can be answered", async () => {
    const charge = await paid()
    const { id, evidence_details } = shop.stripe.books.dispute(charge.externalId, 5_000)
    const opened = {
      id,
      amount: 5_000n,
      status: "open",
      reason: "fraudulent",
      dueAt: new Date(evidence_details.due_by * 1_000)
    }
    expect((await shop.found(charge)).disputes).toEqual([opened])
    shop.stripe.books.closeDispute(id, "lost")
    expect((await shop.found(charge)).disputes).toEqual([{ ...opened, status: "lost" }])
    shop.stripe.books.closeDispute(id, "warning_closed")
    expect((await shop.found(charge)).disputes).toEqual([{ ...opened, status: "won" }])
  })
})
