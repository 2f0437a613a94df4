import type { HttpApiEndpoint } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { Api } from "../../src/Api.ts"
import { codeExplanations } from "../../src/middleware/CodeExplanations.ts"
import { type Code, codes, reserved } from "../../src/middleware/Codes.ts"
import { errorTable } from "../../src/rooms.ts"
import { Policy, type PolicyFacts } from "../../src/middleware/Policy.ts"
import { refusalCodes } from "../../src/middleware/refusalCodes.ts"
import { type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { cardCompany } from "../payment/CardCompany.ts"
import { shopperOf } from "../Shopper.ts"
import { provocations } from "./codeProvocations.ts"

/**
 * Every code of the table that something answers, got once through fetch: its status, its envelope, and nothing beside
 * it.
 */
const all = Object.keys(codes) as ReadonlyArray<Code>
const provoked = Object.keys(provocations) as ReadonlyArray<Code>

describe("the table of codes", () => {
  it("is provoked whole: each code by a way to get it, or reserved", () => {
    expect([...provoked, ...reserved].toSorted()).toEqual([...all].toSorted())
  })

  it("is explained for what a room answers, and not as what is still being built", () => {
    expect(provoked.filter((code) => codeExplanations[code].cause.includes("being built"))).toEqual([])
  })

  it("reserves no code that a room answers: give it a way to get it", () => {
    const answered = new Set(Object.values(errorTable).map((row) => row.code))
    expect(reserved.filter((code) => answered.has(code))).toEqual([])
  })
})

/** Every declared route with the codes that the API document lists for it; literal paths stand before parameters. */
const routes = Object.values(Api.groups).flatMap((group) =>
  (Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>).map((endpoint) => ({
    method: endpoint.method,
    matches: new RegExp(`^${endpoint.path.replaceAll(/:\\w+/g, "[^/]+")}$`),
    parameters: endpoint.path.split(":").length,
    codes: [...refusalCodes(endpoint, endpoint.annotations.mapUnsafe.get(Policy.key) as PolicyFacts).values()].flat()
  }))
)
const routeOf = (method: string | undefined, path: string | undefined) =>
  routes
    .filter((route) => route.method === method && route.matches.test(path ?? ""))
    .toSorted((a, b) => a.parameters - b.parameters)[0]

describe("through fetch", () => {
  let shop: TestCommerce
  let lamp: string
  let asked: { readonly method: string; readonly path: string } | undefined
  const ask: TestCommerce["call"] = async (method, path, options): Promise<Called> => {
    asked = { method, path: `/api${path.split("?")[0]}` }
    return shop.call(method, path, options)
  }
  beforeAll(async () => {
    shop = await openTestCommerce({ payments: { providers: [cardCompany] }, mail: { dnsServers: ["127.0.0.1:9"] } })
    lamp = await shopperOf(shop).product({ stock: 10 })
    for (const name of ["log", "error"] as const) vi.spyOn(console, name).mockImplementation(() => undefined)
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await shop.close()
  })

  it.each(provoked)("%s", async (code) => {
    const answer = await provocations[code]?.({ shop, ask, lamp })
    const status = codes[code]
    expect([answer?.status, answer?.body?.code]).toEqual([status, code])
    const { statusCode, message, details, error, timestamp, path, ...rest } = answer?.body ?? {}
    expect(rest).toEqual({ code })
    expect([statusCode, path]).toEqual([status, asked?.path])
    expect(message).toEqual(expect.stringMatching(/\S/))
    if (details !== undefined) expect(Object.prototype.toString.call(details)).toBe("[object Object]")
    if (error !== undefined) expect(error).toEqual(expect.any(String))
    expect(new Date(timestamp).toISOString()).toBe(timestamp)
    if (status < 500) expect(answer?.text).not.toMatch(/internal server error/i)
    if (status === 429) expect(answer?.headers.get("retry-after")).toBe(String(details.retryAfterSeconds))
    expect(answer?.headers.get("content-type")).toContain("application/json")
    const route = routeOf(asked?.method, asked?.path)
    if (route !== undefined) expect(route.codes).toContain(code)
    expect(answer?.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/)
  })
})
