import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { addressIn } from "../Shopper.ts"
import { type Lines, openPromotions, promotionsPath, sumsOf } from "./promotions.ts"

let at: Awaited<ReturnType<typeof openPromotions>>
let lamp: string
let bulb: string
beforeAll(async () => {
  at = await openPromotions()
  lamp = await at.product({ name: "Lamp", basePrice: "19.99" })
  bulb = await at.product({ name: "Bulb", basePrice: "1.05" })
})
afterEach(() => at.clear())
afterAll(() => at.shop.close())

const post = async (route: string, body: object): Promise<string> =>
  (await at.shop.call("POST", route, { body })).body.id

describe("a promotion in a cart", () => {
  it("takes its percentage once, half up, on all lines together, and says what it took", async () => {
    const rule = await at.offer({ name: "Ten off", value: 10 })
    const cart = await at.cartOf([bulb, 10], [lamp, 1])
    expect([sumsOf(cart), cart.appliedDiscounts, cart.promoDiscountTotal]).toEqual([
      { subtotal: "30.49", ruleDiscountAmount: "3.05", discountAmount: "0.00" },
      [
        { ruleId: rule.id, ruleName: "Ten off", type: "PERCENTAGE_OFF", discountAmount: "3.05", description: "Ten off" }
      ],
      "3.05"
    ])
    const small = await at.product({ name: "Penny", basePrice: "0.33" })
    expect((await at.cartOf([small, 3])).ruleDiscountAmount).toBe("0.10")
  })

  it("is for the lines of its products, categories with their descendants, and brands", async () => {
    const parent = await post("/v1/categories", { name: "Light" })
    const child = await post("/v1/categories", { name: "Garden light", parentId: parent })
    const brand = await post("/v1/brands", { name: "Acme" })
    const torch = await at.product({ name: "Torch", basePrice: "10.00", categories: [child] })
    const chair = await at.product({ name: "Chair", basePrice: "20.00", brands: [brand] })
    const lines = [
      [torch, 1],
      [chair, 1],
      [lamp, 1]
    ] as const
    const discountWith = async (scope: object) => {
      const { id } = await at.offer({ value: 50, ...scope })
      const { ruleDiscountAmount } = await at.cartOf(...lines)
      await at.shop.call("DELETE", `${promotionsPath}/${id}`)
      return ruleDiscountAmount
    }
    expect(await discountWith({ applicableProducts: [lamp] })).toBe("10.00")
    expect(await discountWith({ applicableCategories: [parent] })).toBe("5.00")
    expect(await discountWith({ applicableCategories: [child] })).toBe("5.00")
    expect(await discountWith({ applicableBrands: [brand] })).toBe("10.00")
    expect(await discountWith({ applicableCategories: [parent], applicableBrands: [brand] })).toBe("15.00")
    expect(await discountWith({ applicableProducts: [bulb] })).toBe("0.00")
  })

  it("takes an amount off once, and no more than the eligible lines cost", async () => {
    await at.offer({ type: "AMOUNT_OFF", value: 25, applicableProducts: [lamp] })
    expect((await at.cartOf([lamp, 2], [bulb, 1])).ruleDiscountAmount).toBe("25.00")
    expect((await at.cartOf([lamp, 1], [bulb, 1])).ruleDiscountAmount).toBe("19.99")
  })

  it("holds from its start to its end, without another write", async () => {
    const startsAt = (await at.now()) + 3_600_000
    const endsAt = startsAt + 3_600_000
    await at.offer({ startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() })
    const cartId = (await at.cartOf([lamp, 1])).id
    const discountAt = async (time: number) => {
      await at.moveTo(time)
      const { body } = await at.shop.call("GET", `${at.shopper.at}/cart/${cartId}`)
      return [body.ruleDiscountAmount, body.notApplied]
    }
    expect(await discountAt(startsAt - 60_000)).toEqual(["0.00", []])
    expect(await discountAt(startsAt)).toEqual(["2.00", []])
    expect(await discountAt(endsAt - 60_000)).toEqual(["2.00", []])
    expect(await discountAt(endsAt)).toEqual(["0.00", []])
  })

  it("does nothing while it is inactive, and holds again from the next request on", async () => {
    const { id } = await at.offer({ isActive: false })
    const cartId = (await at.cartOf([lamp, 1])).id
    const read = async () => (await at.shop.call("GET", `${at.shopper.at}/cart/${cartId}`)).body.ruleDiscountAmount
    expect(await read()).toBe("0.00")
    await at.shop.call("PATCH", `${promotionsPath}/${id}`, { body: { isActive: true, value: 20 } })
    expect(await read()).toBe("4.00")
    await at.shop.call("DELETE", `${promotionsPath}/${id}`)
    expect(await read()).toBe("0.00")
  })

  it("below its minimum is a nudge; the minimum is that of the cart before any discount", async () => {
    const half = await at.offer({ name: "Half", value: 50, minimumOrderAmount: "39.98", applicableProducts: [lamp] })
    const below = await at.cartOf([lamp, 1], [bulb, 1])
    expect(below.nudges).toEqual([
      {
        ruleId: half.id,
        text: "Add 18.94 USD more for Half",
        type: "AMOUNT_NEEDED",
        amountNeeded: "18.94",
        quantityNeeded: null
      }
    ])
    expect(below.notApplied).toEqual([
      {
        type: "promotion",
        id: half.id,
        name: "Half",
        code: null,
        reason: "minimum",
        missingAmount: "18.94",
        missingQuantity: null,
        lostTo: []
      }
    ])
    // It discounts what it requires: what is left is below the minimum, and it still applies.
    const reached = await at.cartOf([lamp, 2])
    expect([reached.ruleDiscountAmount, reached.nudges, reached.notApplied]).toEqual(["19.99", [], []])
    // Bulbs count for the minimum and are not reduced.
    expect((await at.cartOf([lamp, 1], [bulb, 20])).ruleDiscountAmount).toBe("10.00")
    // Nothing in the cart is eligible: it is not mentioned.
    expect((await at.cartOf([bulb, 1])).nudges).toEqual([])
  })
})

describe("buy X get Y", () => {
  it("repeats as often as it fits, product by product, and says how many units are missing", async () => {
    const rule = await at.offer({ name: "3 for 2", type: "BUY_X_GET_Y", config: { buyQuantity: 2, getQuantity: 1 } })
    expect((await at.cartOf([lamp, 8], [bulb, 2])).ruleDiscountAmount).toBe("39.98")
    expect((await at.cartOf([lamp, 2], [bulb, 1])).nudges).toEqual([
      {
        ruleId: rule.id,
        text: "Add 1 more item for 3 for 2",
        type: "QUANTITY_NEEDED",
        amountNeeded: null,
        quantityNeeded: 1
      }
    ])
  })

  it("over all products reduces the cheapest units", async () => {
    await at.offer({
      type: "BUY_X_GET_Y",
      config: { buyQuantity: 1, getQuantity: 1, getDiscountPercent: 50, sameProducts: false }
    })
    // Of four units the two cheapest: a bulb and a lamp.
    expect((await at.cartOf([lamp, 3], [bulb, 1])).ruleDiscountAmount).toBe("10.52")
  })
})

describe("tiers", () => {
  it("take the highest one that is reached, once, for all eligible units", async () => {
    const tiers = [
      { minQuantity: 2, percent: 10 },
      { minQuantity: 4, amount: "15.00" }
    ]
    const rule = await at.offer({ name: "Bulk", type: "TIERED", config: { tiers }, applicableProducts: [lamp] })
    expect((await at.cartOf([lamp, 1], [bulb, 9])).nudges).toMatchObject([{ ruleId: rule.id, quantityNeeded: 1 }])
    expect((await at.cartOf([lamp, 3], [bulb, 9])).ruleDiscountAmount).toBe("6.00")
    expect((await at.cartOf([lamp, 9])).ruleDiscountAmount).toBe("15.00")
  })

  it("by amount look at the eligible lines only", async () => {
    const tiers = [{ minAmount: "39.98", percent: 25 }]
    await at.offer({ type: "TIERED", config: { tiers }, applicableProducts: [lamp] })
    expect((await at.cartOf([lamp, 1], [bulb, 30])).nudges).toMatchObject([{ amountNeeded: "19.99" }])
    expect((await at.cartOf([lamp, 2])).ruleDiscountAmount).toBe("10.00")
  })
})

describe("several promotions", () => {
  it("that combine are applied by priority, each on what the ones before have left", async () => {
    await at.offer({ name: "Fifth", value: 20, priority: 2, combinesWithOther: true })
    await at.offer({ name: "Five", type: "AMOUNT_OFF", value: 5, priority: 1, combinesWithOther: true })
    const cart = await at.cartOf([lamp, 1])
    expect(
      cart.appliedDiscounts.map((each: Record<string, string>) => [each["ruleName"], each["discountAmount"]])
    ).toEqual([
      ["Five", "5.00"],
      ["Fifth", "3.00"]
    ])
  })

  it("of which one does not combine are compared; the lowest total wins and the others are named", async () => {
    const ten = await at.offer({ name: "Ten", value: 10, combinesWithOther: true })
    const five = await at.offer({ name: "Five", value: 5, combinesWithOther: true })
    const alone = await at.offer({ name: "Alone", value: 15 })
    const cart = await at.cartOf([lamp, 1])
    expect(cart.ruleDiscountAmount).toBe("3.00")
    expect(cart.appliedDiscounts).toMatchObject([
      { ruleId: alone.id, description: "Alone: takes more off than Ten, Five" }
    ])
    const lostTo = [{ type: "promotion", id: alone.id, name: "Alone" }]
    expect(cart.notApplied).toMatchObject([
      { id: ten.id, reason: "lost", lostTo },
      { id: five.id, reason: "lost", lostTo }
    ])
    await at.shop.call("PATCH", `${promotionsPath}/${alone.id}`, { body: { value: 14 } })
    const better = (await at.shop.call("GET", `${at.shopper.at}/cart/${cart.id}`)).body
    expect(better.ruleDiscountAmount).toBe("2.90")
    expect(better.notApplied).toMatchObject([{ id: alone.id, reason: "lost" }])
  })
})

describe("a promotion in a checkout and an order", () => {
  let zone: string
  let standard: string
  let express: string
  beforeAll(async () => {
    zone = await post("/v1/shipping/zones", { name: "US", countries: ["US"] })
    standard = await post(`/v1/shipping/zones/${zone}/rates`, {
      name: "Standard",
      type: "FLAT",
      rateConfig: { amount: "5.00" }
    })
    express = await post(`/v1/shipping/zones/${zone}/rates`, {
      name: "Express",
      type: "FLAT",
      rateConfig: { amount: "9.00" }
    })
    await at.shop.call("POST", "/v1/tax/rates", { body: { name: "Tax", country: "US", rate: 10 } })
  })

  const checkoutWith = async (shippingRateId: string, ...lines: Lines) => {
    const id = await at.shopper.checkout(await at.shopper.cart(...lines))
    await at.shop.call("PATCH", `${at.shopper.at}/checkout/${id}/shipping-method`, { body: { shippingRateId } })
    return (await at.shop.call("GET", `${at.shopper.at}/checkout/${id}`)).body
  }

  it("for free shipping saves what the method costs, in appliedRules and in no sum of discounts", async () => {
    const rule = await at.offer({
      name: "Free",
      type: "FREE_SHIPPING",
      config: { zoneIds: [zone], rateIds: [standard] }
    })
    const checkout = await checkoutWith(standard, [lamp, 1])
    const sums = {
      ruleDiscountAmount: "0.00",
      discountAmount: "0.00",
      shippingAmount: "0.00",
      taxAmount: "2.00",
      total: "21.99"
    }
    const appliedRules = [{ id: rule.id, name: "Free", type: "FREE_SHIPPING", discountAmount: "5.00" }]
    expect(checkout).toMatchObject({ ...sums, appliedRules, notApplied: [] })
    const done = await at.shopper.complete(checkout.id, "free-shipping")
    const { body: order } = await at.shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect(order).toMatchObject({
      ruleDiscountAmount: "0.00",
      discountAmount: "0.00",
      shippingAmount: "0.00",
      totalAmount: "21.99",
      appliedRules
    })
    expect((await at.shop.call("GET", `${promotionsPath}/${rule.id}`)).body.usageCount).toBe(1)
    const other = await checkoutWith(express, [lamp, 1])
    expect(other).toMatchObject({
      shippingAmount: "9.00",
      appliedRules: [],
      notApplied: [{ id: rule.id, reason: "delivery" }]
    })
  })

  it("is taxed after it, kept with the order, and stays there when it is deleted", async () => {
    const rule = await at.offer({ name: "Half", value: 50 })
    const checkout = await checkoutWith(standard, [lamp, 2])
    // 39.98 - 19.99 + 5.00 + 10 % of 24.99.
    expect(checkout).toMatchObject({ ruleDiscountAmount: "19.99", taxAmount: "2.50", total: "27.49" })
    const done = await at.shopper.complete(checkout.id, "half")
    await at.shop.call("DELETE", `${promotionsPath}/${rule.id}`)
    const { body: order } = await at.shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect(order).toMatchObject({
      ruleDiscountAmount: "19.99",
      totalAmount: "27.49",
      appliedRules: [{ id: rule.id, name: "Half", type: "PERCENTAGE_OFF", discountAmount: "19.99" }]
    })
  })

  it("applies to orders made in one call; a charge that an admin key states is left alone", async () => {
    await at.offer({ name: "Ten", value: 10, combinesWithOther: true })
    await at.offer({ name: "Free", type: "FREE_SHIPPING", combinesWithOther: true })
    const items = [{ productId: lamp, quantity: 1 }]
    const shippingAddress = addressIn("CA", "94105")
    const storefront = await at.shop.call("POST", `${at.shopper.at}/orders`, {
      body: { items: [{ ...items[0], price: "19.99" }], customer: { email: "ada@example.com" }, shippingAddress }
    })
    // 19.99 - 2.00 + 1.80 of tax.
    expect([storefront.status, storefront.body.total]).toEqual([200, "19.79"])
    const admin = await at.shop.call("POST", "/v1/orders", { body: { items, shippingAmount: 5 } })
    expect(admin.body).toMatchObject({ ruleDiscountAmount: "2.00", shippingAmount: "5.00", totalAmount: "22.99" })
    const foreign = await at.shop.call("POST", "/v1/orders", {
      body: { items: [{ ...items[0], price: 10 }], currency: "EUR" }
    })
    expect(foreign.body).toMatchObject({ ruleDiscountAmount: "0.00", totalAmount: "10.00" })
  })
})
