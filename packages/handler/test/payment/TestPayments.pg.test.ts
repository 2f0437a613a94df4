import { ChargeLooks } from "@effect-commerce/core/charge/ChargeLooks"
import { Database } from "@effect-commerce/core/database/Database"
import type { Settled } from "@effect-commerce/core/charge/OperationOutcomes"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

let keys = 0
const pay = (checkoutId: string, paymentReference: string, key = `pay-${keys++}`) =>
  shopper.complete(checkoutId, key, { paymentMethod: "test", paymentReference })
const lampAndCheckout = async (stock = 3, quantity = 1) => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock })
  return { lamp, checkoutId: await shopper.checkout(await shopper.cart([lamp, quantity])) }
}
const tell = (body: object) => shop.call("POST", "/test/provider-events", { body })
const orderOf = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body
const statusOf = async (checkoutId: string) =>
  (await shop.call("GET", `${shopper.at}/checkout/${checkoutId}`)).body.status
const stockOf = async (productId: string) => {
  const { total, reserved, available } = (await shop.call("GET", `/v1/products/${productId}/inventory`)).body
  return { total, reserved, available }
}
const rows = <A>(query: (sql: Database["Service"]["sql"]) => Effect.Effect<unknown, unknown>) =>
  shop.run(Effect.flatMap(Database, ({ sql }) => query(sql)) as unknown as Effect.Effect<ReadonlyArray<A>>)
/** Types of the events that name this checkout or order. */
const eventsOf = async (id: string) => {
  const found = await rows<{ type: string }>(
    (sql) => sql`SELECT type FROM event WHERE data::text LIKE ${`%${id}%`} AND type NOT LIKE 'inventory%' ORDER BY seq`
  )
  return found.map((row) => row.type)
}
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
/** Waits for the background work, which is due by the clock. */
const until = (holds: () => Promise<boolean>) => expect.poll(holds, { timeout: 30_000 }).toBe(true)

it("an event also reaches a charge of a test provider that the store has set up", async () => {
  const own = (await shop.call("POST", "/v1/payment-providers", { body: { type: "test" } })).body.id
  const { checkoutId } = await lampAndCheckout()
  const { orderId } = (await pay(checkoutId, "pending")).body
  const told = await tell({ checkoutId, type: "captured" })
  expect([told.status, told.body]).toEqual([200, { applied: true, orderId }])
  expect((await orderOf(orderId)).financialStatus).toBe("paid")
  expect((await shop.call("DELETE", `/v1/payment-providers/${own}`)).status).toBe(200)
})

describe("paying through a provider", () => {
  it("captures: the order is paid, its events say so, and the stock is sold", async () => {
    const { lamp, checkoutId } = await lampAndCheckout()
    const done = await pay(checkoutId, "approve")
    expect([done.status, done.body.status, done.body.message]).toEqual([200, "PAID", "Order placed and paid"])
    const order = await orderOf(done.body.orderId)
    expect(order).toMatchObject({
      status: "PAID",
      financialStatus: "paid",
      paymentMethod: "test",
      paymentProviderType: "test",
      paymentAmount: "25.00",
      isTestOrder: true,
      syncWarning: null
    })
    expect(order.paymentExternalId).toMatch(/^tch_[0-9a-z]{26}$/)
    expect(await stockOf(lamp)).toEqual({ total: 2, reserved: 0, available: 2 })
    expect(await eventsOf(done.body.orderId)).toEqual(["order.created", "checkout.completed", "order.paid"])
    expect(await statusOf(checkoutId)).toBe("COMPLETED")
  })

  it("is declined: nothing is charged, ordered or kept back, and another card may be tried", async () => {
    const { lamp, checkoutId } = await lampAndCheckout(1)
    const declined = await pay(checkoutId, "decline")
    expect([declined.status, declined.body.code, declined.body.details]).toEqual([
      422,
      "CARD_DECLINED",
      { reason: "card_declined" }
    ])
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0, available: 1 })
    expect(await statusOf(checkoutId)).toBe("PENDING")
    expect(await eventsOf(checkoutId)).toEqual(["payment.failed"])
    const again = await pay(checkoutId, "approve")
    expect([again.status, again.body.status]).toEqual([200, "PAID"])
    const attempts = await rows<{ chargeKey: string; status: string }>(
      (sql) =>
        sql`SELECT charge_key, state AS status FROM provider_operation WHERE subject_id = ${checkoutId} ORDER BY charge_key`
    )
    expect(attempts).toEqual([
      { chargeKey: `${shop.storeId}/complete:${checkoutId}:1`, status: "declined" },
      { chargeKey: `${shop.storeId}/complete:${checkoutId}:2`, status: "succeeded" }
    ])
  })

  it("fails at the provider: 500 PAYMENT_PROCESSING_ERROR, replayed under its key, and the checkout goes on", async () => {
    const { lamp, checkoutId } = await lampAndCheckout(1)
    const lines: Array<string> = []
    for (const name of ["log", "error", "warn"] as const)
      vi.spyOn(console, name).mockImplementation((...parts) => void lines.push(parts.join(" ")))
    const failed = await pay(checkoutId, "error", "fails")
    vi.restoreAllMocks()
    // The provider's answer is a line, and no failure of ours with a stack.
    expect(lines).toEqual([expect.stringMatching(/WARN.*PAYMENT_PROCESSING_ERROR \S+: [^\n]+$/)])
    expect([failed.status, failed.body.code]).toEqual([500, "PAYMENT_PROCESSING_ERROR"])
    expect((await pay(checkoutId, "error", "fails")).text).toBe(failed.text)
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0, available: 1 })
    expect((await pay(checkoutId, "approve")).status).toBe(200)
  })

  it("stays open: the order waits unpaid until the money is told, in parts and as a whole", async () => {
    const { lamp, checkoutId } = await lampAndCheckout()
    const done = await pay(checkoutId, "pending")
    expect([done.status, done.body.status, done.body.message]).toEqual([
      200,
      "PENDING",
      "Order placed; payment is pending"
    ])
    const { orderId } = done.body
    expect(await stockOf(lamp)).toEqual({ total: 2, reserved: 0, available: 2 })
    expect((await tell({ orderId, type: "captured", amount: "10.00" })).body).toEqual({ applied: true, orderId })
    expect(await orderOf(orderId)).toMatchObject({ status: "PENDING", financialStatus: "pending" })
    await tell({ checkoutId, type: "captured" })
    await tell({ checkoutId, type: "captured" })
    expect(await orderOf(orderId)).toMatchObject({ status: "PAID", financialStatus: "paid" })
    expect(await eventsOf(orderId)).toEqual(["order.created", "checkout.completed", "order.paid"])
  })

  it("fails after the order was placed: the order's money is voided", async () => {
    const { checkoutId } = await lampAndCheckout()
    const { orderId } = (await pay(checkoutId, "pending")).body
    await tell({ orderId, type: "failed" })
    await tell({ orderId, type: "failed" })
    expect(await orderOf(orderId)).toMatchObject({ status: "PENDING", financialStatus: "voided" })
    expect((await eventsOf(checkoutId)).filter((type) => type === "payment.failed")).toHaveLength(1)
  })

  it("is needed by name: no reference 400, an unknown provider 503, a live channel 503", async () => {
    const { checkoutId } = await lampAndCheckout()
    const bare = await shopper.complete(checkoutId, "bare", { paymentMethod: "test" })
    expect([bare.status, bare.body.code, Object.keys(bare.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      ["paymentReference"]
    ])
    const nameless = await shopper.complete(checkoutId, "nameless", { paymentMethod: "provider" })
    expect([nameless.status, nameless.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    const unknown = await shopper.complete(checkoutId, "unknown", {
      paymentMethod: "provider",
      providerId: "klarna",
      paymentReference: "x"
    })
    expect([unknown.status, unknown.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    await shop.call("PATCH", `/v1/sales-channels/${shop.channelId}`, { body: { mode: "live", domain: "shop.example" } })
    const headers = { origin: "https://shop.example", "idempotency-key": "live" }
    const live = await shop.call("POST", `${shopper.at}/checkout/${checkoutId}/complete`, {
      body: { paymentMethod: "test", paymentReference: "approve" },
      headers
    })
    expect([live.status, live.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    const admin = await shop.call("POST", `/v1/checkout/${checkoutId}/complete`, {
      body: { paymentMethod: "test", paymentReference: "approve" },
      headers: { "idempotency-key": "live-admin" }
    })
    expect([admin.status, admin.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    const told = await tell({ checkoutId, type: "captured" })
    expect([told.status, told.body.code]).toEqual([400, "VALIDATION_FAILED"])
    await shop.call("PATCH", `/v1/sales-channels/${shop.channelId}`, { body: { mode: "test", domain: null } })
    const byId = await shopper.complete(checkoutId, "by-id", {
      paymentMethod: "provider",
      providerId: "test",
      paymentReference: "approve"
    })
    expect([byId.status, byId.body.status]).toEqual([200, "PAID"])
  })

  it("keeps what a cart held while it asks; a declined cart holds it again, a paid one has sold it", async () => {
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_CART", minutes: 15 } } })
    const lamp = await shopper.product({ stock: 2 })
    const cartId = await shopper.cart([lamp, 2])
    const checkoutId = await shopper.checkout(cartId)
    expect((await pay(checkoutId, "decline")).status).toBe(422)
    expect(await stockOf(lamp)).toEqual({ total: 2, reserved: 2, available: 0 })
    const rival = await shop.call("POST", `${shopper.at}/cart/${await shopper.cart()}/items`, {
      body: { productId: lamp, quantity: 1 }
    })
    expect([rival.status, rival.body.code]).toEqual([400, "INSUFFICIENT_STOCK"])
    expect((await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body).toMatchObject({
      reservation: { hasReservation: true },
      unavailableItemIds: []
    })
    expect((await pay(checkoutId, "approve")).status).toBe(200)
    expect(await stockOf(lamp)).toEqual({ total: 0, reserved: 0, available: 0 })
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_PAYMENT" } } })
  })

  it("asks no provider where nothing is due", async () => {
    const free = await shopper.product({ price: 0n, stock: 1 })
    const checkoutId = await shopper.checkout(await shopper.cart([free, 1]))
    const done = await pay(checkoutId, "decline")
    expect([done.status, done.body.status, done.body.total]).toEqual([200, "PAID", "0.00"])
  })
})

describe("an answer that never comes", () => {
  it("leaves the checkout PROCESSING, refuses a second charge, and ends in one order when the money is told", async () => {
    const { lamp, checkoutId } = await lampAndCheckout(2, 2)
    const lost = await pay(checkoutId, "timeout", "lost")
    expect([lost.status, lost.body.code]).toEqual([500, "PAYMENT_PROCESSING_ERROR"])
    expect(lost.headers.get("retry-after")).toBe("5")
    expect(await statusOf(checkoutId)).toBe("PROCESSING")
    expect(await stockOf(lamp)).toEqual({ total: 2, reserved: 2, available: 0 })
    const twin = await pay(checkoutId, "approve")
    expect([twin.status, twin.body.code, twin.headers.get("retry-after")]).toEqual([409, "CONFLICT", "1"])
    const edit = await shop.call("PATCH", `${shopper.at}/checkout/${checkoutId}/customer`, {
      body: { email: "b@example.com" }
    })
    expect([edit.status, edit.body.code]).toEqual([409, "CONFLICT"])

    const told = await tell({ checkoutId, type: "captured" })
    expect(told.status).toBe(200)
    expect((await tell({ checkoutId, type: "captured" })).body).toEqual(told.body)
    expect(await orderOf(told.body.orderId)).toMatchObject({
      status: "PAID",
      financialStatus: "paid",
      totalAmount: "50.00"
    })
    expect(await stockOf(lamp)).toEqual({ total: 0, reserved: 0, available: 0 })
    expect(await eventsOf(told.body.orderId)).toEqual(["order.created", "checkout.completed", "order.paid"])
    const again = await pay(checkoutId, "timeout", "lost")
    expect([again.status, again.body.orderId]).toEqual([200, told.body.orderId])
  })

  it("lets no other checkout of the cart charge for the same lines, neither while it is awaited nor when it has come", async () => {
    const cartId = await shopper.cart([await shopper.product({ price: 2_500n, stock: 5 }), 1])
    const [first, second] = [await shopper.checkout(cartId), await shopper.checkout(cartId)]
    expect((await pay(first, "timeout")).status).toBe(500)
    const meanwhile = await pay(second, "approve")
    expect([meanwhile.status, meanwhile.body.code, meanwhile.headers.get("retry-after")]).toEqual([
      409,
      "CONFLICT",
      "1"
    ])
    await tell({ checkoutId: first, type: "captured" })
    const afterwards = await pay(second, "approve")
    expect([afterwards.status, afterwards.body.details]).toEqual([409, { reason: "ordered", checkoutId: first }])
    expect(await statusOf(second)).toBe("PENDING")
  })

  it("that took more than was asked for is paid with what was due, and the merchant is warned of the rest", async () => {
    const { checkoutId } = await lampAndCheckout()
    await pay(checkoutId, "timeout")
    const taken = Effect.gen(function* () {
      const store = yield* (yield* Stores).context(shop.storeId)
      const looks = yield* ChargeLooks
      const key = `${store.id}/complete:${checkoutId}:1`
      const operation = yield* looks.find(store.id, key)
      if (operation === undefined) throw new Error(`There is no charge ${key}`)
      return yield* looks.apply(store, operation, {
        externalId: "ch_1",
        key,
        state: "captured",
        amount: 2_500n,
        currency: "USD",
        authorized: 2_500n,
        captured: 3_000n,
        refunds: [],
        disputes: [],
        expiresAt: null,
        nextAction: null,
        reason: null
      })
    })
    const settle = () => shop.run(Effect.orDie(taken) as unknown as Effect.Effect<Settled<{ orderId: string }>>)
    const first = await settle()
    const orderId = first._tag === "Accepted" ? first.result.orderId : ""
    const ordersOf = () => rows((sql) => sql`SELECT id FROM orders WHERE checkout_id = ${checkoutId}`)
    expect(await ordersOf()).toEqual([{ id: orderId }])
    // A second settlement, by a worker or a notice, changes nothing: none of the order's money counts as unwanted.
    expect(await settle()).toEqual({ _tag: "Followed" })
    expect(await ordersOf()).toEqual([{ id: orderId }])
    expect(
      await rows((sql) => sql`SELECT state AS status FROM provider_operation WHERE subject_id = ${checkoutId}`)
    ).toEqual([{ status: "succeeded" }])
    expect(await orderOf(orderId)).toMatchObject({
      financialStatus: "paid",
      paymentAmount: "25.00",
      syncWarning: "test captured 30.00 where 25.00 was asked for"
    })
  })

  it("ends with everything let go when the provider tells that it failed", async () => {
    const { lamp, checkoutId } = await lampAndCheckout(2, 2)
    await pay(checkoutId, "timeout")
    await tell({ checkoutId, type: "failed" })
    expect(await statusOf(checkoutId)).toBe("PENDING")
    expect(await stockOf(lamp)).toEqual({ total: 2, reserved: 0, available: 2 })
    expect((await pay(checkoutId, "approve")).status).toBe(200)
  })

  it("is given up after the checkout's time, and money that comes all the same still makes an order", async () => {
    const { lamp, checkoutId } = await lampAndCheckout(1)
    await pay(checkoutId, "timeout")
    for (let hours = 0; hours < 25; hours += 5) await advance(5 * 3_600_000)
    await until(async () => (await statusOf(checkoutId)) === "EXPIRED")
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0, available: 1 })
    const late = await shopper.complete(checkoutId, "late")
    expect([late.status, late.body.code]).toEqual([409, "RESERVATION_EXPIRED"])
    const { orderId } = (await tell({ checkoutId, type: "captured" })).body
    expect(await orderOf(orderId)).toMatchObject({ status: "PAID", syncWarning: null })
    expect(await stockOf(lamp)).toEqual({ total: 0, reserved: 0, available: 0 })
  })

  it("makes the order with a warning where the stock went to somebody else meanwhile", async () => {
    const { lamp, checkoutId } = await lampAndCheckout(2, 2)
    await pay(checkoutId, "timeout")
    await advance(16 * 60_000)
    await until(
      async () => (await rows((sql) => sql`SELECT 1 FROM reservation WHERE holder_id = ${checkoutId}`)).length === 0
    )
    const rival = await shopper.checkout(await shopper.cart([lamp, 1]))
    expect((await pay(rival, "approve")).status).toBe(200)
    const { orderId } = (await tell({ checkoutId, type: "captured" })).body
    const order = await orderOf(orderId)
    expect(order).toMatchObject({ status: "PAID", financialStatus: "paid", totalAmount: "50.00" })
    expect(order.statusLabel).toEqual({
      id: null,
      name: "Needs attention",
      color: null,
      canonicalStatus: "PAID",
      isSystem: true
    })
    expect(order.syncWarning).toBe(`Paid after its stock was gone: ${lamp} 1 of 2`)
    expect(await stockOf(lamp)).toEqual({ total: 0, reserved: 0, available: 0 })
  })

  it("is paid back instead where the store wants that", async () => {
    const { lamp, checkoutId } = await lampAndCheckout(1)
    await pay(checkoutId, "timeout")
    for (let hours = 0; hours < 25; hours += 5) await advance(5 * 3_600_000)
    await until(async () => (await statusOf(checkoutId)) === "EXPIRED")
    await shop.call("PATCH", "/v1/store", { body: { lateCapture: "refund" } })
    expect((await tell({ checkoutId, type: "captured" })).body.orderId).toBeNull()
    const charge = () =>
      rows<{ captured: bigint; refunded: bigint }>(
        (sql) => sql`SELECT captured, refunded FROM test_charge WHERE checkout_id = ${checkoutId}`
      )
    await until(async () => (await charge())[0]?.refunded === 2_500n)
    expect(await charge()).toEqual([{ captured: 2_500n, refunded: 2_500n }])
    await until(async () => (await eventsOf(checkoutId)).includes("payment.refunded"))
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0, available: 1 })
    await shop.call("PATCH", "/v1/store", { body: { lateCapture: "create_order" } })
  })
})

describe("money given back in the provider's dashboard", () => {
  it("in parts, then whole: the money follows, the status only where that is legal, stock stays sold", async () => {
    const { lamp, checkoutId } = await lampAndCheckout()
    const { orderId } = (await pay(checkoutId, "approve")).body
    await tell({ orderId, type: "refunded", amount: "5.00" })
    expect(await orderOf(orderId)).toMatchObject({
      status: "PAID",
      financialStatus: "partially_refunded",
      paymentRefundedAmount: "5.00"
    })
    await tell({ orderId, type: "refunded" })
    await tell({ orderId, type: "refunded" })
    const order = await orderOf(orderId)
    expect(order).toMatchObject({ status: "REFUNDED", financialStatus: "refunded", paymentRefundedAmount: "25.00" })
    expect(order.refunds.map(({ amount, type, source }: Record<string, string>) => [amount, type, source])).toEqual([
      ["5.00", "partial", "provider"],
      ["20.00", "full", "provider"]
    ])
    expect(await stockOf(lamp)).toEqual({ total: 2, reserved: 0, available: 2 })
    const events = await rows<{ type: string; data: Record<string, unknown> }>(
      (sql) =>
        sql`SELECT type, data FROM event WHERE type IN ('order.refunded', 'payment.refunded') AND data::text LIKE ${`%${orderId}%`} ORDER BY seq`
    )
    expect(events.map(({ type }) => type)).toEqual([
      "order.refunded",
      "payment.refunded",
      "order.refunded",
      "payment.refunded"
    ])
    expect(events[0]?.data).toMatchObject({ orderId, refundType: "partial", source: "provider" })
    expect(events[2]?.data).toMatchObject({ orderId, refundType: "full", source: "provider" })
    expect(Object.keys(events[0]?.data ?? {}).sort()).toEqual(["order", "orderId", "refundType", "source"])
  })
})

describe("money recorded by hand", () => {
  const manual = async () => {
    const { checkoutId } = await lampAndCheckout()
    return (await shopper.complete(checkoutId, `manual-${keys++}`)).body.orderId as string
  }
  const record = (orderId: string, amount: unknown, method = "bank transfer") =>
    shop.call("POST", `/v1/orders/${orderId}/payments`, { body: { amount, method } })

  it("pays a manual order as a whole, and nothing beyond", async () => {
    const orderId = await manual()
    const paid = await record(orderId, "25.00")
    expect([paid.status, paid.body.status, paid.body.financialStatus, paid.body.numberOfPayments]).toEqual([
      200,
      "PAID",
      "paid",
      1
    ])
    expect(await eventsOf(orderId)).toEqual(["order.created", "checkout.completed", "order.paid"])
    const again = await record(orderId, "0.01")
    expect([again.status, again.body.code]).toEqual([409, "PAYMENT_ALREADY_CAPTURED"])
  })

  it("in parts: pending until it is covered; more than is due is refused", async () => {
    const orderId = await manual()
    const part = await record(orderId, 10)
    expect([part.status, part.body.status, part.body.financialStatus]).toEqual([200, "PENDING", "pending"])
    const over = await record(orderId, "15.01")
    expect([over.status, over.body.code, over.body.details]).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      { amount: "15.01", due: "15.00" }
    ])
    const rest = await record(orderId, "15.00", "cash")
    expect(rest.body).toMatchObject({ status: "PAID", financialStatus: "paid" })
    expect(
      rest.body.tenders.map((tender: Record<string, string>) => [tender["type"], tender["amountBase"]]).sort()
    ).toEqual([
      ["bank transfer", "10.00"],
      ["cash", "15.00"]
    ])
  })

  it("names the field that is wrong, and knows no order of another store", async () => {
    const orderId = await manual()
    for (const amount of [0, "-1", "1.234", "x", null]) {
      const refused = await record(orderId, amount)
      expect([amount, refused.status, refused.body.code]).toEqual([amount, 400, "VALIDATION_FAILED"])
    }
    const other = await shop.openStore()
    const foreign = await shop.call("POST", `/v1/orders/${orderId}/payments`, {
      body: { amount: 1, method: "cash" },
      key: other.apiKey
    })
    expect([foreign.status, foreign.body.code]).toEqual([404, "ORDER_NOT_FOUND"])
  })
})
