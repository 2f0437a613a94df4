/** A store gets no more orders in a month than its operator allows, and no money without an order. */
import { Database } from "@effect-commerce/core/database/Database"
import { Effect } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { sessionsOf } from "../payment/sessions.ts"
import { addressIn } from "../Shopper.ts"
import { answerOf, noOrder, quotasOf } from "./quotas.ts"

let opened: TestCommerce
/** A store of its own for each test. */
let shop: TestCommerce
let quotas: ReturnType<typeof quotasOf>
let of: ReturnType<typeof sessionsOf>
/** When the month after that of the test clock begins. */
let next: string
let lamp: string
const day = 86_400_000
const minute = 60_000

const advance = async (ms: number) => (await shop.call("POST", "/test/clock", { body: { advanceMs: ms } })).body.now
const toNextMonth = async () => {
  await advance(Date.parse(next) - Date.parse(await advance(0)) + 1)
  next = nextOf(await advance(0))
}
const nextOf = (now: string) => {
  const at = new Date(now)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)).toISOString()
}

beforeAll(async () => {
  opened = await openTestCommerce({ role: "api" })
})
afterAll(() => opened.close())
beforeEach(async () => {
  const store = await opened.openStore()
  const call: TestCommerce["call"] = (method, path, options) =>
    opened.call(method, path, { key: path.startsWith("/v1/") ? store.apiKey : null, ...options })
  shop = { ...opened, ...store, call }
  quotas = quotasOf(shop)
  of = sessionsOf(shop)
  lamp = await of.shopper.product({ price: 2_500n, stock: 100 })
  const now = await advance(0)
  // No test meets the end of a month by itself.
  if (Date.parse(nextOf(now)) - Date.parse(now) < day) await advance(day)
  next = nextOf(await advance(0))
})

const entered = (headers = {}) =>
  shop.call("POST", "/v1/orders", { body: { items: [{ productId: lamp, quantity: 1 }] }, headers })
const checkout = async () => of.shopper.checkout(await of.shopper.cart([lamp, 1]))
const placed = () =>
  shop.call("POST", `${of.shopper.at}/orders`, {
    body: {
      items: [{ productId: lamp, quantity: 1, price: "25.00" }],
      customer: { email: "ada@example.com" },
      shippingAddress: addressIn("CA", "94105")
    }
  })
const drafted = async () => {
  const items = [{ productId: lamp, quantity: 1 }]
  const draft = await shop.call("POST", "/v1/orders/draft", { body: { items, customer: { email: "a@example.com" } } })
  expect(draft.status).toBe(201)
  return draft.body.id as string
}
const completeDraft = (id: string, body: object = {}) => shop.call("POST", `/v1/orders/draft/${id}/complete`, { body })
const counted = async () => (await quotas.used()).orders
const statesOf = async () =>
  shop
    .run(
      Effect.flatMap(
        Database,
        ({ sql }) => sql<{
          readonly n: number
        }>`SELECT (SELECT count(*) FROM orders WHERE store_id = ${shop.storeId})::int
        + (SELECT count(*) FROM event WHERE store_id = ${shop.storeId} AND type = 'order.created')::int AS n`
      ) as unknown as Effect.Effect<ReadonlyArray<{ readonly n: number }>>
    )
    .then(([row]) => row?.n)

describe("a store whose orders of the month are used up", () => {
  it("is refused in every way in which an order comes to be, and nothing is written or charged", async () => {
    const [manual, paid, begun, draft] = [await checkout(), await checkout(), await checkout(), await drafted()]
    await quotas.set({ maxOrdersPerMonth: 1 })
    expect((await entered()).status).toBe(201)
    const before = await of.stockOf(lamp)
    const refusals = [
      await entered(),
      await placed(),
      await of.complete(manual),
      await of.pay(paid, "approve"),
      await of.begin(begun),
      await completeDraft(draft),
      await completeDraft(draft, { paid: true }),
      await shop.call("POST", `/v1/checkout/${manual}/complete`, { headers: { "idempotency-key": "as-admin" } })
    ]
    expect(refusals.map(answerOf)).toEqual(refusals.map(() => noOrder(1, 1, next)))
    expect(await Promise.all([paid, begun, manual].map(of.chargesOf))).toEqual([[], [], []])
    expect(await Promise.all([paid, begun, manual].map(of.operationsOf))).toEqual([[], [], []])
    expect(await Promise.all([paid, begun, manual].map(of.statusOf))).toEqual(["PENDING", "PENDING", "PENDING"])
    // One order, one event.
    expect([await of.stockOf(lamp), await counted(), await statesOf()]).toEqual([before, 1, 2])
    expect(await quotas.findings()).toEqual([])
    await quotas.set({ maxOrdersPerMonth: null })
    expect((await of.pay(paid, "approve")).status).toBe(200)
    expect((await completeDraft(draft, { paid: true })).body.status).toBe("PAID")
    expect(await counted()).toBe(3)
  })

  it("gets the answers about its orders as often as they are asked for", async () => {
    await quotas.set({ maxOrdersPerMonth: 3 })
    const [id, draft] = [await checkout(), await drafted()]
    const [bought, completed] = [await of.complete(id), await completeDraft(draft)]
    const first = await entered({ "idempotency-key": "same" })
    expect([bought.status, completed.status, first.status]).toEqual([200, 200, 201])
    const again = await of.complete(id)
    expect([again.status, again.body.orderId]).toEqual([200, bought.body.orderId])
    expect((await completeDraft(draft)).body.id).toBe(completed.body.id)
    expect((await entered({ "idempotency-key": "same" })).body.id).toBe(first.body.id)
    expect(answerOf(await entered())).toEqual(noOrder(3, 3, next))
  })

  it("sells again in the next month of UTC, to the millisecond", async () => {
    await quotas.set({ maxOrdersPerMonth: 1 })
    expect((await entered()).status).toBe(201)
    await advance(Date.parse(next) - Date.parse(await advance(0)) - 10 * minute)
    expect(answerOf(await entered())).toEqual(noOrder(1, 1, next))
    await toNextMonth()
    expect(await counted()).toBe(0)
    expect((await entered()).status).toBe(201)
    expect(answerOf(await entered())).toEqual(noOrder(1, 1, next))
    expect([await counted(), await quotas.findings()]).toEqual([1, []])
  })

  it("counts what came before the quota, and what is cancelled", async () => {
    const first = (await entered()).body
    expect((await shop.call("POST", `/v1/orders/${first.id}/cancel`, { body: {} })).body.status).toBe("CANCELLED")
    await quotas.set({ maxOrdersPerMonth: 2 })
    expect((await entered()).status).toBe(201)
    expect(answerOf(await entered())).toEqual(noOrder(2, 2, next))
    await quotas.set({ maxOrdersPerMonth: 1 })
    expect(answerOf(await entered())).toEqual(noOrder(1, 2, next))
  })

  it("counts what a server of the release before sells while it still runs, which takes numbers alone", async () => {
    const taken = (storeId: string) =>
      Effect.flatMap(Database, ({ sql, write }) =>
        write(storeId)(sql`INSERT INTO order_counter AS c (store_id, last_number) VALUES (${storeId}, 1001)
          ON CONFLICT (store_id) DO UPDATE SET last_number = c.last_number + 1 RETURNING month, month_orders`)
      )
    const take = (storeId: string) => shop.run(taken(storeId) as unknown as Effect.Effect<unknown>)
    expect((await entered()).status).toBe(201)
    const month = (await advance(0)).slice(0, 7)
    expect(await take(shop.storeId)).toEqual([{ month, monthOrders: 2n }])
    expect(await counted()).toBe(2)
    const { storeId } = await opened.openStore()
    const today = new Date().toISOString().slice(0, 7)
    expect(await take(storeId)).toEqual([{ month: today, monthOrders: 1n }])
    expect(await take(storeId)).toEqual([{ month: today, monthOrders: 2n }])
  })

  it("counts for itself alone", async () => {
    await quotas.set({ maxOrdersPerMonth: 0 })
    const other = await opened.openStore()
    const body = { items: [{ name: "Repair", price: "5.00", quantity: 1 }], billingAddress: addressIn("CA", "94105") }
    expect((await opened.call("POST", "/v1/orders", { key: other.apiKey, body })).status).toBe(201)
    expect(answerOf(await entered())).toEqual(noOrder(0, 0, next))
  })
})

describe("a payment that was begun", () => {
  it("keeps the place of its order, which the shopper gets; another is refused meanwhile", async () => {
    const [mine, another] = [await checkout(), await checkout()]
    await quotas.set({ maxOrdersPerMonth: 1 })
    expect((await of.begin(mine)).status).toBe(200)
    expect(answerOf(await of.begin(another))).toEqual(noOrder(1, 1, next))
    expect(answerOf(await entered())).toEqual(noOrder(1, 1, next))
    // The same shopper may begin again, and pay in another way.
    expect((await of.begin(mine)).status).toBe(200)
    expect(await counted()).toBe(0)
    await of.tell(mine, "captured")
    expect(await of.ordersOf(mine)).toEqual(["test paid"])
    expect([await counted(), answerOf(await entered())]).toEqual([1, noOrder(1, 1, next)])
  })

  it("leaves its place for others when it is declined", async () => {
    const [mine, another] = [await checkout(), await checkout()]
    await quotas.set({ maxOrdersPerMonth: 1 })
    expect((await of.pay(mine, "decline")).body.code).toBe("CARD_DECLINED")
    expect((await of.pay(another, "approve")).status).toBe(200)
    expect(answerOf(await of.pay(mine, "approve"))).toEqual(noOrder(1, 1, next))
  })

  it("leaves it when stock is no longer held for it; money that comes later makes an order above the quota", async () => {
    const [mine, another] = [await checkout(), await checkout()]
    await quotas.set({ maxOrdersPerMonth: 1 })
    expect((await of.begin(mine)).status).toBe(200)
    await advance(15 * minute + 1)
    expect((await of.complete(another)).status).toBe(200)
    await of.tell(mine, "captured")
    expect(await of.ordersOf(mine)).toEqual(["test paid"])
    expect([await counted(), await quotas.findings()]).toEqual([2, []])
    expect(answerOf(await entered())).toEqual(noOrder(1, 2, next))
  })

  it("of a checkout whose time is over makes its order too", async () => {
    const mine = await checkout()
    await quotas.set({ maxOrdersPerMonth: 1 })
    expect((await of.begin(mine)).status).toBe(200)
    await quotas.set({ maxOrdersPerMonth: 0 })
    await advance(25 * 60 * minute)
    await of.tell(mine, "captured")
    expect(await of.ordersOf(mine)).toEqual(["test paid"])
    expect(answerOf(await entered())).toEqual(noOrder(0, 1, next))
  })

  it("may be asked for its order when the quota is used up", async () => {
    const mine = await checkout()
    await quotas.set({ maxOrdersPerMonth: 1 })
    expect((await of.begin(mine)).status).toBe(200)
    await quotas.set({ maxOrdersPerMonth: 0 })
    await of.paysUnseen(mine)
    const done = await of.complete(mine)
    expect([done.status, done.body.status]).toEqual([200, "PAID"])
  })
})
