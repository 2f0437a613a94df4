import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const keys = (body: object) => Object.keys(body).sort()

describe("every failure leaves through one envelope", () => {
  it("answers an unknown path with 404 and nothing but the envelope's keys", async () => {
    const { status, body } = await shop.call("GET", "/nowhere?secret=1")
    expect(status).toBe(404)
    expect(keys(body)).toEqual(["code", "message", "path", "statusCode", "timestamp"])
    expect(body).toMatchObject({ statusCode: 404, code: "RESOURCE_NOT_FOUND", path: "/api/nowhere" })
  })

  it("answers a wrong method with 405 and names the right ones", async () => {
    const { status, body, headers } = await shop.call("PUT", "/v1/orders")
    expect(status).toBe(405)
    expect(headers.get("allow")).toBe("GET, POST")
    expect(body).toMatchObject({ code: "METHOD_NOT_ALLOWED", details: { allow: ["GET", "POST"] } })
  })

  it("refuses another content type with 415", async () => {
    const { status, body } = await shop.call("POST", "/v1/tax/rates", {
      raw: "name=x",
      headers: { "content-type": "application/x-www-form-urlencoded" }
    })
    expect([status, body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
  })

  it.each([
    ["malformed JSON", "{bad"],
    ["nothing", ""],
    ["a NUL written as an escape", '{"name":"a\\u0000b"}'],
    ["a lone surrogate written as an escape", '{"name":"a\\ud800b"}'],
    ["a raw NUL", '{"name":"a\u0000b"}']
  ])("refuses a body that is %s with 400", async (_what, raw) => {
    const { status, body } = await shop.call("POST", "/v1/tax/rates", {
      raw,
      headers: { "content-type": "application/json" }
    })
    expect([status, body.code]).toEqual([400, "VALIDATION_FAILED"])
  })

  it("refuses bytes that are not UTF-8 with 400", async () => {
    const raw = new Uint8Array([123, 34, 110, 34, 58, 34, 0xff, 34, 125])
    const { status, body } = await shop.call("POST", "/v1/tax/rates", {
      raw,
      headers: { "content-type": "application/json" }
    })
    expect([status, body.code]).toEqual([400, "VALIDATION_FAILED"])
  })

  it("takes a body of exactly 1 MiB and refuses one byte more with 413", async () => {
    const of = (size: number) => {
      const frame = '{"name":""}'.length
      return `{"name":"${"x".repeat(size - frame)}"}`
    }
    const fits = await shop.call("POST", "/v1/tax/rates", {
      raw: of(1_048_576),
      headers: { "content-type": "application/json" }
    })
    const over = await shop.call("POST", "/v1/tax/rates", {
      raw: of(1_048_577),
      headers: { "content-type": "application/json" }
    })
    expect(fits.status).toBe(400)
    expect([over.status, over.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"])
  })

  it("refuses malformed and NUL escapes in the path with 400", async () => {
    for (const path of ["/v1/orders/%ff", "/v1/orders/a%00b"]) {
      const { status, body } = await shop.call("GET", path)
      expect([path, status, body.code]).toEqual([path, 400, "VALIDATION_FAILED"])
    }
  })

  it.each([
    ["another charset", { "content-type": "application/json; charset=utf-16" }],
    ["a compressed body", { "content-type": "application/json", "content-encoding": "gzip" }]
  ])("refuses %s with 415, for it would be read as something else", async (_what, headers) => {
    const { status, body } = await shop.call("POST", "/v1/tax/rates", { raw: "{}", headers })
    expect([status, body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
    const fine = await shop.call("POST", "/v1/tax/rates", {
      raw: "{}",
      headers: { "content-type": 'application/json; charset="UTF-8"' }
    })
    expect(fine.status).toBe(400)
  })

  it("refuses a body nested deeper than a hundred levels, wherever it would have broken; brackets in a text are text", async () => {
    const nested = (depth: number) => `{"de":${'{"a":'.repeat(depth - 1)}1${"}".repeat(depth)}`
    const send = async (translations: string) => {
      const raw = `{"name":"Deep","translations":${translations}}`
      const { status, body } = await shop.call("POST", "/v1/products", {
        raw,
        headers: { "content-type": "application/json" }
      })
      return [status, body.details?.errors]
    }
    for (const depth of [100, 20_000])
      expect(await send(nested(depth))).toEqual([400, { body: "is nested deeper than 100 levels" }])
    expect(await send(nested(99))).toEqual([201, undefined])
    expect(await send(JSON.stringify({ en: { name: `${"[{".repeat(500)}\\"` } }))).toEqual([201, undefined])
  })

  it("refuses escapes of NUL and of bytes that are not UTF-8 in the query; a lone percent sign is itself", async () => {
    for (const escape of ["%00", "a%ff", "%ed%a0%80", "%c0%80"]) {
      const { status, body } = await shop.call("GET", `/v1/products?search=${escape}`)
      expect([escape, status, body.code, Object.keys(body.details.errors)]).toEqual([
        escape,
        400,
        "VALIDATION_FAILED",
        ["query"]
      ])
    }
    expect((await shop.call("GET", "/v1/products?search=100%&limit=1")).status).toBe(200)
    expect((await shop.call("GET", "/v1/products?search=%E2%82%AC")).status).toBe(200)
  })

  it("names every failing field at once", async () => {
    const { body } = await shop.call("POST", "/v1/tax/rates", { body: { name: 5, rate: true } })
    expect(Object.keys(body.details.errors).sort()).toEqual(["country", "name", "rate"])
  })

  it("names a hundred failing fields of a body that has hundreds of thousands, and answers less than was sent", async () => {
    const bodies = {
      tags: Array.from({ length: 200_000 }, () => 1),
      variants: Array.from({ length: 200_000 }, () => 1)
    }
    for (const [field, values] of Object.entries(bodies)) {
      const { status, body, text } = await shop.call("POST", "/v1/products", {
        body: { name: "Many", [field]: values }
      })
      expect([status, Object.keys(body.details.errors).length]).toEqual([400, 100])
      expect(body.details.errors[`${field}.99`]).toMatch(/^must be /)
      expect(text.length).toBeLessThan(20_000)
    }
    const countries = Array.from({ length: 300 }, () => "XX")
    const judged = await shop.call("POST", "/v1/shipping/zones", { body: { name: "Nowhere", countries } })
    expect([judged.status, Object.keys(judged.body.details.errors).length]).toEqual([400, 100])
  })

  it("puts a request id and the asked id on answers", async () => {
    const made = await shop.call("GET", "/nowhere")
    const asked = await shop.call("GET", "/nowhere", { headers: { "x-request-id": "mine-1" } })
    expect(made.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/)
    expect(asked.headers.get("x-request-id")).toBe("mine-1")
  })
})
