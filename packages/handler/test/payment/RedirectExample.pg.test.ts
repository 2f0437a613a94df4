/** What docs/guides/payment-providers.md says of a whole purchase through a provider of a host's own, done over HTTP. */
import { Products } from "@effect-commerce/core/product/Products"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { everyScope } from "@effect-commerce/core/identity/Scope"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Stores } from "@effect-commerce/core/store/Stores"
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import type { RequestListener } from "node:http"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openApp } from "../../../../examples/redirect-payments/app.ts"
import { type Florin, startFlorin } from "../../../../examples/redirect-payments/emulation.ts"
import { type Listening, listening } from "../edge/nodeServer.ts"
import { addressIn } from "../Shopper.ts"

const hour = 3_600_000

let database: Awaited<ReturnType<typeof TestDatabase.open>>
let company: Florin
let server: Listening
let shop: Awaited<ReturnType<typeof openApp>>
let store: Awaited<ReturnType<typeof open>>
/** The payment provider that the store has set up with its own key. */
let own: string

const open = () =>
  Effect.gen(function* () {
    const made = yield* (yield* Stores).create({ name: "Lamps", currency: "EUR", country: "US" })
    const channel = yield* (yield* SalesChannels).create(made.id, { name: "Web shop" })
    const { key } = yield* (yield* ApiKeys).mint({
      accountId: made.accountId,
      storeId: made.id,
      name: "Back office",
      scopes: everyScope,
      tier: "ENTERPRISE"
    })
    const lamp = yield* (yield* Products).create(yield* (yield* Stores).context(made.id), {
      name: "Lamp",
      basePrice: "25.00",
      status: "active",
      inventory: { total: 1_000 }
    })
    return { storeId: made.id, channelId: channel.id, key, lamp: lamp.id }
  }).pipe(Effect.provideContext(shop.commerce.services), Effect.runPromise)

beforeAll(async () => {
  database = await TestDatabase.open()
  company = await startFlorin()
  let app: RequestListener = (_, response) => void response.end()
  server = await listening((request, response) => app(request, response))
  shop = await openApp(
    {
      database: { connection: database.connection },
      secret: TestDatabase.testSecret,
      rateLimit: { perMinute: "off" },
      testClock: true,
      mail: { publicUrl: server.url }
    },
    { apiBase: company.apiBase, apiKey: Redacted.make("test_else") }
  )
  app = shop.app as never
  store = await open()
  const set = await call("POST", "/v1/payment-providers", { type: "florin", credentials: { apiKey: "test_own" } })
  expect([set.status, set.body.account, set.body.mode, set.body.kind]).toEqual([201, "org_own", "test", "redirect"])
  expect(set.text).not.toContain("test_own")
  own = set.body.id
})
beforeEach(() => {
  company.behave()
  company.deliver(true)
})
afterAll(async () => {
  await shop.commerce.close()
  await server.close()
  await company.stop()
  await database.close()
})

const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${server.url}/api${path}`, {
    method,
    headers: { "content-type": "application/json", ...(path.startsWith("/v1/") ? { "x-api-key": store.key } : {}) },
    body: body === undefined ? null : JSON.stringify(body)
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) }
}
const inShop = (method: string, path: string, body?: object) => call(method, `/vc/${store.channelId}${path}`, body)
const advance = (advanceMs: number) => call("POST", "/test/clock", { advanceMs })
const statusOf = async (checkoutId: string) => (await inShop("GET", `/checkout/${checkoutId}/payment-status`)).body
const orderOf = async (id: string) => (await call("GET", `/v1/orders/${id}`)).body
const until = (holds: () => Promise<unknown>, what: unknown) => expect.poll(holds, { timeout: 30_000 }).toBe(what)
const becomes = (checkoutId: string, status: string) => until(async () => (await statusOf(checkoutId)).status, status)

const newCheckout = async (): Promise<string> => {
  const { id: cartId } = (await inShop("POST", "/cart")).body
  await inShop("POST", `/cart/${cartId}/items`, { productId: store.lamp, quantity: 1 })
  const { id } = (await inShop("POST", "/checkout", { cartId })).body
  await inShop("PATCH", `/checkout/${id}/customer`, { email: "ada@example.com", firstName: "Ada", lastName: "Byron" })
  const shipped = await inShop("PATCH", `/checkout/${id}/shipping`, { shippingAddress: addressIn("CA", "94105") })
  const [rate] = shipped.body.availableShippingRates
  if (rate !== undefined) await inShop("PATCH", `/checkout/${id}/shipping-method`, { shippingRateId: rate.id })
  return id
}

const begin = async (checkoutId: string, providerId = own) => {
  const returnUrl = `${server.url.replace("127.0.0.1", "localhost")}/thanks/${store.channelId}/${checkoutId}`
  const begun = await inShop("POST", `/checkout/${checkoutId}/payment`, { providerId, returnUrl })
  expect([begun.status, begun.text]).toEqual([200, begun.text])
  return begun.body as { readonly redirectUrl: string; readonly amount: string; readonly providerType: string }
}

/** The shopper presses a button of the company's page, and is sent back. */
const shopperPays = async (redirectUrl: string, outcome = "paid"): Promise<string> => {
  const pressed = await fetch(redirectUrl, {
    method: "POST",
    body: new URLSearchParams({ outcome }),
    redirect: "manual"
  })
  return pressed.headers.get("location") ?? ""
}
const keyOf = (checkoutId: string) => `${store.storeId}/complete:${checkoutId}:1`
const paymentOf = (checkoutId: string) => {
  const found = company.payments().filter(({ metadata }) => metadata["key"] === keyOf(checkoutId))
  expect(found.length).toBe(1)
  const [payment] = found
  if (payment === undefined) throw new Error(checkoutId)
  return payment
}
const send = (body: string, to = own) =>
  fetch(`${server.url}/api/payment-events/${to}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body
  })

describe("a purchase that is paid on the company's page", () => {
  it("is offered, waits for the shopper, and the company's notice places the order", async () => {
    const checkoutId = await newCheckout()
    const { paymentMethods } = (await inShop("GET", `/checkout/${checkoutId}`)).body
    expect(paymentMethods).toContainEqual(expect.objectContaining({ id: own, type: "florin" }))
    const { redirectUrl, ...begun } = await begin(checkoutId)
    expect(begun).toMatchObject({ providerType: "florin", clientSecret: null, amount: "25.00", currency: "EUR" })
    expect(await statusOf(checkoutId)).toMatchObject({ status: "awaiting_shopper", orderId: null })
    expect(await (await fetch(redirectUrl)).text()).toContain("25.00 EUR")
    await shopperPays(redirectUrl)
    await becomes(checkoutId, "paid")
    const payment = paymentOf(checkoutId)
    expect([payment.amount, payment.webhookUrl, payment.metadata]).toEqual([
      2_500n,
      `${server.url}/api/payment-events/${own}`,
      { key: keyOf(checkoutId), storeId: store.storeId }
    ])
    const { orderId } = await statusOf(checkoutId)
    expect(await orderOf(orderId)).toMatchObject({
      status: "PAID",
      paymentProviderType: "florin",
      paymentExternalId: payment.id,
      paymentAmount: "25.00"
    })
  })

  it("is found when the shopper comes back, where the notice was lost", async () => {
    company.deliver(false)
    const checkoutId = await newCheckout()
    const { redirectUrl } = await begin(checkoutId)
    const back = await shopperPays(redirectUrl)
    await advance(3_000)
    const thanks = await fetch(back.replace("localhost", "127.0.0.1"))
    expect(await thanks.text()).toMatch(/^Thank you: order #\d+$/)
  })

  it("is found without notice or return, and once only", async () => {
    company.deliver(false)
    const checkoutId = await newCheckout()
    const { redirectUrl } = await begin(checkoutId)
    await shopperPays(redirectUrl)
    await advance(60_000)
    await until(async () => (await statusOf(checkoutId)).status === "paid", true)
    expect(paymentOf(checkoutId).captured).toBe(2_500n)
  })

  it("begins once, however often the storefront asks", async () => {
    const checkoutId = await newCheckout()
    const [first, second] = [await begin(checkoutId), await begin(checkoutId)]
    expect(second).toEqual(first)
    expect(paymentOf(checkoutId).status).toBe("open")
  })

  it("is given up where the shopper never comes back: nobody can pay it any more", async () => {
    const checkoutId = await newCheckout()
    await begin(checkoutId)
    await advance(25 * hour)
    await until(async () => paymentOf(checkoutId).status, "canceled")
    expect(await statusOf(checkoutId)).toMatchObject({ status: "expired", orderId: null })
  })

  it("can be paid again where its time at the company is over", async () => {
    company.deliver(false)
    const checkoutId = await newCheckout()
    const { redirectUrl } = await begin(checkoutId)
    company.advance(16 * 60_000)
    await advance(16 * 60_000)
    await becomes(checkoutId, "pending")
    expect((await begin(checkoutId)).redirectUrl).not.toBe(redirectUrl)
  })

  it("that the shopper breaks off can be paid again", async () => {
    const checkoutId = await newCheckout()
    const { redirectUrl } = await begin(checkoutId)
    await shopperPays(redirectUrl, "canceled")
    await becomes(checkoutId, "pending")
    const again = await begin(checkoutId)
    expect(again.redirectUrl).not.toBe(redirectUrl)
    await shopperPays(again.redirectUrl)
    await becomes(checkoutId, "paid")
  })

  it("needs an address to which the shopper comes back, and asks for it before anything is held", async () => {
    const checkoutId = await newCheckout()
    const begun = await inShop("POST", `/checkout/${checkoutId}/payment`, { providerId: own })
    expect([begun.status, begun.body.code, Object.keys(begun.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      ["returnUrl"]
    ])
    expect(company.payments().filter(({ metadata }) => metadata["key"] === keyOf(checkoutId))).toEqual([])
    await begin(checkoutId)
  })

  it("is begun once where the answer was lost", async () => {
    const checkoutId = await newCheckout()
    company.misbehave(/POST \/v2\/payments$/, "lost", 1)
    const begun = await inShop("POST", `/checkout/${checkoutId}/payment`, {
      providerId: own,
      returnUrl: "http://localhost/thanks"
    })
    expect([begun.status, begun.body.code]).toEqual([500, "PAYMENT_PROCESSING_ERROR"])
    await advance(60_000)
    await becomes(checkoutId, "awaiting_shopper")
    const { redirectUrl } = await begin(checkoutId)
    expect(redirectUrl).toContain(paymentOf(checkoutId).id)
  })

  it("goes through the installation's own account by its code, where the host has one", async () => {
    const other = await open()
    const before = store
    store = { ...other }
    try {
      const checkoutId = await newCheckout()
      const { redirectUrl } = await begin(checkoutId, "florin")
      await shopperPays(redirectUrl)
      await becomes(checkoutId, "paid")
      expect(paymentOf(checkoutId)).toMatchObject({
        account: "org_else",
        webhookUrl: `${server.url}/api/payment-events/florin`
      })
    } finally {
      store = before
    }
  })
})

describe("an unsigned notice", () => {
  it("is never believed: the company is asked, and says that nothing was paid", async () => {
    const checkoutId = await newCheckout()
    await begin(checkoutId)
    const { id } = paymentOf(checkoutId)
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(`id=${id}&status=paid&amount=25.00`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await advance(3_000)
    expect(await statusOf(checkoutId)).toMatchObject({ status: "awaiting_shopper", orderId: null })
  })

  it("is refused where it names no payment, and changes nothing where it is made up", async () => {
    expect((await send("id=")).status).toBe(401)
    expect((await send(`{"id":"tr_1"}`)).status).toBe(401)
    expect((await send("id=tr_1", "ppr_of_nobody")).status).toBe(404)
    expect((await send("id=tr_made_up")).status).toBe(200)
  })

  it("of a refund in the company's dashboard brings the books to it, and down again when it fails", async () => {
    const checkoutId = await newCheckout()
    await shopperPays((await begin(checkoutId)).redirectUrl)
    await becomes(checkoutId, "paid")
    const { orderId } = await statusOf(checkoutId)
    company.refund(keyOf(checkoutId), 1_000n)
    await until(async () => (await orderOf(orderId)).financialStatus, "partially_refunded")
    company.settleRefund(keyOf(checkoutId), "failed")
    await until(async () => (await orderOf(orderId)).financialStatus, "paid")
  })
})
