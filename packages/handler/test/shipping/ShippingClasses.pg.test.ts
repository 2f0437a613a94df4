import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const at = "/v1/shipping/classes"
const make = (body: object) => shop.call("POST", at, { body })

describe("a shipping class", () => {
  it("keeps the name of one writer and the slug of another who write at once", async () => {
    const { body: made } = await make({ name: "Fragile" })
    for (let i = 0; i < 20; i++) {
      const body = [{ name: `Fragile ${i}` }, { slug: `fragile-${i}` }]
      await Promise.all(body.map((change) => shop.call("PATCH", `${at}/${made.id}`, { body: change })))
      const { body: after } = await shop.call("GET", `${at}/${made.id}`)
      expect([after.name, after.slug]).toEqual([`Fragile ${i}`, `fragile-${i}`])
    }
    await shop.call("DELETE", `${at}/${made.id}`)
  })

  it("is made, renamed, listed and deleted; its name and slug are its own", async () => {
    const made = await make({ name: " Bulky goods " })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      accountId: shop.accountId,
      storeId: shop.storeId,
      name: "Bulky goods",
      slug: "bulky-goods"
    })
    const twin = await make({ name: "Bulky goods", slug: "other" })
    expect([twin.status, twin.body.code, twin.body.details]).toEqual([409, "CONFLICT", { name: "Bulky goods" }])
    const slug = await make({ name: "Other", slug: "bulky-goods" })
    expect([slug.status, slug.body.details]).toEqual([409, { slug: "bulky-goods" }])
    for (const [body, field] of [
      [{ name: " " }, "name"],
      [{ name: "a", slug: "a b" }, "slug"],
      [{}, "name"]
    ] as const) {
      const refused = await make(body)
      expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, [field]])
    }
    const renamed = await shop.call("PATCH", `${at}/${made.body.id}`, { body: { name: "Large" } })
    expect([renamed.body.name, renamed.body.slug]).toEqual(["Large", "bulky-goods"])
    expect((await shop.call("PATCH", `${at}/${made.body.id}`, { body: { slug: null } })).body.slug).toBe("large")
    const { body: list } = await shop.call("GET", at)
    expect([list.meta.total, list.data[0].id]).toEqual([1, made.body.id])
    const read = await shop.call("GET", `${at}/${made.body.id}`)
    expect(read.body.name).toBe("Large")
    expect((await shop.call("DELETE", `${at}/${made.body.id}`)).body).toEqual({ success: true })
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const gone = await shop.call(method, `${at}/${made.body.id}`, method === "PATCH" ? { body: {} } : {})
      expect([method, gone.status, gone.body.code]).toEqual([method, 404, "RESOURCE_NOT_FOUND"])
    }
  })

  it("is shown on its products, charged by rates that name it, and stays while either does", async () => {
    const { body: bulky } = await make({ name: "Bulky" })
    const { body: zone } = await shop.call("POST", "/v1/shipping/zones", { body: { name: "US", countries: ["US"] } })
    const rates = `/v1/shipping/zones/${zone.id}/rates`
    const flat = { name: "Flat", type: "FLAT", rateConfig: { amount: "5.00" } }
    const unknown = await shop.call("POST", rates, { body: { ...flat, classCosts: { shipclass_none: "1.00" } } })
    expect([unknown.status, unknown.body.details.errors]).toEqual([
      400,
      { "classCosts.shipclass_none": "is not a shipping class of this store" }
    ])
    const { body: rate } = await shop.call("POST", rates, { body: { ...flat, classCosts: { [bulky.id]: "12.50" } } })
    const { body: sofa } = await shop.call("POST", "/v1/products", {
      body: { name: "Sofa", status: "active", basePrice: "100.00", shippingClassId: bulky.id, inventory: { total: 3 } }
    })
    expect(sofa.shippingClass).toEqual({ id: bulky.id, name: "Bulky", slug: "bulky" })

    const shopper = shopperOf(shop)
    const cartId = await shopper.cart([sofa.id, 2])
    const { body: checkout } = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId } })
    const shipped = await shop.call("PATCH", `${shopper.at}/checkout/${checkout.id}/shipping`, {
      body: { shippingAddress: addressIn("CA", "94105") }
    })
    expect(shipped.body.availableShippingRates[0].price).toBe("17.50")

    const remove = async () => {
      const { status, body } = await shop.call("DELETE", `${at}/${bulky.id}`)
      return [status, body.code ?? body.success, body.details?.usedBy]
    }
    expect(await remove()).toEqual([409, "CONFLICT", "rates"])
    await shop.call("PATCH", `${rates}/${rate.id}`, { body: { classCosts: null } })
    expect(await remove()).toEqual([409, "CONFLICT", "products"])
    await shop.call("DELETE", `/v1/products/${sofa.id}`)
    expect(await remove()).toEqual([200, true, undefined])
  })
})
