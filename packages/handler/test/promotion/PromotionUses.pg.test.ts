import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openPromotions, promotionsPath } from "./promotions.ts"

const statements = makeStatementCounter()
let at: Awaited<ReturnType<typeof openPromotions>>
let lamp: string
beforeAll(async () => {
  at = await openPromotions({ statementLog: statements, role: "api" })
  lamp = await at.product({ name: "Lamp", basePrice: "20.00" })
})
afterEach(() => at.clear())
afterAll(() => at.shop.close())

let made = 0
const register = async (): Promise<Record<string, string>> => {
  const { body } = await at.shop.call("POST", `${at.shopper.at}/customers/register`, {
    body: { email: `buyer-${made++}@example.com`, password: "Corr3ct-Horse" }
  })
  return { authorization: `Bearer ${body.token}` }
}
/** A checkout of a lamp of a customer, or of a guest. */
const begin = async (headers: Record<string, string> = {}) => {
  const cart = (await at.shop.call("POST", `${at.shopper.at}/cart`, { headers })).body.id
  const body = { productId: lamp, quantity: 1 }
  await at.shop.call("POST", `${at.shopper.at}/cart/${cart}/items`, { body, headers })
  const checkout = (await at.shop.call("POST", `${at.shopper.at}/checkout`, { body: { cartId: cart }, headers })).body
    .id
  const address = {
    firstName: "Ada",
    lastName: "Byron",
    line1: "1 Main St",
    city: "Town",
    postalCode: "1",
    country: "US"
  }
  await at.shop.call("PATCH", `${at.shopper.at}/checkout/${checkout}/customer`, {
    body: { email: "a@b.example" },
    headers
  })
  const shippingAddress = { ...address, region: "CA" }
  await at.shop.call("PATCH", `${at.shopper.at}/checkout/${checkout}/shipping`, { body: { shippingAddress }, headers })
  const read = async () => (await at.shop.call("GET", `${at.shopper.at}/checkout/${checkout}`, { headers })).body
  const complete = (order: object = {}) =>
    at.shop.call("POST", `${at.shopper.at}/checkout/${checkout}/complete`, {
      body: order,
      headers: { ...headers, "idempotency-key": `uses-${made++}` }
    })
  return { read, complete, checkout }
}
const usesOf = async (id: string) => (await at.shop.call("GET", `${promotionsPath}/${id}`)).body.usageCount
const missOf = async ({ read }: Awaited<ReturnType<typeof begin>>) => {
  const { ruleDiscountAmount, notApplied } = await read()
  return [ruleDiscountAmount, notApplied.map(({ reason }: { reason: string }) => reason)]
}

describe("a promotion with a limit", () => {
  it("applies to as many orders, and says then that it was used up; one without a limit is counted too", async () => {
    const rule = await at.offer({ usageLimit: 2, combinesWithOther: true })
    const euro = await at.offer({ type: "AMOUNT_OFF", value: 1, priority: 1, combinesWithOther: true })
    for (const i of [1, 2]) {
      const checkout = await begin()
      expect(await missOf(checkout)).toEqual(["3.00", []])
      expect((await checkout.complete()).body.total).toBe("17.00")
      expect([await usesOf(rule.id), await usesOf(euro.id)]).toEqual([i, i])
    }
    const late = await begin()
    expect(await missOf(late)).toEqual(["1.00", ["usage_limit"]])
    expect((await late.complete({ expectedTotal: "17.00" })).status).toBe(409)
    expect((await late.complete()).body.total).toBe("19.00")
    expect([await usesOf(rule.id), await usesOf(euro.id)]).toEqual([2, 3])
  })

  it("for each customer does not apply to guests, and counts each customer alone", async () => {
    const rule = await at.offer({ usageLimitPerCustomer: 1 })
    const guest = await begin()
    expect(await missOf(guest)).toEqual(["0.00", ["needs_customer"]])
    expect((await guest.complete()).body.total).toBe("20.00")
    const [ada, ben] = [await register(), await register()]
    for (const customer of [ada, ben]) {
      const checkout = await begin(customer)
      expect(await missOf(checkout)).toEqual(["2.00", []])
      expect((await checkout.complete()).body.total).toBe("18.00")
      expect(await missOf(await begin(customer))).toEqual(["0.00", ["customer_limit"]])
    }
    expect(await usesOf(rule.id)).toBe(2)
  })

  it("is held for a payment under way, and free again when it fails", async () => {
    const rule = await at.offer({ usageLimit: 1 })
    const [first, second] = [await begin(), await begin()]
    const pay = (paymentReference: string) => ({ paymentMethod: "test", paymentReference })
    expect((await first.complete(pay("timeout"))).status).toBe(500)
    expect(await missOf(second)).toEqual(["0.00", ["usage_limit"]])
    expect(await missOf(first)).toEqual(["2.00", []])
    const told = await at.shop.call("POST", "/test/provider-events", {
      body: { checkoutId: first.checkout, type: "captured" }
    })
    expect((await at.shop.call("GET", `/v1/orders/${told.body.orderId}`)).body.ruleDiscountAmount).toBe("2.00")
    expect(await usesOf(rule.id)).toBe(1)
    await at.shop.call("PATCH", `${promotionsPath}/${rule.id}`, { body: { usageLimit: 2 } })
    expect((await second.complete(pay("decline"))).status).toBe(422)
    const third = await begin()
    expect(await missOf(third)).toEqual(["2.00", []])
    expect((await third.complete(pay("approve"))).body.total).toBe("18.00")
    expect([await usesOf(rule.id), await missOf(second)]).toEqual([2, ["0.00", ["usage_limit"]]])
  })
})

describe("a cart", () => {
  const countOf = async (cartId: string) => {
    statements.reset()
    await at.shop.call("GET", `${at.shopper.at}/cart/${cartId}`)
    return statements.statements().length
  }

  it("reads uses by one statement, and only where a matching promotion has a limit", async () => {
    const cartId = (await at.cartOf([lamp, 1])).id
    await countOf(cartId)
    const plain = await countOf(cartId)
    await at.offer({ value: 1, combinesWithOther: true })
    await countOf(cartId)
    expect(await countOf(cartId)).toBe(plain)
    const other = await at.product({ name: "Other" })
    await at.offer({ usageLimit: 5, applicableProducts: [other], combinesWithOther: true })
    await countOf(cartId)
    expect(await countOf(cartId)).toBe(plain)
    for (const usageLimit of [5, 6, 7]) await at.offer({ usageLimit, combinesWithOther: true })
    await countOf(cartId)
    expect(await countOf(cartId)).toBe(plain + 1)
  })
})
