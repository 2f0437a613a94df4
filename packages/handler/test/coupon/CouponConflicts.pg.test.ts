import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const ten = { type: "PERCENTAGE", value: 10 }
const make = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  shop.call("POST", "/v1/coupons", { body: { ...ten, ...body }, headers })
const read = async (id: string) => (await shop.call("GET", `/v1/coupons/${id}`)).body
const open = async (): Promise<ReadonlyArray<Record<string, unknown>>> =>
  (await shop.call("GET", "/coupons/conflicts", { key: shop.apiKey })).body
const decide = (id: string, action: string, body?: object, headers = {}) =>
  shop.call("POST", `/coupons/conflicts/${id}/${action}`, {
    key: shop.apiKey,
    headers,
    ...(body === undefined ? {} : { body })
  })
const opened = async (code: string, sourceExternalId: string, body: object = {}) => {
  const mine = (await make({ code, title: "Mine" })).body
  const sent = { code: code.toLowerCase(), title: "Theirs", source: "shopify", sourceExternalId, ...body }
  const refused = await make(sent)
  expect([refused.status, refused.body.code, refused.body.details.code]).toEqual([409, "CONFLICT", sent.code])
  return { mine, sent, conflictId: refused.body.details.conflictId as string }
}

describe("a coupon of another system with a code that is taken", () => {
  it("is kept as a conflict, once, and changes nothing", async () => {
    const { mine, sent, conflictId } = await opened("SAVE", "gid-1")
    expect(await open()).toEqual([
      {
        id: conflictId,
        matchType: "code",
        sourcePlatform: "shopify",
        sourceExternalId: "gid-1",
        sourceData: { ...ten, ...sent },
        existingCouponId: mine.id,
        existingCoupon: mine,
        status: "PENDING",
        resolution: null,
        resolvedAt: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String)
      }
    ])
    const again = await make({ ...sent, value: 20 }, { "idempotency-key": "again" })
    expect([again.status, again.body.details.conflictId]).toEqual([409, conflictId])
    const replayed = await make({ ...sent, value: 20 }, { "idempotency-key": "again" })
    expect(replayed.body).toEqual(again.body)
    expect((await open()).map(({ sourceData }) => sourceData)).toEqual([{ ...ten, ...sent, value: 20 }])
    expect(await read(mine.id)).toEqual(mine)
    // Without both names of its source, or of the same source, it is only a code that is taken.
    for (const body of [{ code: "save" }, { code: "save", source: "magento" }]) {
      const taken = await make(body)
      expect([taken.status, taken.body.details]).toEqual([409, { code: "save" }])
    }
    const invalid = await make({ ...sent, sourceExternalId: "gid-9", value: 101 })
    expect([invalid.status, Object.keys(invalid.body.details.errors)]).toEqual([400, ["value"]])
    expect(await open()).toHaveLength(1)
    expect((await decide(conflictId, "ignore")).body).toMatchObject({ status: "IGNORED", resolution: null })
    expect(await open()).toEqual([])
  })

  it("needs a resolution, once, of the version that was read", async () => {
    const { conflictId } = await opened("ONCE", "gid-2")
    for (const body of [undefined, {}, { resolution: null }]) {
      const refused = await decide(conflictId, "resolve", body)
      expect([refused.status, refused.body.code]).toEqual([400, "RESOLUTION_REQUIRED"])
    }
    const odd = await decide(conflictId, "resolve", { resolution: "merge" })
    expect([odd.status, odd.body.code]).toEqual([400, "VALIDATION_FAILED"])
    const stale = { "if-match": '"2026-01-01T00:00:00.000Z"' }
    const late = await decide(conflictId, "resolve", { resolution: "keep_existing" }, stale)
    expect([late.status, late.body.code]).toEqual([409, "CONFLICT"])
    const kept = await decide(conflictId, "resolve", { resolution: "keep_existing" })
    expect([kept.status, kept.body.status, kept.body.resolution, kept.body.existingCoupon.title]).toEqual([
      200,
      "RESOLVED",
      "keep_existing",
      "Mine"
    ])
    expect(kept.body.resolvedAt).toEqual(expect.any(String))
    for (const action of ["resolve", "ignore"]) {
      const again = await decide(conflictId, action, action === "resolve" ? { resolution: "use_source" } : undefined)
      expect([again.status, again.body.code, again.body.details]).toEqual([409, "CONFLICT", { status: "RESOLVED" }])
      const none = await decide("cpnconf_none", action, action === "resolve" ? {} : undefined)
      expect([none.status, none.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    }
  })

  it("may take the place of the store's own, which keeps its id and its uses", async () => {
    const { mine, conflictId } = await opened("TAKE", "gid-3", { type: "FIXED_AMOUNT", value: "3.00", usageLimit: 7 })
    const order = await shop.call("POST", "/v1/orders", {
      body: {
        items: [{ name: "Tea", quantity: 1, price: 4 }],
        couponCode: "TAKE",
        billingAddress: { line1: "1", city: "T", country: "US" }
      }
    })
    expect([order.status, order.body.couponDiscount]).toEqual([201, "0.40"])
    const taken = await decide(conflictId, "resolve", { resolution: "use_source" })
    expect(taken.body.existingCoupon).toEqual(await read(mine.id))
    expect(await read(mine.id)).toEqual({
      ...mine,
      code: "take",
      title: "Theirs",
      type: "FIXED_AMOUNT",
      value: "3.00",
      usageLimit: 7,
      usageCount: 1,
      source: "shopify",
      sourceExternalId: "gid-3",
      updatedAt: expect.any(String)
    })
    const again = await make({ code: "OTHER", source: "shopify", sourceExternalId: "gid-3" })
    expect([again.status, again.body.details]).toEqual([409, { sourceExternalId: "gid-3" }])
    expect((await make({ code: "TAKE", source: "shopify", sourceExternalId: "gid-4" })).body.details).toEqual({
      code: "TAKE"
    })
  })

  it("may get another code, which must be free", async () => {
    const { mine, sent, conflictId } = await opened("NAME", "gid-5")
    const rename = (body: object) => decide(conflictId, "resolve", { resolution: "rename", ...body })
    expect((await rename({})).body.details.errors).toEqual({ code: "is needed with rename" })
    expect((await rename({ code: "A B" })).body.details.errors).toEqual({
      code: "must have no spaces and no invisible characters"
    })
    expect((await rename({ code: "NAME" })).body.details).toEqual({ code: "NAME" })
    expect((await open()).map(({ id }) => id)).toEqual([conflictId])
    expect((await rename({ code: "NAME-2" })).body.resolution).toBe("rename")
    expect(await read(mine.id)).toEqual(mine)
    const found = (await shop.call("GET", "/v1/coupons?search=name-2")).body.data
    expect(found.map(({ title, source }: Record<string, string>) => [title, source])).toEqual([["Theirs", "shopify"]])
    // The other system goes on sending its own code: nobody is asked again.
    const again = await make(sent)
    expect([again.status, again.body.details.conflictId]).toEqual([409, conflictId])
    expect(await open()).toEqual([])
  })

  it("is not asked about again while it is the same, and is where it has changed", async () => {
    const { sent, conflictId } = await opened("AGAIN", "gid-6")
    await decide(conflictId, "ignore")
    expect((await make(sent)).body.details.conflictId).toBe(conflictId)
    expect(await open()).toEqual([])
    expect((await make({ ...sent, value: 11 })).body.details.conflictId).toBe(conflictId)
    expect(await open()).toMatchObject([{ id: conflictId, status: "PENDING", resolution: null, resolvedAt: null }])
  })

  it("is free to come where the store's own was deleted", async () => {
    const { mine, sent } = await opened("FREE", "gid-7")
    await shop.call("DELETE", `/v1/coupons/${mine.id}`)
    expect((await open()).filter(({ sourceExternalId }) => sourceExternalId === "gid-7")).toEqual([])
    expect((await make(sent)).status).toBe(201)
  })
})
