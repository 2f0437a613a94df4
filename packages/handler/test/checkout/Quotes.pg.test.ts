import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
const ids: Record<string, string> = {}

const make = async (name: string, path: string, body: object) => {
  const made = await shop.call("POST", path, { body })
  if (made.status !== 201) throw new Error(`${path}: ${made.text}`)
  ids[name] = made.body.id
}

beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  await make("books", "/v1/tax/classes", { name: "Books" })
  const rate = (name: string, percentage: string, more: object) =>
    make(name, "/v1/tax/rates", { name, rate: percentage, ...more })
  await rate("vat", "19", { country: "DE", isInclusive: true })
  await rate("reduced", "7", { country: "DE", isInclusive: true, taxClassId: ids["books"] })
  await rate("state", "4", { country: "US", region: "NY", stackable: true, priority: 1 })
  await rate("city", "4.5", { country: "US", region: "NY", postalCode: "10001", stackable: true, priority: 2 })
  await rate("transit", "0.375", { country: "US", region: "NY", postalCode: "10001", stackable: true, priority: 3 })
  await make("book", "/v1/products", { name: "Book", basePrice: "10.70", taxClassId: ids["books"], status: "active" })
  await make("gift", "/v1/products", { name: "Gift", basePrice: "5.00", taxBehavior: "exempt", status: "active" })
  await make("customer", "/v1/customers", { email: "ada@example.com" })
})
afterAll(() => shop.close())

const taxes = (body: object) => shop.call("POST", "/v1/tax/quote", { body })
const newYork = { country: "us", region: "US-NY", postalCode: "10 001" }

describe("a quote of taxes", () => {
  it("stacks rates on one base, each line and shipping by itself, and sums every rate in the breakdown", async () => {
    const { status, body } = await taxes({
      address: newYork,
      lines: [
        { id: "lamp", amount: "19.99" },
        { amount: 100, quantity: 3 }
      ],
      shippingAmount: "5.00",
      customerId: ids["customer"]
    })
    const rateOf = (name: string, rate: string, amount: string) => ({ id: ids[name], name, rate, amount })
    expect([status, body]).toEqual([
      200,
      {
        currency: "USD",
        lines: [
          {
            id: "lamp",
            amount: "19.99",
            net: "19.99",
            tax: "1.77",
            rates: [rateOf("state", "4", "0.80"), rateOf("city", "4.5", "0.90"), rateOf("transit", "0.375", "0.07")]
          },
          {
            id: "line_2",
            amount: "100.00",
            net: "100.00",
            // 8.875 is 8.88: 4.00, 4.50 and the remainder.
            tax: "8.88",
            rates: [rateOf("state", "4", "4.00"), rateOf("city", "4.5", "4.50"), rateOf("transit", "0.375", "0.38")]
          }
        ],
        // 0.44375 is 0.44: 0.20, 0.22 and 0.02.
        shippingTax: "0.44",
        totalTax: "11.09",
        total: "136.08",
        taxBreakdown: {
          subtotal: 119.99,
          shippingNet: 5,
          totalTax: 11.09,
          total: 136.08,
          breakdown: [
            { name: "state", rate: 4, amount: 5 },
            { name: "city", rate: 4.5, amount: 5.62 },
            { name: "transit", rate: 0.375, amount: 0.47 }
          ],
          currency: "USD"
        }
      }
    ])
  })

  it("takes what is inclusive out of the amount, by the class of the product or of the line; an exempt product has none", async () => {
    const { body } = await taxes({
      address: { country: "DE" },
      lines: [
        { amount: "16.00" },
        { productId: ids["book"], amount: "9.18" },
        { taxClassId: ids["books"], amount: "10.70" },
        { productId: ids["gift"], amount: "5.00" }
      ]
    })
    expect(body.lines.map(({ net, tax, rates }: Record<string, unknown>) => [net, tax, (rates as []).length])).toEqual([
      ["13.45", "2.55", 1],
      ["8.58", "0.60", 1],
      ["10.00", "0.70", 1],
      ["5.00", "0.00", 0]
    ])
    expect([body.shippingTax, body.totalTax, body.total]).toEqual(["0.00", "3.85", "40.88"])
  })

  it("rounds as the store says, and by units where it says so", async () => {
    const ask = async () =>
      (await taxes({ address: { country: "DE" }, lines: [{ amount: "495.00", quantity: 5 }] })).body
    await shop.call("PATCH", `/v1/tax/rates/${ids["vat"]}`, { body: { rate: 22 } })
    expect((await ask()).totalTax).toBe("89.26")
    await shop.call("PATCH", "/v1/store", { body: { taxRounding: "unit" } })
    expect((await ask()).totalTax).toBe("89.25")
    await shop.call("PATCH", "/v1/store", { body: { taxRounding: "order" } })
    await shop.call("PATCH", `/v1/tax/rates/${ids["vat"]}`, { body: { rate: 7 } })
    const { body } = await taxes({ address: { country: "DE" }, lines: [{ amount: "8.50" }], shippingAmount: "1.65" })
    expect([body.totalTax, body.lines[0].tax, body.shippingTax]).toEqual(["0.66", "0.55", "0.11"])
    await shop.call("PATCH", "/v1/store", { body: { taxRounding: "line" } })
    await shop.call("PATCH", `/v1/tax/rates/${ids["vat"]}`, { body: { rate: 19 } })
  })

  it("is what a checkout of the same things is taxed", async () => {
    const lamp = await shopper.product({ price: 1_999n })
    const id = await shopper.checkout(await shopper.cart([lamp, 3]))
    const checkout = await shop.call("PATCH", `${shopper.at}/checkout/${id}/shipping`, {
      body: { shippingAddress: addressIn("NY", "10001") }
    })
    const quote = await taxes({
      address: addressIn("NY", "10001"),
      lines: [{ productId: lamp, amount: "59.97", quantity: 3 }]
    })
    expect(quote.body.taxBreakdown).toEqual(checkout.body.taxBreakdown)
    expect(quote.body.total).toBe(checkout.body.total)
  })

  it("has no tax where no rate is, and amounts of 0 and of the currency's digits", async () => {
    const nowhere = await taxes({ address: { country: "AT" }, lines: [{ amount: 0 }] })
    expect(nowhere.body).toMatchObject({ lines: [{ tax: "0.00", rates: [] }], totalTax: "0.00", total: "0.00" })
    for (const [currency, amount, tax, tooFine] of [
      ["JPY", "1080", "80", "10.5"],
      ["KWD", "1.080", "0.080", "1.0805"]
    ] as const) {
      const other = await shop.openStore({ currency })
      const call = (path: string, body: object) => shop.call("POST", path, { key: other.apiKey, body })
      await call("/v1/tax/rates", { name: "Tax", country: "JP", rate: 8, isInclusive: true })
      const { body } = await call("/v1/tax/quote", { address: { country: "JP" }, lines: [{ amount }] })
      expect([body.currency, body.totalTax, body.total]).toEqual([currency, tax, amount])
      const refused = await call("/v1/tax/quote", { address: { country: "JP" }, lines: [{ amount: tooFine }] })
      expect(Object.keys(refused.body.details.errors)).toEqual(["lines.0.amount"])
    }
  })

  it.each<[ReadonlyArray<string>, object]>([
    [["address"], { lines: [{ amount: 1 }] }],
    [["address.country"], { address: { country: "XX" }, lines: [{ amount: 1 }] }],
    [["lines"], { address: { country: "US" }, lines: [] }],
    [["lines.0.quantity"], { address: { country: "US" }, lines: [{ amount: 1, quantity: 0 }] }],
    [
      ["lines.1.id"],
      {
        address: { country: "US" },
        lines: [
          { id: "a", amount: 1 },
          { id: "a", amount: 1 }
        ]
      }
    ],
    [["lines"], { address: { country: "US" }, lines: Array.from({ length: 501 }, () => ({ amount: 1 })) }],
    [
      ["lines.0.amount", "lines.1.productId", "lines.2.taxClassId", "shippingAmount", "customerId"],
      {
        address: { country: "US" },
        lines: [{ amount: "1.001" }, { productId: "prod_none", amount: 1 }, { taxClassId: "none", amount: 1 }],
        shippingAmount: -1,
        customerId: "cust_none"
      }
    ],
    [
      ["lines"],
      { address: { country: "US" }, lines: Array.from({ length: 2 }, () => ({ amount: "92233720368547758.07" })) }
    ]
  ])("refuses %j, naming each", async (fields, body) => {
    const refused = await taxes(body)
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      fields
    ])
  })

  it("takes a product or a class of a line, and not both", async () => {
    const refused = await taxes({
      address: { country: "DE" },
      lines: [{ productId: ids["book"], taxClassId: ids["books"], amount: 1 }]
    })
    expect(Object.keys(refused.body.details.errors)).toEqual(["lines.0.taxClassId"])
  })
})

describe("a quote of shipping", () => {
  const quote = (body: object) => shop.call("POST", "/v1/shipping/quote", { body })
  let rates: string
  const rate = async (name: string, body: object) => {
    const made = await shop.call("POST", rates, { body: { name, ...body } })
    if (made.status !== 201) throw new Error(made.text)
  }
  const flat = (amount: string, days: object = {}) => ({ type: "FLAT", rateConfig: { amount }, ...days })
  const named = ({ body }: { body: { rates: ReadonlyArray<{ name: string; price: string }> } }) =>
    body.rates.map(({ name, price }) => [name, price])

  it("has no zone and is served in a store that ships nowhere in particular", async () => {
    const { body } = await quote({ address: { country: "US" }, items: [{ productId: ids["book"], quantity: 1 }] })
    expect(body).toEqual({ zone: null, unserved: false, rates: [] })
  })

  it("is asked in the region of the address's country, as a checkout is", async () => {
    const made = await shop.call("POST", "/v1/regions", {
      body: { name: "Japan", currency: "USD", countries: ["JP"], isActive: true }
    })
    expect(made.status).toBe(201)
    const zone = await shop.call("POST", "/v1/shipping/zones", {
      body: { name: "Japan", countries: ["JP"], regionIds: [made.body.id] }
    })
    await shop.call("POST", `/v1/shipping/zones/${zone.body.id}/rates`, { body: { name: "Air", ...flat("7.00") } })
    const { body } = await quote({ address: { country: "JP" }, items: [{ productId: ids["book"], quantity: 1 }] })
    expect([body.zone?.name, body.unserved, named({ body })]).toEqual(["Japan", false, [["Air", "7.00"]]])
    await shop.call("DELETE", `/v1/shipping/zones/${zone.body.id}`)
  })

  it("lists the zone's rates as checkouts do: by price, then by speed with the unknown last, then by creation", async () => {
    await make("zone", "/v1/shipping/zones", { name: "America", countries: ["US"] })
    rates = `/v1/shipping/zones/${ids["zone"]}/rates`
    await rate("no days", flat("5.00"))
    await rate("slow", flat("5.00", { minDeliveryDays: 3, maxDeliveryDays: 6 }))
    await rate("dear", flat("9.00", { minDeliveryDays: 1, maxDeliveryDays: 1 }))
    await rate("fast", flat("5.00", { minDeliveryDays: 2, maxDeliveryDays: 4 }))
    await rate("faster", flat("5.00", { minDeliveryDays: 1, maxDeliveryDays: 4 }))
    await rate("fast too", flat("5.00", { minDeliveryDays: 2, maxDeliveryDays: 4 }))
    await rate("from 2", flat("5.00", { minDeliveryDays: 2 }))
    await rate("cheap", flat("1.00"))
    await rate("pickup", { type: "PICKUP", rateConfig: { amount: "0", location: { name: "Counter" } } })
    const sorted = [
      ["cheap", "1.00"],
      ["faster", "5.00"],
      ["fast", "5.00"],
      ["fast too", "5.00"],
      ["slow", "5.00"],
      ["from 2", "5.00"],
      ["no days", "5.00"],
      ["dear", "9.00"]
    ]
    const answer = await quote({ address: addressIn("CA", "94105"), items: [{ productId: ids["book"], quantity: 1 }] })
    expect(named(answer)).toEqual(sorted)
    expect(answer.body).toMatchObject({ zone: { id: ids["zone"], name: "America" }, unserved: false })
    const id = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
    const { body: checkout } = await shop.call("GET", `${shopper.at}/checkout/${id}`)
    expect(named({ body: { rates: checkout.availableShippingRates } })).toEqual(sorted)
    const { body: listed } = await shop.call("GET", `${shopper.at}/checkout/${id}/shipping-rates`)
    expect(listed.rates).toEqual(checkout.availableShippingRates)
    expect(answer.body.rates[1]).toEqual(checkout.availableShippingRates[1])
    // An order in one call takes the first of them.
    const placed = await shop.call("POST", `${shopper.at}/orders`, {
      body: {
        items: [{ productId: await shopper.product({ price: 1_000n }), quantity: 1, price: "10.00" }],
        customer: { email: "ada@example.com" },
        shippingAddress: addressIn("CA", "94105")
      }
    })
    const { body: order } = await shop.call("GET", `/v1/orders/${placed.body.orderId}`)
    expect(order.shippingAmount).toBe("1.00")
  })

  it("says where nobody ships, and that downloads need no shipping", async () => {
    const items = [{ productId: ids["book"], quantity: 1 }]
    expect((await quote({ address: { country: "AQ" }, items })).body).toEqual({ zone: null, unserved: true, rates: [] })
    const download = await shopper.product({ isDownloadable: true })
    const digital = await quote({ address: { country: "AQ" }, items: [{ productId: download, quantity: 1 }] })
    expect(digital.body).toEqual({ zone: null, unserved: false, rates: [] })
  })

  it("weighs a kit by its parts, unless it has a weight of its own, and compares minimums with the subtotal", async () => {
    await make("mug", "/v1/products", {
      name: "Mug",
      basePrice: "8.00",
      status: "active",
      shippingWeightValue: 300,
      shippingWeightUnit: "g"
    })
    await make("pot", "/v1/products", {
      name: "Pot",
      basePrice: "20.00",
      status: "active",
      shippingWeightValue: 1.1,
      shippingWeightUnit: "kg"
    })
    const kit = {
      name: "Set",
      type: "KIT",
      basePrice: "40.00",
      status: "active",
      kitComponents: [
        { productId: ids["mug"], quantity: 4 },
        { productId: ids["pot"], quantity: 1 }
      ]
    }
    await make("set", "/v1/products", kit)
    await make("boxed", "/v1/products", { ...kit, name: "Box", shippingWeightValue: 3, shippingWeightUnit: "kg" })
    const tiers = [
      { upTo: "2.3", amount: "2.00" },
      { upTo: "4.6", amount: "4.00" },
      { upTo: "6", amount: "6.00" }
    ]
    await rate("weighed", { type: "BY_WEIGHT", rateConfig: { unit: "kg", tiers } })
    await rate("from 100", { type: "FREE", minOrderAmount: "100.00" })
    const priceOf = async (name: string, product: string, quantity: number, more: object = {}) => {
      const answer = await quote({
        address: { country: "US" },
        items: [{ productId: ids[product], quantity }],
        ...more
      })
      return named(answer).find(([found]) => found === name)?.[1]
    }
    // 4 x 300 g and 1.1 kg are 2.3 kg.
    expect(await priceOf("weighed", "set", 1)).toBe("2.00")
    expect(await priceOf("weighed", "set", 2)).toBe("4.00")
    expect(await priceOf("weighed", "boxed", 1)).toBe("4.00")
    expect(await priceOf("weighed", "boxed", 2)).toBe("6.00")
    expect(await priceOf("weighed", "boxed", 3)).toBeUndefined()
    const bundled = await quote({
      address: { country: "US" },
      items: [
        { productId: ids["mug"], quantity: 4 },
        { productId: ids["pot"], quantity: 1 }
      ]
    })
    expect(named(bundled).find(([name]) => name === "weighed")).toEqual(["weighed", "2.00"])
    expect(await priceOf("from 100", "set", 2)).toBeUndefined()
    expect(await priceOf("from 100", "set", 3)).toBe("0.00")
    expect(await priceOf("from 100", "set", 3, { subtotal: "99.99" })).toBeUndefined()
    expect(await priceOf("from 100", "mug", 1, { subtotal: "100.00" })).toBe("0.00")
  })

  it.each<[ReadonlyArray<string>, (own: typeof ids) => object]>([
    [["items"], () => ({ items: [] })],
    [["items.0.quantity"], ({ book }) => ({ items: [{ productId: book, quantity: 1.5 }] })],
    [
      ["items.0.productId", "items.1.variantId", "subtotal"],
      ({ book }) => ({
        items: [
          { productId: "prod_none", quantity: 1 },
          { productId: book, variantId: "var_none", quantity: 1 }
        ],
        subtotal: "1.001"
      })
    ]
  ])("refuses %j, naming each", async (fields, body) => {
    const refused = await quote({ address: { country: "US" }, ...body(ids) })
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      fields
    ])
  })

  it("and one of taxes need the scope to read, and no Idempotency-Key is kept for them", async () => {
    const bodies = {
      tax: { address: { country: "US" }, lines: [{ amount: 1 }] },
      shipping: { address: { country: "US" }, items: [{ productId: ids["book"], quantity: 1 }] }
    }
    for (const [resource, body] of Object.entries(bodies)) {
      const path = `/v1/${resource}/quote`
      const reader = await shop.mintKey({ scopes: [`${resource}:read`] })
      const writer = await shop.mintKey({ scopes: [`${resource}:write`] })
      const headers = { "idempotency-key": "quote" }
      expect((await shop.call("POST", path, { key: reader, body, headers })).status).toBe(200)
      expect(
        (await shop.call("POST", path, { key: reader, body: { ...body, shippingAmount: null }, headers })).status
      ).not.toBe(409)
      const refused = await shop.call("POST", path, { key: writer, body })
      expect([refused.status, refused.body.details]).toEqual([403, { required: `${resource}:read` }])
    }
  })
})
