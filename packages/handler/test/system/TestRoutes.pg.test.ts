import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

const move = async (body: unknown) => {
  const { status, body: answer } = await shop.call("POST", "/test/clock", { body })
  return status === 200 ? Date.parse(answer.now) : [status, answer.details.errors]
}

describe("the test clock", () => {
  it("moves by leaps, runs on from there, and is read by moving it by nothing", async () => {
    const set = Date.parse("2031-05-06T07:08:09.000Z")
    const now = await move({ now: "2031-05-06T07:08:09Z" })
    expect(now).toBeGreaterThanOrEqual(set)
    expect(await move({ advanceMs: -86_400_000 })).toBeLessThan(set)
    expect(await move({ advanceMs: 0 })).toBeLessThan(set)
  })

  it("refuses times that no answer and no row could hold, and stays where it is", async () => {
    const before = Number(await move({ now: "2031-05-06T07:08:09Z" }))
    const beyond = "must lead to a time of the years 1970 to 9999"
    expect(await move({ advanceMs: Number.MAX_SAFE_INTEGER })).toEqual([400, { advanceMs: beyond }])
    expect(await move({ advanceMs: -4_102_444_800_000 })).toEqual([400, { advanceMs: beyond }])
    for (const now of [
      "1",
      "soon",
      "2031-13-01",
      "2031-02-30",
      "1969-12-31T00:00:00Z",
      "+275760-09-13T00:00:00.000Z"
    ]) {
      expect([now, await move({ now })]).toEqual([
        now,
        [400, { now: "must be an ISO 8601 time of the years 1970 to 9999" }]
      ])
    }
    expect(Number(await move({})) - before).toBeLessThan(60_000)
  })
})
