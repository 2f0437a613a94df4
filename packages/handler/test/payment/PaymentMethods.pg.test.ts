import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { type Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, renewMemory, shopperOf } from "../Shopper.ts"
import { cardCompany } from "./CardCompany.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let live: string
const made: Record<string, string> = {}

beforeAll(async () => {
  const opened = await openTestCommerce({
    payments: { providers: [cardCompany] },
    statementLog: statements,
    role: "api"
  })
  const origin = { origin: "https://shop.example" }
  const call: TestCommerce["call"] = (method, path, options) =>
    opened.call(method, path, { ...options, headers: { ...origin, ...options?.headers } })
  shop = { ...opened, call }
  const channel = SalesChannels.use((channels) =>
    channels.create(shop.storeId, { name: "Live", mode: "live", domain: "shop.example" })
  )
  live = (await shop.run(channel as unknown as Effect.Effect<{ readonly id: string }>)).id
})
afterAll(() => shop.close())

const setUp = async (name: string, body: object) => {
  made[name] = (await shop.call("POST", "/v1/payment-providers", { body: { name, ...body } })).body.id
}
const card = (secretKey: string) => ({ type: "card", credentials: { secretKey, webhookSecret: "whsec_1" } })

const checkoutOn = async (channelId = shop.channelId) => {
  const shopper = shopperOf(shop, channelId)
  return shopper.checkout(await shopper.cart([await shopper.product(), 1]))
}
const methodsOf = async (id: string, channelId = shop.channelId) =>
  (await shop.call("GET", `/vc/${channelId}/checkout/${id}`)).body.paymentMethods

describe("a checkout", () => {
  it("lists what it may be paid by without a payment provider of the store: the installed ones", async () => {
    expect(await methodsOf(await checkoutOn())).toEqual([
      { id: "manual", type: "manual", name: expect.any(String), kind: "manual" },
      { id: "test", type: "test", name: expect.any(String), kind: "card" }
    ])
    expect(await methodsOf(await checkoutOn(live), live)).toEqual([
      { id: "manual", type: "manual", name: expect.any(String), kind: "manual" }
    ])
  })

  it("lists the store's own by the mode of its channel, in the answer to each change too", async () => {
    await setUp("Live card", card("key_live_1"))
    await setUp("Test card", card("key_test_1"))
    await setUp("Bank transfer", { type: "manual" })
    const id = await checkoutOn()
    const byHand = { id: made["Bank transfer"], type: "manual", name: "Bank transfer", kind: "manual" }
    const test = { id: "test", type: "test", name: expect.any(String), kind: "card" }
    const offered = [{ id: made["Test card"], type: "card", name: "Test card", kind: "card" }, byHand, test]
    expect(await methodsOf(id)).toEqual(offered)
    const changed = await shop.call("PATCH", `/vc/${shop.channelId}/checkout/${id}/customer`, {
      body: { email: "grace@example.com" }
    })
    expect(changed.body.paymentMethods).toEqual(offered)
    expect(await methodsOf(await checkoutOn(live), live)).toEqual([
      { id: made["Live card"], type: "card", name: "Live card", kind: "card" },
      byHand
    ])
  })

  it("lists what the process next door has set up, switched off or deleted, at once", async () => {
    const twin = await shop.openTwin()
    const id = await checkoutOn()
    const names = async () => {
      const url = `http://commerce.test/api/vc/${shop.channelId}/checkout/${id}`
      const answer = await twin.fetch(new Request(url, { headers: { origin: "https://shop.example" } }))
      const body: { readonly paymentMethods: ReadonlyArray<{ readonly name: string }> } = await answer.json()
      return body.paymentMethods.map(({ name }) => name)
    }
    const before = await names()
    await setUp("Cheque", { type: "manual" })
    expect(await names()).toEqual([...before.slice(0, -1), "Cheque", ...before.slice(-1)])
    await shop.call("PATCH", `/v1/payment-providers/${made["Cheque"]}`, { body: { isEnabled: false } })
    expect(await names()).toEqual(before)
    await shop.call("DELETE", `/v1/payment-providers/${made["Cheque"]}`)
    expect(await names()).toEqual(before)
  })

  it("costs the statements it did before, read and completed", async () => {
    const shopper = shopperOf(shop)
    const id = await checkoutOn()
    await renewMemory(shop)
    await methodsOf(id)
    statements.reset()
    await methodsOf(id)
    expect(statements.statements()).toHaveLength(1)
    const completing = async (body: object) => {
      const checkoutId = await checkoutOn()
      await methodsOf(checkoutId)
      statements.reset()
      const answer = await shopper.complete(checkoutId, `count ${checkoutId}`, body)
      expect(answer.status).toBe(200)
      return statements.statements().filter((text) => !/ idempotency /.test(text)).length
    }
    expect(await completing({ paymentMethod: "manual" })).toBe(7)
    expect(await completing({ paymentMethod: "provider", providerId: made["Bank transfer"] })).toBe(7)
  })

  it("that a storefront places without a cart waits to be paid by hand: without that method there is no such order", async () => {
    const order = async () => {
      const answer = await shop.call("POST", `/vc/${shop.channelId}/orders`, {
        body: {
          items: [{ productId: await shopperOf(shop).product({ price: 2_500n }), quantity: 1, price: "25.00" }],
          customer: { email: "ada@example.com" },
          shippingAddress: addressIn("CA", "94105")
        }
      })
      return [answer.status, answer.body.status ?? answer.body.code, answer.body.details?.paymentMethod]
    }
    const byHand = `/v1/payment-providers/${made["Bank transfer"]}`
    expect(await order()).toEqual([200, "PENDING", undefined])
    await shop.call("PATCH", byHand, { body: { isEnabled: false } })
    expect(await order()).toEqual([503, "PROVIDER_NOT_CONFIGURED", "manual"])
    await shop.call("PATCH", byHand, { body: { isEnabled: true } })
    expect(await order()).toEqual([200, "PENDING", undefined])
  })

  it("is completed by a payment provider of the store, and its order says how it is paid", async () => {
    const id = await checkoutOn()
    const providerId = made["Bank transfer"]
    const done = await shopperOf(shop).complete(id, "by hand", { paymentMethod: "provider", providerId })
    expect(done.status).toBe(200)
    const order = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect(order.body).toMatchObject({ paymentMethod: "manual", financialStatus: "pending" })
  })

  it.each([
    ["a test channel by a live account", () => shop.channelId, () => made["Live card"]],
    ["a live channel by a test account", () => live, () => made["Test card"]],
    ["a live channel by the test provider", () => live, () => "test"],
    ["any channel by one of nobody", () => live, () => "ppr_of_nobody"]
  ])("is never paid in %s", async (_words, channelId, providerId) => {
    const id = await checkoutOn(channelId())
    const body = { paymentMethod: "provider", providerId: providerId(), paymentReference: "approve" }
    const refused = await shopperOf(shop, channelId()).complete(id, `never ${id}`, body)
    expect([refused.status, refused.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    const begun = await shop.call("POST", `/vc/${channelId()}/checkout/${id}/payment`, {
      body: { providerId: providerId() },
      headers: { "idempotency-key": `begin ${id}` }
    })
    expect([begun.status, begun.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
  })

  it("is not free because its provider is called so", async () => {
    const id = await checkoutOn()
    const body = { paymentMethod: "provider", providerId: "free" }
    const refused = await shopperOf(shop).complete(id, "as if free", body)
    expect([refused.status, refused.body.details]).toEqual([
      400,
      { errors: { paymentMethod: "free is for orders with nothing due" } }
    ])
  })

  it("lists what serves its region, and is paid by what serves its region alone", async () => {
    const region = await shop.call("POST", "/v1/regions", {
      body: {
        name: "West",
        currency: "USD",
        countries: ["CA"],
        providerInstallationIds: [made["Bank transfer"]]
      }
    })
    const shopper = shopperOf(shop)
    const product = await shopper.product({ stock: 1 })
    const id = await shopper.checkout(await shopper.cart([product, 1]), region.body.id)
    expect(await methodsOf(id)).toEqual([
      { id: made["Bank transfer"], type: "manual", name: "Bank transfer", kind: "manual" }
    ])
    for (const providerId of ["test", made["Test card"]]) {
      const body = { paymentMethod: "provider", providerId, paymentReference: "approve" }
      const begun = await shop.call("POST", `${shopper.at}/checkout/${id}/payment`, { body: { providerId } })
      const onChannel = await shopper.complete(id, `elsewhere ${providerId}`, body)
      const byMerchant = await shop.call("POST", `/v1/checkout/${id}/complete`, {
        body,
        headers: { "idempotency-key": `by merchant ${providerId}` }
      })
      for (const refused of [begun, onChannel, byMerchant])
        expect([refused.status, refused.body.code, refused.body.details]).toEqual([
          503,
          "PROVIDER_NOT_CONFIGURED",
          { paymentMethod: providerId }
        ])
    }
    expect((await shop.call("GET", `/v1/products/${product}/inventory`)).body).toMatchObject({ total: 1, reserved: 0 })
    const done = await shopper.complete(id, "in its region", { paymentMethod: "manual" })
    expect([done.status, done.body.status]).toEqual([200, "PENDING"])
  })

  it("lists nothing but free where nothing is due", async () => {
    const shopper = shopperOf(shop)
    const id = await shopper.checkout(await shopper.cart([await shopper.product({ price: 0n }), 1]))
    expect(await methodsOf(id)).toEqual([{ id: "free", type: "free", name: "Free", kind: "free" }])
  })
})
