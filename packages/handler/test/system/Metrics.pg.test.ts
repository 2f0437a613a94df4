import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

const metrics = (options: Parameters<TestCommerce["call"]>[2] = {}) => shop.call("GET", "/metrics", options)
const sampleOf = (text: string, name: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1)
  )

describe("metrics", () => {
  it("count every answer once, by method, declared route and status, in the text format of Prometheus", async () => {
    const before = (await metrics()).text
    await shop.call("GET", "/v1/store")
    await shop.call("GET", "/v1/store", { key: "svc_none" })
    await shop.call("POST", "/v1/store")
    const { status, headers, text } = await metrics()
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"])
    const grew = (name: string) => sampleOf(text, name) - (sampleOf(before, name) || 0)
    expect(grew('commerce_http_requests_total{method="GET",route="/api/v1/store",status="401"}')).toBe(1)
    expect(grew('commerce_http_requests_total{method="POST",route="none",status="405"}')).toBe(1)
    expect(grew('commerce_http_requests_total{method="GET",route="/api/v1/store",status="200"}')).toBe(1)
    // The first scrape.
    expect(grew('commerce_http_requests_total{method="GET",route="none",status="200"}')).toBe(1)
    expect(grew("commerce_http_request_duration_seconds_count")).toBe(4)
    expect(sampleOf(text, 'commerce_http_request_duration_seconds_bucket{le="+Inf"}')).toBe(
      sampleOf(text, "commerce_http_request_duration_seconds_count")
    )
    expect(sampleOf(text, "commerce_http_requests_in_flight")).toBe(1)
    expect(sampleOf(text, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000)
    for (const line of text.trimEnd().split("\n"))
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[^}]*\})? [0-9.]+)$/)
  })

  it("are for the same machine, or for a key with metrics:read", async () => {
    const away = { clientAddress: "203.0.113.9" }
    const answer = async (options: Parameters<TestCommerce["call"]>[2]) => {
      const { status, body } = await metrics(options)
      return [status, body?.code]
    }
    expect(await answer({})).toEqual([200, undefined])
    expect(await answer({ clientAddress: "::1" })).toEqual([200, undefined])
    expect(await answer(away)).toEqual([401, "UNAUTHORIZED"])
    expect(await answer({ headers: { "x-forwarded-for": "127.0.0.1" } })).toEqual([401, "UNAUTHORIZED"])
    expect(await answer({ ...away, key: "svc_none" })).toEqual([401, "UNAUTHORIZED"])
    expect(await answer({ ...away, key: await shop.mintKey({ scopes: ["store:read"] }) })).toEqual([
      403,
      "INSUFFICIENT_SCOPE"
    ])
    expect(await answer({ ...away, key: await shop.mintKey({ scopes: ["metrics:read"], storeId: null }) })).toEqual([
      200,
      undefined
    ])
    expect(await answer({ ...away, headers: { "idempotency-key": "x" } })).toEqual([401, "UNAUTHORIZED"])
  })
})
