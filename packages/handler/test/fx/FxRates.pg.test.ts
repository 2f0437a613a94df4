import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
  expect((await shop.call("PATCH", "/v1/store", { body: { currency: "EUR" } })).status).toBe(200)
})
afterAll(() => shop.close())

const put = (body: object, headers: Record<string, string> = {}) => shop.call("PUT", "/v1/fx-rates", { body, headers })
const all = async () => (await shop.call("GET", "/v1/fx-rates")).body
const shownOf = ({ base, quote, rate, bufferPercent }: Record<string, string>) => [base, quote, rate, bufferPercent]
const shown = async () => (await all()).data.map(shownOf)

describe("rates of exchange", () => {
  it("are set pair by pair, kept as exact text, and listed by currency in pages", async () => {
    expect(await all()).toEqual({ data: [], meta: { page: 1, limit: 20, total: 0, totalPages: 0 } })
    const set = await put({ base: "EUR", quote: "JPY", rate: "161.500", bufferPercent: "2.50" })
    expect([set.status, set.body]).toEqual([
      200,
      { base: "EUR", quote: "JPY", rate: "161.5", bufferPercent: "2.5", updatedAt: expect.any(String) }
    ])
    await put({ quote: "CHF", rate: 0.95 })
    await put({ quote: "IDR", rate: "999999999999.000000000001" })
    expect(shownOf((await put({ quote: "JPY", rate: 160, bufferPercent: 0 })).body)).toEqual(["EUR", "JPY", "160", "0"])
    expect(await shown()).toEqual([
      ["EUR", "CHF", "0.95", "0"],
      ["EUR", "IDR", "999999999999.000000000001", "0"],
      ["EUR", "JPY", "160", "0"]
    ])
    const { data, meta } = (await shop.call("GET", "/v1/fx-rates?page=2&limit=2")).body
    expect([data.map(shownOf), meta]).toEqual([
      [["EUR", "JPY", "160", "0"]],
      { page: 2, limit: 2, total: 3, totalPages: 2 }
    ])
  })

  it("that are set to what they are keep their version", async () => {
    const before = await all()
    const again = await put(before.data[0])
    expect([again.status, again.body]).toEqual([200, before.data[0]])
    expect(await all()).toEqual(before)
  })

  it("are removed by a rate of null, also where there is none", async () => {
    for (const _ of [1, 2]) {
      const gone = await put({ quote: "IDR", rate: null })
      expect([gone.status, gone.body]).toEqual([
        200,
        { base: "EUR", quote: "IDR", rate: null, bufferPercent: "0", updatedAt: expect.any(String) }
      ])
    }
    expect(await shown()).toEqual([
      ["EUR", "CHF", "0.95", "0"],
      ["EUR", "JPY", "160", "0"]
    ])
  })

  it("name every field that fails, and nothing is written", async () => {
    const before = await all()
    const refused = await put({ base: "USD", quote: "XXX", rate: "0", bufferPercent: "100.1" })
    expect([refused.status, refused.body.code, refused.body.details.errors]).toEqual([
      400,
      "VALIDATION_FAILED",
      {
        base: "must be EUR, the store's currency",
        quote: "must be an ISO 4217 code such as JPY",
        rate: "must be more than 0",
        bufferPercent: "must be between 0 and 100"
      }
    ])
    const cases: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
      [{ quote: "EUR", rate: 1 }, ["quote"]],
      [{ quote: "jpy", rate: 1 }, ["quote"]],
      [{ quote: "JPY", rate: "-1" }, ["rate"]],
      [{ quote: "JPY", rate: "1.0000000000001" }, ["rate"]],
      [{ quote: "JPY", rate: "1000000000000" }, ["rate"]],
      [{ quote: "JPY", rate: 1e-7 }, ["rate"]],
      [{ quote: "JPY" }, ["rate"]],
      [{ rate: 1 }, ["quote"]],
      [{}, ["quote", "rate"]],
      [{ quote: "JPY", rate: 1, bufferPercent: -1 }, ["bufferPercent"]],
      [{ quote: "JPY", rate: 1, bufer: 1 }, ["bufer"]]
    ]
    for (const [body, fields] of cases) {
      const { status, body: error } = await put(body)
      expect([status, Object.keys(error.details.errors)]).toEqual([400, fields])
    }
    expect(await all()).toEqual(before)
  })

  it("are written only over the version that was read", async () => {
    const [chf] = (await all()).data
    const late = '"2020-01-01T00:00:00.000Z"'
    for (const body of [
      { quote: "CHF", rate: 2 },
      { quote: "CHF", rate: null },
      { quote: "SEK", rate: 11 }
    ]) {
      const { status, body: error } = await put(body, { "if-match": late })
      expect([status, error.code]).toEqual([409, "CONFLICT"])
    }
    const next = await put({ quote: "CHF", rate: 0.96 }, { "if-match": `"${chf.updatedAt}"` })
    expect([next.status, next.body.rate, next.body.updatedAt > chf.updatedAt]).toEqual([200, "0.96", true])
    expect((await put({ quote: "CHF", rate: null }, { "if-match": `"${chf.updatedAt}"` })).status).toBe(409)
    expect((await put({ quote: "CHF", rate: 1 }, { "if-match": `"${next.body.updatedAt}"` })).status).toBe(200)
  })

  it("need the scope of the store, and are a store's own", async () => {
    const other = await shop.openStore()
    const theirs = await shop.call("GET", "/v1/fx-rates", { key: other.apiKey })
    expect(theirs.body.data).toEqual([])
    const body = { quote: "JPY", rate: 150 }
    const cases: ReadonlyArray<readonly [scope: string, get: number, put: number]> = [
      ["store:read", 200, 403],
      ["store:write", 403, 200],
      ["regions:*", 403, 403]
    ]
    for (const [scope, get, set] of cases) {
      const key = await shop.mintKey({ scopes: [scope] })
      expect((await shop.call("GET", "/v1/fx-rates", { key })).status).toBe(get)
      expect((await shop.call("PUT", "/v1/fx-rates", { key, body })).status).toBe(set)
    }
    expect((await shop.call("GET", "/v1/fx-rates", { key: other.apiKey })).body.data).toEqual([])
  })

  it("keep the store's currency from changing", async () => {
    const refused = await shop.call("PATCH", "/v1/store", { body: { currency: "USD" } })
    expect([refused.status, refused.body.details]).toEqual([
      409,
      { reason: "currency_in_use", currency: "EUR", usedBy: ["fxRates"] }
    ])
  })
})
