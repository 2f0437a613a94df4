import { Audit } from "@effect-commerce/core/audit/Audit"
import { Clock, Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Carts } from "@effect-commerce/core/cart/Carts"
import { Stores } from "@effect-commerce/core/store/Stores"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { couponsOf, openCouponShop, refusalOf } from "./couponShop.ts"

let shop: TestCommerce
let of: ReturnType<typeof couponsOf>
beforeAll(async () => {
  const opened = await openCouponShop()
  shop = opened.shop
  of = opened
})
afterAll(() => shop.close())

/** Moves the clock to the beginning of a minute, so that none ends during the tries. */
const aMinuteWithRoom = async (limited: TestCommerce): Promise<void> => {
  const { headers } = await limited.call("GET", `/vc/${limited.channelId}/products`)
  const left = Number(headers.get("x-ratelimit-reset"))
  await limited.call("POST", "/test/clock", { body: { advanceMs: (left + 1) * 1_000 } })
}

const readCart = async (id: string) => (await shop.call("GET", `${of.shopper.at}/cart/${id}`)).body
const orderOf = async ({ body }: { readonly body: { readonly orderId?: string; readonly id?: string } }) =>
  (await shop.call("GET", `/v1/orders/${body.orderId ?? body.id}`)).body

describe("a code in a cart", () => {
  it("takes a percentage off, once and half up, in any case; another code takes its place", async () => {
    await of.coupon("Third", { value: "10", title: "A tenth" })
    const fixed = await of.coupon("FIXED", { type: "FIXED_AMOUNT", value: "5.00" })
    const [lamp, bulb] = [await of.shopper.product({ price: 33n }), await of.shopper.product({ price: 1_000n })]
    const cartId = await of.shopper.cart([lamp, 3])
    const entered = await of.enter(cartId, "tHIRD")
    expect([entered.status, entered.body.subtotal, entered.body.discountAmount]).toEqual([200, "0.99", "0.10"])
    expect([entered.body.couponCode, (await of.enter(cartId, " THIRD ")).body.couponCode]).toEqual(["Third", "Third"])
    expect(entered.body.promoDiscountTotal).toBe("0.10")
    expect(entered.body.appliedDiscounts).toEqual([
      {
        ruleId: expect.any(String),
        ruleName: "A tenth",
        type: "PERCENTAGE",
        discountAmount: "0.10",
        description: "A tenth"
      }
    ])
    const replaced = await of.enter(cartId, "FIXED")
    // No more than there is.
    expect([replaced.body.couponCode, replaced.body.discountAmount]).toEqual(["FIXED", "0.99"])
    await shop.call("POST", `${of.shopper.at}/cart/${cartId}/items`, { body: { productId: bulb, quantity: 1 } })
    expect((await readCart(cartId)).discountAmount).toBe("5.00")
    // The next quote goes by what the merchant has changed.
    await shop.call("PATCH", `/v1/coupons/${fixed.id}`, { body: { value: "7.50" } })
    expect((await readCart(cartId)).discountAmount).toBe("7.50")
    await shop.call("DELETE", `/v1/coupons/${fixed.id}`)
    expect(await readCart(cartId)).toMatchObject({
      couponCode: "FIXED",
      discountAmount: "0.00",
      notApplied: [{ type: "coupon", id: null, code: "FIXED", reason: "unknown" }]
    })
    const removed = await shop.call("DELETE", `${of.shopper.at}/cart/${cartId}/coupon`)
    expect([removed.body.couponCode, removed.body.notApplied]).toEqual([null, []])
  })

  it("stops at the cap, which a fixed amount does not have", async () => {
    await of.coupon("CAP", { value: 50, maximumDiscount: "3.00" })
    await of.coupon("NOCAP", { type: "FIXED_AMOUNT", value: 4, maximumDiscount: "3.00" })
    const cartId = await of.shopper.cart([await of.shopper.product({ price: 1_000n }), 1])
    expect((await of.enter(cartId, "CAP")).body.discountAmount).toBe("3.00")
    expect((await of.enter(cartId, "NOCAP")).body.discountAmount).toBe("4.00")
  })

  it("is for its products and categories without those excluded; what it is not for is a reason", async () => {
    const category = async (name: string, parentId?: string) =>
      (await shop.call("POST", "/v1/categories", { body: { name, parentId } })).body.id as string
    const lighting = await category("Lighting")
    const desks = await category("Desks", lighting)
    const product = async (basePrice: string, categories: ReadonlyArray<string> = []) =>
      (
        await shop.call("POST", "/v1/products", {
          body: { name: "P", basePrice, status: "active", categories, inventory: { total: 100 } }
        })
      ).body.id as string
    const [lamp, desk, tea] = [
      await product("10.00", [lighting]),
      await product("20.00", [desks]),
      await product("4.00")
    ]
    const cartId = await of.shopper.cart([lamp, 1], [desk, 1], [tea, 1])
    const takes = async (code: string, body: object) => {
      await of.coupon(code, body)
      const { body: cart } = await of.enter(cartId, code)
      return cart.discountAmount ?? cart.details.reason
    }
    expect(await takes("P1", { applicableProducts: [tea] })).toBe("0.40")
    expect(await takes("P2", { applicableCategories: [lighting] })).toBe("3.00")
    expect(await takes("P3", { applicableCategories: [desks], applicableProducts: [tea] })).toBe("2.40")
    expect(await takes("P4", { excludedCategories: [desks] })).toBe("1.40")
    expect(await takes("P5", { applicableProducts: [desk], excludedCategories: [lighting] })).toBe("no_eligible_items")
    expect(await takes("P6", { applicableCategories: [lighting], excludedProducts: [desk] })).toBe("1.00")
  })

  it("is accepted where it has nothing left to take off, and says so", async () => {
    await of.coupon("ONE", { value: 1 })
    const cartId = await of.shopper.cart([await of.shopper.product({ price: 10n }), 1])
    expect((await of.enter(cartId, "one")).body).toMatchObject({
      couponCode: "ONE",
      discountAmount: "0.00",
      notApplied: [{ code: "one", reason: "nothing_off" }]
    })
  })

  it("needs its minimum before any discount, and says what is missing; one that stops qualifying stays", async () => {
    await of.coupon("MIN", { minimumOrderAmount: "25.00" })
    const lamp = await of.shopper.product({ price: 1_000n })
    const cartId = await of.shopper.cart([lamp, 2])
    const refused = await of.enter(cartId, "MIN")
    expect([...refusalOf(refused), refused.body.details.missing]).toEqual([400, "VALIDATION_FAILED", "minimum", "5.00"])
    expect((await readCart(cartId)).couponCode).toBe(null)
    const item = (await readCart(cartId)).items[0].id
    const set = (quantity: number) =>
      shop.call("PATCH", `${of.shopper.at}/cart/${cartId}/items/${item}`, { body: { quantity } })
    await set(3)
    expect((await of.enter(cartId, "MIN")).body.discountAmount).toBe("3.00")
    expect((await set(2)).body).toMatchObject({
      couponCode: "MIN",
      discountAmount: "0.00",
      notApplied: [{ code: "MIN", reason: "minimum", missingAmount: "5.00" }]
    })
  })

  it("is valid in its regions: the one chosen, else the default", async () => {
    const region = async (name: string, body: object = {}) =>
      (await shop.call("POST", "/v1/regions", { body: { name, currency: "USD", countries: [], ...body } })).body.id
    const [north, south] = [await region("North", { countries: ["US"] }), await region("South")]
    await of.coupon("NORTH", { regionIds: [north] })
    const cartId = await of.shopper.cart([await of.shopper.product(), 1])
    const cart = `${of.shopper.at}/cart/${cartId}`
    const choose = (regionId: string | null) => shop.call("PATCH", cart, { body: { regionId } })
    expect(refusalOf(await of.enter(cartId, "NORTH"))).toEqual([400, "VALIDATION_FAILED", "region"])
    await choose(north)
    expect((await of.enter(cartId, "NORTH")).body.discountAmount).toBe("1.00")
    expect((await choose(south)).body).toMatchObject({ discountAmount: "0.00", notApplied: [{ reason: "region" }] })
    await choose(null)
    await shop.call("PATCH", `/v1/regions/${north}`, { body: { isDefault: true } })
    expect((await readCart(cartId)).discountAmount).toBe("1.00")
    await shop.call("PATCH", `/v1/regions/${south}`, { body: { isDefault: true } })
    expect((await readCart(cartId)).discountAmount).toBe("0.00")
    // The country of the address says it where nobody has chosen.
    const checkoutId = await of.shopper.checkout(cartId)
    expect((await shop.call("GET", `${of.shopper.at}/checkout/${checkoutId}`)).body.discountAmount).toBe("1.00")
    await shop.call("PATCH", `/v1/regions/${south}`, { body: { isDefault: false } })
  })

  it("of a region is not for who is in none: the billing address chooses no region", async () => {
    const east = await shop.call("POST", "/v1/regions", {
      body: { name: "East", currency: "USD", countries: ["CA"], isDefault: false }
    })
    await of.coupon("EAST", { regionIds: [east.body.id] })
    const download = await of.shopper.product({ price: 1_000n, isDownloadable: true })
    const cartId = await of.shopper.cart([download, 1])
    const made = await shop.call("POST", `${of.shopper.at}/checkout`, { body: { cartId } })
    await shop.call("PATCH", `${of.shopper.at}/checkout/${made.body.id}/shipping`, {
      body: { billingAddress: { line1: "1 Main St", city: "Town", postalCode: "K1A 0B1", country: "CA" } }
    })
    expect(refusalOf(await of.enterAtCheckout(made.body.id, "EAST"))).toEqual([400, "VALIDATION_FAILED", "region"])
  })

  it("is refused for the first reason of several: its status before its limits, these before what is in the cart", async () => {
    const none = { applicableProducts: [await of.shopper.product()] }
    await of.coupon("OFF", { ...none, status: "DISABLED", endsAt: "2026-01-01", usageLimit: 1 })
    await of.coupon("PAST", { ...none, endsAt: "2026-01-01", minimumOrderAmount: 100 })
    await of.coupon("SOON", { ...none, startsAt: "2100-01-01" })
    const used = await of.coupon("USED", { usageLimit: 1 })
    const lamp = await of.shopper.product()
    expect((await of.adminOrder(lamp, "USED")).status).toBe(201)
    await shop.call("PATCH", `/v1/coupons/${used.id}`, { body: { ...none, minimumOrderAmount: 100 } })
    await of.coupon("BOTH", { ...none, minimumOrderAmount: 100 })
    const cartId = await of.shopper.cart([lamp, 1])
    const refusals = []
    for (const code of ["NONE", "OFF", "PAST", "SOON", "USED", "BOTH"])
      refusals.push(refusalOf(await of.enter(cartId, code)))
    expect(refusals).toEqual([
      [404, "COUPON_NOT_FOUND", null],
      [422, "COUPON_NOT_ACTIVE", null],
      [422, "COUPON_EXPIRED", null],
      [422, "COUPON_NOT_ACTIVE", null],
      [409, "COUPON_USAGE_LIMIT_REACHED", null],
      [400, "VALIDATION_FAILED", "minimum"]
    ])
    expect((await readCart(cartId)).couponCode).toBe(null)
  })

  it("is another store's nowhere", async () => {
    const other = await shop.openStore()
    await shop.call("POST", "/v1/coupons", {
      key: other.apiKey,
      body: { code: "ELSEWHERE", type: "PERCENTAGE", value: 9 }
    })
    const cartId = await of.shopper.cart([await of.shopper.product(), 1])
    expect(refusalOf(await of.enter(cartId, "ELSEWHERE"))).toEqual([404, "COUPON_NOT_FOUND", null])
  })
})

describe("a coupon with a period", () => {
  it("begins at its very millisecond and ends before its last", async () => {
    const startsAt = Date.now() + 3_600_000
    const endsAt = startsAt + 3_600_000
    await of.coupon("DAY", { startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() })
    const lamp = await of.shopper.product()
    const cartId = await of.shopper.cart([lamp, 1])
    const at = (now: number) => {
      const nanos = BigInt(now) * 1_000_000n
      const clock: Clock.Clock = {
        currentTimeMillis: Effect.succeed(now),
        currentTimeMillisUnsafe: () => now,
        currentTimeNanos: Effect.succeed(nanos),
        currentTimeNanosUnsafe: () => nanos,
        monotonicTimeNanos: Effect.succeed(nanos),
        monotonicTimeNanosUnsafe: () => nanos,
        sleep: () => Effect.void
      }
      const access = { salesChannelId: shop.channelId, isStorefront: true, isTest: true, customerId: null }
      const shown = Effect.gen(function* () {
        const store = yield* (yield* Stores).context(shop.storeId)
        const quoted = yield* Effect.result((yield* Carts).applyCoupon(store, access, cartId, "DAY"))
        return quoted._tag === "Success" ? quoted.success.discountAmount : quoted.failure._tag
      })
      return shop.run(Effect.provideService(shown, Clock.Clock, clock) as unknown as Effect.Effect<string>)
    }
    const found = []
    for (const now of [startsAt - 1, startsAt, endsAt - 1, endsAt]) found.push(await at(now))
    expect(found).toEqual(["CouponNotActive", "1.00", "1.00", "CouponExpired"])
  })

  it("that ends before the order is completed makes it fail, and nothing is ordered", async () => {
    const coupon = await of.coupon("BRIEF")
    const cartId = await of.shopper.cart([await of.shopper.product(), 1])
    await of.enter(cartId, "BRIEF")
    const checkoutId = await of.shopper.checkout(cartId)
    await shop.call("PATCH", `/v1/coupons/${coupon.id}`, { body: { endsAt: "2026-01-01" } })
    expect(refusalOf(await of.shopper.complete(checkoutId, "brief"))).toEqual([422, "COUPON_EXPIRED", null])
    await shop.call("PATCH", `/v1/coupons/${coupon.id}`, { body: { endsAt: null } })
    expect((await of.shopper.complete(checkoutId, "brief-2")).status).toBe(200)
    expect(await of.usesOf(coupon.id)).toBe(1)
  })
})

describe("an order with a coupon", () => {
  it("shows it as it was, and uses it once, on every way to buy", async () => {
    const coupon = await of.coupon("EVERY", { title: "Everywhere", value: "12.5" })
    const lamp = await of.shopper.product({ price: 1_000n })
    const cartId = await of.shopper.cart([lamp, 1])
    const checkoutId = await of.shopper.checkout(cartId)
    expect((await of.enterAtCheckout(checkoutId, "every")).body.discountAmount).toBe("1.25")
    const completed = await of.shopper.complete(checkoutId, "every-1")
    expect((await of.shopper.complete(checkoutId, "every-2")).body.orderId).toBe(completed.body.orderId)
    expect(await of.usesOf(coupon.id)).toBe(1)
    const quick = await of.quickOrder(lamp, "10.00", "EVERY")
    expect(await of.usesOf(coupon.id)).toBe(2)
    const admin = await of.adminOrder(lamp, "EVERY")
    expect(await of.usesOf(coupon.id)).toBe(3)
    const paid = await of.shopper.checkout(await of.shopper.cart([lamp, 1]))
    await of.enterAtCheckout(paid, "EVERY")
    const charged = await of.shopper.complete(paid, "every-3", { paymentMethod: "test", paymentReference: "approve" })
    expect(await of.usesOf(coupon.id)).toBe(4)
    await shop.call("PATCH", `/v1/coupons/${coupon.id}`, { body: { title: "Later", value: 50 } })
    for (const answer of [completed, quick, admin, charged]) {
      const order = await orderOf(answer)
      expect([order.couponDiscount, order.discountAmount, order.totalAmount, order.couponCode?.toUpperCase()]).toEqual([
        "1.25",
        "1.25",
        "8.75",
        "EVERY"
      ])
      expect(order.coupon).toEqual({ title: "Everywhere", type: "PERCENTAGE", value: "12.5" })
    }
    expect((await of.quickOrder(lamp, "10.00", "NEVER")).body.code).toBe("COUPON_NOT_FOUND")
  })

  it("that nobody pays uses none: a declined card gives it back", async () => {
    const coupon = await of.coupon("ONCE", { usageLimit: 1 })
    const lamp = await of.shopper.product()
    const checkout = async () => {
      const id = await of.shopper.checkout(await of.shopper.cart([lamp, 1]))
      await of.enterAtCheckout(id, "ONCE")
      return id
    }
    const [first, second] = [await checkout(), await checkout()]
    const declined = await of.shopper.complete(first, "once-1", { paymentMethod: "test", paymentReference: "decline" })
    expect([declined.status, declined.body.code]).toEqual([422, "CARD_DECLINED"])
    expect(await of.usesOf(coupon.id)).toBe(0)
    expect((await of.shopper.complete(second, "once-2")).status).toBe(200)
    expect(await of.usesOf(coupon.id)).toBe(1)
    const late = await of.shopper.complete(first, "once-3")
    expect(refusalOf(late)).toEqual([409, "COUPON_USAGE_LIMIT_REACHED", null])
    expect(refusalOf(await of.quickOrder(lamp, "10.00", "ONCE"))).toEqual([409, "COUPON_USAGE_LIMIT_REACHED", null])
    expect(refusalOf(await of.adminOrder(lamp, "ONCE"))).toEqual([409, "COUPON_USAGE_LIMIT_REACHED", null])
  })

  it("limited for each customer needs one, whom it is counted for", async () => {
    const coupon = await of.coupon("MINE", { usageLimitPerCustomer: 1 })
    const lamp = await of.shopper.product()
    const { id: customerId, headers } = await of.person()
    const cartId = await of.shopper.cart([lamp, 1])
    const guest = await of.enter(cartId, "MINE")
    expect([guest.status, guest.body.couponCode, guest.body.discountAmount]).toEqual([200, "MINE", "0.00"])
    expect(guest.body.notApplied[0].reason).toBe("needs_customer")
    const needs = [409, "COUPON_PER_CUSTOMER_LIMIT_REACHED", "needs_customer"]
    const checkoutId = await of.shopper.checkout(cartId)
    expect(refusalOf(await of.shopper.complete(checkoutId, "mine-guest"))).toEqual(needs)
    expect(refusalOf(await of.quickOrder(lamp, "10.00", "MINE"))).toEqual(needs)
    expect(refusalOf(await of.adminOrder(lamp, "MINE"))).toEqual(needs)
    const bought = await of.quickOrder(lamp, "10.00", "MINE", headers)
    expect([bought.status, bought.body.total]).toEqual([200, "9.00"])
    const again = [409, "COUPON_PER_CUSTOMER_LIMIT_REACHED", "customer_limit"]
    expect(refusalOf(await of.quickOrder(lamp, "10.00", "MINE", headers))).toEqual(again)
    expect(refusalOf(await of.adminOrder(lamp, "MINE", { customerId }))).toEqual(again)
    const other = await of.person()
    expect((await of.adminOrder(lamp, "MINE", { customerId: other.id })).status).toBe(201)
    expect(await of.usesOf(coupon.id)).toBe(2)
  })

  it("in another currency has percentages, and no amounts of this one", async () => {
    await of.coupon("PART")
    await of.coupon("CASH", { type: "FIXED_AMOUNT", value: 5 })
    const order = (couponCode: string) =>
      of.adminOrder("", couponCode, { currency: "EUR", items: [{ name: "Tea", quantity: 1, price: "10.00" }] })
    expect((await order("PART")).body.couponDiscount).toBe("1.00")
    expect(refusalOf(await order("CASH"))).toEqual([400, "VALIDATION_FAILED", "region"])
  })

  it("leaves books that add up", async () => {
    const findings = await shop.run(
      Effect.gen(function* () {
        const found: Array<unknown> = []
        yield* (yield* Audit).run({
          storeId: shop.storeId,
          tell: (some) => Effect.sync(() => void found.push(...some))
        })
        return found
      }).pipe(Effect.provide(Audit.layer)) as unknown as Effect.Effect<ReadonlyArray<unknown>>
    )
    expect(findings).toEqual([])
  })
})

describe("somebody who tries codes", () => {
  it("has ten tries a minute from one address, whether a code exists or not", async () => {
    const limited = await openTestCommerce({ rateLimit: { perMinute: 10_000, perHour: 100_000 } })
    try {
      const { shopper, coupon, enter } = couponsOf(limited)
      await coupon("KNOWN")
      const cartId = await shopper.cart([await shopper.product(), 1])
      const tries = async (known: number) => {
        const codes = Array.from({ length: 12 }, (_, i) => (i === known ? "KNOWN" : `GUESS${i}`))
        const statuses: Array<number> = []
        for (const code of codes) statuses.push((await enter(cartId, code)).status)
        return statuses
      }
      await aMinuteWithRoom(limited)
      expect(await tries(9)).toEqual([...Array.from({ length: 9 }, () => 404), 200, 429, 429])
      expect((await limited.call("GET", `${shopper.at}/cart/${cartId}`)).body.couponCode).toBe("KNOWN")
      await limited.call("DELETE", `${shopper.at}/cart/${cartId}/coupon`)
      await limited.call("POST", "/test/clock", { body: { advanceMs: 60_000 } })
      expect(await tries(10)).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429])
      expect((await limited.call("GET", `${shopper.at}/cart/${cartId}`)).body.couponCode).toBe(null)
    } finally {
      await limited.close()
    }
  })
})
