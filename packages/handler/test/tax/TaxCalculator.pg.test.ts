import { builtInTaxes, type TaxableSale, type TaxCalculator } from "@effect-commerce/core/tax/TaxCalculator"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { reverseCharge } from "../../../../examples/taxes-and-addresses/taxes.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

const sales: Array<TaxableSale> = []
let calculate: TaxCalculator["calculate"] = builtInTaxes.calculate
const calculator: TaxCalculator = {
  name: "tests",
  calculate: (sale, trace) => {
    sales.push(sale)
    return calculate(sale, trace)
  }
}
const fifth = { id: "host-20", name: "A fifth", text: "20", isInclusive: false }

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ tax: { calculator } })
  shopper = shopperOf(shop)
  await shop.call("POST", "/v1/tax/rates", { body: { name: "Sales tax", country: "US", rate: 10 } })
  const zone = await shop.call("POST", "/v1/shipping/zones", { body: { name: "US", countries: ["US"] } })
  await shop.call("POST", `/v1/shipping/zones/${zone.body.id}/rates`, {
    body: { name: "Standard", type: "FLAT", rateConfig: { amount: "5.00" } }
  })
  lamp = await shopper.product({ price: 1_000n, stock: 50 })
})
afterAll(() => shop.close())
afterEach(() => {
  calculate = builtInTaxes.calculate
  sales.length = 0
  vi.restoreAllMocks()
})

const get = (id: string) => shop.call("GET", `${shopper.at}/checkout/${id}`)
const silent = () => {
  const lines: Array<string> = []
  for (const name of ["log", "warn", "error"] as const)
    vi.spyOn(console, name).mockImplementation((...line) => void lines.push(line.join(" ")))
  return lines
}

describe("a tax calculator of a host's", () => {
  it("gets the lines after discounts, shipping, the address and the buyer, and may ask the built-in one", async () => {
    const exempt = await shopper.product({ price: 700n, taxBehavior: "exempt" })
    const id = await shopper.checkout(await shopper.cart([lamp, 2], [exempt, 1]))
    const { body } = await get(id)
    expect([body.taxAmount, body.total]).toEqual(["2.50", "34.50"])
    expect(sales.at(-1)).toMatchObject({
      storeId: shop.storeId,
      currency: "USD",
      address: { country: "US", region: "CA", postalCode: "94105", city: "Town", line1: "1 Main St" },
      buyer: { customerId: null, email: "ada@example.com", salesChannelId: shop.channelId, regionId: null },
      items: [
        { kind: "line", productId: lamp, taxClassId: null, amount: 2_000n, quantity: 2 },
        { id: "shipping", kind: "shipping", productId: null, taxClassId: null, amount: 500n, quantity: 1 }
      ]
    })
  })

  it("decides the taxes of checkouts, orders and quotes alike", async () => {
    calculate = ({ items }) => items.map(({ amount }) => ({ rates: [fifth], amounts: [amount / 5n] }))
    const breakdown = [{ name: "A fifth", rate: 20, amount: 5 }]
    const id = await shopper.checkout(await shopper.cart([lamp, 2]))
    expect((await get(id)).body).toMatchObject({ taxAmount: "5.00", total: "30.00", taxBreakdown: { breakdown } })
    const done = await shopper.complete(id, "own-taxes")
    const { body: order } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect(order).toMatchObject({ taxAmount: "5.00", totalAmount: "30.00", taxBreakdown: { breakdown } })
    const quote = await shop.call("POST", "/v1/tax/quote", {
      body: { address: { country: "US" }, lines: [{ amount: "20.00" }], shippingAmount: "5.00" }
    })
    expect(quote.body).toMatchObject({
      shippingTax: "1.00",
      totalTax: "5.00",
      total: "30.00",
      taxBreakdown: { breakdown }
    })
    const stated = await shop.call("POST", "/v1/orders", {
      body: { items: [{ productId: lamp, quantity: 2 }], shippingAddress: addressIn("CA", "94105") }
    })
    expect([stated.body.taxAmount, stated.body.totalAmount]).toEqual(["4.00", "24.00"])
  })

  it.each<[string, TaxCalculator["calculate"]]>([
    [
      "fails",
      () => {
        throw new Error("the engine is down")
      }
    ],
    ["returns nothing", () => []],
    ["returns a promise", () => Promise.resolve([]) as never],
    ["leaves an item out", ({ items }) => items.slice(1).map(() => ({ rates: [], amounts: [] }))],
    ["returns a negative tax", ({ items }) => items.map(() => ({ rates: [fifth], amounts: [-1n] }))],
    [
      "returns more inclusive tax than the amount",
      ({ items }) => items.map(({ amount }) => ({ rates: [{ ...fifth, isInclusive: true }], amounts: [amount + 1n] }))
    ],
    ["returns a number", ({ items }) => items.map(() => ({ rates: [fifth], amounts: [1 as never] }))],
    [
      "returns a rate that is none",
      ({ items }) => items.map(() => ({ rates: [{ ...fifth, text: "?" }], amounts: [1n] }))
    ],
    ["returns rates without amounts", ({ items }) => items.map(() => ({ rates: [fifth], amounts: [] }))]
  ])("that %s makes every price 503, and nothing is sold, charged or changed", async (_what, broken) => {
    const id = await shopper.checkout(await shopper.cart([lamp, 1]))
    const before = (await get(id)).body
    const stock = async () => (await shop.call("GET", `/v1/products/${lamp}/inventory`)).body
    const held = await stock()
    calculate = broken
    const lines = silent()
    const answers = [
      await get(id),
      await shop.call("PATCH", `${shopper.at}/checkout/${id}/customer`, { body: { email: "grace@example.com" } }),
      await shopper.complete(id, `closed-${_what}`, { paymentMethod: "test", paymentReference: "approve" }),
      await shop.call("POST", `${shopper.at}/checkout/${id}/payment`, { body: { providerId: "test" } }),
      await shop.call("POST", "/v1/orders", {
        body: { items: [{ productId: lamp, quantity: 1 }], shippingAddress: addressIn("CA", "94105") }
      }),
      await shop.call("POST", "/v1/tax/quote", { body: { address: { country: "US" }, lines: [{ amount: 1 }] } })
    ]
    for (const { status, body, headers } of answers)
      expect([status, body.code, headers.get("retry-after")]).toEqual([503, "SERVICE_TEMPORARILY_UNAVAILABLE", "1"])
    expect(lines.join("\n")).toContain("the tax calculator tests has failed")
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain("engine")
    calculate = builtInTaxes.calculate
    expect([(await get(id)).body, await stock()]).toEqual([before, held])
    // What was not processed is not remembered under its key.
    const again = await shopper.complete(id, `closed-${_what}`, { paymentMethod: "test", paymentReference: "approve" })
    expect([again.status, again.body.total]).toEqual([200, "16.50"])
  })

  it("is refused with an explanation that cannot be shown, or that does not add up", async () => {
    const entry = { step: "tax", target: "shipping", sources: [], formula: "my way", numerator: 0n, denominator: 1n }
    const whole = { ...entry, roundingPoint: "none" as const, roundingMode: null, amount: 0n }
    const id = await shopper.checkout(await shopper.cart([lamp, 2]))
    const asked = async (...entries: ReadonlyArray<object>) => {
      calculate = (sale, trace) => {
        trace.push(...(entries as ReadonlyArray<typeof whole>))
        return sale.items.map(() => ({ rates: [fifth], amounts: [0n] }))
      }
      const lines = silent()
      const { status } = await get(id)
      const reason = lines.join(" ")
      vi.restoreAllMocks()
      return [status, /entry \d+ of its explanation|does not add up|in \d+ entries/.exec(reason)?.[0]]
    }
    expect(await asked(whole)).toEqual([200, undefined])
    expect(await asked({ ...whole, formula: "x".repeat(1_001) })).toEqual([503, "entry 0 of its explanation"])
    expect(await asked(whole, { ...whole, denominator: 0n })).toEqual([503, "entry 1 of its explanation"])
    expect(await asked({ ...whole, amount: 1n })).toEqual([503, "does not add up"])
    expect(await asked(...Array.from({ length: 101 }, () => whole))).toEqual([503, "in 101 entries"])
  })

  it("is not asked where there is no address, or the tax is stated", async () => {
    await shopper.cart([lamp, 1])
    await shop.call("POST", "/v1/orders", {
      body: { items: [{ productId: lamp, quantity: 1 }], shippingAddress: addressIn("CA", "94105"), taxAmount: "1.00" }
    })
    expect(sales).toEqual([])
  })

  it("of the guide charges no tax to a business abroad, and what the store says to others", async () => {
    calculate = reverseCharge({
      country: "DE",
      euCountries: new Set(["US", "DE"]),
      businesses: new Set(["cust_business"])
    }).calculate
    const address = { country: "US", region: null, postalCode: null }
    const [sale] = sales
    expect(sale).toBeUndefined()
    const id = await shopper.checkout(await shopper.cart([lamp, 1]))
    expect((await get(id)).body.taxAmount).toBe("1.50")
    const asked = sales.at(-1)
    if (asked === undefined) throw new Error("the calculator was not asked")
    const business = { ...asked, address, buyer: { ...asked.buyer, customerId: "cust_business" } }
    expect(calculate(business, []).map(({ amounts }) => amounts)).toEqual([[0n], [0n]])
    const home = { ...business, address: { ...address, country: "DE" } }
    expect(calculate(home, []).map(({ rates }) => rates)).toEqual([[], []])
  })
})
