import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let other: TestStore
beforeAll(async () => {
  shop = await openTestCommerce()
  other = await shop.openStore()
})
afterAll(() => shop.close())

const make = async (inventory: object, body: object = {}, key?: string): Promise<string> => {
  const product = { name: "Lamp", sku: "LAMP", status: "active", basePrice: "10.00", inventory, ...body }
  const made = await shop.call("POST", "/v1/products", { body: product, ...(key === undefined ? {} : { key }) })
  if (made.status !== 201) throw new Error(made.text)
  return made.body.id
}
const shirt = async () => {
  const variant = (size: string, inventory: object, status = "active") => ({
    name: `Size ${size}`,
    sku: `SHIRT-${size}`,
    attributes: { Size: size },
    inventory,
    status
  })
  const variants = [
    variant("S", { total: 3 }),
    variant("M", { total: 0, backorderMode: "ALLOW" }),
    variant("L", { total: 9 }, "draft")
  ]
  const made = await shop.call("POST", "/v1/products", {
    body: { name: "Shirt", sku: "SHIRT", status: "active", type: "VARIABLE", basePrice: "10.00", variants }
  })
  if (made.status !== 201) throw new Error(made.text)
  return {
    product: made.body.id as string,
    variants: made.body.variants.map((one: { id: string }) => one.id) as ReadonlyArray<string>
  }
}
const inventory = (...ids: ReadonlyArray<string>) =>
  shop.call("GET", `/vc/${shop.channelId}/inventory?productIds=${ids.join(",")}`)
const availability = (productIds: unknown) =>
  shop.call("POST", `/vc/${shop.channelId}/availability`, { body: { productIds } })
const check = (items: unknown) =>
  shop.call("POST", `/vc/${shop.channelId}/inventory/check-availability`, { body: { items } })
const hidden = async () => [
  await make({ total: 5 }, { status: "draft" }),
  await make({ total: 5 }, {}, other.apiKey),
  "prod_none"
]

describe("shoppers are told", () => {
  it("each what they asked for, on their channel, when many ask at once", async () => {
    const elsewhere = await shop.call("POST", "/v1/sales-channels", {
      body: { name: "Elsewhere", domain: "elsewhere.example", mode: "live" }
    })
    expect(elsewhere.status).toBe(201)
    const channels: ReadonlyArray<string> = [shop.channelId, elsewhere.body.id]
    const made: Array<string> = []
    for (let total = 0; total < 6; total++)
      made.push(await make({ total }, total % 2 === 0 ? {} : { salesChannelIds: [channels[total % 3 === 0 ? 0 : 1]] }))
    const seen = (channel: number, total: number) => total % 2 === 0 || (total % 3 === 0 ? 0 : 1) === channel
    const asks = Array.from({ length: 60 }, (_, i) => ({ channel: i % 2, totals: [(i * 5) % 6, (i * 7 + 1) % 6] }))
    const told = await Promise.all(
      asks.map(async ({ channel, totals }) => {
        const ids = totals.map((total) => made[total]).join(",")
        const { body } = await shop.call("GET", `/vc/${channels[channel]}/inventory?productIds=${ids}`, {
          headers: { origin: "https://elsewhere.example" }
        })
        return (body.inventory ?? [body]).map((one: { productId: string; inventory: { total: number } }) => [
          one.productId,
          one.inventory?.total
        ])
      })
    )
    expect(told).toEqual(
      asks.map(({ channel, totals }) =>
        [...new Set(totals)].filter((total) => seen(channel, total)).map((total) => [made[total], total])
      )
    )
  })

  it("what there is, variant by variant, and nothing of what they may not see", async () => {
    const lamp = await make({ total: 7 })
    const { product, variants } = await shirt()
    const answer = await inventory(product, ...(await hidden()), lamp, product)
    const tracked = { reserved: 0, trackingMode: "TRACKED" }
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        inventory: [
          {
            productId: product,
            sku: "SHIRT",
            name: "Shirt",
            type: "VARIABLE",
            inventory: { ...tracked, total: 3, available: 3, inStock: true, canPurchase: true },
            variants: [
              {
                variantId: variants[0],
                sku: "SHIRT-S",
                name: "Size S",
                inventory: { ...tracked, total: 3, available: 3, inStock: true, canPurchase: true }
              },
              {
                variantId: variants[1],
                sku: "SHIRT-M",
                name: "Size M",
                inventory: { ...tracked, total: 0, available: 0, inStock: false, canPurchase: true }
              }
            ]
          },
          {
            productId: lamp,
            sku: "LAMP",
            name: "Lamp",
            type: "SIMPLE",
            inventory: { ...tracked, total: 7, available: 7, inStock: true, canPurchase: true },
            variants: []
          }
        ]
      }
    ])
    expect((await inventory()).body).toEqual({ inventory: [] })
    expect((await shop.call("GET", `/vc/${shop.channelId}/inventory`)).status).toBe(400)
  })

  it.each([
    [{ total: 0 }, { available: 0, canPurchase: false, lowStock: false }],
    [
      { total: 5, lowStockThreshold: 5 },
      { available: 5, canPurchase: true, lowStock: true }
    ],
    [
      { total: 6, lowStockThreshold: 5 },
      { available: 6, canPurchase: true, lowStock: false }
    ],
    [
      { total: 0, backorderMode: "ALLOW" },
      { available: 0, canPurchase: true, lowStock: false }
    ],
    [
      { total: 0, backorderMode: "LIMITED", backorderLimit: 1 },
      { available: 0, canPurchase: true, lowStock: false }
    ],
    [
      { total: 0, backorderMode: "LIMITED" },
      { available: 0, canPurchase: false, lowStock: false }
    ],
    [
      { total: 0, trackingMode: "UNTRACKED", lowStockThreshold: 5 },
      { available: 0, canPurchase: true, lowStock: false }
    ],
    [
      { total: 9, trackingMode: "DISABLED" },
      { available: 9, canPurchase: false, lowStock: false }
    ]
  ])("whether they can buy: %o", async (stock, told) => {
    const lamp = await make(stock)
    const answer = await availability([lamp])
    expect([answer.status, answer.body]).toEqual([
      200,
      [
        {
          productId: lamp,
          variantId: null,
          trackingMode: "TRACKED",
          reserved: 0,
          ...stock,
          lowStockThreshold: undefined,
          backorderMode: undefined,
          backorderLimit: undefined,
          ...told
        }
      ]
    ])
    const [entry] = (await inventory(lamp)).body.inventory
    expect(entry.inventory).toMatchObject({ available: told.available, canPurchase: told.canPurchase })
  })

  it("of a product with variants by those they can see, and of nothing hidden", async () => {
    const { product, variants } = await shirt()
    const answer = await availability([...(await hidden()), product])
    expect(
      answer.body.map((entry: { productId: string; variantId: string; canPurchase: boolean }) => [
        entry.productId,
        entry.variantId,
        entry.canPurchase
      ])
    ).toEqual([
      [product, variants[0], true],
      [product, variants[1], true]
    ])
  })

  it("never a number below zero, also when units are owed", async () => {
    const lamp = await make({ total: 1, backorderMode: "ALLOW" })
    await shop.call("POST", "/v1/orders", { body: { items: [{ productId: lamp, quantity: 4 }] } })
    expect((await availability([lamp])).body).toMatchObject([{ total: -3, available: 0, canPurchase: true }])
    expect((await inventory(lamp)).body.inventory[0].inventory).toMatchObject({
      total: -3,
      available: 0,
      inStock: false,
      canPurchase: true
    })
    expect((await check([{ productId: lamp, quantity: 9 }])).body.results).toMatchObject([
      { isAvailable: true, available: 0, shortfall: 0 }
    ])
  })
})

describe("a request list", () => {
  it("is answered line by line; lines for the same thing share what there is", async () => {
    const lamp = await make({ total: 5 })
    const limited = await make({ total: 1, backorderMode: "LIMITED", backorderLimit: 2 })
    const { product, variants } = await shirt()
    const answer = await check([
      { productId: lamp, quantity: 3 },
      { productId: lamp, variantId: null, quantity: 3 },
      { productId: product, variantId: variants[0], quantity: 3 },
      { productId: limited, quantity: 4 }
    ])
    const tracked = { trackingMode: "TRACKED" }
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        allAvailable: false,
        results: [
          { productId: lamp, variantId: null, isAvailable: true, available: 5, requested: 3, shortfall: 0, ...tracked },
          {
            productId: lamp,
            variantId: null,
            isAvailable: false,
            available: 2,
            requested: 3,
            shortfall: 1,
            ...tracked
          },
          {
            productId: product,
            variantId: variants[0],
            isAvailable: true,
            available: 3,
            requested: 3,
            shortfall: 0,
            ...tracked
          },
          {
            productId: limited,
            variantId: null,
            isAvailable: false,
            available: 1,
            requested: 4,
            shortfall: 1,
            ...tracked
          }
        ]
      }
    ])
    expect((await check([{ productId: lamp, quantity: 5 }])).body.allAvailable).toBe(true)
    expect((await check([])).body).toEqual({ allAvailable: true, results: [] })
  })

  it("for what is hidden, foreign, unknown or not sold like that is answered with zeros", async () => {
    const lamp = await make({ total: 5 })
    const { product, variants } = await shirt()
    const requests = [
      ...(await hidden()).map((productId) => ({ productId, variantId: null })),
      { productId: product, variantId: null },
      { productId: product, variantId: variants[2] },
      { productId: lamp, variantId: variants[0] }
    ]
    const answer = await check(requests.map((request) => ({ ...request, quantity: 2 })))
    expect(answer.body).toEqual({
      allAvailable: false,
      results: requests.map((request) => ({
        ...request,
        isAvailable: false,
        available: 0,
        requested: 2,
        shortfall: 2,
        trackingMode: "TRACKED"
      }))
    })
  })

  it("holds at most fifty, of whole quantities", async () => {
    const lamp = await make({ total: 5 })
    const requests = (count: number) => Array.from({ length: count }, () => ({ productId: lamp, quantity: 1 }))
    expect([(await check(requests(50))).status, (await check(requests(51))).status]).toEqual([200, 400])
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `prod_${i}`)
    expect([(await availability(ids(50))).status, (await availability(ids(51))).status]).toEqual([200, 400])
    expect((await inventory(...ids(101))).status).toBe(400)
    for (const quantity of [0, -1, 1.5, "1"])
      expect((await check([{ productId: lamp, quantity }])).body.code).toBe("VALIDATION_FAILED")
    expect((await check(undefined)).body.code).toBe("VALIDATION_FAILED")
  })
})

describe("a channel with storefront reads switched off", () => {
  it("tells nothing", async () => {
    const closed = await shop.call("POST", "/v1/sales-channels", {
      body: { name: "Closed", scopes: { storefrontRead: false, cart: false } }
    })
    const at = `/vc/${closed.body.id}`
    const answers = await Promise.all([
      shop.call("GET", `${at}/inventory?productIds=x`),
      shop.call("POST", `${at}/availability`, { body: { productIds: [] } }),
      shop.call("POST", `${at}/inventory/check-availability`, { body: { items: [] } }),
      shop.call("POST", `${at}/reservation/extend`, { body: { cartId: "x" } }),
      shop.call("POST", `${at}/reservation/release`, { body: { cartId: "x" } })
    ])
    expect(answers.map((answer) => [answer.status, answer.body.code])).toEqual(
      answers.map(() => [403, "INSUFFICIENT_PERMISSION"])
    )
  })
})
