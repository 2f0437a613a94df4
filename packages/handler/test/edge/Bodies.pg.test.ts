/** Bodies nobody has asked for, types that say nothing, and refusals that stay small. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { type Listening, listening } from "./nodeServer.ts"

let shop: TestCommerce
let server: Listening
let cart: string
beforeAll(async () => {
  shop = await openTestCommerce()
  server = await listening(shop.commerce.node)
  cart = (await shop.call("POST", `/vc/${shop.channelId}/cart`, { body: {} })).body.id
})
afterAll(async () => {
  await server.close()
  await shop.close()
})

const json = { "content-type": "application/json" }

describe("a route that declares no body", () => {
  const bad: ReadonlyArray<readonly [string, BodyInit]> = [
    ["that is no JSON", "{bad"],
    ["of a form", "a=b"],
    ["with a NUL", '{"a":"\u0000"}'],
    ["with an escaped NUL", '{"a":"\\u0000"}'],
    ["with a lone surrogate", '{"a":["\\ud800"]}'],
    ["with a lone surrogate for a name", '{"\\udfff":1}'],
    ["that is no UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
    ["that is nested too deep", "[".repeat(200)]
  ]
  it.each(bad)("refuses a body %s with 400, and does nothing", async (_what, raw) => {
    const refused = (answer: Called) => [
      answer.status,
      answer.body?.code,
      Object.keys(answer.body?.details.errors ?? {})
    ]
    const expected = [400, "VALIDATION_FAILED", ["body"]]
    for (const headers of [json, {}]) {
      expect(refused(await shop.call("DELETE", `/vc/${shop.channelId}/cart/${cart}`, { raw, headers }))).toEqual(
        expected
      )
      expect(
        refused(await shop.call("POST", `/vc/${shop.channelId}/cart/${cart}/refresh-snapshots`, { raw, headers }))
      ).toEqual(expected)
    }
    expect((await shop.call("GET", `/vc/${shop.channelId}/cart/${cart}`)).status).toBe(200)
  })

  it("takes none, an empty one and any that is JSON", async () => {
    for (const raw of [undefined, "", "{}", "null", '"x"', '{"anything":[1]}']) {
      const { status } = await shop.call(
        "POST",
        `/vc/${shop.channelId}/cart/${cart}/refresh-snapshots`,
        raw === undefined ? {} : { raw, headers: json }
      )
      expect([raw, status]).toEqual([raw, 200])
    }
  })

  it("holds on a GET too, where Node lets a body through", async () => {
    const get = (body?: string) => server.ask("GET", `/api/vc/${shop.channelId}/cart/${cart}`, {}, body)
    expect([
      (await get()).status,
      (await get("{}")).status,
      (await get("{bad")).status,
      (await get('"\\u0000"')).status
    ]).toEqual([200, 200, 400, 400])
  })
})

describe("a content type", () => {
  it.each([
    ["absent", undefined],
    ["empty", ""],
    ["blank", "  "],
    ["a parameter alone", "; charset=utf-8"]
  ])("that is %s counts as JSON", async (_what, type) => {
    const body = '{"name":"Typeless","country":"US","rate":1}'
    const { status, head } = await server.ask(
      "POST",
      "/api/v1/tax/rates",
      { "x-api-key": shop.apiKey, ...(type === undefined ? {} : { "content-type": type }) },
      body
    )
    expect([status, /content-type: application\/json/i.test(head)]).toEqual([201, true])
    if (type === undefined) return
    const fetched = await shop.call("POST", "/v1/tax/rates", {
      raw: new Blob([body]),
      headers: { "content-type": type }
    })
    expect([fetched.status, fetched.body?.name]).toEqual([201, "Typeless"])
  })

  it.each([
    "text/plain",
    "application/jsonx",
    "application/json, text/plain",
    "x",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x"
  ])("of %s is 415 in the envelope", async (type) => {
    const { status, body } = await server.ask(
      "POST",
      "/api/v1/tax/rates",
      { "x-api-key": shop.apiKey, "content-type": type },
      "{}"
    )
    expect([status, body?.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
  })
})

describe("a refusal", () => {
  const long = (length: number) => "x".repeat(length)
  const longestRun = (text: string) => Math.max(0, ...(text.match(/x+/g) ?? []).map((run) => run.length))
  const checkout = async () => {
    const product = (
      await shop.call("POST", "/v1/products", {
        body: { name: "Mug", basePrice: "9.00", status: "active", inventory: { total: 5 } }
      })
    ).body.id
    const made = (await shop.call("POST", `/vc/${shop.channelId}/cart`, { body: {} })).body.id
    await shop.call("POST", `/vc/${shop.channelId}/cart/${made}/items`, { body: { productId: product, quantity: 1 } })
    return (await shop.call("POST", `/vc/${shop.channelId}/checkout`, { body: { cartId: made } })).body.id
  }

  it("repeats no more than 200 characters of what it refuses", async () => {
    const id = await checkout()
    const text = long(100_000)
    const refusals = await Promise.all([
      shop.call("POST", `/vc/${shop.channelId}/checkout/${id}/payment`, { body: { providerId: text } }),
      shop.call("POST", "/v1/tax/rates", { body: { name: 5, country: text, rate: text } }),
      shop.call("POST", "/v1/api-keys", { body: { name: "k", scopes: [text] } }),
      shop.call("POST", "/v1/products", { body: { name: "p", status: text, translations: { [text]: 5 } } }),
      shop.call("PATCH", "/v1/store", { body: { currency: text } }),
      shop.call("POST", "/v1/webhook-subscriptions", { body: { url: "https://a.test", events: [text, text] } }),
      shop.call("POST", "/v1/shipping/zones", { body: { name: "z", countries: [text] } }),
      shop.call("GET", `/v1/products/${long(8_000)}`),
      shop.call("GET", `/v1/nowhere/${long(8_000)}`),
      shop.call("GET", `/v1/events?after=${long(8_000)}&types=${long(8_000)}`),
      shop.call("GET", `/vc/${shop.channelId}/checkout/address-details?placeId=${long(8_000)}`),
      shop.call("POST", `/vc/${shop.channelId}/checkout/${id}/complete`, {
        body: { expectedTotal: text, paymentMethod: text, providerId: text },
        headers: { "idempotency-key": "echo-1" }
      })
    ])
    for (const { status, body, text: answer } of refusals) {
      expect([status >= 400, body?.code]).toEqual([true, expect.any(String)])
      expect(longestRun(answer)).toBeLessThanOrEqual(200)
      expect(answer.length).toBeLessThan(5_000)
    }
  })

  it("shows 200 characters of a path whole, and cuts one that is longer", async () => {
    const pathOf = async (length: number) => (await shop.call("GET", `/${"y".repeat(length - 5)}`)).body.path
    expect(await pathOf(200)).toBe(`/api/${"y".repeat(195)}`)
    expect(await pathOf(201)).toBe(`/api/${"y".repeat(194)}…`)
  })

  it("never ends in half a character", async () => {
    const name = `${"x".repeat(150)}${"😀".repeat(2_000)}`
    for (const pad of ["", "x"]) {
      const { text } = await shop.call("POST", "/v1/api-keys", { body: { name: "k", scopes: [pad + name] } })
      expect([text.isWellFormed(), /\\ud8/i.test(text)]).toEqual([true, false])
    }
  })

  it("of thousands of long mistakes is small as a whole", async () => {
    const many = Array.from({ length: 400 }, (_, i) => `${i}${long(2_000)}`)
    const refusals = await Promise.all([
      shop.call("POST", "/v1/webhook-subscriptions", { body: { url: "https://a.test", events: many } }),
      shop.call("POST", "/v1/shipping/zones", { body: { name: "z", countries: many } }),
      shop.call("POST", "/v1/api-keys", { body: { name: "k", scopes: many } })
    ])
    for (const { status, text } of refusals) {
      expect(status).toBe(400)
      expect(text.length).toBeLessThan(110_000)
      expect(longestRun(text)).toBeLessThanOrEqual(200)
    }
  })
})

describe("the place behind an address suggestion", () => {
  it("is declared as the interface shows it", async () => {
    const { body } = await shop.call("GET", "/openapi.json")
    const resolved = (schema: { readonly $ref?: string }) =>
      schema.$ref === undefined ? schema : body.components.schemas[schema.$ref.split("/").at(-1) ?? ""]
    const answer = body.paths["/vc/{salesChannelId}/checkout/address-details"].get.responses["200"]
    const shape = resolved(answer.content["application/json"].schema)
    const parts = resolved(shape.properties.address).properties
    expect([Object.keys(shape.properties).sort(), Object.keys(parts).sort()]).toEqual([
      ["address", "inZone"],
      ["city", "country", "formattedAddress", "lat", "line1", "lng", "postalCode", "region"]
    ])
    expect([parts.lat.type, parts.line1.type, shape.properties.inZone.type]).toEqual(["number", "string", "boolean"])
  })
})
