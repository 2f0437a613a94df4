import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf } from "../customer/SignedIn.ts"
import { sessionsOf } from "./sessions.ts"

/** A payment that the shopper makes at the provider: it exists before he pays, and ends in whatever way he takes. */
let shop: TestCommerce
let other: Commerce
let at: ReturnType<typeof customersOf>
let of: ReturnType<typeof sessionsOf>
const statements = makeStatementCounter()
beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: statements })
  other = await shop.openTwin()
  at = customersOf(shop)
  of = sessionsOf(shop)
})
afterAll(() => shop.close())

const minute = 60_000
const hour = 60 * minute

describe("a payment that begins before the shopper pays", () => {
  it("holds the stock, and says what the shopper has to do", async () => {
    const { lamp, checkoutId, session } = await of.begun(3, {
      providerId: "test",
      returnUrl: "http://localhost:3000/back"
    })
    expect(session).toEqual({
      providerType: "test",
      clientSecret: expect.stringMatching(/^tch_[0-9a-z]{26}_secret_[0-9a-f]{24}$/),
      redirectUrl: expect.stringMatching(
        /^https:\/\/test-payments\.invalid\/pay\/tch_[0-9a-z]{26}\?return=http%3A%2F%2Flocalhost%3A3000%2Fback$/
      ),
      amount: "25.00",
      currency: "USD"
    })
    expect([await of.statusOf(checkoutId), await of.paymentStatus(checkoutId)]).toEqual([
      "PROCESSING",
      "awaiting_shopper"
    ])
    expect(await of.stockOf(lamp)).toEqual([3, 1, 2])
    expect([await of.chargesOf(checkoutId), await of.operationsOf(checkoutId)]).toEqual([
      ["1 awaiting_shopper 2500 0 0"],
      ["awaiting_shopper"]
    ])
    expect(await of.ordersOf(checkoutId)).toEqual([])
  })

  it("is the same when it is begun again, and holds the stock anew", async () => {
    const { lamp, checkoutId, session } = await of.begun()
    await of.advance(16 * 60_000)
    await of.until(async () => (await of.stockOf(lamp))[1] === 0)
    expect((await of.begin(checkoutId)).body).toEqual(session)
    expect(await of.stockOf(lamp)).toEqual([3, 1, 2])
    expect([await of.chargesOf(checkoutId), await of.operationsOf(checkoutId)]).toEqual([
      ["1 awaiting_shopper 2500 0 0"],
      ["awaiting_shopper"]
    ])
  })

  it("is the same also while the provider is silent, and with another key or none", async () => {
    const { checkoutId, session } = await of.begun()
    await of.atProvider((provider) => provider.silence(hour))
    const again = await of.begin(checkoutId)
    const unnamed = await shop.call("POST", `${of.pathOf(checkoutId)}/payment`, { body: { providerId: "test" } })
    await of.atProvider((provider) => provider.silence(0))
    expect([again.body, unnamed.body]).toEqual([session, session])
  })

  it("is not begun for manual, nor where nothing is due", async () => {
    const { lamp, checkoutId } = await of.lampAndCheckout()
    const nothing = { clientSecret: null, redirectUrl: null, currency: "USD" }
    expect((await of.begin(checkoutId, { providerId: "manual" })).body).toEqual({
      providerType: "manual",
      amount: "25.00",
      ...nothing
    })
    const free = await of.shopper.checkout(
      await of.shopper.cart([await of.shopper.product({ price: 0n, stock: 1 }), 1])
    )
    expect((await of.begin(free)).body).toEqual({ providerType: "test", amount: "0.00", ...nothing })
    expect([await of.statusOf(checkoutId), await of.statusOf(free)]).toEqual(["PENDING", "PENDING"])
    expect([await of.stockOf(lamp), await of.operationsOf(checkoutId), await of.operationsOf(free)]).toEqual([
      [3, 0, 3],
      [],
      []
    ])
  })

  it("is refused as a completion is", async () => {
    const lamp = await of.shopper.product({ price: 2_500n, stock: 1 })
    const bare = (
      await shop.call("POST", `${of.shopper.at}/checkout`, { body: { cartId: await of.shopper.cart([lamp, 1]) } })
    ).body.id
    for (const refused of [await of.begin(bare), await of.pay(bare, "approve")])
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        400,
        "MISSING_REQUIRED_FIELDS",
        { fields: ["email", "shippingAddress"] }
      ])
    const [first, second] = [
      await of.shopper.checkout(await of.shopper.cart([lamp, 1])),
      await of.shopper.checkout(await of.shopper.cart([lamp, 1]))
    ]
    expect((await of.begin(first)).status).toBe(200)
    for (const refused of [await of.begin(second), await of.pay(second, "approve")])
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        400,
        "INSUFFICIENT_STOCK",
        { items: [{ productId: lamp, variantId: null, available: 0, requested: 1 }] }
      ])
    await shop.call("PATCH", `/v1/products/${lamp}`, { body: { basePrice: "30.00" } })
    const drifted = await of.begin(second)
    expect([drifted.status, drifted.body.code]).toEqual([400, "PRICE_DRIFT"])
    expect([await of.operationsOf(bare), await of.operationsOf(second)]).toEqual([[], []])
    for (const providerId of ["nobody", "stripe"]) {
      const unknown = await of.begin(first, { providerId })
      expect([unknown.status, unknown.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    }
    const foreign = await of.begin(first, { providerId: "test", returnUrl: "https://evil.example/back" })
    expect([foreign.status, foreign.body.code]).toEqual([400, "VALIDATION_FAILED"])
    expect((await of.begin("chk_unknown")).body.code).toBe("CHECKOUT_NOT_FOUND")
  })

  it("is refused where the checkout is over, and says why", async () => {
    const unpaid = await of.lampAndCheckout()
    await of.complete(unpaid.checkoutId)
    const placed = await of.begin(unpaid.checkoutId)
    expect([placed.status, placed.body.code, placed.body.details]).toEqual([409, "CONFLICT", { status: "COMPLETED" }])
    const paid = await of.lampAndCheckout()
    await of.pay(paid.checkoutId, "approve")
    const twice = await of.begin(paid.checkoutId)
    expect([twice.status, twice.body.code]).toEqual([409, "PAYMENT_ALREADY_CAPTURED"])
    const cancelled = await of.lampAndCheckout()
    await shop.call("DELETE", of.pathOf(cancelled.checkoutId))
    const late = await of.begin(cancelled.checkoutId)
    expect([late.status, late.body.code, late.body.details]).toEqual([409, "CONFLICT", { status: "CANCELLED" }])
    const old = await of.lampAndCheckout()
    await of.advance(25 * hour)
    const expired = await of.begin(old.checkoutId)
    expect([expired.status, expired.body.code]).toEqual([409, "RESERVATION_EXPIRED"])
    expect(await of.operationsOf(old.checkoutId)).toEqual([])
  })

  it("never begins at the test provider on a live channel", async () => {
    const { checkoutId } = await of.lampAndCheckout()
    await shop.call("PATCH", `/v1/sales-channels/${shop.channelId}`, { body: { mode: "live", domain: "shop.example" } })
    const live = await of.begin(checkoutId, { providerId: "test" }, { origin: "https://shop.example" })
    await shop.call("PATCH", `/v1/sales-channels/${shop.channelId}`, { body: { mode: "test", domain: null } })
    expect([live.status, live.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    expect(await of.operationsOf(checkoutId)).toEqual([])
  })

  it("checks the version that the storefront saw", async () => {
    const versionOf = async (id: string) => `"${(await shop.call("GET", of.pathOf(id))).body.updatedAt}"`
    const { checkoutId } = await of.lampAndCheckout()
    const seen = await versionOf(checkoutId)
    expect((await of.begin(checkoutId, { providerId: "test" }, { "if-match": seen })).status).toBe(200)
    const stale = await of.begin(checkoutId, { providerId: "test" }, { "if-match": seen })
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
    const now = await versionOf(checkoutId)
    expect((await of.begin(checkoutId, { providerId: "test" }, { "if-match": now })).status).toBe(200)
  })

  it("gives its secret to the storefront alone", async () => {
    const { checkoutId, session } = await of.begun()
    await of.tell(checkoutId, "failed")
    const secret = session.clientSecret.split("_secret_")[1]
    const stored = await of.rows<{ row: string }>(
      (sql) => sql`SELECT to_jsonb(o)::text AS row FROM provider_operation o WHERE subject_id = ${checkoutId}
        UNION ALL SELECT to_jsonb(c)::text FROM test_charge c WHERE checkout_id = ${checkoutId}
        UNION ALL SELECT encode(i.body, 'escape') FROM idempotency i WHERE i.body IS NOT NULL
        UNION ALL SELECT to_jsonb(n)::text FROM provider_notice n
        UNION ALL SELECT data::text FROM event`
    )
    expect(stored.length).toBeGreaterThan(4)
    expect(stored.filter(({ row }) => row.includes(secret))).toEqual([])
  })
})

describe("a shopper who pays", () => {
  it("is heard of by a notice: the order is placed, and a completion returns it", async () => {
    const { lamp, checkoutId } = await of.begun()
    const told = await of.tell(checkoutId, "captured")
    expect([told.status, told.body]).toEqual([200, { applied: true, orderId: expect.stringMatching(/^ord_/) }])
    expect(await of.ordersOf(checkoutId)).toEqual(["test paid"])
    expect(await of.chargesOf(checkoutId)).toEqual(["1 captured 2500 2500 0"])
    expect([await of.statusOf(checkoutId), await of.paymentStatus(checkoutId)]).toEqual(["COMPLETED", "paid"])
    expect(await of.stockOf(lamp)).toEqual([2, 0, 2])
    const again = await of.tell(checkoutId, "captured")
    expect(again.body).toEqual(told.body)
    for (const body of [{}, { paymentMethod: "manual" }, { paymentMethod: "test", paymentReference: "approve" }]) {
      const done = await of.complete(checkoutId, body)
      expect([done.status, done.body.orderId, done.body.status, done.body.total]).toEqual([
        200,
        told.body.orderId,
        "PAID",
        "25.00"
      ])
    }
    expect((await of.begin(checkoutId)).body.code).toBe("PAYMENT_ALREADY_CAPTURED")
    expect(await of.failuresOf(checkoutId)).toEqual([])
  })

  it("only reserves the money: the order is placed and waits for it", async () => {
    const { lamp, checkoutId } = await of.begun()
    const { orderId } = (await of.tell(checkoutId, "authorized")).body
    const order = (await shop.call("GET", `/v1/orders/${orderId}`)).body
    expect([order.status, order.financialStatus]).toEqual(["PENDING", "authorized"])
    expect(await of.stockOf(lamp)).toEqual([2, 0, 2])
    await of.tell(checkoutId, "captured")
    expect(await of.ordersOf(checkoutId)).toEqual(["test paid"])
  })

  it.each([
    ["failed", "processing_error"],
    ["expired", "expired"]
  ])(
    "has no luck: %s is told once, everything is free, and the next charge has a key of its own",
    async (type, code) => {
      const { lamp, checkoutId, session } = await of.begun()
      expect((await of.tell(checkoutId, type)).body).toEqual({ applied: true, orderId: null })
      await of.tell(checkoutId, type)
      expect(await of.failuresOf(checkoutId)).toEqual([code])
      expect([await of.statusOf(checkoutId), await of.paymentStatus(checkoutId)]).toEqual(["PENDING", "pending"])
      expect(await of.stockOf(lamp)).toEqual([3, 0, 3])
      const next = await of.begin(checkoutId)
      expect([next.status, next.body.clientSecret === session.clientSecret]).toEqual([200, false])
      expect((await of.chargesOf(checkoutId))[1]).toBe("2 awaiting_shopper 2500 0 0")
      expect(await of.failuresOf(checkoutId)).toEqual([code])
    }
  )

  it("comes back before the notice, in whatever browser: the provider is asked once in two seconds", async () => {
    const { checkoutId } = await of.begun()
    const looks = () => statements.statements().filter((text) => text.includes("FROM test_charge")).length
    const back = () =>
      other
        .fetch(new Request(`http://commerce.test/api${of.pathOf(checkoutId)}/payment-status`))
        .then((it) => it.json())
    await of.paysUnseen(checkoutId)
    statements.reset()
    expect([await of.paymentStatus(checkoutId), looks()]).toEqual(["awaiting_shopper", 0])
    await of.atProvider((provider) => provider.silence(2_500))
    await of.advance(2_000)
    statements.reset()
    const at = await Promise.all(Array.from({ length: 8 }, () => of.paymentStatus(checkoutId)))
    expect([new Set(at), await of.ordersOf(checkoutId)]).toEqual([new Set(["awaiting_shopper"]), []])
    await of.atProvider((provider) => provider.silence(0))
    expect([await of.paymentStatus(checkoutId), looks()]).toEqual(["awaiting_shopper", 0])
    await of.advance(2_000)
    statements.reset()
    const all = await Promise.all([...Array.from({ length: 8 }, () => of.paymentStatus(checkoutId)), back()])
    expect(await back()).toEqual({
      status: "paid",
      orderId: expect.stringMatching(/^ord_/),
      orderNumber: expect.stringMatching(/^#/)
    })
    expect([all.length, looks() <= 1]).toEqual([9, true])
    expect(await of.ordersOf(checkoutId)).toEqual(["test paid"])
  })

  it("is asked for where the storefront completes, whatever it costs by now", async () => {
    const { lamp, checkoutId, session } = await of.begun(3, { providerId: "test", returnUrl: "http://localhost/back" })
    const { clientSecret, redirectUrl } = session
    for (const body of [{}, { paymentMethod: "test" }, { paymentMethod: "provider", providerId: "test" }]) {
      const waits = await of.complete(checkoutId, body)
      expect([waits.status, waits.body.code, waits.body.details]).toEqual([
        409,
        "CONFLICT",
        { reason: "awaiting_shopper", redirectUrl, clientSecret }
      ])
    }
    await shop.call("PATCH", `/v1/products/${lamp}`, { body: { basePrice: "30.00" } })
    await of.paysUnseen(checkoutId)
    const done = await of.complete(checkoutId)
    expect([done.status, done.body.status, done.body.total]).toEqual([200, "PAID", "25.00"])
    expect(await of.chargesOf(checkoutId)).toEqual(["1 captured 2500 2500 0"])
  })

  it("is told by a completion that nothing came of it, or that the provider is silent", async () => {
    const { checkoutId } = await of.begun()
    await of.atProvider((provider) => provider.silence(hour))
    const silent = await of.complete(checkoutId)
    expect([silent.status, silent.body.code, silent.headers.get("retry-after")]).toEqual([
      500,
      "PAYMENT_PROCESSING_ERROR",
      "5"
    ])
    await of.atProvider((provider) => provider.silence(0))
    await of.atProvider((provider) => provider.move(shop.storeId, { checkoutId, type: "failed" }))
    const failed = await of.complete(checkoutId)
    expect([failed.status, failed.body.code, failed.body.details]).toEqual([
      422,
      "CARD_DECLINED",
      { reason: "processing_error" }
    ])
    expect(await of.failuresOf(checkoutId)).toEqual(["processing_error"])
  })

  it("pays by what the storefront sends: the same charge goes on under its key", async () => {
    const { checkoutId } = await of.begun()
    const done = await of.pay(checkoutId, "approve")
    expect([done.status, done.body.status]).toEqual([200, "PAID"])
    expect([await of.chargesOf(checkoutId), await of.operationsOf(checkoutId)]).toEqual([
      ["1 captured 2500 2500 0"],
      ["succeeded"]
    ])

    const declined = await of.begun()
    const refused = await of.pay(declined.checkoutId, "insufficient_funds")
    expect([refused.status, refused.body.details]).toEqual([422, { reason: "insufficient_funds" }])
    expect(await of.failuresOf(declined.checkoutId)).toEqual(["insufficient_funds"])
    expect((await of.pay(declined.checkoutId, "approve")).status).toBe(200)
    expect(await of.chargesOf(declined.checkoutId)).toEqual(["1 declined 2500 0 0", "2 captured 2500 2500 0"])

    const lost = await of.begun()
    const unknown = await of.pay(lost.checkoutId, "timeout")
    expect([unknown.status, unknown.headers.get("retry-after")]).toEqual([500, "5"])
    expect(await of.paymentStatus(lost.checkoutId)).toBe("processing")
    const twin = await of.begin(lost.checkoutId)
    expect([twin.status, twin.body.code, twin.headers.get("retry-after")]).toEqual([409, "CONFLICT", "1"])
    await of.tell(lost.checkoutId, "captured")
    expect(await of.ordersOf(lost.checkoutId)).toEqual(["test paid"])
    expect(await of.chargesOf(lost.checkoutId)).toEqual(["1 captured 2500 2500 0"])
  })

  it("closes the browser, and the notice is lost: the provider is asked from time to time", async () => {
    const { checkoutId } = await of.begun()
    await of.paysUnseen(checkoutId)
    await of.advance(minute)
    await of.until(async () => (await of.ordersOf(checkoutId)).length > 0)
    expect(await of.ordersOf(checkoutId)).toEqual(["test paid"])
  })

  it("never comes back: the provider ends it after an hour", async () => {
    const { lamp, checkoutId } = await of.begun()
    await of.advance(hour + minute)
    await of.until(async () => (await of.statusOf(checkoutId)) === "PENDING")
    expect([await of.failuresOf(checkoutId), await of.stockOf(lamp)]).toEqual([["expired"], [3, 0, 3]])
  })
})

describe("the time to pay", () => {
  const endless = async (stock = 3) => {
    const made = await of.begun(stock)
    await of.waitsForEver(made.checkoutId)
    return made
  }
  const later = async () => {
    for (let hours = 0; hours < 25; hours += 5) await of.advance(5 * hour)
  }

  it("is over after the checkout's: the stock is free, the charge voided, and late money still makes an order", async () => {
    const { lamp, checkoutId } = await endless(1)
    await later()
    await of.until(async () => (await of.statusOf(checkoutId)) === "EXPIRED")
    await of.until(async () => (await of.chargesOf(checkoutId))[0] === "1 voided 2500 0 0")
    expect([await of.failuresOf(checkoutId), await of.stockOf(lamp)]).toEqual([["expired"], [1, 0, 1]])
    expect(await of.paymentStatus(checkoutId)).toBe("expired")
    await of.tell(checkoutId, "captured")
    expect(await of.ordersOf(checkoutId)).toEqual(["test paid"])
    expect(await of.stockOf(lamp)).toEqual([0, 0, 0])
  })

  it("is over also while the provider is silent, and the charge is voided when it speaks again", async () => {
    const { lamp, checkoutId } = await endless(1)
    await of.atProvider((provider) => provider.silence(48 * hour))
    await later()
    await of.until(async () => (await of.statusOf(checkoutId)) === "EXPIRED")
    expect([await of.chargesOf(checkoutId), await of.stockOf(lamp)]).toEqual([
      ["1 awaiting_shopper 2500 0 0"],
      [1, 0, 1]
    ])
    await of.atProvider((provider) => provider.silence(0))
    await of.advance(10 * minute)
    await of.until(async () => (await of.chargesOf(checkoutId))[0] === "1 voided 2500 0 0")
  })

  it("is over, and late money is paid back where the store wants that", async () => {
    await shop.call("PATCH", "/v1/store", { body: { lateCapture: "refund" } })
    const { checkoutId } = await endless()
    await later()
    await of.until(async () => (await of.chargesOf(checkoutId))[0] === "1 voided 2500 0 0")
    await of.tell(checkoutId, "captured")
    await of.until(async () => (await of.chargesOf(checkoutId))[0] === "1 captured 2500 2500 2500")
    await shop.call("PATCH", "/v1/store", { body: { lateCapture: "create_order" } })
    expect(await of.ordersOf(checkoutId)).toEqual([])
  })
})

describe.each(["ON_PAYMENT", "ON_CART"])("under %s, a shopper who does something else", (strategy) => {
  const reserve = (name: string) =>
    shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: name, minutes: 15 } } })
  beforeAll(() => reserve(strategy))
  afterAll(() => reserve("ON_PAYMENT"))
  /** What a cart with one lamp holds. */
  const inCart = strategy === "ON_CART" ? 1 : 0

  /** The first charge is voided and makes no noise; money that comes of it all the same is paid back. */
  const isGivenUp = async (checkoutId: string, more: ReadonlyArray<string> = []) => {
    await of.until(async () => (await of.operationsOf(checkoutId))[0] === "failed")
    expect(await of.chargesOf(checkoutId)).toEqual(["1 voided 2500 0 0", ...more])
    expect(await of.failuresOf(checkoutId)).toEqual([])
  }

  it.each([
    [
      "another customer",
      (path: string) => shop.call("PATCH", `${path}/customer`, { body: { email: "b@example.com" } })
    ],
    ["custom fields", (path: string) => shop.call("PATCH", `${path}/custom-fields`, { body: { values: {} } })],
    ["no coupon", (path: string) => shop.call("DELETE", `${path}/coupon`)]
  ])("goes on with the checkout, %s: the charge is given up, and the next one is another", async (_, edit) => {
    const { lamp, checkoutId } = await of.begun(1)
    const edited = await edit(of.pathOf(checkoutId))
    expect([edited.status, edited.body.status]).toEqual([200, "PENDING"])
    expect([edited.body.reservation.hasReservation, await of.stockOf(lamp)]).toEqual([
      inCart === 1,
      [1, inCart, 1 - inCart]
    ])
    await isGivenUp(checkoutId)
    expect((await of.begin(checkoutId)).status).toBe(200)
    await isGivenUp(checkoutId, ["2 awaiting_shopper 2500 0 0"])
    await of.tell(checkoutId, "captured")
    expect(await of.ordersOf(checkoutId)).toEqual(["test paid"])
    expect(await of.chargesOf(checkoutId)).toEqual(["1 voided 2500 0 0", "2 captured 2500 2500 0"])
  })

  it("is refused what he wants: the payment waits as before", async () => {
    const { lamp, checkoutId, session } = await of.begun(1)
    const coupon = await shop.call("POST", `${of.pathOf(checkoutId)}/coupon`, { body: { code: "NOPE" } })
    const card = await shop.call("POST", `${of.pathOf(checkoutId)}/gift-card`, { body: { code: "NOPE" } })
    const price = await of.complete(checkoutId, { paymentMethod: "manual", expectedTotal: "1.00" })
    expect([coupon.status, card.status, price.status]).toEqual([404, 400, 409])
    expect([await of.paymentStatus(checkoutId), await of.stockOf(lamp)]).toEqual(["awaiting_shopper", [1, 1, 0]])
    expect((await of.begin(checkoutId)).body).toEqual(session)
  })

  it("cancels the checkout", async () => {
    const { lamp, checkoutId } = await of.begun(1)
    expect((await shop.call("DELETE", of.pathOf(checkoutId))).status).toBe(200)
    expect([await of.statusOf(checkoutId), await of.stockOf(lamp)]).toEqual(["CANCELLED", [1, inCart, 1 - inCart]])
    await isGivenUp(checkoutId)
    await of.tell(checkoutId, "captured")
    await of.until(async () => (await of.chargesOf(checkoutId))[0] === "1 captured 2500 2500 2500")
    expect(await of.ordersOf(checkoutId)).toEqual([])
  })

  it("pays by bank transfer: one unpaid order of the units that were held, and no money is kept", async () => {
    const { lamp, checkoutId } = await of.begun(1)
    const done = await of.complete(checkoutId, { paymentMethod: "manual" })
    expect([done.status, done.body.status]).toEqual([200, "PENDING"])
    expect(await of.stockOf(lamp)).toEqual([0, 0, 0])
    await isGivenUp(checkoutId)
    await of.tell(checkoutId, "captured")
    await of.until(async () => (await of.chargesOf(checkoutId))[0] === "1 captured 2500 2500 2500")
    expect(await of.ordersOf(checkoutId)).toEqual(["manual pending"])
  })

  it("had paid unseen before that: all of it is paid back", async () => {
    const { checkoutId } = await of.begun(1)
    await of.paysUnseen(checkoutId)
    expect((await of.complete(checkoutId, { paymentMethod: "manual" })).status).toBe(200)
    await of.until(async () => (await of.chargesOf(checkoutId))[0] === "1 captured 2500 2500 2500")
    expect(await of.ordersOf(checkoutId)).toEqual(["manual pending"])
  })

  it("picks manual before he completes", async () => {
    const { lamp, checkoutId } = await of.begun(1)
    expect((await of.begin(checkoutId, { providerId: "manual" })).body).toEqual({
      providerType: "manual",
      clientSecret: null,
      redirectUrl: null,
      amount: "25.00",
      currency: "USD"
    })
    expect([await of.statusOf(checkoutId), await of.stockOf(lamp)]).toEqual(["PENDING", [1, inCart, 1 - inCart]])
    expect((await of.complete(checkoutId)).body.status).toBe("PENDING")
    await isGivenUp(checkoutId)
  })

  it("picks another provider: its charge has a key of its own", async () => {
    const { lamp, checkoutId } = await of.begun(1)
    const own = (await shop.call("POST", "/v1/payment-providers", { body: { type: "test", name: "Ours" } })).body.id
    const next = await of.begin(checkoutId, { providerId: own })
    expect([next.status, next.body.providerType, await of.paymentStatus(checkoutId)]).toEqual([
      200,
      "test",
      "awaiting_shopper"
    ])
    expect(await of.stockOf(lamp)).toEqual([1, 1, 0])
    await isGivenUp(checkoutId, ["2 awaiting_shopper 2500 0 0"])
    await shop.call("DELETE", of.pathOf(checkoutId))
    await of.until(async () => (await of.chargesOf(checkoutId))[1] === "2 voided 2500 0 0")
    expect((await shop.call("DELETE", `/v1/payment-providers/${own}`)).status).toBe(200)
  })

  it.each(["completes", "begins to pay for"])("%s another checkout of the same cart", async (act) => {
    const { lamp, cartId, checkoutId } = await of.lampAndCheckout(1)
    const second = await of.shopper.checkout(cartId)
    expect((await of.begin(checkoutId)).status).toBe(200)
    const acted = act === "completes" ? await of.pay(second, "approve") : await of.begin(second)
    expect([acted.status, await of.statusOf(checkoutId)]).toEqual([200, "PENDING"])
    await isGivenUp(checkoutId)
    if (act !== "completes") await of.tell(second, "captured")
    expect([await of.ordersOf(checkoutId, second), await of.stockOf(lamp)]).toEqual([["test paid"], [0, 0, 0]])
    const late = await of.begin(checkoutId)
    expect([late.status, late.body.details]).toEqual([409, { reason: "ordered", checkoutId: second }])
  })

  it("signs in: the cart is taken along once the payment is over, and bought once", async () => {
    const lamp = await of.shopper.product({ price: 2_500n, stock: 1 })
    const guest = (await shop.call("POST", `${of.shopper.at}/cart`)).body
    await shop.call("POST", `${of.shopper.at}/cart/${guest.id}/items`, { body: { productId: lamp, quantity: 1 } })
    const checkoutId = await of.shopper.checkout(guest.id)
    expect((await of.begin(checkoutId)).status).toBe(200)
    const customer = await at.known()
    const merge = () => at.as(customer.token, "POST", `${at.vc}/cart/merge`, { sessionToken: guest.sessionToken })
    const early = await merge()
    expect([early.status, early.body.code, early.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "payment_pending" }
    ])
    expect([await of.statusOf(checkoutId), await of.stockOf(lamp)]).toEqual(["PROCESSING", [1, 1, 0]])
    await shop.call("DELETE", of.pathOf(checkoutId))
    await isGivenUp(checkoutId)
    const merged = await merge()
    expect([merged.status, merged.body.unavailableItemIds, merged.body.items.length]).toEqual([200, [], 1])
    expect([await of.statusOf(checkoutId), await of.stockOf(lamp)]).toEqual(["CANCELLED", [1, inCart, 1 - inCart]])
    await of.tell(checkoutId, "captured")
    await of.until(async () => (await of.chargesOf(checkoutId))[0] === "1 captured 2500 2500 2500")
    expect(await of.ordersOf(checkoutId)).toEqual([])
  })

  it("signs in while the provider may be charging: the cart stays as it is", async () => {
    const lamp = await of.shopper.product({ price: 2_500n, stock: 1 })
    const guest = (await shop.call("POST", `${of.shopper.at}/cart`)).body
    await shop.call("POST", `${of.shopper.at}/cart/${guest.id}/items`, { body: { productId: lamp, quantity: 1 } })
    const [waiting, charging] = [await of.shopper.checkout(guest.id), await of.shopper.checkout(guest.id)]
    expect((await of.pay(charging, "timeout")).status).toBe(500)
    const customer = await at.known()
    const merged = await at.as(customer.token, "POST", `${at.vc}/cart/merge`, { sessionToken: guest.sessionToken })
    expect([merged.status, merged.body.code]).toEqual([409, "CONFLICT"])
    expect([await of.statusOf(waiting), await of.statusOf(charging)]).toEqual(["PENDING", "PROCESSING"])
    await of.tell(charging, "failed")
  })

  it("changes the cart: the checkout and its payment stay as they are", async () => {
    const { cartId, checkoutId, session } = await of.begun(1)
    const more = await of.shopper.product({ stock: 5 })
    await shop.call("POST", `${of.shopper.at}/cart/${cartId}/items`, { body: { productId: more, quantity: 1 } })
    expect((await of.begin(checkoutId)).body).toEqual(session)
    await of.tell(checkoutId, "captured")
    expect(await of.ordersOf(checkoutId)).toEqual(["test paid"])
    const { items } = (await shop.call("GET", `${of.shopper.at}/cart/${cartId}`)).body
    expect(items.map((item: { readonly productId: string }) => item.productId)).toEqual([more])
  })

  it("is asked for another amount after the taxes have changed: the charge is of that amount", async () => {
    const { lamp, checkoutId } = await of.begun(1)
    const rate = await shop.call("POST", "/v1/tax/rates", { body: { name: "Tax", country: "US", rate: 10 } })
    const next = await of.begin(checkoutId)
    await shop.call("DELETE", `/v1/tax/rates/${rate.body.id}`)
    expect([next.status, next.body.amount]).toEqual([200, "27.50"])
    expect(await of.stockOf(lamp)).toEqual([1, 1, 0])
    await isGivenUp(checkoutId, ["2 awaiting_shopper 2750 0 0"])
    await of.tell(checkoutId, "captured")
    expect((await of.complete(checkoutId)).body.total).toBe("27.50")
  })
})

describe("afterwards", () => {
  it("the books agree", async () => {
    const client = new pg.Client(shop.database.nodePostgres)
    await client.connect()
    const found: Array<unknown> = []
    for (const law of laws)
      found.push(...findingsOf(law, shop.storeId, (await client.query(questionOf(law), [shop.storeId])).rows))
    await client.end()
    expect(found).toEqual([])
  })
})
