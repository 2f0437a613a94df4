import { Reservations } from "@effect-commerce/core/inventory/Reservations"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf } from "../customer/SignedIn.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce()
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const strategy = (name: "ON_CART" | "ON_PAYMENT", minutes = 15) =>
  shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: name, minutes } } })
const extend = (body: object, channelId = shop.channelId) =>
  shop.call("POST", `/vc/${channelId}/reservation/extend`, { body })
const release = (body: object, channelId = shop.channelId) =>
  shop.call("POST", `/vc/${channelId}/reservation/release`, { body })
const stockOf = async (id: string) => (await shop.call("GET", `/v1/products/${id}/inventory`)).body
const forward = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
const nothing = {
  hasReservation: false,
  expiresAt: null,
  remainingSeconds: 0,
  strategy: "ON_CART",
  countdownMessage: null
}

const expire = () =>
  shop.run(
    Effect.flatMap(Reservations, (reservations) => reservations.releaseExpired) as unknown as Effect.Effect<void>
  )

describe("where stock is taken at payment", () => {
  it("there is nothing to extend or to give back", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product({ stock: 5 })
    const cartId = await shopper.cart([lamp, 2])
    expect((await stockOf(lamp)).reserved).toBe(0)
    for (const answer of [await extend({ cartId }), await release({ cartId }), await extend({ cartId: "cart_none" })]) {
      expect([answer.status, answer.body.code, answer.body.details]).toEqual([
        400,
        "BAD_REQUEST",
        { strategy: "ON_PAYMENT" }
      ])
    }
  })
})

describe("where carts hold stock", () => {
  beforeAll(() => strategy("ON_CART"))
  afterAll(() => strategy("ON_PAYMENT"))

  it("a reservation is kept longer, from now on", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product({ stock: 5 })
    const cartId = await shopper.cart([lamp, 2])
    const before = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.reservation
    await forward(10 * 60_000)
    const answer = await extend({ cartId })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      reservation: {
        hasReservation: true,
        expiresAt: expect.any(String),
        remainingSeconds: 900,
        strategy: "ON_CART",
        countdownMessage: "Your items are reserved for 15:00"
      }
    })
    expect(Date.parse(answer.body.reservation.expiresAt) - Date.parse(before.expiresAt)).toBeGreaterThanOrEqual(
      10 * 60_000
    )
    expect((await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.reservation.expiresAt).toBe(
      answer.body.reservation.expiresAt
    )
    expect(await stockOf(lamp)).toMatchObject({ total: 5, reserved: 2, available: 3 })
  })

  it("is given back at once, and a second time there is nothing to do", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product({ stock: 5 })
    const cartId = await shopper.cart([lamp, 2])
    for (const _ of [1, 2]) {
      const answer = await release({ cartId })
      expect([answer.status, answer.body]).toEqual([200, { success: true }])
      expect(await stockOf(lamp)).toMatchObject({ total: 5, reserved: 0, available: 5 })
    }
    expect((await extend({ cartId })).body).toEqual({ success: false, reservation: nothing })
  })

  it("of a checkout is that of its cart", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product({ stock: 5 })
    const checkoutId = await shopper.checkout(await shopper.cart([lamp, 2]))
    expect((await extend({ checkoutId })).body.success).toBe(true)
    expect((await release({ checkoutId })).status).toBe(200)
    expect((await stockOf(lamp)).reserved).toBe(0)
  })

  it("can be named only by those who may see its cart", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product({ stock: 5 })
    const cartId = await shopper.cart([lamp, 2])
    const checkoutId = await shopper.checkout(cartId)
    const second = await shop.call("POST", "/v1/sales-channels", { body: { name: "Second" } })
    const foreign = await shop.openStore()
    await shop.call("PATCH", "/v1/store", {
      key: foreign.apiKey,
      body: { reservation: { strategy: "ON_CART", minutes: 15 } }
    })
    for (const channelId of [second.body.id, foreign.channelId]) {
      const unseen = [
        [{ cartId }, "RESOURCE_NOT_FOUND"],
        [{ checkoutId }, "CHECKOUT_NOT_FOUND"],
        [{ cartId: "cart_none" }, "RESOURCE_NOT_FOUND"],
        [{ cartId, checkoutId: "checkout_none" }, "RESOURCE_NOT_FOUND"]
      ] as const
      for (const [body, code] of unseen)
        for (const answer of [await extend(body, channelId), await release(body, channelId)])
          expect([answer.status, answer.body.code]).toEqual([404, code])
    }
    const other = await extend({ cartId, checkoutId: "checkout_none" })
    expect([other.status, other.body.code]).toEqual([404, "CHECKOUT_NOT_FOUND"])
    expect((await stockOf(lamp)).reserved).toBe(2)
  })

  it("names a cart or a checkout", async () => {
    for (const body of [{}, { cartId: null }]) expect((await extend(body)).body.code).toBe("VALIDATION_FAILED")
    expect((await release({ cartId: 7 })).body.code).toBe("VALIDATION_FAILED")
  })

  it("that has run out cannot be extended, and its units go back to the shelf", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product({ stock: 2 })
    const late = await shopper.cart([lamp, 2])
    await forward(15 * 60_000)
    expect((await extend({ cartId: late })).body).toEqual({ success: false, reservation: nothing })
    await shop.run(
      Effect.flatMap(Reservations, (reservations) => reservations.releaseExpired) as unknown as Effect.Effect<void>
    )
    expect(await stockOf(lamp)).toMatchObject({ total: 2, reserved: 0, available: 2 })
    const quick = await shopper.cart([lamp, 2])
    expect((await shop.call("GET", `${shopper.at}/cart/${quick}`)).body.reservation.hasReservation).toBe(true)
    expect(await stockOf(lamp)).toMatchObject({ total: 2, reserved: 2, available: 0 })
    const held = await client.query("SELECT holder_id, quantity FROM reservation WHERE key = $1", [lamp])
    expect(held.rows).toEqual([{ holder_id: quick, quantity: 2 }])
  })

  it("is held for at most four times the store's time, however often it is extended, released or changed", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product({ stock: 5 })
    const cartId = await shopper.cart([lamp, 2])
    const at = `${shopper.at}/cart/${cartId}`
    const [line] = (await shop.call("GET", at)).body.items
    const change = (quantity: number) => shop.call("PATCH", `${at}/items/${line.id}`, { body: { quantity } })
    const left = async () => (await shop.call("GET", at)).body.reservation.remainingSeconds as number
    for (const minute of [14, 28]) {
      await forward(14 * 60_000)
      expect([minute, (await extend({ cartId })).body.reservation.remainingSeconds]).toEqual([minute, 900])
    }
    await forward(14 * 60_000)
    expect((await release({ cartId })).body).toEqual({ success: true })
    expect((await change(3)).status).toBe(200)
    expect(await left()).toBeGreaterThan(890)
    await forward(14 * 60_000)
    expect((await change(2)).status).toBe(200)
    // 56 minutes have passed, and the time that the requests took.
    expect(await left()).toBeLessThanOrEqual(240)
    const last = (await extend({ cartId })).body.reservation.remainingSeconds
    expect([last <= 240, last > 180]).toEqual([true, true])
    await forward(240_000)
    const refused = await extend({ cartId })
    expect([refused.status, refused.body.code]).toEqual([409, "RESERVATION_EXPIRED"])
    await expire()
    expect((await stockOf(lamp)).reserved).toBe(0)
    // A write that changes no line holds nothing.
    expect((await change(2)).status).toBe(200)
    expect((await shop.call("PATCH", at, { body: { notes: "Soon" } })).status).toBe(200)
    expect([(await extend({ cartId })).status, (await stockOf(lamp)).reserved]).toEqual([409, 0])
    expect((await change(1)).status).toBe(200)
    expect([await left(), (await stockOf(lamp)).reserved]).toEqual([900, 1])
    await forward(14 * 60_000)
    expect((await extend({ cartId })).body.reservation.remainingSeconds).toBe(900)
  })

  it("of a cart that another goes into has been held for as long as either", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product({ stock: 5 })
    const customers = customersOf(shop)
    const { token } = await customers.signUp()
    const cartId = await shopper.cart([lamp, 2])
    for (const _ of [1, 2, 3]) {
      await forward(14 * 60_000)
      await extend({ cartId })
    }
    await forward(14 * 60_000)
    const { sessionToken } = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    const merged = await customers.as(token, "POST", `${customers.vc}/cart/merge`, { sessionToken })
    expect(merged.status).toBe(200)
    expect(merged.body.reservation.remainingSeconds).toBeLessThanOrEqual(240)
  })

  it("of all carts together is no more than can be stored, where the merchant sells without limit", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product({ stock: 5 })
    const set = await shop.call("PUT", `/v1/products/${lamp}/inventory`, { body: { backorderMode: "ALLOW" } })
    expect(set.status).toBe(200)
    // As many carts have come to hold.
    await client.query("UPDATE stock SET reserved = 2147483640 WHERE key = $1", [lamp])
    const cartId = await shopper.cart([lamp, 7])
    const refused = await shop.call("POST", `${shopper.at}/cart/${cartId}/items`, {
      body: { productId: lamp, quantity: 1 }
    })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      400,
      "INSUFFICIENT_STOCK",
      { available: 7, requested: 8 }
    ])
    await client.query("UPDATE stock SET reserved = 7 WHERE key = $1", [lamp])
    expect((await stockOf(lamp)).reserved).toBe(7)
    await release({ cartId })
  })

  it("becomes the sale: what was held is what is sold", async () => {
    const shopper = shopperOf(shop)
    const lamp = await shopper.product({ stock: 2 })
    const checkoutId = await shopper.checkout(await shopper.cart([lamp, 2]))
    expect((await shopper.complete(checkoutId, `held-${lamp}`)).status).toBe(200)
    expect(await stockOf(lamp)).toMatchObject({ total: 0, reserved: 0, available: 0 })
    expect((await client.query("SELECT 1 FROM reservation WHERE key = $1", [lamp])).rowCount).toBe(0)
  })

  it("is not made again for what is being paid for, whatever else is put into the cart meanwhile", async () => {
    const shopper = shopperOf(shop)
    const [lamp, vase] = [await shopper.product({ stock: 3 }), await shopper.product({ stock: 3 })]
    const cartId = await shopper.cart([lamp, 2])
    const checkoutId = await shopper.checkout(cartId)
    await shopper.complete(checkoutId, `paying-${lamp}`, { paymentMethod: "test", paymentReference: "timeout" })
    const add = (productId: string, quantity: number) =>
      shop.call("POST", `${shopper.at}/cart/${cartId}/items`, { body: { productId, quantity } })
    const added = await add(vase, 1)
    expect([added.status, added.body.unavailableItemIds]).toEqual([200, []])
    expect((await stockOf(lamp)).reserved).toBe(2)
    expect((await add(lamp, 1)).status).toBe(200)
    expect((await stockOf(lamp)).reserved).toBe(3)
    const over = await add(lamp, 1)
    expect([over.status, over.body.details]).toEqual([400, { available: 3, requested: 4 }])
    // A shopper who gives back what the cart holds gives back nothing that is being paid for.
    await release({ checkoutId })
    expect([(await stockOf(lamp)).reserved, (await stockOf(vase)).reserved]).toEqual([2, 0])
    await add(vase, 1)
    await shop.call("POST", "/test/provider-events", { body: { checkoutId, type: "captured" } })
    expect(await stockOf(lamp)).toMatchObject({ total: 1, reserved: 0, available: 1 })
    expect(await stockOf(vase)).toMatchObject({ total: 3, reserved: 2, available: 1 })
    const { status, items } = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    expect([status, items.map(({ productId, quantity }: Record<string, unknown>) => [productId, quantity])]).toEqual([
      "ACTIVE",
      [[vase, 2]]
    ])
  })

  it("comes back to the cart when its payment is declined, also where another line has lost its units", async () => {
    const shopper = shopperOf(shop)
    const [lamp, vase] = [await shopper.product({ stock: 1 }), await shopper.product({ stock: 2 })]
    const cartId = await shopper.cart([lamp, 1], [vase, 2])
    const [bought] = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.items
    const made = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId, selectedItemIds: [bought.id] } })
    await shop.call("PATCH", `${shopper.at}/checkout/${made.body.id}/customer`, { body: { email: "ada@example.com" } })
    await shop.call("PATCH", `${shopper.at}/checkout/${made.body.id}/shipping`, {
      body: { shippingAddress: addressIn("CA", "94105") }
    })
    await client.query("BEGIN")
    await client.query("SELECT set_config('app.store_id', $1, true)", [shop.storeId])
    await client.query("DELETE FROM reservation WHERE holder_id = $1 AND key = $2", [cartId, vase])
    await client.query("UPDATE stock SET total = 1, reserved = 0 WHERE key = $1", [vase])
    await client.query("UPDATE stock_movement SET delta = 1 WHERE key = $1", [vase])
    await client.query("COMMIT")
    const declined = await shopper.complete(made.body.id, `declined-${lamp}`, {
      paymentMethod: "test",
      paymentReference: "decline"
    })
    expect([declined.status, declined.body.code]).toEqual([422, "CARD_DECLINED"])
    const held = await client.query(
      "SELECT holder_id, key, quantity FROM reservation WHERE key = ANY($1) ORDER BY key",
      [[lamp, vase]]
    )
    expect(held.rows).toEqual([
      { holder_id: cartId, key: lamp, quantity: 1 },
      { holder_id: cartId, key: vase, quantity: 1 }
    ])
  })

  it("leaves nothing behind where the cart wanted more than was bought in the end", async () => {
    const shopper = shopperOf(shop)
    const [lamp, vase] = [await shopper.product({ stock: 5 }), await shopper.product({ stock: 5 })]
    const cartId = await shopper.cart([lamp, 2])
    const checkoutId = await shopper.checkout(cartId)
    for (const productId of [lamp, vase])
      await shop.call("POST", `${shopper.at}/cart/${cartId}/items`, { body: { productId, quantity: 1 } })
    expect((await stockOf(lamp)).reserved).toBe(3)
    expect((await shopper.complete(checkoutId, `more-${lamp}`)).status).toBe(200)
    expect(await stockOf(lamp)).toMatchObject({ total: 3, reserved: 0, available: 3 })
    expect(await stockOf(vase)).toMatchObject({ total: 5, reserved: 1, available: 4 })
  })
})
