import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Clock, Effect, Redacted } from "effect"
import Stripe from "stripe"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ProviderAccount, RawNotice } from "../../src/payment/PaymentProvider.ts"
import { stripeProvider } from "../../src/stripe/StripeProvider.ts"
import { emulatedAccount, signedNotice } from "../../src/emulation/StripeEmulation.ts"
import { account, openShop, outcome, requestOf, returnUrl, run } from "./emulatedShop.ts"

let shop: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.stripe.stop())

const { webhookSecret } = emulatedAccount
const verify = (raw: RawNotice, of: ProviderAccount = account) => outcome(shop.provider.verifyNotice(of, raw))
const read = (raw: RawNotice) => run(shop.provider.readNotice(account, raw.body))
const event = (type: string, object: object, more: object = {}) => ({
  id: "evt_1",
  object: "event",
  type,
  livemode: false,
  data: { object },
  ...more
})
const notice = (body: object, secret = webhookSecret, at = Date.now()) => signedNotice(secret, body, at)
const rejected = { _tag: "NoticeRejected" }

describe("a notice of Stripe", () => {
  it("is believed with the signature that Stripe's own SDK makes, over the exact bytes", async () => {
    const payload = JSON.stringify(event("payment_intent.succeeded", { id: "pi_1", object: "payment_intent" }))
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
    const raw = { headers: { "stripe-signature": header }, body: new TextEncoder().encode(payload) }
    expect(await verify(raw)).toEqual({ eventId: "evt_1" })
    expect(await verify({ ...raw, body: new TextEncoder().encode(`${payload} `) })).toMatchObject(rejected)
    expect(await verify({ ...raw, headers: {} })).toMatchObject(rejected)
  })

  it.each([
    ["no time", (header: string) => header.replace(/t=\d+,/, "")],
    ["another time", (header: string) => header.replace(/t=(\d)/, "t=9")],
    ["no signature of the first scheme", (header: string) => header.replace("v1=", "v2=")],
    ["half a signature", (header: string) => header.slice(0, 60)],
    ["nothing readable", () => "hello"]
  ])("is rejected with %s", async (_, change) => {
    const raw = notice(event("payment_intent.succeeded", {}))
    const header = change(raw.headers["stripe-signature"] ?? "")
    expect(await verify({ ...raw, headers: { "stripe-signature": header } })).toMatchObject(rejected)
  })

  it("is believed with any of several signatures, and any of the secrets while they are rotated", async () => {
    const body = event("payment_intent.succeeded", {})
    const at = Date.now()
    const of = (secret: string) => notice(body, secret, at).headers["stripe-signature"]?.replace(/,v0=.*/, "") ?? ""
    const two = `${of("whsec_other")},${of(webhookSecret).replace(/^t=\d+,/, "")}`
    expect(await verify({ ...notice(body), headers: { "stripe-signature": two } })).toEqual({ eventId: "evt_1" })
    const rotated: ProviderAccount = {
      ...account,
      providerId: "ppr_1",
      credentials: ["whsec_new", "whsec_old"].map((secret) => Redacted.make({ webhookSecret: secret }))
    }
    for (const secret of ["whsec_new", "whsec_old"])
      expect(await verify(notice(body, secret), rotated)).toEqual({ eventId: "evt_1" })
    // The installation's own secret is none of a store's account.
    expect(await verify(notice(body), rotated)).toMatchObject(rejected)
  })

  it("is rejected where no secret is set, also one that is signed with nothing", async () => {
    const body = event("payment_intent.succeeded", {})
    const bare = stripeProvider({ secretKey: Redacted.make("sk_test_x") })
    expect(await outcome(bare.verifyNotice(account, notice(body, "")))).toMatchObject(rejected)
    const empty: ProviderAccount = { ...account, credentials: [Redacted.make({ webhookSecret: "" })] }
    expect(await verify(notice(body, ""), empty)).toMatchObject(rejected)
  })

  it("may be five minutes old or early, and not a second more", async () => {
    const now = 1_800_000_000_000
    const at = (millis: number) =>
      outcome(
        Effect.provideService(
          shop.provider.verifyNotice(
            account,
            notice(event("payment_intent.succeeded", {}), webhookSecret, now + millis)
          ),
          Clock.Clock,
          clockAt(now)
        )
      )
    for (const millis of [-300_000, 0, 300_000]) expect(await at(millis)).toEqual({ eventId: "evt_1" })
    for (const millis of [-301_000, 301_000]) expect(await at(millis)).toMatchObject(rejected)
  })

  it("of live mode is none of a test account, nor the other way round", async () => {
    const ofMode = (mode: ProviderAccount["mode"]): ProviderAccount => ({
      ...account,
      providerId: "ppr_1",
      mode,
      credentials: [Redacted.make({ webhookSecret })]
    })
    const live = notice(event("payment_intent.succeeded", {}, { livemode: true }))
    const test = notice(event("payment_intent.succeeded", {}))
    expect(await verify(live, ofMode("test"))).toMatchObject(rejected)
    expect(await verify(live, ofMode("live"))).toEqual({ eventId: "evt_1" })
    expect(await verify(test, ofMode("live"))).toMatchObject(rejected)
    expect(await verify(live)).toMatchObject(rejected)
  })

  it("of the installation's account is believed before Stripe could be asked whose account and mode the key is", async () => {
    const unchecked: ProviderAccount = { ...account, storeId: null, account: "", mode: "live" }
    expect(await verify(notice(event("payment_intent.succeeded", {})), unchecked)).toEqual({ eventId: "evt_1" })
  })

  it("that is no event is rejected", async () => {
    expect(await verify(notice({ hello: "world" }))).toMatchObject(rejected)
    expect(await outcome(shop.provider.readNotice(account, new TextEncoder().encode("{")))).toMatchObject({
      _tag: "NoticeUnreadable"
    })
  })

  it("names the charge that it is a reason to look at", async () => {
    const metadata = { commerce_key: "k" }
    const names = [{ key: "k", externalId: "pi_1" }]
    const intent = { id: "pi_1", object: "payment_intent", metadata }
    for (const type of ["succeeded", "payment_failed", "canceled", "processing", "amount_capturable_updated"])
      expect(await read(notice(event(`payment_intent.${type}`, intent)))).toEqual(names)
    const charge = { id: "ch_1", object: "charge", payment_intent: "pi_1", metadata }
    for (const type of ["charge.refunded", "charge.expired"])
      expect(await read(notice(event(type, charge)))).toEqual(names)
    const keyless = [{ key: null, externalId: "pi_1" }]
    const refund = { id: "re_1", object: "refund", payment_intent: "pi_1", metadata: { commerce_key: "refund:k" } }
    for (const type of ["refund.created", "refund.updated", "refund.failed", "charge.refund.updated"])
      expect(await read(notice(event(type, refund)))).toEqual(keyless)
    const dispute = { id: "dp_1", object: "dispute", payment_intent: { id: "pi_1" }, metadata: {} }
    for (const type of ["charge.dispute.created", "charge.dispute.closed", "charge.dispute.funds_withdrawn"])
      expect(await read(notice(event(type, dispute)))).toEqual(keyless)
  })

  it("of other things, or of payments that are not ours, names none", async () => {
    const foreign = { id: "pi_1", object: "payment_intent", metadata: {} }
    for (const body of [
      event("payment_intent.succeeded", foreign),
      event("payment_intent.created", { ...foreign, metadata: { commerce_key: "k" } }),
      event("customer.created", { id: "cus_1", object: "customer" }),
      event("refund.created", { id: "re_1", object: "refund", payment_intent: null, charge: "ch_1" }),
      event("a_type.of_next_year", foreign)
    ])
      expect(await read(notice(body))).toEqual([])
    const { data: _, ...thin } = event("v1.billing.meter", {})
    expect(await read(notice(thin))).toEqual([])
  })

  it("is sent by Stripe for all that becomes of a charge", async () => {
    shop.stripe.notices.length = 0
    const request = requestOf(null)
    const { externalId } = await run(shop.provider.authorize(request))
    shop.stripe.books.confirm(externalId, "pm_card_visa", returnUrl)
    shop.stripe.books.refund(externalId, 100)
    shop.stripe.books.dispute(externalId)
    const names = await Promise.all(
      shop.stripe.notices.map(async (raw) => {
        expect(await verify(raw)).toMatchObject({ eventId: expect.stringMatching(/^evt_/) })
        return read(raw)
      })
    )
    expect(names).toEqual([
      [],
      [{ key: request.key, externalId }],
      [{ key: null, externalId }],
      [{ key: null, externalId }]
    ])
  })
})

describe("the emulation", () => {
  it("posts its notices to the address of a shop, byte for byte", async () => {
    const arrived: Array<{ readonly signature: unknown; readonly body: string }> = []
    const server = createServer(async (request, response) => {
      let body = ""
      for await (const chunk of request) body += chunk
      arrived.push({ signature: request.headers["stripe-signature"], body })
      response.end()
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const { port } = server.address() as AddressInfo
    shop.stripe.deliverTo(`http://127.0.0.1:${port}/api/payment-events/stripe`)
    await run(shop.provider.authorize(requestOf(null)))
    await expect.poll(() => arrived.length).toBe(1)
    shop.stripe.deliverTo(null)
    await new Promise((done) => server.close(done))
    const [{ signature, body } = { signature: "", body: "" }] = arrived
    const raw = { headers: { "stripe-signature": String(signature) }, body: new TextEncoder().encode(body) }
    expect(await verify(raw)).toMatchObject({ eventId: expect.stringMatching(/^evt_/) })
  })
})

const clockAt = (millis: number): Clock.Clock => ({
  currentTimeMillisUnsafe: () => millis,
  currentTimeMillis: Effect.succeed(millis),
  currentTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
  currentTimeNanos: Effect.succeed(BigInt(millis) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
  monotonicTimeNanos: Effect.succeed(BigInt(millis) * 1_000_000n),
  sleep: () => Effect.void
})
