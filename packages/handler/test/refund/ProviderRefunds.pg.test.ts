/**
 * Refunds that are taken in the provider's dashboard, for every state that a paid order can be in: the contract's table
 * of states, written out a second time. And the notices of them: sent again, late by a year, of another store's order.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { giveBack, keyIn, noticeOf, refundedOf, scriptedPayments, tell } from "../payment/ScriptedProvider.ts"
import { refundShopOf } from "./refundShop.ts"

let shop: TestCommerce
let at: ReturnType<typeof refundShopOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", ...scriptedPayments })
  at = refundShopOf(shop)
})
afterAll(async () => {
  expect(await at.audited()).toEqual([])
  await shop.close()
})

const patch = (orderId: string, status: string) =>
  shop.call("PATCH", `/v1/orders/${orderId}/status`, { body: { status } })
const cancel = (orderId: string) => shop.call("POST", `/v1/orders/${orderId}/cancel`, { body: { refund: true } })

/** How an order that is paid gets there, with its money still captured. */
const ways = {
  PAID: async () => (await at.bought()).orderId,
  PROCESSING: async () => {
    const { orderId } = await at.bought()
    expect((await patch(orderId, "PROCESSING")).status).toBe(200)
    return orderId
  },
  SHIPPED: async () => {
    const { orderId } = await at.bought()
    expect((await shop.call("POST", `/v1/orders/${orderId}/fulfill`, { body: {} })).status).toBe(200)
    return orderId
  },
  DELIVERED: async () => {
    const { orderId } = await at.bought()
    expect((await shop.call("POST", `/v1/orders/${orderId}/fulfill`, { body: { delivered: true } })).status).toBe(200)
    return orderId
  },
  // Its refund has failed, so that the money is there still.
  CANCELLED: async () => {
    const { orderId } = await at.bought("refund_refused")
    await cancel(orderId)
    return orderId
  },
  // Moved there by hand, which moves no money.
  REFUNDED: async () => {
    const { orderId } = await at.bought()
    expect((await patch(orderId, "REFUNDED")).status).toBe(200)
    return orderId
  }
} as const
type State = keyof typeof ways

/** From a state to the state after a refund of all of it, and of a part. */
const table: Readonly<Record<State, { readonly full: string; readonly partial: string }>> = {
  PAID: { full: "REFUNDED", partial: "PAID" },
  PROCESSING: { full: "REFUNDED", partial: "PARTIALLY_REFUNDED" },
  SHIPPED: { full: "REFUNDED", partial: "PARTIALLY_REFUNDED" },
  DELIVERED: { full: "REFUNDED", partial: "PARTIALLY_REFUNDED" },
  CANCELLED: { full: "CANCELLED", partial: "CANCELLED" },
  REFUNDED: { full: "REFUNDED", partial: "REFUNDED" }
}
const cells = (Object.keys(ways) as ReadonlyArray<State>).flatMap((state) =>
  (["full", "partial"] as const).map((part) => [state, part] as const)
)
const refundedEvents = async (orderId: string) =>
  (await at.eventsOf(orderId)).filter(({ type }) => type === "order.refunded").map(({ data }) => data)
const unitsOf = (orderId: string) =>
  at.rows(
    `SELECT s.total, s.reserved FROM stock s JOIN order_item i ON i.store_id = s.store_id AND i.product_id = s.product_id
      WHERE i.order_id = $1`,
    [orderId]
  )

describe("a refund in the provider's dashboard of an order that is", () => {
  it.each(cells)("%s, %s", async (state, part) => {
    const orderId = await ways[state]()
    const before = await at.order(orderId)
    const units = await unitsOf(orderId)
    expect([before.status, before.financialStatus]).toEqual([state, "paid"])
    const amount = part === "full" ? undefined : "10.00"
    await at.atProvider(orderId, "refunded", amount)
    const after = await at.order(orderId)
    expect([after.status, after.financialStatus, after.paymentRefundedAmount]).toEqual([
      table[state][part],
      part === "full" ? "refunded" : "partially_refunded",
      part === "full" ? "25.00" : "10.00"
    ])
    expect(after.statusHistory.slice(before.statusHistory.length)).toEqual([
      {
        at: after.updatedAt,
        from: state,
        to: table[state][part],
        reason: "refunded at the provider",
        actor: { type: "provider", id: "test", name: "test" },
        source: "provider"
      }
    ])
    expect(after.refunds.at(-1)).toMatchObject({ source: "provider", type: part, status: "succeeded" })
    const told = await refundedEvents(orderId)
    expect(told).toMatchObject([{ orderId, refundType: part, source: "provider" }])
    expect(Object.keys(told[0] ?? {}).toSorted()).toEqual(["order", "orderId", "refundType", "source"])
    expect(await unitsOf(orderId)).toEqual(units)
  })
})

describe("the notice of a refund", () => {
  let paid = 0
  /** An order that the scripted company was paid for, and the key of its charge. */
  const boughtThere = async () => {
    const lamp = await at.shopper.product({ name: "Lamp", price: 2_500n, stock: 5 })
    const checkoutId = await at.shopper.checkout(await at.shopper.cart([lamp, 1]))
    const done = await at.shopper.complete(checkoutId, `there-${paid++}`, {
      paymentMethod: "provider",
      providerId: "scripted",
      paymentReference: "approve"
    })
    expect(done.status).toBe(200)
    return { orderId: done.body.orderId as string, key: keyIn(shop.storeId, checkoutId) }
  }
  const versionOf = async (orderId: string) => (await at.order(orderId)).updatedAt

  it("that is sent again changes nothing, nor does another one of the same", async () => {
    const { orderId, key } = await boughtThere()
    giveBack(key, 1_000n)
    const notice = noticeOf(key)
    expect(await tell(shop, notice)).toBe(true)
    const version = await versionOf(orderId)
    await at.advance(1_000)
    await tell(shop, notice)
    await tell(shop, noticeOf(key))
    expect(await versionOf(orderId)).toBe(version)
    expect(await refundedEvents(orderId)).toHaveLength(1)
    expect(await at.order(orderId)).toMatchObject({
      financialStatus: "partially_refunded",
      refunds: [{ amount: "10.00", source: "provider" }]
    })
  })

  it("a year after the order is followed as any other", async () => {
    const { orderId, key } = await boughtThere()
    await at.advance(366 * 86_400_000)
    giveBack(key, 2_500n)
    expect(await tell(shop, noticeOf(key))).toBe(true)
    expect(await at.order(orderId)).toMatchObject({ status: "REFUNDED", financialStatus: "refunded" })
    expect(refundedOf(key)).toBe(2_500n)
    expect((await at.refund(orderId, { amount: "0.01" })).status).toBe(422)
  })

  it("that names a charge of nobody, or one by the name of another store, changes no order", async () => {
    const { orderId, key } = await boughtThere()
    const other = await shop.openStore()
    giveBack(key, 1_000n)
    const version = await versionOf(orderId)
    expect(await tell(shop, noticeOf(key.replace(shop.storeId, other.storeId)))).toBe(false)
    expect(await tell(shop, noticeOf(`${shop.storeId}/complete:chk_nobody:1`))).toBe(false)
    expect(await versionOf(orderId)).toBe(version)
    expect(await refundedEvents(orderId)).toEqual([])
    await tell(shop, noticeOf(key))
    expect(await at.order(orderId)).toMatchObject({ paymentRefundedAmount: "10.00" })
    const elsewhere = await shop.call("GET", `/v1/orders/${orderId}/refunds`, { key: other.apiKey })
    expect([elsewhere.status, elsewhere.body.code]).toEqual([404, "ORDER_NOT_FOUND"])
    const taken = await shop.call("POST", `/v1/orders/${orderId}/refunds`, {
      key: other.apiKey,
      body: { amount: "1.00" }
    })
    expect([taken.status, taken.body.code]).toEqual([404, "ORDER_NOT_FOUND"])
  })
})
