import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { account, openShop, outcome, requestOf, returnUrl, run } from "./emulatedShop.ts"

let shop: Awaited<ReturnType<typeof openShop>>
let india: Awaited<ReturnType<typeof openShop>>
beforeAll(async () => {
  shop = await openShop()
  india = await openShop({}, { searchDelay: null })
})
afterEach(() => shop.stripe.behave())
afterAll(() => Promise.all([shop.stripe.stop(), india.stripe.stop()]))

const byKey = (key: string, { provider } = shop) => run(provider.lookup(account, { key, externalId: null }))

describe("finding a charge at Stripe by our key", () => {
  it("finds it at once, although Stripe's search is a minute late", async () => {
    const request = requestOf("pm_card_visa")
    const charge = await run(shop.provider.authorize(request))
    expect(await byKey(request.key)).toEqual({ _tag: "Found", charge })
    expect(shop.stripe.requests.at(-1)?.path).not.toBe("/v1/payment_intents/search")
  })

  it("finds it after months by the search, as it is now", async () => {
    const request = requestOf("pm_card_visa")
    const charge = await run(shop.provider.authorize(request))
    shop.stripe.advance(90 * 86_400_000)
    shop.stripe.books.refund(charge.externalId, 45)
    const listed = shop.stripe.requests.filter(({ path }) => path === "/v1/payment_intents").length
    expect(await byKey(request.key)).toMatchObject({ _tag: "Found", charge: { refunds: [{ amount: 45n }] } })
    expect(shop.stripe.requests.filter(({ path }) => path === "/v1/payment_intents")).toHaveLength(listed)
  })

  it("looks through all pages of what was made lately", async () => {
    const request = requestOf(null)
    const { externalId } = await run(shop.provider.authorize(request))
    for (let n = 0; n < 320; n += 1)
      shop.stripe.books.open({
        amount: 100,
        currency: "usd",
        capture_method: "automatic",
        metadata: {},
        isRedirecting: false
      })
    expect(await byKey(request.key)).toMatchObject({ _tag: "Found", charge: { externalId } })
  })

  it("finds it where the account has no search", async () => {
    const request = requestOf("pm_card_visa")
    const charge = await run(india.provider.authorize(request))
    expect(await byKey(request.key, india)).toEqual({ _tag: "Found", charge })
    expect(await byKey("store_1/complete:unknown:1", india)).toEqual({ _tag: "Absent" })
  })

  it("knows nothing of a key it never got, nor of an id of another account", async () => {
    expect(await byKey("store_1/complete:unknown:1")).toEqual({ _tag: "Absent" })
    expect(await byKey("store_1/it's \\ odd")).toEqual({ _tag: "Absent" })
    const foreign = shop.provider.lookup(account, { key: null, externalId: "pi_of_another" })
    expect(await run(foreign)).toEqual({ _tag: "Absent" })
    expect(await run(shop.provider.lookup(account, { key: null, externalId: null }))).toEqual({ _tag: "Absent" })
  })

  it("says that it does not know while search and lists do not answer", async () => {
    shop.stripe.misbehave(/GET \/v1\/payment_intents$/, "broken")
    const unknown = shop.provider.lookup(account, { key: "store_1/complete:unknown:1", externalId: null })
    expect(await outcome(unknown)).toMatchObject({ _tag: "PaymentUnanswered" })
    shop.stripe.misbehave(/GET .*search$/, "dropped")
    expect(await outcome(unknown)).toMatchObject({ _tag: "PaymentUnanswered" })
  })

  it("takes the one with money in it where Stripe forgot the key and made a second", async () => {
    const request = requestOf(null)
    const { externalId } = await run(shop.provider.authorize(request))
    shop.stripe.books.confirm(externalId, "pm_card_visa", returnUrl)
    shop.stripe.forgetKeys()
    await run(shop.provider.authorize(request))
    expect(await byKey(request.key)).toMatchObject({ charge: { externalId, state: "captured" } })
  })

  it("says of a payment without our key that it is not ours", async () => {
    const { id } = shop.stripe.books.open({
      amount: 100,
      currency: "usd",
      capture_method: "automatic",
      metadata: {},
      isRedirecting: false
    })
    const found = await run(shop.provider.lookup(account, { key: null, externalId: id }))
    expect(found).toMatchObject({ _tag: "Found", charge: { key: null } })
  })
})
