import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type Code, codes, reserved } from "../../src/middleware/Codes.ts"
import { errorTable } from "../../src/middleware/ErrorTable.ts"
import { type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { awaited, provocations } from "./codeProvocations.ts"

/**
 * Every code of the table that something answers, got once through fetch: its status, its envelope, and nothing beside
 * it.
 */
const all = Object.keys(codes) as ReadonlyArray<Code>
const provoked = Object.keys(provocations) as ReadonlyArray<Code>
const waiting = Object.keys(awaited) as ReadonlyArray<Code>

describe("the table of codes", () => {
  it("is provoked whole: each code by a way to get it, or by the name of the room that is missing, or reserved", () => {
    expect([...provoked, ...waiting, ...reserved].toSorted()).toEqual([...all].toSorted())
  })

  it("awaits no code that a room answers already: give it a way to get it", () => {
    const answered = new Set(Object.values(errorTable).map((row) => row.code))
    expect([...waiting, ...reserved].filter((code) => answered.has(code))).toEqual([])
  })
})

describe("through fetch", () => {
  let shop: TestCommerce
  let lamp: string
  let asked: { readonly path: string } | undefined
  const ask: TestCommerce["call"] = async (method, path, options): Promise<Called> => {
    asked = { path: `/api${path.split("?")[0]}` }
    return shop.call(method, path, options)
  }
  beforeAll(async () => {
    shop = await openTestCommerce()
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
    expect(answer?.headers.get("x-request-id")).toMatch(/^req_/)
  })
})
