import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { renewMemory, shopperOf } from "../Shopper.ts"
import { answer, customersOf, rowsOf, type Shopper } from "./SignedIn.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let other: TestStore
let at: ReturnType<typeof customersOf>
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", statementLog: statements })
  other = await shop.openStore()
  at = customersOf(shop)
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

type Line = readonly [productId: string, quantity: number, metadata?: object]
const fill = async (token: string | undefined, cartId: string, ...lines: ReadonlyArray<Line>) => {
  for (const [productId, quantity, metadata] of lines) {
    const added = await at.as(token, "POST", `${at.vc}/cart/${cartId}/items`, {
      productId,
      quantity,
      ...(metadata === undefined ? {} : { metadata })
    })
    if (added.status !== 200) throw new Error(added.text)
  }
}
const guestCart = async (...lines: ReadonlyArray<Line>) => {
  const { body } = await shop.call("POST", `${at.vc}/cart`)
  await fill(undefined, body.id, ...lines)
  return body as { readonly id: string; readonly sessionToken: string }
}
const ownCart = async ({ token }: Shopper, ...lines: ReadonlyArray<Line>) => {
  const { body } = await at.me(token, "GET", "/cart")
  await fill(token, body.id, ...lines)
  return body as { readonly id: string; readonly sessionToken: string }
}
const merge = ({ token }: Shopper, sessionToken: string) =>
  at.as(token, "POST", `${at.vc}/cart/merge`, { sessionToken })
const get = ({ token }: { readonly token?: string }, cartId: string) => at.as(token, "GET", `${at.vc}/cart/${cartId}`)
const quantities = (cart: {
  readonly items: ReadonlyArray<{ readonly productId: string; readonly quantity: number }>
}) => cart.items.map(({ productId, quantity }) => [productId, quantity])
const address = { firstName: "Ada", line1: "1 Main St", city: "Town", country: "US" }
const order = async ({ token, email }: Shopper, cartId: string) => {
  const { body: checkout } = await at.as(token, "POST", `${at.vc}/checkout`, { cartId })
  const path = `${at.vc}/checkout/${checkout.id}`
  await at.as(token, "PATCH", `${path}/customer`, { email })
  await at.as(token, "PATCH", `${path}/shipping`, { shippingAddress: address })
  const headers = { authorization: `Bearer ${token}`, "idempotency-key": `order-${checkout.id}` }
  const done = await shop.call("POST", `${path}/complete`, { body: {}, headers })
  if (done.status !== 200) throw new Error(done.text)
  return { checkout, id: done.body.orderId as string }
}

describe("a signed-in customer's cart", () => {
  it("is theirs from the start, and a guest's is nobody's", async () => {
    const { id, token } = await at.known()
    const made = await at.as(token, "POST", `${at.vc}/cart`)
    expect([made.status, made.body.customerId]).toEqual([201, id])
    expect(made.body.id).toMatch(/^cart_[0-9a-z]{36}$/)
    expect(made.body.sessionToken).toMatch(/^cs_[0-9a-f]{64}$/)
    expect(await guestCart()).toMatchObject({ customerId: null })
  })

  it("answers to nobody else: another customer, a guest with its session or a bad token find nothing", async () => {
    const lamp = await shopper.product()
    const owner = await at.known()
    const cart = await ownCart(owner, [lamp, 1])
    const { body: seen } = await get(owner, cart.id)
    const item = `/${cart.id}/items/${seen.items[0].id}`
    const stranger = await at.known()
    for (const token of [stranger.token, undefined, "nonsense"]) {
      for (const [method, path, body] of [
        ["GET", `/${cart.id}`],
        ["GET", `/session/${cart.sessionToken}`],
        ["PATCH", `/${cart.id}`, { notes: "mine" }],
        ["DELETE", `/${cart.id}`],
        ["POST", `/${cart.id}/items`, { productId: lamp, quantity: 1 }],
        ["PATCH", item, { quantity: 9 }],
        ["DELETE", item],
        ["POST", `/${cart.id}/refresh-snapshots`]
      ] as const) {
        expect(await answer(at.as(token, method, `${at.vc}/cart${path}`, body))).toEqual([404, "RESOURCE_NOT_FOUND"])
      }
      expect(
        await answer(at.as(token, "POST", `${at.vc}/checkout`, { cartId: cart.id, sessionToken: cart.sessionToken }))
      ).toEqual([404, "RESOURCE_NOT_FOUND"])
    }
    expect((await get(owner, cart.id)).body).toEqual(seen)
    expect((await at.as(owner.token, "GET", `${at.vc}/cart/session/${cart.sessionToken}`)).body).toEqual(seen)
  })

  it("is found again on any device, made when there is none, and one of its own on every channel", async () => {
    const lamp = await shopper.product()
    const customer = await at.known()
    const first = await at.me(customer.token, "GET", "/cart")
    expect([first.status, first.body.customerId, first.body.status, first.body.items]).toEqual([
      200,
      customer.id,
      "ACTIVE",
      []
    ])
    await fill(customer.token, first.body.id, [lamp, 2])
    const elsewhere = await at.me(await at.issue(customer.id), "GET", "/cart")
    expect([elsewhere.body.id, quantities(elsewhere.body)]).toEqual([first.body.id, [[lamp, 2]]])
    const { body: sister } = await at.admin("POST", "/sales-channels", { name: "sister" })
    const there = customersOf(shop, { ...shop, channelId: sister.id })
    const token = await at.issue(customer.id, sister.id)
    const made = await there.me(token, "GET", "/cart")
    expect([made.body.id === first.body.id, made.body.customerId]).toEqual([false, customer.id])
    expect(await answer(there.as(token, "GET", `${there.vc}/cart/${first.body.id}`))).toEqual([
      404,
      "RESOURCE_NOT_FOUND"
    ])
    expect(await answer(at.me(undefined, "GET", "/cart"))).toEqual([401, "UNAUTHORIZED"])
  })

  it("is a new one once the old was bought, has expired, or holds prices of a currency the store has left", async () => {
    const customer = await at.known()
    const bought = await ownCart(customer, [await shopper.product(), 1])
    await order(customer, bought.id)
    expect((await get(customer, bought.id)).body.status).toBe("CONVERTED")
    const second = await ownCart(customer)
    expect(second.id).not.toBe(bought.id)
    await rowsOf(shop, "UPDATE cart SET currency = 'EUR' WHERE id = $1", [second.id])
    const third = await ownCart(customer)
    expect(third.id).not.toBe(second.id)
    await rowsOf(shop, "UPDATE cart SET expires_at = created_at WHERE id = $1", [third.id])
    expect((await ownCart(customer)).id).not.toBe(third.id)
  })

  it("may be made by the merchant, and is then what the customer finds", async () => {
    const lamp = await shopper.product()
    const customer = await at.known()
    const made = await at.admin("POST", "/cart", { customerId: customer.id, salesChannelId: shop.channelId })
    expect([made.status, made.body.customerId]).toEqual([201, customer.id])
    await at.admin("POST", `/cart/${made.body.id}/items`, { productId: lamp, quantity: 3 })
    const found = await at.me(customer.token, "GET", "/cart")
    expect([found.body.id, quantities(found.body)]).toEqual([made.body.id, [[lamp, 3]]])
    const foreign = await customersOf(shop, other).known()
    expect(await answer(at.admin("POST", "/cart", { customerId: foreign.id }))).toEqual([404, "CUSTOMER_NOT_FOUND"])
  })
})

describe("a checkout and its order", () => {
  it("made with a token are the customer's, of their own cart or of a guest's, and nobody else's", async () => {
    const customer = await at.known()
    const stranger = await at.known()
    const cart = await guestCart([await shopper.product(), 1])
    const made = await at.as(customer.token, "POST", `${at.vc}/checkout`, {
      cartId: cart.id,
      sessionToken: cart.sessionToken
    })
    expect([made.status, made.body.customerId]).toEqual([201, customer.id])
    expect(made.body.id).toMatch(/^chk_[0-9a-z]{36}$/)
    const path = `${at.vc}/checkout/${made.body.id}`
    for (const token of [stranger.token, undefined]) {
      expect(await answer(at.as(token, "GET", path))).toEqual([404, "CHECKOUT_NOT_FOUND"])
      expect(await answer(at.as(token, "PATCH", `${path}/customer`, { email: "evil@example.com" }))).toEqual([
        404,
        "CHECKOUT_NOT_FOUND"
      ])
      const headers = {
        "idempotency-key": "stolen",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
      }
      expect(await answer(shop.call("POST", `${path}/complete`, { body: {}, headers }))).toEqual([
        404,
        "CHECKOUT_NOT_FOUND"
      ])
    }
    expect((await at.as(customer.token, "GET", path)).body.id).toBe(made.body.id)
    expect(
      await answer(shop.call("POST", `${at.vc}/checkout`, { body: { cartId: cart.id, sessionToken: "cs_wrong" } }))
    ).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("are listed for the customer newest first, without what is the merchant's business", async () => {
    const lamp = await shopper.product()
    const customer = await at.known()
    const stranger = await at.known()
    const ids: Array<string> = []
    for (let i = 0; i < 3; i++) {
      await shop.call("POST", "/test/clock", { body: { advanceMs: 5 } })
      ids.unshift((await order(customer, (await ownCart(customer, [lamp, 1])).id)).id)
    }
    const listed = await at.me(customer.token, "GET", "/orders?limit=2")
    expect(listed.body.meta).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 })
    expect(listed.body.data.map((one: { readonly id: string }) => one.id)).toEqual(ids.slice(0, 2))
    expect((await at.me(customer.token, "GET", "/orders?limit=1000")).body.meta.limit).toBe(100)
    expect(await answer(at.me(customer.token, "GET", "/orders?page=0"))).toEqual([400, "VALIDATION_FAILED"])
    const shown = await at.me(customer.token, "GET", `/orders/${ids[0]}`)
    expect(shown.body).toEqual(listed.body.data[0])
    const { body: whole } = await at.admin("GET", `/orders/${ids[0]}`)
    const hidden = [
      "adminFieldValues",
      "disputes",
      "externalId",
      "isRead",
      "paymentCapabilities",
      "paymentExternalId",
      "statusHistory",
      "syncWarning"
    ]
    expect(
      Object.keys(whole)
        .filter((key) => !(key in shown.body))
        .toSorted()
    ).toEqual(hidden)
    expect([shown.body.customerId, shown.body.customer.email, shown.body.shippingAddress.name]).toEqual([
      customer.id,
      customer.email,
      "Ada"
    ])
    expect((await at.me(stranger.token, "GET", "/orders")).body).toEqual({
      data: [],
      meta: { page: 1, limit: 20, total: 0, totalPages: 0 }
    })
    const { body: guests } = await at.admin("POST", "/orders", {
      customer: { email: customer.email },
      items: [{ productId: lamp, quantity: 1 }]
    })
    for (const [token, id] of [
      [stranger.token, ids[0]],
      [customer.token, guests.id],
      [customer.token, "ord_none"]
    ] as const) {
      expect(await answer(at.me(token, "GET", `/orders/${id}`))).toEqual([404, "ORDER_NOT_FOUND"])
    }
    expect(await answer(at.me(undefined, "GET", "/orders"))).toEqual([401, "UNAUTHORIZED"])
  })
})

describe("the cart filled before signing in", () => {
  it("goes into the customer's: equal lines add up at the price shown there, the others follow", async () => {
    const [lamp, chair, desk] = [
      await shopper.product({ price: 1_000n }),
      await shopper.product(),
      await shopper.product()
    ]
    const customer = await at.known()
    const target = await ownCart(customer, [lamp, 1], [chair, 1])
    await at.admin("PATCH", `/products/${lamp}`, { basePrice: "12.00" })
    const source = await guestCart([desk, 4], [lamp, 2], [chair, 1, { engraving: "A" }])
    const merged = await merge(customer, source.sessionToken)
    expect([merged.status, merged.body.id, merged.body.customerId, merged.body.status]).toEqual([
      200,
      target.id,
      customer.id,
      "ACTIVE"
    ])
    expect(quantities(merged.body)).toEqual([
      [lamp, 3],
      [chair, 1],
      [desk, 4],
      [chair, 1]
    ])
    expect(merged.body.items[0]).toMatchObject({ unitPrice: "10.00", totalPrice: "30.00" })
    expect(merged.body.items[3].metadata).toEqual({ engraving: "A" })
    expect(merged.body).toMatchObject({
      itemCount: 9,
      hasPriceChanges: true,
      hasUnavailableItems: false,
      unavailableItemIds: []
    })
    expect((await get(customer, target.id)).body).toEqual(merged.body)
  })

  it("is MERGED, empty and closed; asking again answers the same cart, changed by nothing", async () => {
    const lamp = await shopper.product()
    const customer = await at.known()
    const [target, source] = [await ownCart(customer), await guestCart([lamp, 2])]
    await renewMemory(shop)
    await at.me(customer.token)
    statements.reset()
    const { body: merged } = await merge(customer, source.sessionToken)
    expect([merged.id, statements.statements().length]).toEqual([target.id, 4])
    const left = await get({}, source.id)
    expect([left.status, left.body.status, left.body.items, left.body.customerId]).toEqual([200, "MERGED", [], null])
    const refused = await at.as(undefined, "POST", `${at.vc}/cart/${source.id}/items`, { productId: lamp, quantity: 1 })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([409, "CONFLICT", { status: "MERGED" }])
    expect(await answer(at.as(undefined, "POST", `${at.vc}/checkout`, { cartId: source.id }))).toEqual([
      409,
      "CONFLICT"
    ])
    const again = await merge(customer, source.sessionToken)
    expect([again.status, again.body]).toEqual([200, merged])
    await fill(customer.token, merged.id, [lamp, 1])
    await order(customer, merged.id)
    const after = await merge(customer, source.sessionToken)
    expect([after.body.id === merged.id, after.body.status, after.body.items]).toEqual([false, "ACTIVE", []])
  })

  it("stays MERGED, and its checkouts are cancelled: they cannot be completed any more", async () => {
    const lamp = await shopper.product({ stock: 5 })
    const source = await guestCart([lamp, 1])
    const checkoutId = await shopper.checkout(source.id)
    const customer = await at.known()
    const { body: merged } = await merge(customer, source.sessionToken)
    expect(await answer(shopper.complete(checkoutId, `merged-${lamp}`))).toEqual([409, "CONFLICT"])
    expect((await get({}, source.id)).body.status).toBe("MERGED")
    const again = await merge(customer, source.sessionToken)
    expect([again.status, again.body.id]).toEqual([200, merged.id])
  })

  it("becomes a cart of the customer's where they have none, and their own cart merges into itself unchanged", async () => {
    const lamp = await shopper.product()
    const customer = await at.known()
    const source = await guestCart([lamp, 2])
    const merged = await merge(customer, source.sessionToken)
    expect([merged.body.customerId, merged.body.id === source.id, quantities(merged.body)]).toEqual([
      customer.id,
      false,
      [[lamp, 2]]
    ])
    expect((await at.me(customer.token, "GET", "/cart")).body).toEqual(merged.body)
    expect((await merge(customer, merged.body.sessionToken)).body).toEqual(merged.body)
    const second = await at.as(customer.token, "POST", `${at.vc}/cart`)
    await fill(customer.token, second.body.id, [lamp, 1])
    const both = await merge(customer, merged.body.sessionToken)
    expect([both.body.id, quantities(both.body)]).toEqual([second.body.id, [[lamp, 3]]])
  })

  it("gives what stock suffices for and names the rest; nothing is refused", async () => {
    const scarce = await shopper.product({ stock: 5 })
    const gone = await shopper.product({ stock: 3 })
    const dropped = await shopper.product({ stock: 3 })
    const plenty = await shopper.product({ stock: 0, trackingMode: "UNTRACKED" })
    const customer = await at.known()
    await ownCart(customer, [scarce, 3])
    const source = await guestCart([scarce, 4], [scarce, 1, { engraving: "A" }], [gone, 2], [dropped, 1], [plenty, 9])
    await at.admin("PUT", `/products/${gone}/inventory`, { total: 0 })
    await at.admin("PATCH", `/products/${dropped}`, { status: "draft" })
    const merged = await merge(customer, source.sessionToken)
    expect([merged.status, quantities(merged.body)]).toEqual([
      200,
      [
        [scarce, 5],
        [scarce, 1],
        [gone, 2],
        [dropped, 1],
        [plenty, 9]
      ]
    ])
    const ids = merged.body.items.map((item: { readonly id: string }) => item.id)
    expect([merged.body.hasUnavailableItems, merged.body.unavailableItemIds.toSorted()]).toEqual([
      true,
      ids.slice(0, 4).toSorted()
    ])
  })

  it("is not held back by the limit of lines, which still holds for the next new line", async () => {
    const lamp = await shopper.product({ stock: 1_000 })
    const customer = await at.known()
    const [target, source] = [await ownCart(customer), await guestCart()]
    for (const [cart, from] of [
      [target, 1],
      [source, 31]
    ] as const) {
      await rowsOf(
        shop,
        `INSERT INTO cart_item (store_id, cart_id, id, identity, product_id, quantity, unit_price, metadata, customizations, modifiers, created_at)
          SELECT $1, $2, 'item_' || n, 'line ' || n, $3, 1, 1000, '{}', '{}', '[]', now() FROM generate_series($4::int, $4::int + 29) n`,
        [shop.storeId, cart.id, lamp, from]
      )
    }
    await renewMemory(shop)
    await at.me(customer.token)
    statements.reset()
    const merged = await merge(customer, source.sessionToken)
    expect([merged.status, merged.body.items.length, merged.body.itemCount]).toEqual([200, 60, 60])
    expect(statements.statements().length).toBe(4)
    const refused = await at.as(customer.token, "POST", `${at.vc}/cart/${target.id}/items`, {
      productId: lamp,
      quantity: 1
    })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      400,
      "CART_LINE_LIMIT_REACHED",
      { maxLines: 50 }
    ])
  })

  it("brings its coupon only where the customer's cart has none", async () => {
    const couponOf = (cartId: string, code: string) =>
      rowsOf(shop, "UPDATE cart SET coupon_code = $2 WHERE id = $1", [cartId, code])
    const lamp = await shopper.product()
    for (const [own, expected] of [
      [null, "GUEST"],
      ["OWN", "OWN"]
    ] as const) {
      const customer = await at.known()
      const target = await ownCart(customer)
      if (own !== null) await couponOf(target.id, own)
      const source = await guestCart([lamp, 1])
      await couponOf(source.id, "GUEST")
      expect((await merge(customer, source.sessionToken)).body.couponCode).toBe(expected)
    }
  })

  it("of a currency the store has left comes at today's prices", async () => {
    const lamp = await shopper.product({ price: 1_000n })
    const customer = await at.known()
    const source = await guestCart([lamp, 2])
    await rowsOf(shop, "UPDATE cart SET currency = 'JPY' WHERE id = $1", [source.id])
    await rowsOf(shop, "UPDATE cart_item SET unit_price = 5 WHERE cart_id = $1", [source.id])
    const merged = await merge(customer, source.sessionToken)
    expect(merged.body).toMatchObject({ currency: "USD", subtotal: "20.00", hasPriceChanges: false })
  })

  it("is unknown when it is nobody's, another customer's, another channel's, or went into another customer's", async () => {
    const lamp = await shopper.product()
    const customer = await at.known()
    const thief = await at.known()
    const owned = await ownCart(customer, [lamp, 1])
    const merged = await guestCart([lamp, 1])
    await merge(customer, merged.sessionToken)
    const { body: elsewhere } = await shop.call("POST", `/vc/${other.channelId}/cart`)
    const { body: before } = await get(customer, owned.id)
    for (const session of [owned.sessionToken, merged.sessionToken, elsewhere.sessionToken, "cs_none"]) {
      expect(await answer(merge(thief, session))).toEqual([404, "RESOURCE_NOT_FOUND"])
    }
    expect((await get(customer, owned.id)).body).toEqual(before)
    expect((await at.me(thief.token, "GET", "/cart")).body.items).toEqual([])
    expect(
      await answer(at.as(undefined, "POST", `${at.vc}/cart/merge`, { sessionToken: merged.sessionToken }))
    ).toEqual([401, "UNAUTHORIZED"])
    for (const body of [{}, { sessionToken: "" }, { sessionToken: 5 }]) {
      expect(await answer(at.as(thief.token, "POST", `${at.vc}/cart/merge`, body))).toEqual([400, "VALIDATION_FAILED"])
    }
  })

  it("that was bought or has expired is 409", async () => {
    const lamp = await shopper.product()
    const customer = await at.known()
    for (const [change, status] of [
      ["status = 'CONVERTED'", "CONVERTED"],
      ["expires_at = created_at", "EXPIRED"]
    ]) {
      const source = await guestCart([lamp, 1])
      await rowsOf(shop, `UPDATE cart SET ${change} WHERE id = $1`, [source.id])
      const refused = await merge(customer, source.sessionToken)
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([409, "CONFLICT", { status }])
    }
  })
})

describe("where carts hold stock, the cart filled before signing in", () => {
  const strategy = (name: string) => at.admin("PATCH", "/store", { reservation: { strategy: name, minutes: 15 } })
  const stockOf = async (id: string) => (await at.admin("GET", `/products/${id}/inventory`)).body
  beforeAll(() => strategy("ON_CART"))
  afterEach(async () => {
    const held = await rowsOf(
      shop,
      "SELECT c.id FROM reservation r JOIN cart c ON c.id = r.holder_id WHERE c.status = 'MERGED'"
    )
    expect(held).toEqual([])
  })
  afterAll(() => strategy("ON_PAYMENT"))

  it("brings its units along: the same are held, by the customer's cart, for the full time", async () => {
    const lamp = await shopper.product({ stock: 5 })
    const customer = await at.known()
    await ownCart(customer, [lamp, 2])
    const source = await guestCart([lamp, 3])
    expect(await stockOf(lamp)).toMatchObject({ reserved: 5, available: 0 })
    const merged = await merge(customer, source.sessionToken)
    expect(quantities(merged.body)).toEqual([[lamp, 5]])
    expect(merged.body.unavailableItemIds).toEqual([])
    expect(merged.body.reservation).toMatchObject({ hasReservation: true, remainingSeconds: 900 })
    expect(await stockOf(lamp)).toMatchObject({ reserved: 5, available: 0 })
    expect((await get(customer, merged.body.id)).body.reservation.hasReservation).toBe(true)
  })

  it("holds what it can where units were lost since", async () => {
    const lamp = await shopper.product({ stock: 4 })
    const customer = await at.known()
    const source = await guestCart([lamp, 4])
    await rowsOf(shop, "DELETE FROM reservation WHERE holder_id = $1", [source.id])
    await rowsOf(shop, "UPDATE stock SET reserved = 0, total = 3 WHERE key = $1", [lamp])
    const merged = await merge(customer, source.sessionToken)
    expect([merged.status, quantities(merged.body)]).toEqual([200, [[lamp, 3]]])
    expect(merged.body.unavailableItemIds).toEqual([merged.body.items[0].id])
    expect(merged.body.reservation.hasReservation).toBe(true)
    expect(await stockOf(lamp)).toMatchObject({ reserved: 3, available: 0 })
  })
})
