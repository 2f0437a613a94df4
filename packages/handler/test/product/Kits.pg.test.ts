/** Kits as merchants make them and shoppers see them: what is refused, what they cost, how many there are. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let other: TestStore
beforeAll(async () => {
  shop = await openTestCommerce()
  other = await shop.openStore()
})
afterAll(() => shop.close())

const at = () => `/vc/${shop.channelId}`
const post = (body: object, key?: string) =>
  shop.call("POST", "/v1/products", {
    body: { name: "Thing", status: "active", basePrice: "10.00", ...body },
    ...(key === undefined ? {} : { key })
  })
const make = async (body: object = {}, key?: string) => {
  const made = await post(body, key)
  if (made.status !== 201) throw new Error(made.text)
  return made.body
}
const idOf = async (body: object = {}): Promise<string> => (await make({ inventory: { total: 10 }, ...body })).id
const kitOf = (components: ReadonlyArray<object>, body: object = {}) =>
  make({ name: "Kit", type: "KIT", kitComponents: components, ...body })
const patch = (id: string, body: object) => shop.call("PATCH", `/v1/products/${id}`, { body })
const admin = async (id: string) => (await shop.call("GET", `/v1/products/${id}`)).body
const shown = async (id: string) => (await shop.call("GET", `${at()}/products/${id}`)).body
const shirt = async () => {
  const { body } = await shop.call("POST", "/v1/products", {
    body: {
      name: "Shirt",
      status: "active",
      type: "VARIABLE",
      basePrice: "20.00",
      variants: [
        { attributes: { Size: "S" }, inventory: { total: 4 } },
        { attributes: { Size: "M" }, price: "22.00", inventory: { total: 9 } }
      ]
    }
  })
  return { id: body.id as string, variants: body.variants.map((one: { id: string }) => one.id) as Array<string> }
}
const refusal = async (components: ReadonlyArray<object>, body: object = {}) => {
  const { status, body: answer } = await post({ type: "KIT", kitComponents: components, ...body })
  return [status, answer.code, answer.details?.errors]
}

describe("a kit", () => {
  it("shows what it is made of, and as many as its scarcest component makes: 10 of 3, 7 of 2 and 5 of 1 are 3", async () => {
    const [a, b, c] = [
      await idOf({ inventory: { total: 10 } }),
      await idOf({ inventory: { total: 7 } }),
      await idOf({ inventory: { total: 5 } })
    ]
    const parts = [
      { productId: a, quantity: 3 },
      { productId: b, quantity: 2 },
      { productId: c, quantity: 1 }
    ]
    const kit = await kitOf(parts)
    expect(kit).toMatchObject({
      type: "KIT",
      kitPricingMode: "FIXED",
      kitDiscountValue: null,
      kitComponents: parts.map((part) => ({ variantId: null, ...part })),
      basePrice: "10.00",
      variants: []
    })
    const level = { trackingMode: "TRACKED", total: 3, reserved: 0, available: 3, inStock: true, canPurchase: true }
    expect(kit.inventory).toMatchObject(level)
    expect((await shown(kit.id)).inventory).toMatchObject(level)
    const entry = (await shop.call("GET", `${at()}/inventory?productIds=${kit.id}`)).body.inventory[0]
    expect(entry).toMatchObject({ productId: kit.id, type: "KIT", inventory: level, variants: [] })
    const { inStock: _, ...counts } = level
    expect((await shop.call("POST", `${at()}/availability`, { body: { productIds: [kit.id] } })).body).toEqual([
      { productId: kit.id, variantId: null, lowStock: false, ...counts }
    ])
    expect((await shop.call("GET", `/v1/products/${kit.id}/inventory`)).body).toMatchObject({
      id: kit.id,
      productId: kit.id,
      variantId: null,
      total: 3,
      reserved: 0,
      available: 3
    })
    const looked = await shop.call("POST", "/v1/inventory/bulk", { body: { productIds: [kit.id] } })
    expect(looked.body).toMatchObject({ inventory: [{ productId: kit.id, available: 3 }], notFound: [] })
    expect((await shop.call("PUT", `/v1/products/${a}/inventory`, { body: { total: 5 } })).status).toBe(200)
    expect((await shown(kit.id)).inventory).toMatchObject({ available: 1, canPurchase: true })
  })

  it("cannot be bought while a component is a draft, deleted, switched off or has too few", async () => {
    const [a, b] = [await idOf(), await idOf({ inventory: { total: 2 } })]
    const { id: kit } = await kitOf([
      { productId: a, quantity: 1 },
      { productId: b, quantity: 2 }
    ])
    const listed = async () =>
      (await shop.call("GET", `${at()}/products?inStock=true&limit=100`)).body.data.some(
        (one: { id: string }) => one.id === kit
      )
    const buyable = async () => [(await shown(kit)).inventory.canPurchase, await listed()]
    expect(await buyable()).toEqual([true, true])
    for (const [change, back] of [
      [() => patch(a, { status: "draft" }), () => patch(a, { status: "active" })],
      [
        () => shop.call("PUT", `/v1/products/${b}/inventory`, { body: { total: 1 } }),
        () => shop.call("PUT", `/v1/products/${b}/inventory`, { body: { total: 2 } })
      ],
      [
        () => shop.call("PUT", `/v1/products/${a}/inventory`, { body: { trackingMode: "DISABLED" } }),
        () => shop.call("PUT", `/v1/products/${a}/inventory`, { body: { trackingMode: "UNTRACKED" } })
      ]
    ] as const) {
      await change()
      expect(await buyable()).toEqual([false, false])
      await back()
      expect(await buyable()).toEqual([true, true])
    }
    await shop.call("DELETE", `/v1/products/${a}`)
    expect(await buyable()).toEqual([false, false])
    expect((await shown(kit)).inventory).toMatchObject({ total: 0, available: 0, inStock: false })
  })

  it("is never limited by what is not counted, and can be sold on backorder as far as its components", async () => {
    const free = await idOf({ inventory: { trackingMode: "UNTRACKED" } })
    const owed = await idOf({ inventory: { total: 3, backorderMode: "LIMITED", backorderLimit: 4 } })
    const endless = await idOf({ inventory: { total: 1, backorderMode: "ALLOW" } })
    const of = async (...parts: ReadonlyArray<readonly [string, number]>) =>
      (await kitOf(parts.map(([productId, quantity]) => ({ productId, quantity })))).id as string
    const check = async (id: string, quantity: number) =>
      (
        await shop.call("POST", `${at()}/inventory/check-availability`, {
          body: { items: [{ productId: id, quantity }] }
        })
      ).body.results[0]
    expect((await admin(await of([free, 2]))).inventory).toMatchObject({ trackingMode: "UNTRACKED", inStock: true })
    const limited = await of([free, 1], [owed, 2])
    expect((await admin(limited)).inventory).toMatchObject({ total: 1, available: 1, trackingMode: "TRACKED" })
    expect([await check(limited, 3), await check(limited, 4)]).toMatchObject([
      { isAvailable: true, shortfall: 0 },
      { isAvailable: false, available: 1, requested: 4, shortfall: 1 }
    ])
    const unlimited = await of([endless, 5])
    expect((await admin(unlimited)).inventory).toMatchObject({ total: 0, inStock: false, canPurchase: true })
    expect((await check(unlimited, 1_000)).isAvailable).toBe(true)
  })

  it("counts together with its components and with other kits where availability is checked", async () => {
    const [a, b] = [await idOf({ inventory: { total: 7 } }), await idOf({ inventory: { total: 4 } })]
    const { id: first } = await kitOf([
      { productId: a, quantity: 2 },
      { productId: b, quantity: 1 }
    ])
    const { id: second } = await kitOf([{ productId: a, quantity: 1 }])
    const { body } = await shop.call("POST", `${at()}/inventory/check-availability`, {
      body: {
        items: [
          { productId: first, quantity: 2 },
          { productId: a, quantity: 2 },
          { productId: second, quantity: 2 },
          { productId: b, quantity: 2 },
          { productId: b, quantity: 1 }
        ]
      }
    })
    expect(body.allAvailable).toBe(false)
    expect(
      body.results.map((one: { isAvailable: boolean; available: number; shortfall: number }) => [
        one.isAvailable,
        one.available,
        one.shortfall
      ])
    ).toEqual([
      [true, 3, 0],
      [true, 3, 0],
      [false, 1, 1],
      [true, 2, 0],
      [false, 0, 1]
    ])
  })

  it("is low where a component is", async () => {
    const [a, b] = [await idOf(), await idOf({ inventory: { total: 3, lowStockThreshold: 3 } })]
    const { id: kit } = await kitOf([
      { productId: a, quantity: 1 },
      { productId: b, quantity: 1 }
    ])
    const entry = await shop.call("POST", `${at()}/availability`, { body: { productIds: [kit] } })
    expect(entry.body).toMatchObject([{ available: 3, lowStock: true }])
  })
})

describe("what a kit is made of", () => {
  it("is refused where it is nothing, not there, itself a kit, named twice or not as it is sold", async () => {
    const [a, simple] = [await idOf(), await idOf()]
    const { id: tee, variants } = await shirt()
    const { id: kit } = await kitOf([{ productId: a, quantity: 1 }])
    const { id: theirs } = await make({}, other.apiKey)
    const invalid = "VALIDATION_FAILED"
    const one = (productId: string, more: object = {}) => [{ productId, quantity: 1, ...more }]
    expect(await refusal([])).toEqual([400, invalid, { kitComponents: "a KIT has at least one component" }])
    for (const id of ["prod_none", theirs])
      expect(await refusal(one(id))).toEqual([
        400,
        invalid,
        { "kitComponents.0.productId": `${id} is not a product of this store` }
      ])
    expect(await refusal(one(kit))).toEqual([
      400,
      invalid,
      { "kitComponents.0.productId": `${kit} is a KIT: a kit holds no kits` }
    ])
    expect(await refusal([...one(a), ...one(a)])).toEqual([
      400,
      invalid,
      { "kitComponents.1.productId": "is named twice: say a quantity instead" }
    ])
    expect(await refusal(one(tee))).toEqual([
      400,
      invalid,
      { "kitComponents.0.variantId": "this product is sold by its variants: choose one" }
    ])
    expect(await refusal(one(simple, { variantId: variants[0] }))).toEqual([
      400,
      invalid,
      { "kitComponents.0.variantId": `${variants[0]} is not a variant of this product` }
    ])
    expect((await refusal(one(a, { quantity: 0 })))[0]).toBe(400)
    expect((await refusal(one(a, { quantity: 1_001 })))[0]).toBe(400)
    expect((await refusal(one(a), { inventory: { total: 1 } }))[2]).toEqual({
      inventory: "a KIT holds no stock: its components do"
    })
    expect((await refusal(one(a), { variants: [{ name: "S" }] }))[2]).toEqual({
      variants: "a KIT product has no variants: say type VARIABLE"
    })
    expect((await post({ kitComponents: one(a) })).body.details.errors).toEqual({
      kitComponents: "only a product of type KIT has it"
    })
    const named = await kitOf([...one(tee, { variantId: variants[0] }), ...one(tee, { variantId: variants[1] })])
    expect(named.inventory.available).toBe(4)
  })

  it("has at most 50 components, each in at most 100 kits", async () => {
    const ids = await Promise.all(Array.from({ length: 51 }, () => idOf()))
    const components = ids.map((productId) => ({ productId, quantity: 1 }))
    expect((await refusal(components))[0]).toBe(400)
    expect((await kitOf(components.slice(0, 50))).kitComponents.length).toBe(50)
    const [a] = ids
    for (let i = 1; i < 100; i++) await kitOf([{ productId: a, quantity: 1 }])
    expect(await refusal([{ productId: a, quantity: 1 }])).toEqual([
      400,
      "VALIDATION_FAILED",
      { "kitComponents.0.productId": "is a component of 100 kits already" }
    ])
  })

  it("never becomes a kit itself, and a kit that becomes something else is free of its components", async () => {
    const [a, b] = [await idOf(), await idOf()]
    const { id: kit } = await kitOf([{ productId: a, quantity: 1 }])
    const become = await patch(a, { type: "KIT", kitComponents: [{ productId: b, quantity: 1 }] })
    expect([become.status, become.body.details.errors]).toEqual([
      400,
      { type: "this product is a component of a KIT: a kit holds no kits" }
    ])
    expect((await patch(kit, { kitComponents: [{ productId: kit, quantity: 1 }] })).body.details.errors).toEqual({
      "kitComponents.0.productId": "is the kit itself"
    })
    expect((await patch(kit, { kitComponents: [] })).status).toBe(400)
    const simple = (await patch(kit, { type: "SIMPLE" })).body
    expect(simple).toMatchObject({ type: "SIMPLE", kitPricingMode: null, kitComponents: [] })
    expect((await patch(a, { type: "KIT", kitComponents: [{ productId: b, quantity: 2 }] })).body).toMatchObject({
      type: "KIT",
      kitComponents: [{ productId: b, variantId: null, quantity: 2 }],
      inventory: { available: 5 }
    })
    expect((await patch(b, { name: "Renamed" })).status).toBe(200)
  })

  it("stays of no two minds where a component becomes a kit while a kit takes it", async () => {
    for (let round = 0; round < 8; round++) {
      const [a, b] = [await idOf(), await idOf()]
      const [made, become] = await Promise.all([
        post({ type: "KIT", kitComponents: [{ productId: a, quantity: 1 }] }),
        patch(a, { type: "KIT", kitComponents: [{ productId: b, quantity: 1 }] })
      ])
      expect([made.status, become.status].sort((x, y) => x - y)).toEqual(made.status === 201 ? [201, 400] : [200, 400])
    }
  })
})

describe("what a kit costs", () => {
  it("is its own price while it is FIXED, on sale or not", async () => {
    const a = await idOf({ basePrice: "99.00" })
    const kit = await kitOf([{ productId: a, quantity: 2 }], { basePrice: "50.00", salePrice: "45.00" })
    expect(kit).toMatchObject({
      kitPricingMode: "FIXED",
      basePrice: "50.00",
      priceMin: "45.00",
      displaySalePrice: "45.00"
    })
    const refused = await patch(kit.id, { kitDiscountValue: 5 })
    expect(refused.body.details.errors).toEqual({
      kitDiscountValue: "is a percentage off the components' prices: say kitPricingMode COMPONENTS"
    })
  })

  it("follows its components while it is COMPONENTS, less a percentage, rounded once and half up", async () => {
    const a = await idOf({ basePrice: "9.99" })
    const { id: tee, variants } = await shirt()
    const kit = await kitOf(
      [
        { productId: a, quantity: 3 },
        { productId: tee, variantId: variants[1], quantity: 1 }
      ],
      { basePrice: undefined, kitPricingMode: "COMPONENTS", kitDiscountValue: "12.50" }
    )
    // 3 x 9.99 + 22.00 = 51.97, of which 87.5 % are 45.47375.
    expect(kit).toMatchObject({
      kitPricingMode: "COMPONENTS",
      kitDiscountValue: "12.5",
      basePrice: "45.47",
      salePrice: null,
      priceMin: "45.47",
      displayPrice: "45.47"
    })
    await patch(a, { basePrice: "10.01" })
    // 3 x 10.01 + 22.00 = 52.03, of which 87.5 % are 45.52625.
    expect((await shown(kit.id)).priceMin).toBe("45.53")
    for (const [field, value] of [
      ["basePrice", "1.00"],
      ["salePrice", "1.00"]
    ] as const)
      expect((await patch(kit.id, { [field]: value })).body.details.errors).toEqual({
        [field]: "a kit with kitPricingMode COMPONENTS costs what its components cost"
      })
    for (const value of [-1, 101, "1.234", "many"])
      expect((await patch(kit.id, { kitDiscountValue: value })).status).toBe(400)
    expect((await patch(kit.id, { kitDiscountValue: null })).body.priceMin).toBe("52.03")
    expect((await patch(kit.id, { kitDiscountValue: 100 })).body.priceMin).toBe("0.00")
  })

  it("is on sale from the moment on that one of its components is, until that ends, in views and in filters", async () => {
    const now = Date.now()
    const time = (ms: number) => new Date(now + ms).toISOString()
    const a = await idOf({
      basePrice: "20.00",
      salePrice: "15.00",
      salePriceStartsAt: time(-60_000),
      salePriceEndsAt: time(3_600_000)
    })
    const b = await idOf({ basePrice: "10.00" })
    const kit = await kitOf(
      [
        { productId: a, quantity: 2 },
        { productId: b, quantity: 1 }
      ],
      { basePrice: undefined, name: "Sale kit", kitPricingMode: "COMPONENTS", kitDiscountValue: 10 }
    )
    expect(kit).toMatchObject({ basePrice: "45.00", salePrice: "36.00", displaySalePrice: "36.00", priceMin: "36.00" })
    const between = async (min: string, max: string) =>
      (await shop.call("GET", `${at()}/products?search=sale%20kit&minPrice=${min}&maxPrice=${max}`)).body.meta.total
    expect([await between("36", "36"), await between("45", "45")]).toEqual([1, 0])
    await patch(a, { salePriceStartsAt: time(-60_000), salePriceEndsAt: time(-30_000) })
    expect(await shown(kit.id)).toMatchObject({ salePrice: null, displaySalePrice: null, priceMin: "45.00" })
    expect([await between("36", "36"), await between("45", "45")]).toEqual([0, 1])
  })
})
