import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { asDocumented } from "../system/documentedAnswers.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = asDocumented(await openTestCommerce())
  shopper = shopperOf(shop)
  await shop.call("POST", "/v1/tax/rates", {
    body: { name: "California", country: "US", region: "CA", rate: 6, stackable: true }
  })
  await shop.call("POST", "/v1/tax/rates", {
    body: { name: "San Francisco", country: "US", region: "CA", postalCode: "94105", rate: 2.5, stackable: true }
  })
  const zone = await shop.call("POST", "/v1/shipping/zones", { body: { name: "United States", countries: ["US"] } })
  await shop.call("POST", `/v1/shipping/zones/${zone.body.id}/rates`, {
    body: { name: "Standard", type: "FLAT", rateConfig: { amount: "5.00" }, taxStatus: "none" }
  })
  await shop.call("POST", `/v1/shipping/zones/${zone.body.id}/rates`, {
    body: { name: "Free", type: "FREE", minOrderAmount: "150.00" }
  })
})
afterAll(() => shop.close())

describe("a purchase", () => {
  it("adds up to the cent, is completed once, and leaves stock, cart, order and events in agreement", async () => {
    const lamp = await shopper.product({ name: "Lamp", price: 10_000n, stock: 3 })
    const cartId = await shopper.cart([lamp, 1])
    const id = await shopper.checkout(cartId)
    const { body: checkout } = await shop.call("GET", `${shopper.at}/checkout/${id}`)
    expect(checkout).toMatchObject({
      status: "PENDING",
      subtotal: "100.00",
      shippingAmount: "5.00",
      taxAmount: "8.50",
      total: "113.50",
      totalAmount: "113.50",
      providerAmountDue: "113.50"
    })
    expect(checkout.taxBreakdown).toEqual({
      subtotal: 100,
      shippingNet: 5,
      totalTax: 8.5,
      total: 113.5,
      breakdown: [
        { name: "California", rate: 6, amount: 6 },
        { name: "San Francisco", rate: 2.5, amount: 2.5 }
      ],
      currency: "USD"
    })

    const done = await shopper.complete(id, "buy-1")
    expect(done.status).toBe(200)
    expect(done.body).toMatchObject({ orderNumber: "#1001", status: "PENDING", total: "113.50" })
    expect(Object.keys(done.body).sort()).toEqual(["message", "orderId", "orderNumber", "status", "total"])
    const replayed = await shopper.complete(id, "buy-1")
    expect(replayed.text).toBe(done.text)
    const again = await shopper.complete(id, "buy-2")
    expect([again.status, again.body.orderId]).toEqual([200, done.body.orderId])

    const order = (await shop.call("GET", `/v1/orders/${done.body.orderId}`)).body
    expect(order).toMatchObject({
      totalAmount: "113.50",
      taxAmount: "8.50",
      financialStatus: "pending",
      fulfillmentStatus: "unfulfilled"
    })
    expect(order.taxBreakdown.pricesIncludeTax).toBe(false)
    expect(order.shippingAddress).toMatchObject({ name: "Ada Byron", state: "CA", country: "US" })
    expect(order.customer).toEqual({ email: "ada@example.com", name: "Ada Byron" })
    expect((await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.status).toBe("CONVERTED")
    expect((await shop.call("GET", `${shopper.at}/checkout/${id}`)).body.status).toBe("COMPLETED")
    const edit = await shop.call("PATCH", `${shopper.at}/checkout/${id}/customer`, { body: { email: "b@example.com" } })
    expect([edit.status, edit.body.code]).toEqual([409, "CONFLICT"])
    const add = await shop.call("POST", `${shopper.at}/cart/${cartId}/items`, {
      body: { productId: lamp, quantity: 1 }
    })
    expect([add.status, add.body.code]).toEqual([409, "CONFLICT"])
  })

  it("answers the same string on the admin surface", async () => {
    const id = await shopper.checkout(await shopper.cart([await shopper.product({ price: 1_999n }), 2]))
    const done = await shop.call("POST", `/v1/checkout/${id}/complete`, { headers: { "idempotency-key": "admin-1" } })
    expect([done.status, done.body.total]).toEqual([200, "48.38"])
  })

  it("needs an Idempotency-Key", async () => {
    const id = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
    const refused = await shop.call("POST", `${shopper.at}/checkout/${id}/complete`, { body: {} })
    expect([refused.status, refused.body.code, refused.body.details.header]).toEqual([
      400,
      "MISSING_REQUIRED_FIELDS",
      "Idempotency-Key"
    ])
  })

  it("says what is missing before it can be completed", async () => {
    const cartId = await shopper.cart([await shopper.product(), 1])
    const { body } = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId } })
    const bare = await shopper.complete(body.id, "missing-1")
    expect([bare.status, bare.body.code, bare.body.details.fields]).toEqual([
      400,
      "MISSING_REQUIRED_FIELDS",
      ["email", "shippingAddress"]
    ])
    await shop.call("PATCH", `${shopper.at}/checkout/${body.id}/customer`, { body: { email: " ADA@Example.com " } })
    await shop.call("PATCH", `${shopper.at}/checkout/${body.id}/shipping`, {
      body: { shippingAddress: addressIn("CA", "90001") }
    })
    const method = await shopper.complete(body.id, "missing-2")
    expect(method.body.details.fields).toEqual(["shippingRateId"])
    expect((await shop.call("GET", `${shopper.at}/checkout/${body.id}`)).body.email).toBe("ada@example.com")
  })

  it("is refused where no zone serves the address, and where the method is not offered", async () => {
    const id = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
    const abroad = { ...addressIn("BY", "80331"), country: "DE" }
    const moved = await shop.call("PATCH", `${shopper.at}/checkout/${id}/shipping`, {
      body: { shippingAddress: abroad }
    })
    expect(moved.body.availableShippingRates).toEqual([])
    expect(moved.body.shippingRateId).toBeNull()
    const refused = await shopper.complete(id, "unserved")
    expect([refused.status, refused.body.code, refused.body.details.reason]).toEqual([
      400,
      "VALIDATION_FAILED",
      "unserved"
    ])
    const method = await shop.call("PATCH", `${shopper.at}/checkout/${id}/shipping-method`, {
      body: { shippingRateId: "shiprate_unknown" }
    })
    expect([method.status, method.body.code]).toEqual([400, "VALIDATION_FAILED"])
  })

  it("offers free shipping from exactly its minimum", async () => {
    const offered = async (price: bigint) => {
      const id = await shopper.checkout(await shopper.cart([await shopper.product({ price }), 1]))
      const { body } = await shop.call("GET", `${shopper.at}/checkout/${id}/shipping-rates`)
      return body.rates.map((rate: { name: string }) => rate.name)
    }
    expect(await offered(14_999n)).toEqual(["Standard"])
    expect(await offered(15_000n)).toEqual(["Free", "Standard"])
  })

  it("refuses when a price changed since it was shown, and goes through once the snapshots are refreshed", async () => {
    const end = new Date(Date.now() + 3_600_000)
    const lamp = await shopper.product({ price: 2_000n, salePrice: 1_500n, saleStartsAt: new Date(0), saleEndsAt: end })
    const cartId = await shopper.cart([lamp, 2])
    const id = await shopper.checkout(cartId)
    await shop.call("POST", "/test/clock", { body: { now: end.toISOString() } })
    const drifted = await shopper.complete(id, "drift-1")
    expect([drifted.status, drifted.body.code]).toEqual([400, "PRICE_DRIFT"])
    expect(drifted.body.details.items).toMatchObject([
      { oldUnitPrice: "15.00", newUnitPrice: "20.00", delta: "5.00", direction: "up" }
    ])
    expect((await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.hasPriceChanges).toBe(true)
    const refreshed = await shop.call("POST", `${shopper.at}/cart/${cartId}/refresh-snapshots`)
    expect([refreshed.body.subtotal, refreshed.body.hasPriceChanges]).toEqual(["40.00", false])
    const wrong = await shopper.complete(id, "drift-2", { expectedTotal: "1.00" })
    expect([wrong.status, wrong.body.code, wrong.body.details]).toEqual([
      409,
      "CONFLICT",
      { expectedTotal: "1.00", actualTotal: "48.40" }
    ])
    expect((await shopper.complete(id, "drift-3", { expectedTotal: "48.40" })).body.total).toBe("48.40")
  })

  it("goes on without a line that was taken out of the cart, whose price has drifted, in each of its checkouts", async () => {
    const [lamp, bulb] = [await shopper.product({ price: 1_000n }), await shopper.product({ price: 200n })]
    const cartId = await shopper.cart([lamp, 1], [bulb, 1])
    const { items } = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    const line = items.find((item: { productId: string }) => item.productId === lamp).id
    const [id, other] = [await shopper.checkout(cartId), await shopper.checkout(cartId)]
    const part = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId, selectedItemIds: [line] } })
    await shop.call("PATCH", `/v1/products/${lamp}`, { body: { basePrice: "12.00" } })
    expect((await shopper.complete(id, "gone-1")).body.code).toBe("PRICE_DRIFT")
    const { updatedAt } = (await shop.call("GET", `${shopper.at}/checkout/${id}`)).body
    await shop.call("DELETE", `${shopper.at}/cart/${cartId}/items/${line}`)
    for (const each of [id, other]) {
      const { body } = await shop.call("GET", `${shopper.at}/checkout/${each}`)
      expect([body.status, body.subtotal, body.lineItems.map((item: { productId: string }) => item.productId)]).toEqual(
        ["PENDING", "2.00", [bulb]]
      )
      expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(updatedAt))
    }
    const gone = (await shop.call("GET", `${shopper.at}/checkout/${part.body.id}`)).body
    expect([gone.status, gone.lineItems.length]).toEqual(["CANCELLED", 1])
    const done = await shopper.complete(id, "gone-2")
    const order = (await shop.call("GET", `/v1/orders/${done.body.orderId}`)).body
    expect(order.items.map((item: { productId: string }) => item.productId)).toEqual([bulb])
  })

  it("takes today's prices also for a line that the cart has no more since it was being paid for", async () => {
    const [lamp, bulb] = [await shopper.product({ price: 1_000n }), await shopper.product({ price: 200n })]
    const cartId = await shopper.cart([lamp, 1], [bulb, 1])
    const id = await shopper.checkout(cartId)
    const { items } = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    const line = items.find((item: { productId: string }) => item.productId === lamp).id
    const timeout = { paymentMethod: "test", paymentReference: "timeout" }
    expect((await shopper.complete(id, "gone-3", timeout)).status).toBe(500)
    await shop.call("DELETE", `${shopper.at}/cart/${cartId}/items/${line}`)
    await shop.call("POST", "/test/provider-events", { body: { checkoutId: id, type: "failed" } })
    await shop.call("PATCH", `/v1/products/${lamp}`, { body: { basePrice: "12.00" } })
    expect((await shopper.complete(id, "gone-4")).body.code).toBe("PRICE_DRIFT")
    await shop.call("POST", `${shopper.at}/cart/${cartId}/refresh-snapshots`)
    const { lineItems } = (await shop.call("GET", `${shopper.at}/checkout/${id}`)).body
    expect(lineItems.map(({ unitPrice }: { unitPrice: string }) => unitPrice)).toEqual(["12.00", "2.00"])
    expect((await shopper.complete(id, "gone-5")).status).toBe(200)
  })

  it("of a part of the cart leaves the rest in it", async () => {
    const [kept, bought] = [await shopper.product(), await shopper.product()]
    const cartId = await shopper.cart([kept, 1], [bought, 2])
    const { body: cart } = await shop.call("GET", `${shopper.at}/cart/${cartId}`)
    const chosen = cart.items.find((item: { productId: string }) => item.productId === bought).id
    const made = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId, selectedItemIds: [chosen] } })
    expect(made.body.itemCount).toBe(2)
    await shop.call("PATCH", `${shopper.at}/checkout/${made.body.id}/customer`, { body: { email: "ada@example.com" } })
    const shipped = await shop.call("PATCH", `${shopper.at}/checkout/${made.body.id}/shipping`, {
      body: { shippingAddress: addressIn("CA", "90001") }
    })
    await shop.call("PATCH", `${shopper.at}/checkout/${made.body.id}/shipping-method`, {
      body: { shippingRateId: shipped.body.availableShippingRates[0].id }
    })
    expect((await shopper.complete(made.body.id, "part")).status).toBe(200)
    const after = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    expect([after.status, after.items.map((item: { productId: string }) => item.productId)]).toEqual(["ACTIVE", [kept]])
  })

  it("of a cart is made once: a second checkout of it is refused, whatever it was begun with, and nothing is sold again", async () => {
    const product = await shopper.product({ stock: 10 })
    const cartId = await shopper.cart([product, 2])
    const [first, second] = [await shopper.checkout(cartId), await shopper.checkout(cartId)]
    expect((await shopper.complete(first, "window one")).status).toBe(200)
    const refused = await shopper.complete(second, "window two")
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "ordered", checkoutId: first }
    ])
    const again = await shopper.complete(first, "window one, again")
    expect([again.status, again.body.orderId]).toEqual([
      200,
      (await shopper.complete(first, "window one")).body.orderId
    ])
    expect((await shop.call("GET", `/v1/products/${product}`)).body.inventory.total).toBe(8)
  })

  it("of a cart is made once also where two windows complete at the same moment", async () => {
    const product = await shopper.product({ stock: 10 })
    const cartId = await shopper.cart([product, 2])
    const checkouts = [await shopper.checkout(cartId), await shopper.checkout(cartId), await shopper.checkout(cartId)]
    const answers = await Promise.all(checkouts.map((id) => shopper.complete(id, `at once ${id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await shop.call("GET", `/v1/products/${product}`)).body.inventory.total).toBe(8)
  })

  it("of two parts of a cart, in two checkouts, is two orders; of parts that meet, it is one", async () => {
    const [bowl, cup, plate] = [await shopper.product(), await shopper.product(), await shopper.product()]
    const cartId = await shopper.cart([bowl, 1], [cup, 1], [plate, 1])
    const items = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.items
    const select = async (...productIds: ReadonlyArray<string>) => {
      const selectedItemIds = items
        .filter((item: { productId: string }) => productIds.includes(item.productId))
        .map((item: { id: string }) => item.id)
      const { body } = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId, selectedItemIds } })
      await shop.call("PATCH", `${shopper.at}/checkout/${body.id}/customer`, { body: { email: "ada@example.com" } })
      const shipped = await shop.call("PATCH", `${shopper.at}/checkout/${body.id}/shipping`, {
        body: { shippingAddress: addressIn("CA", "94105") }
      })
      const [rate] = shipped.body.availableShippingRates
      await shop.call("PATCH", `${shopper.at}/checkout/${body.id}/shipping-method`, {
        body: { shippingRateId: rate.id }
      })
      return body.id as string
    }
    const [ofBowl, ofCup, ofAll] = [await select(bowl), await select(cup), await select(bowl, cup, plate)]
    expect((await shopper.complete(ofBowl, "bowl")).status).toBe(200)
    expect((await shopper.complete(ofCup, "cup")).status).toBe(200)
    expect((await shopper.complete(ofAll, "all")).status).toBe(409)
    expect((await shopper.complete(await select(plate), "plate")).status).toBe(200)
  })

  it("refuses unknown selected items, an empty cart, a wrong session token and a foreign cart", async () => {
    const cartId = await shopper.cart([await shopper.product(), 1])
    const create = async (body: object) => {
      const made = await shop.call("POST", `${shopper.at}/checkout`, { body })
      return [made.status, made.body.code]
    }
    expect(await create({ cartId, selectedItemIds: ["item_unknown"] })).toEqual([400, "VALIDATION_FAILED"])
    expect(await create({ cartId, selectedItemIds: [] })).toEqual([400, "VALIDATION_FAILED"])
    expect(await create({ cartId: await shopper.cart() })).toEqual([400, "VALIDATION_FAILED"])
    expect(await create({ cartId, sessionToken: "cs_wrong" })).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect(await create({ cartId: "cart_unknown" })).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect(await create({})).toEqual([400, "VALIDATION_FAILED"])
  })

  it("of nothing due is free and paid", async () => {
    const gift = await shopper.product({ price: 0n, isDownloadable: true, stock: null, taxBehavior: "exempt" })
    const stocked = await shopper.product({ price: 0n, isDownloadable: true })
    expect(gift).not.toBe(stocked)
    const id = await shopper.checkout(await shopper.cart([stocked, 1]))
    const refused = await shopper.complete(
      await shopper.checkout(await shopper.cart([await shopper.product(), 1])),
      "free-no",
      { paymentMethod: "free" }
    )
    expect([refused.status, refused.body.code]).toEqual([400, "VALIDATION_FAILED"])
    const done = await shopper.complete(id, "free")
    expect(done.body).toMatchObject({ status: "PAID", total: "0.00" })
  })

  it("refuses a way of paying that is not set up", async () => {
    const id = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
    const refused = await shopper.complete(id, "provider", { paymentMethod: "provider" })
    expect([refused.status, refused.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    // A 503 is never kept under its key: the same key may be used again.
    expect((await shopper.complete(id, "provider")).status).toBe(200)
  })

  it("is too late once the checkout has expired", async () => {
    const id = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
    await shop.call("POST", "/test/clock", { body: { advanceMs: 24 * 3_600_000 } })
    expect((await shop.call("GET", `${shopper.at}/checkout/${id}`)).body.status).toBe("EXPIRED")
    const late = await shopper.complete(id, "late")
    expect([late.status, late.body.code]).toEqual([409, "RESERVATION_EXPIRED"])
  })
})

describe("a checkout", () => {
  const billing = { line1: "9 Bill St", city: "Reno", region: "NV", postalCode: "89501", country: "US" }
  const ship = (id: string, body: object) => shop.call("PATCH", `${shopper.at}/checkout/${id}/shipping`, { body })

  it("bills where it ships until a billing address of its own is given", async () => {
    const id = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
    const moved = await ship(id, { shippingAddress: { ...addressIn("NV", "89501"), line1: "2 New St" } })
    expect([moved.body.shippingAddress.line1, moved.body.billingAddress.line1]).toEqual(["2 New St", "2 New St"])
    const apart = await ship(id, { shippingAddress: addressIn("CA", "94105"), billingAddress: billing })
    expect(apart.body.billingAddress.line1).toBe("9 Bill St")
    const kept = await ship(id, { shippingAddress: addressIn("NV", "89501") })
    expect(kept.body.billingAddress.line1).toBe("9 Bill St")
    const same = await ship(id, { shippingAddress: addressIn("CA", "94105"), billingSameAsShipping: true })
    expect(same.body.billingAddress).toEqual(same.body.shippingAddress)
  })

  it("refuses an address of spaces, and a region where the store has none", async () => {
    const cartId = await shopper.cart([await shopper.product(), 1])
    const region = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId, regionId: "reg_none" } })
    expect([region.status, region.body.details.errors]).toEqual([400, { regionId: "is not a region of this store" }])
    const blank = await ship(await shopper.checkout(cartId), {
      shippingAddress: { ...addressIn("CA", "94105"), city: " " }
    })
    expect([blank.status, blank.body.details.errors]).toEqual([400, { "shippingAddress.city": "must not be empty" }])
  })

  it("takes the agreed total as number or decimal string, and completes for no other", async () => {
    const id = await shopper.checkout(await shopper.cart([await shopper.product({ price: 1_000n }), 1]))
    const { total } = (await shop.call("GET", `${shopper.at}/checkout/${id}`)).body
    expect(total).toBe("15.85")
    const bad = await shopper.complete(id, "total-1", { expectedTotal: "15.8500" })
    expect([bad.status, bad.body.code, Object.keys(bad.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      ["expectedTotal"]
    ])
    const other = await shopper.complete(id, "total-2", { expectedTotal: 15.8 })
    expect([other.status, other.body.code, other.body.details]).toEqual([
      409,
      "CONFLICT",
      { expectedTotal: "15.80", actualTotal: "15.85" }
    ])
    expect((await shopper.complete(id, "total-3", { expectedTotal: 15.85 })).body.total).toBe("15.85")
  })

  it("knows the ways of paying by name: another is 400, one that is not set up 503", async () => {
    const id = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
    const unknown = await shopper.complete(id, "way-1", { paymentMethod: "carrier-pigeon" })
    expect([unknown.status, unknown.body.code, Object.keys(unknown.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      ["paymentMethod"]
    ])
    const absent = await shopper.complete(id, "way-2", { paymentMethod: "stripe" })
    expect([absent.status, absent.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
  })
})

describe("amounts that no order can come to", () => {
  it("are refused where they arise, with the field that is too much, and nothing is written", async () => {
    const crown = await shopper.product({ price: 9_223_372_036_854_775_807n, stock: 1_000 })
    const cartId = await shopper.cart([crown, 1])
    const more = await shop.call("POST", `${shopper.at}/cart/${cartId}/items`, {
      body: { productId: crown, quantity: 1 }
    })
    expect([more.status, more.body.details.errors]).toEqual([
      400,
      { quantity: "makes the cart cost more than an order can" }
    ])
    expect((await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.subtotal).toBe("92233720368547758.07")
    const id = await shopper.checkout(cartId)
    const taxed = await shopper.complete(id, "crown")
    expect([taxed.status, taxed.body.details.errors]).toEqual([400, { total: "is more than an order can come to" }])
    const items = [{ productId: crown, quantity: 999 }]
    const direct = await shop.call("POST", "/v1/orders", { body: { items } })
    expect([direct.status, direct.body.details.errors]).toEqual([400, { items: "cost more than an order can come to" }])
    expect((await shop.call("GET", `/v1/products/${crown}/inventory`)).body).toMatchObject({
      total: 1_000,
      reserved: 0
    })
  })

  it("nor are more discounts of lines than an order can hold", async () => {
    const other = await shop.openStore()
    const admin = (path: string, body: object) => shop.call("POST", path, { body, key: other.apiKey })
    const items = Array.from({ length: 500 }, () => ({ name: "Bead", quantity: 1, price: "100.00" }))
    const buy = (count: number) => admin("/v1/orders", { items: items.slice(0, count) })
    for (let i = 0; i < 25; i++)
      await admin("/v1/promotions", { name: `Rule ${i}`, type: "PERCENTAGE_OFF", value: 1, combinesWithOther: true })
    expect((await buy(400)).status).toBe(201)
    const refused = await buy(401)
    expect([refused.status, refused.body.details.errors]).toEqual([
      400,
      { items: "discounts of single lines are more than 10000: fewer rules must combine" }
    ])
  })
})
