import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Charge } from "../../src/payment/PaymentProvider.ts"
import { account, openShop, outcome, requestOf, returnUrl, run } from "./emulatedShop.ts"

let shop: Awaited<ReturnType<typeof openShop>>
let manual: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  shop = await openShop()
  manual = await openShop({ captureMethod: "manual" })
})
afterAll(() => Promise.all([shop.stripe.stop(), manual.stripe.stop()]))

const asked = (call: string) =>
  shop.stripe.requests.filter(({ method, path }) => `${method} ${path}`.startsWith(call)).length

describe("a payment through Stripe", () => {
  it("is taken at once with a payment method, and carries our key, store and checkout", async () => {
    const request = requestOf("pm_card_visa")
    const charge = await run(shop.provider.authorize(request))
    expect(charge).toEqual({
      externalId: expect.stringMatching(/^pi_/),
      key: request.key,
      state: "captured",
      amount: 12_345n,
      currency: "USD",
      authorized: 12_345n,
      captured: 12_345n,
      refunds: [],
      disputes: [],
      expiresAt: null,
      nextAction: null,
      reason: null
    })
    expect(shop.stripe.books.get(charge.externalId).metadata).toEqual({
      commerce_key: request.key,
      commerce_store_id: "store_1",
      commerce_checkout_id: request.checkoutId
    })
  })

  it("sends our key as Stripe's idempotency key, and the shopper's address nowhere", async () => {
    const request = requestOf("pm_card_visa")
    await run(shop.provider.authorize(request))
    const sent = shop.stripe.requests.filter(({ params }) => params.get("metadata[commerce_key]") === request.key)
    expect(sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual([request.key])
    expect(JSON.stringify(shop.stripe.requests.map(({ params }) => [...params]))).not.toContain("ada@")
  })

  it("is charged once for a key, however often and however much at once it is sent", async () => {
    const request = requestOf("pm_card_visa")
    const first = await run(shop.provider.authorize(request))
    const twins = await Promise.all(Array.from({ length: 8 }, () => outcome(shop.provider.authorize(request))))
    expect(twins).toEqual(twins.map(() => first))
    const paid = shop.stripe.books.all().filter(({ metadata }) => metadata["commerce_key"] === request.key)
    expect(paid).toHaveLength(1)
  })

  it("begins before the shopper acts, with a secret for the form in the browser", async () => {
    const request = requestOf(null)
    const charge = await run(shop.provider.authorize(request))
    expect(charge).toMatchObject({ state: "awaiting_shopper", authorized: 0n, captured: 0n, reason: null })
    const { client_secret } = shop.stripe.books.get(charge.externalId)
    expect(charge.nextAction).toEqual({ redirectUrl: null, clientSecret: client_secret })
    expect(await run(shop.provider.authorize(request))).toEqual(charge)
  })

  it("is seen as paid by a repeat of the request that began it, not as Stripe remembers its first answer", async () => {
    const request = requestOf(null)
    const { externalId } = await run(shop.provider.authorize(request))
    shop.stripe.books.confirm(externalId, "pm_card_visa", returnUrl)
    expect(await run(shop.provider.authorize(request))).toMatchObject({ externalId, state: "captured" })
  })

  it("goes on with what was begun when the payment method comes, also by another way back", async () => {
    const begun = requestOf(null, { returnUrl: null })
    const { externalId } = await run(shop.provider.authorize(begun))
    const charge = await run(shop.provider.authorize({ ...begun, reference: "pm_card_visa", returnUrl }))
    expect(charge).toMatchObject({ externalId, state: "captured" })
  })

  it("takes a confirmation token of Stripe's form", async () => {
    expect(await run(shop.provider.authorize(requestOf("ctoken_1abc")))).toMatchObject({ state: "captured" })
  })

  it("accepts the payment that the storefront has confirmed itself, and only that of the key", async () => {
    const request = requestOf(null)
    const { externalId } = await run(shop.provider.authorize(request))
    shop.stripe.books.confirm(externalId, "pm_card_visa", returnUrl)
    const charge = await run(shop.provider.authorize({ ...request, reference: externalId }))
    expect(charge).toMatchObject({ externalId, state: "captured", captured: 12_345n })
    expect(await outcome(shop.provider.authorize(requestOf(externalId)))).toMatchObject({ _tag: "PaymentFailed" })
    expect(await outcome(shop.provider.authorize(requestOf("pi_unknown")))).toMatchObject({ _tag: "PaymentFailed" })
  })

  it("sends the shopper to the bank, and is paid when it comes back", async () => {
    const request = requestOf("pm_card_threeDSecure2Required")
    const charge = await run(shop.provider.authorize(request))
    expect(charge.state).toBe("awaiting_shopper")
    expect(charge.nextAction?.redirectUrl).toMatch(/^https:\/\/hooks\.stripe\.com\//)
    shop.stripe.books.authenticate(charge.externalId, true)
    expect(await shop.found(charge)).toMatchObject({ state: "captured", captured: 12_345n, nextAction: null })
  })

  it("leaves it to Stripe's form where there is no address to come back to", async () => {
    const charge = await run(shop.provider.authorize(requestOf("pm_card_threeDSecure2Required", { returnUrl: null })))
    expect(charge.nextAction).toMatchObject({ redirectUrl: null, clientSecret: expect.stringContaining("_secret_") })
  })

  it("is reserved until a time where the account captures by hand", async () => {
    const charge = await run(manual.provider.authorize(requestOf("pm_card_visa")))
    expect(charge).toMatchObject({ state: "authorized", authorized: 12_345n, captured: 0n })
    const days = ((charge.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThan(7.1)
  })

  it("is pending with a bank debit, and fails or succeeds days later", async () => {
    const [one, two] = await Promise.all([1, 2].map(() => run(shop.provider.authorize(requestOf("pm_usBankAccount")))))
    expect([one?.state, two?.state]).toEqual(["pending", "pending"])
    shop.stripe.books.settle(one?.externalId ?? "", true)
    shop.stripe.books.settle(two?.externalId ?? "", false)
    expect(await shop.found(one as Charge)).toMatchObject({ state: "captured", captured: 12_345n })
    expect(await shop.found(two as Charge)).toMatchObject({
      state: "failed",
      reason: "insufficient_funds",
      captured: 0n
    })
  })

  it.each([
    ["pm_card_visa_chargeDeclined", "card_declined"],
    ["pm_card_visa_chargeDeclinedInsufficientFunds", "insufficient_funds"],
    ["pm_card_chargeDeclinedExpiredCard", "expired_card"],
    ["pm_card_visa_chargeDeclinedLostCard", "card_declined"]
  ])("is declined with %s as %s, with Stripe's text, the same for a repeat", async (reference, code) => {
    const request = requestOf(reference)
    const declined = await outcome(shop.provider.authorize(request))
    expect(declined).toMatchObject({ _tag: "PaymentDeclined", code })
    expect(declined).toMatchObject({ reason: expect.stringContaining("Your card was declined.") })
    expect(await outcome(shop.provider.authorize(request))).toMatchObject({ _tag: "PaymentDeclined", code })
  })

  it("cannot be paid any more in a browser once it was declined here", async () => {
    const request = requestOf(null)
    const { externalId } = await run(shop.provider.authorize(request))
    await outcome(shop.provider.authorize({ ...request, reference: "pm_card_visa_chargeDeclined" }))
    expect(() => shop.stripe.books.confirm(externalId, "pm_card_visa", returnUrl)).toThrow("canceled")
    const found = await run(shop.provider.lookup(account, { key: request.key, externalId }))
    expect(found).toMatchObject({ charge: { state: "failed", reason: "card_declined" } })
  })

  it("waits for the shopper while the form in the browser may still be tried again", async () => {
    const charge = await run(shop.provider.authorize(requestOf(null)))
    expect(() => shop.stripe.books.confirm(charge.externalId, "pm_card_visa_chargeDeclined", returnUrl)).toThrow(
      "declined"
    )
    expect(await shop.found(charge)).toMatchObject({ state: "awaiting_shopper", reason: null })
  })

  it("fails without a charge for a payment method that does not exist, and for an amount that Stripe cannot take", async () => {
    const before = asked("POST /v1/payment_intents")
    expect(await outcome(shop.provider.authorize(requestOf("pm_unknown")))).toMatchObject({ _tag: "PaymentFailed" })
    expect(asked("POST /v1/payment_intents")).toBeGreaterThan(before)
    const sent = shop.stripe.requests.length
    const inexact = requestOf("pm_card_visa", { amount: 5_124n, currency: "KWD" })
    expect(await outcome(shop.provider.authorize(inexact))).toMatchObject({ _tag: "PaymentFailed" })
    expect(shop.stripe.requests).toHaveLength(sent)
  })

  it("takes exactly the amount in currencies of every number of digits", async () => {
    for (const [currency, amount] of [
      ["JPY", 1_999n],
      ["ISK", 1_999n],
      ["UGX", 1_999n],
      ["MGA", 199_900n],
      ["KWD", 19_990n],
      ["EUR", 99n]
    ] as const) {
      const charge = await run(shop.provider.authorize(requestOf("pm_card_visa", { amount, currency })))
      expect([charge.currency, charge.amount, charge.captured]).toEqual([currency, amount, amount])
    }
  })
})
