import { Redacted } from "effect"
import { afterEach, beforeAll, afterAll, describe, expect, it } from "vitest"
import type { ProviderAccount } from "../../src/payment/PaymentProvider.ts"
import { stripeProvider } from "../../src/stripe/StripeProvider.ts"
import { emulatedAccount } from "../../src/emulation/StripeEmulation.ts"
import { account, changeOf, openShop, outcome, requestOf, run } from "./emulatedShop.ts"

let shop: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  shop = await openShop({ timeout: 900 }, { slowness: 5_000, searchDelay: 0 })
})
afterEach(() => shop.stripe.behave())
afterAll(() => shop.stripe.stop())

const created = (key: string) => shop.stripe.books.all().filter(({ metadata }) => metadata["commerce_key"] === key)
const lookup = (key: string) => run(shop.provider.lookup(account, { key, externalId: null }))

describe("where no answer of Stripe comes", () => {
  it("a charge that was made and not answered is unanswered, and found afterwards", async () => {
    shop.stripe.misbehave(/POST .*\/confirm$/, "lost")
    const request = requestOf("pm_card_visa")
    expect(await outcome(shop.provider.authorize(request))).toMatchObject({ _tag: "PaymentUnanswered" })
    expect(await lookup(request.key)).toMatchObject({ _tag: "Found", charge: { state: "captured", captured: 12_345n } })
  })

  it("one answer that was lost is asked for again under the same key, and nothing is done twice", async () => {
    shop.stripe.misbehave(/POST/, "lost", 1)
    const request = requestOf("pm_card_visa")
    expect(await run(shop.provider.authorize(request))).toMatchObject({ state: "captured" })
    expect(created(request.key)).toHaveLength(1)
    const charge = await run(shop.provider.authorize(request))
    shop.stripe.misbehave(/POST \/v1\/refunds/, "lost", 1)
    const { refunds } = await run(shop.provider.refund(changeOf(charge, "refund", 100n)))
    expect(refunds.map(({ amount }) => amount)).toEqual([100n])
  })

  it("a request that never arrived is unanswered, and absent", async () => {
    shop.stripe.misbehave(/POST/, "dropped")
    const request = requestOf("pm_card_visa")
    expect(await outcome(shop.provider.authorize(request))).toMatchObject({ _tag: "PaymentUnanswered" })
    expect(await lookup(request.key)).toEqual({ _tag: "Absent" })
  })

  it("every call ends: silence is unanswered in time", async () => {
    shop.stripe.misbehave(/POST .*\/confirm$/, "slow")
    const request = requestOf("pm_card_visa")
    const began = Date.now()
    expect(await outcome(shop.provider.authorize(request))).toMatchObject({ _tag: "PaymentUnanswered" })
    expect(Date.now() - began).toBeLessThan(3_000)
    expect(await lookup(request.key)).toMatchObject({ _tag: "Found", charge: { state: "captured" } })
  })

  it.each(["broken", "busy"] as const)("a server that is %s says nothing of the money", async (fault) => {
    shop.stripe.misbehave(/POST .*\/confirm$/, fault)
    expect(await outcome(shop.provider.authorize(requestOf("pm_card_visa")))).toMatchObject({
      _tag: "PaymentUnanswered"
    })
    shop.stripe.behave()
    const charge = await run(shop.provider.authorize(requestOf("pm_card_visa")))
    shop.stripe.misbehave(/POST \/v1\/refunds/, fault)
    const change = changeOf(charge, "refund", 100n)
    expect(await outcome(shop.provider.refund(change))).toMatchObject({ _tag: "PaymentUnanswered" })
    expect(await run(shop.provider.lookupChange(change, "refund"))).toEqual({ _tag: "Absent" })
    shop.stripe.misbehave(/GET/, fault)
    const look = shop.provider.lookup(account, { key: null, externalId: charge.externalId })
    expect(await outcome(look)).toMatchObject({ _tag: "PaymentUnanswered" })
  })

  it("an error that Stripe remembers under a key stays one, and is no reason to believe that nothing was done", async () => {
    const charge = await run(shop.provider.authorize(requestOf("pm_card_visa")))
    shop.stripe.misbehave(/POST \/v1\/refunds/, "broken", 1)
    const change = changeOf(charge, "refund", 100n)
    expect(await outcome(shop.provider.refund(change))).toMatchObject({ _tag: "PaymentUnanswered" })
    expect(await outcome(shop.provider.refund(change))).toMatchObject({ _tag: "PaymentUnanswered" })
  })

  it("a decline that cannot be made final is unanswered, because a browser may still pay", async () => {
    shop.stripe.misbehave(/POST .*\/cancel$/, "dropped")
    expect(await outcome(shop.provider.authorize(requestOf("pm_card_visa_chargeDeclined")))).toMatchObject({
      _tag: "PaymentUnanswered"
    })
  })

  it("what a shopper paid while it was declined here is a payment", async () => {
    const request = requestOf(null)
    const { externalId } = await run(shop.provider.authorize(request))
    shop.stripe.books.confirm(externalId, "pm_card_visa", "https://shop.example")
    // The server's own confirmation comes after the browser's.
    const late = await run(shop.provider.authorize({ ...request, reference: "pm_card_visa_chargeDeclined" }))
    expect(late).toMatchObject({ externalId, state: "captured" })
  })

  it("the same key with another amount is not a decline: the first amount may have been paid", async () => {
    const request = requestOf("pm_card_visa")
    await run(shop.provider.authorize(request))
    expect(await outcome(shop.provider.authorize({ ...request, amount: 99n }))).toMatchObject({
      _tag: "PaymentUnanswered"
    })
    expect(created(request.key)).toHaveLength(1)
  })
})

describe("credentials of Stripe", () => {
  const withKey = (secretKey: string, mode: ProviderAccount["mode"] = "test"): ProviderAccount => ({
    ...account,
    providerId: "ppr_1",
    mode,
    credentials: [Redacted.make({ secretKey })]
  })

  it("that Stripe rejects never mean that nothing was done", async () => {
    const revoked = withKey("sk_test_revoked")
    const request = requestOf("pm_card_visa", { account: revoked })
    expect(await outcome(shop.provider.authorize(request))).toMatchObject({ _tag: "PaymentUnanswered" })
    const charge = await run(shop.provider.authorize(requestOf("pm_card_visa")))
    const change = changeOf(charge, "refund", 1n, { account: revoked })
    expect(await outcome(shop.provider.refund(change))).toMatchObject({ _tag: "PaymentUnanswered" })
    expect(await outcome(shop.provider.lookupChange(change, "refund"))).toMatchObject({ _tag: "PaymentUnanswered" })
  })

  it("of the other mode are not used: they would look into other books", async () => {
    const sent = shop.stripe.requests.length
    const live = withKey(emulatedAccount.secretKey, "live")
    expect(await outcome(shop.provider.lookup(live, { key: "k", externalId: null }))).toMatchObject({
      _tag: "PaymentUnanswered"
    })
    expect(shop.stripe.requests).toHaveLength(sent)
  })

  it("are those of the account that an operation names, the newest first", async () => {
    const rotated: ProviderAccount = {
      ...account,
      providerId: "ppr_1",
      credentials: [
        Redacted.make({ secretKey: emulatedAccount.secretKey, captureMethod: "manual" }),
        Redacted.make({ secretKey: "sk_test_before" })
      ]
    }
    const charge = await run(
      stripeProvider({ apiBase: shop.stripe.apiBase }).authorize(requestOf("pm_card_visa", { account: rotated }))
    )
    expect(charge.state).toBe("authorized")
  })

  it("are checked by asking whose account they are", async () => {
    const check = (credentials: Readonly<Record<string, string>>) =>
      outcome(shop.provider.check(Redacted.make(credentials)))
    const { secretKey } = emulatedAccount
    expect(await outcome(shop.provider.check(null))).toEqual({ account: "acct_emulated", mode: "test" })
    expect(await check({ secretKey, webhookSecret: "whsec_1" })).toEqual({ account: "acct_emulated", mode: "test" })
    expect(await check({ secretKey })).toEqual({ account: "acct_emulated", mode: "test" })
    for (const [credentials, field] of [
      [{ secretKey: "pk_test_1" }, "secretKey"],
      [{ secretKey: "sk_test_unknown" }, "secretKey"],
      [{}, "secretKey"],
      [{ secretKey, webhookSecret: "secret" }, "webhookSecret"],
      [{ secretKey, captureMethod: "later" }, "captureMethod"]
    ] as const)
      expect(await check(credentials)).toMatchObject({ _tag: "CredentialsRejected", field })
    shop.stripe.misbehave(/GET \/v1\/account/, "dropped")
    expect(await check({ secretKey })).toMatchObject({ _tag: "PaymentUnanswered" })
  })

  it("where there are none, it is not configured, and serves stores with an account of their own", async () => {
    const bare = stripeProvider({ apiBase: shop.stripe.apiBase })
    expect(await outcome(bare.check(null))).toMatchObject({ _tag: "CredentialsRejected", field: null })
    expect(await outcome(bare.authorize(requestOf("pm_card_visa")))).toMatchObject({ _tag: "PaymentUnanswered" })
    const own = requestOf("pm_card_visa", { account: withKey(emulatedAccount.secretKey) })
    expect(await run(bare.authorize(own))).toMatchObject({ state: "captured" })
  })

  it("are in no error", async () => {
    shop.stripe.misbehave(/POST/, "broken")
    const errors = [
      await outcome(shop.provider.authorize(requestOf("pm_card_visa"))),
      await outcome(shop.provider.authorize(requestOf("pm_card_visa", { account: withKey("sk_test_revoked") }))),
      await outcome(shop.provider.check(Redacted.make({ secretKey: "sk_test_revoked" })))
    ]
    expect(JSON.stringify(errors)).not.toMatch(/sk_test|sk_t/)
  })
})

describe("the SDK", () => {
  it("sends no telemetry", async () => {
    await run(shop.provider.authorize(requestOf("pm_card_visa")))
    await run(shop.provider.authorize(requestOf("pm_card_visa")))
    expect(shop.stripe.requests.filter(({ headers }) => "x-stripe-client-telemetry" in headers)).toEqual([])
  })

  it("may be given another way to send its requests", async () => {
    const urls: Array<string> = []
    const viaFetch = stripeProvider({
      secretKey: Redacted.make(emulatedAccount.secretKey),
      apiBase: shop.stripe.apiBase,
      fetch: (input, init) => {
        urls.push(String(input))
        return fetch(input, init)
      }
    })
    const request = requestOf(null)
    const { externalId } = await run(viaFetch.authorize(request))
    expect(await run(viaFetch.authorize(request))).toMatchObject({ externalId })
    expect(urls.length).toBe(3)
  })
})
