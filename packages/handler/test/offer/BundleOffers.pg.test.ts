import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const admin = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  shop.call(method, `/v1${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers })
  })

const create = async (body: object) => {
  const made = await admin("POST", "/bundle-offers", body)
  if (made.status !== 201) throw new Error(made.text)
  return made.body
}

/** A product with three sizes; the small one costs 8.00, the others 10.00 and 12.00 (on sale: 11.00). */
const shirt = async () => {
  const size = await admin("POST", "/attributes", {
    name: `Size ${Math.random()}`,
    options: ["S", "M", "L"].map((name) => ({ name, value: name }))
  })
  const optionIds = size.body.options.map(({ id }: { readonly id: string }) => id)
  const made = await admin("POST", "/products", {
    name: "Shirt",
    type: "VARIABLE",
    status: "active",
    basePrice: 10,
    images: [{ url: "https://cdn.example.com/shirt.png", alt: "A shirt" }],
    attributes: [{ attributeId: size.body.id, optionIds }]
  })
  if (made.status !== 201) throw new Error(made.text)
  const [small, medium, large] = made.body.variants
  const at = `/products/${made.body.id}/variants`
  await admin("PATCH", `${at}/${small.id}`, { price: 8 })
  await admin("PATCH", `${at}/${large.id}`, { price: 12, salePrice: 11 })
  for (const { id } of [small, medium, large])
    await admin("PUT", `/products/${made.body.id}/inventory`, { variantId: id, total: 5 })
  return {
    id: made.body.id as string,
    small: small.id as string,
    medium: medium.id as string,
    large: large.id as string
  }
}

describe("bundle offers of a merchant", () => {
  it("are created, read, changed, listed and deleted", async () => {
    const [lamp, bulb, cord] = [
      await shopper.product({ price: 4_000n }),
      await shopper.product({ price: 1_495n, name: "Bulb" }),
      await shopper.product({ price: 1_000n, salePrice: 900n })
    ]
    const body = {
      name: " Desk set ",
      triggerProductId: lamp,
      productIds: [bulb, cord],
      discountType: "PERCENTAGE",
      discountValue: 10
    }
    const offer = await create(body)
    expect(offer).toEqual({
      id: expect.stringMatching(/^offer_/),
      storeId: shop.storeId,
      name: "Desk set",
      description: null,
      kind: "BUNDLE",
      triggerProductId: lamp,
      productIds: [bulb, cord],
      offeredProducts: [
        {
          id: bulb,
          name: "Bulb",
          slug: expect.any(String),
          basePrice: "14.95",
          salePrice: null,
          images: [],
          type: "SIMPLE",
          variantId: null,
          requiresVariantSelection: false,
          pinnedVariant: null,
          variants: [],
          originalPrice: "14.95",
          // 10 % of 14.95 is 1.495, which is 1.50 off.
          discountedPrice: "13.45"
        },
        expect.objectContaining({
          basePrice: "10.00",
          salePrice: "9.00",
          originalPrice: "9.00",
          discountedPrice: "8.10"
        })
      ],
      discountType: "PERCENTAGE",
      discountValue: "10",
      totalOriginalPrice: "23.95",
      totalDiscountedPrice: "21.55",
      pinnedVariants: {},
      isActive: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String)
    })
    expect((await admin("GET", `/bundle-offers/${offer.id}`)).body).toEqual(offer)

    const unsaid = await admin("PATCH", `/bundle-offers/${offer.id}`, { discountType: "FIXED_AMOUNT" })
    expect([unsaid.status, unsaid.body.details.errors]).toEqual([400, { discountValue: "is needed with another type" }])
    const fixed = await admin("PATCH", `/bundle-offers/${offer.id}`, {
      discountType: "FIXED_AMOUNT",
      discountValue: 10,
      description: "Two"
    })
    // 10.00 off: 6.24 and 3.76 by largest remainder.
    expect(fixed.body).toMatchObject({
      discountValue: "10.00",
      description: "Two",
      totalDiscountedPrice: "13.95",
      offeredProducts: [{ discountedPrice: "8.71" }, { discountedPrice: "5.24" }]
    })
    const generous = await admin("PATCH", `/bundle-offers/${offer.id}`, { discountValue: "100.00", description: null })
    expect(generous.body).toMatchObject({ totalDiscountedPrice: "0.00", description: null, name: "Desk set" })
    const percent = await admin("PATCH", `/bundle-offers/${offer.id}`, {
      discountType: "PERCENTAGE",
      discountValue: 100
    })
    expect(percent.body.discountValue).toBe("100")

    const stale = await admin(
      "PATCH",
      `/bundle-offers/${offer.id}`,
      { name: "X" },
      { "if-match": `"${offer.updatedAt}"` }
    )
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
    const other = await create({ ...body, name: "Other", kind: "ORDER_BUMP", productIds: [cord], isActive: false })
    const list = await admin("GET", "/bundle-offers?search=desk")
    expect(list.body).toEqual({
      data: [percent.body],
      meta: { page: 1, limit: 20, total: 1, totalPages: 1 }
    })
    expect((await admin("GET", `/bundle-offers?kind=ORDER_BUMP&triggerProductId=${lamp}`)).body.data).toEqual([other])
    expect((await admin("GET", "/bundle-offers?kind=GIFT")).status).toBe(400)
    expect((await admin("DELETE", `/bundle-offers/${offer.id}`)).body).toEqual({ success: true })
    const gone = await admin("DELETE", `/bundle-offers/${offer.id}`)
    expect([gone.status, gone.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("show the variants to choose from with the lowest price, or the pinned one", async () => {
    const lamp = await shopper.product({ price: 4_000n })
    const { id, small, medium, large } = await shirt()
    const open = await create({
      name: "Any size",
      triggerProductId: lamp,
      productIds: [id],
      discountType: "PERCENTAGE",
      discountValue: "12.5"
    })
    const [offered] = open.offeredProducts
    expect(offered).toMatchObject({
      type: "VARIABLE",
      variantId: null,
      requiresVariantSelection: true,
      pinnedVariant: null,
      images: [{ url: "https://cdn.example.com/shirt.png", alt: "A shirt" }],
      originalPrice: "8.00",
      discountedPrice: "7.00"
    })
    expect(
      offered.variants.map((v: Record<string, unknown>) => [v["id"], v["name"], v["price"], v["salePrice"]])
    ).toEqual([
      [small, "S", "8.00", null],
      [medium, "M", "10.00", null],
      [large, "L", "12.00", "11.00"]
    ])
    expect(open.discountValue).toBe("12.5")
    const pinned = await admin("PATCH", `/bundle-offers/${open.id}`, { pinnedVariants: { [id]: large } })
    expect(pinned.body.offeredProducts[0]).toMatchObject({
      variantId: large,
      requiresVariantSelection: false,
      pinnedVariant: { id: large, name: "L", attributes: expect.any(Object) },
      variants: [],
      originalPrice: "11.00",
      discountedPrice: "9.62"
    })
    const other = await shirt()
    const wrong = await admin("PATCH", `/bundle-offers/${open.id}`, {
      pinnedVariants: { [id]: other.small, [lamp]: small }
    })
    expect(wrong.body.details.errors).toEqual({
      [`pinnedVariants.${id}`]: "is not a variant of the product",
      [`pinnedVariants.${lamp}`]: "is not a product of this offer"
    })
  })

  it("are refused with every field that is wrong", async () => {
    const [a, b] = [await shopper.product(), await shopper.product()]
    const base = { name: "Set", triggerProductId: a, productIds: [b], discountType: "PERCENTAGE", discountValue: 5 }
    const fields = async (body: object) => {
      const { status, body: answer } = await admin("POST", "/bundle-offers", { ...base, ...body })
      return [status, answer.code, Object.keys(answer.details?.errors ?? {})]
    }
    const refused = (...names: ReadonlyArray<string>) => [400, "VALIDATION_FAILED", names]
    expect(
      await fields({ name: " ", triggerProductId: "prod_none", productIds: ["prod_no"], discountValue: 101 })
    ).toEqual(refused("name", "triggerProductId", "productIds.0", "discountValue"))
    expect(await fields({ productIds: [] })).toEqual(refused("productIds"))
    expect(await fields({ productIds: [b, b, a] })).toEqual(refused("productIds.1", "productIds.2"))
    expect(await fields({ kind: "UPGRADE", productIds: [b, await shopper.product()] })).toEqual(refused("productIds"))
    expect(await fields({ discountValue: "5.123" })).toEqual(refused("discountValue"))
    expect(await fields({ discountType: "FIXED_AMOUNT", discountValue: -1 })).toEqual(refused("discountValue"))
    expect(await fields({ discountType: "FIXED_AMOUNT", discountValue: "1.001" })).toEqual(refused("discountValue"))
    expect(await fields({ productIds: Array.from({ length: 11 }, () => b) })).toEqual(refused("productIds"))
    expect((await admin("GET", `/bundle-offers?triggerProductId=${a}`)).body.meta.total).toBe(0)
  })

  it("never lead from a product back to itself while they are active", async () => {
    const [a, b, c] = [await shopper.product(), await shopper.product(), await shopper.product()]
    const body = (trigger: string, offered: string, more: object = {}) => ({
      name: "Link",
      triggerProductId: trigger,
      productIds: [offered],
      discountType: "PERCENTAGE",
      discountValue: 5,
      ...more
    })
    await create(body(a, b))
    await create(body(b, c, { kind: "UPGRADE" }))
    const closing = await admin("POST", "/bundle-offers", body(c, a))
    expect([closing.status, Object.keys(closing.body.details.errors)]).toEqual([400, ["productIds"]])
    const asleep = await create(body(c, a, { isActive: false }))
    const woken = await admin("PATCH", `/bundle-offers/${asleep.id}`, { isActive: true })
    expect([woken.status, Object.keys(woken.body.details.errors)]).toEqual([400, ["productIds"]])
    expect((await admin("GET", `/bundle-offers/${asleep.id}`)).body.isActive).toBe(false)
  })

  it("keep products that were deleted since, can be changed and are not offered", async () => {
    const [trigger, gone] = [await shopper.product(), await shopper.product()]
    const offer = await create({
      name: "Pair",
      triggerProductId: trigger,
      productIds: [gone],
      discountType: "PERCENTAGE",
      discountValue: 5
    })
    expect((await admin("DELETE", `/products/${gone}`)).status).toBe(200)
    const renamed = await admin("PATCH", `/bundle-offers/${offer.id}`, { name: "Old pair", productIds: [gone] })
    expect([renamed.status, renamed.body.name]).toEqual([200, "Old pair"])
    const refused = await admin("PATCH", `/bundle-offers/${offer.id}`, { productIds: [gone, "prod_none"] })
    expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, ["productIds.1"]])
    expect((await admin("PATCH", `/bundle-offers/${offer.id}`, { isActive: false })).body.isActive).toBe(false)
  })

  it("are counted on the product that brings them up, for merchants and shoppers", async () => {
    const made = await admin("POST", "/products", { name: "Desk", basePrice: 9, status: "active" })
    const [desk, other] = [made.body.id, (await admin("POST", "/products", { name: "D2", basePrice: 9 })).body.id]
    const offered = await shopper.product()
    const counts = async (id = desk) => {
      const { bundleOfferCount, orderBumpCount } = (await admin("GET", `/products/${id}`)).body
      return [bundleOfferCount, orderBumpCount]
    }
    const body = {
      name: "X",
      triggerProductId: desk,
      productIds: [offered],
      discountType: "PERCENTAGE",
      discountValue: 5
    }
    const bundle = await create(body)
    await create({ ...body, kind: "ORDER_BUMP" })
    await create({ ...body, kind: "UPGRADE" })
    await create({ ...body, isActive: false })
    expect(await counts()).toEqual([1, 1])
    const shown = (await shop.call("GET", `${shopper.at}/products/${desk}`)).body
    expect([shown.bundleOfferCount, shown.orderBumpCount]).toEqual([1, 1])
    await admin("PATCH", `/bundle-offers/${bundle.id}`, { triggerProductId: other })
    expect([await counts(), await counts(other)]).toEqual([
      [0, 1],
      [1, 0]
    ])
    expect((await shop.call("GET", `${shopper.at}/products/${desk}`)).body.bundleOfferCount).toBe(0)
    await admin("DELETE", `/bundle-offers/${bundle.id}`)
    expect(await counts(other)).toEqual([0, 0])
  })
})
