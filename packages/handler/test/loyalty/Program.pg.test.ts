import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { loyaltyShop } from "./LoyaltyShop.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const opened = async (currency = "USD") => {
  const store = await shop.openStore({ currency })
  const at = loyaltyShop(shop, store)
  const get = () => at.admin("GET", "/loyalty/program")
  return { ...at, store, get }
}

describe("the loyalty programme of a store", () => {
  it("is a disabled one until it is set, in the digits of the currency", async () => {
    for (const [currency, currencyUnit, redeemRate] of [
      ["USD", "1.00", "0.01"],
      ["JPY", "100", "1"],
      ["KWD", "1.000", "0.010"]
    ] as const) {
      const { get } = await opened(currency)
      const { status, body } = await get()
      expect([status, body]).toEqual([
        200,
        {
          isEnabled: false,
          pointsPerUnit: 1,
          currencyUnit,
          redeemRate,
          minRedeem: 0,
          expiryDays: null,
          tiers: [],
          earnOn: "PAID",
          referralPoints: 0,
          currency,
          createdAt: expect.stringMatching(isoTime),
          updatedAt: expect.stringMatching(isoTime)
        }
      ])
    }
  })

  it("keeps what is set: an absent field stays, null clears, what was read can be sent back", async () => {
    const { putProgram, get } = await opened()
    const tiers = [
      { name: "Silver", threshold: 0, multiplier: 1 },
      { name: "Gold", threshold: 100, multiplier: 1.2505 }
    ]
    const set = await putProgram({
      isEnabled: true,
      pointsPerUnit: 2,
      currencyUnit: 5,
      redeemRate: "0.05",
      minRedeem: 10,
      expiryDays: 30,
      tiers: [tiers[0], { ...tiers[1], multiplier: "1.2505" }],
      earnOn: "PAID",
      referralPoints: 50
    })
    expect([set.status, set.body]).toMatchObject([
      200,
      { isEnabled: true, pointsPerUnit: 2, currencyUnit: "5.00", redeemRate: "0.05", minRedeem: 10, tiers }
    ])
    expect([set.body.expiryDays, set.body.referralPoints]).toEqual([30, 50])
    expect((await get()).body).toEqual(set.body)
    const next = await putProgram({ expiryDays: null, isEnabled: false })
    expect(next.body).toEqual({ ...set.body, expiryDays: null, isEnabled: false, updatedAt: next.body.updatedAt })
    expect(next.body.updatedAt > set.body.updatedAt).toBe(true)
    const { currency: _, createdAt: __, updatedAt: ___, ...back } = next.body
    expect((await putProgram(next.body)).body).toMatchObject(back)
  })

  it("refuses tiers out of order, two of a name, twenty-one, and names every field that is wrong", async () => {
    const { putProgram, get } = await opened()
    const errorsOf = async (body: object) => {
      const { status, body: refused } = await putProgram(body)
      return [status, refused.code, Object.keys(refused.details.errors)]
    }
    const tier = (name: string, threshold: number, multiplier: unknown = 1) => ({ name, threshold, multiplier })
    expect(await errorsOf({ tiers: [tier("Gold", 100), tier("Silver", 50)] })).toEqual([
      400,
      "VALIDATION_FAILED",
      ["tiers.1.threshold"]
    ])
    expect(await errorsOf({ tiers: [tier("Gold", 1), tier("Gold ", 1, 0)] })).toEqual([
      400,
      "VALIDATION_FAILED",
      ["tiers.1.name", "tiers.1.threshold", "tiers.1.multiplier"]
    ])
    expect(await errorsOf({ tiers: Array.from({ length: 21 }, (_, i) => tier(`T${i}`, i)) })).toEqual([
      400,
      "VALIDATION_FAILED",
      ["tiers"]
    ])
    expect(await errorsOf({ tiers: [tier("A", 1, "1.00001"), tier("B", 2, 100.5), tier("C", 2.5, -1)] })).toEqual([
      400,
      "VALIDATION_FAILED",
      ["tiers.0.multiplier", "tiers.1.multiplier", "tiers.2.threshold", "tiers.2.multiplier"]
    ])
    expect(
      await errorsOf({
        pointsPerUnit: 0,
        currencyUnit: "0.001",
        redeemRate: 0,
        minRedeem: -1,
        expiryDays: 36_501,
        referralPoints: 1.5
      })
    ).toEqual([
      400,
      "VALIDATION_FAILED",
      ["pointsPerUnit", "currencyUnit", "redeemRate", "minRedeem", "expiryDays", "referralPoints"]
    ])
    expect((await putProgram({ earnOn: "PLACED" })).status).toBe(400)
    expect((await putProgram({ redeemrate: 1 })).body.message).toContain("redeemRate")
    expect((await get()).body).toMatchObject({ tiers: [], pointsPerUnit: 1 })
  })

  it("honours If-Match, also before it was ever set", async () => {
    const { store, get } = await opened()
    const put = (version: string) =>
      shop.call("PUT", "/v1/loyalty/program", {
        key: store.apiKey,
        body: { minRedeem: 5 },
        headers: { "if-match": `"${version}"` }
      })
    const { updatedAt } = (await get()).body
    expect((await put("2020-01-01T00:00:00.000Z")).status).toBe(409)
    expect((await put(updatedAt)).status).toBe(200)
    expect((await put(updatedAt)).status).toBe(409)
  })

  it("keeps the store's currency while it is enabled; disabled, its amounts are the default of the next one", async () => {
    const { store, putProgram, get } = await opened()
    const move = () => shop.call("PATCH", "/v1/store", { key: store.apiKey, body: { currency: "JPY" } })
    await putProgram({ isEnabled: true, currencyUnit: "2.50", redeemRate: "0.05", minRedeem: 7 })
    const kept = await move()
    expect([kept.status, kept.body.code, kept.body.details.usedBy]).toEqual([409, "CONFLICT", ["loyaltyProgram"]])
    await putProgram({ isEnabled: false })
    expect((await move()).status).toBe(200)
    const moved = { currency: "JPY", currencyUnit: "100", redeemRate: "1", minRedeem: 7 }
    expect((await get()).body).toMatchObject({ isEnabled: false, ...moved })
    expect((await putProgram({ isEnabled: true })).body).toMatchObject({ isEnabled: true, ...moved })
  })

  it("needs the scopes of loyalty", async () => {
    const reader = await shop.mintKey({ scopes: ["loyalty:read"] })
    const other = await shop.mintKey({ scopes: ["customers:*"] })
    const status = async (method: string, key: string) =>
      (await shop.call(method, "/v1/loyalty/program", { key, ...(method === "PUT" ? { body: {} } : {}) })).status
    expect([await status("GET", reader), await status("PUT", reader), await status("GET", other)]).toEqual([
      200, 403, 403
    ])
  })
})
