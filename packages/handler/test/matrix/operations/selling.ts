/** What shoppers do on a channel, and what a merchant sets up for it: carts, checkouts, discounts, gift cards, points. */
import { expect } from "vitest"
import { type Ask, careOf } from "./asking.ts"
import type { Catalogue } from "./catalogue.ts"

export const shippingAddress = {
  firstName: "Ada",
  lastName: "Byron",
  line1: "1 Main St",
  city: "Town",
  region: "CA",
  postalCode: "94105",
  country: "US"
}

const buyer = { email: "ada@example.com", firstName: "Ada", lastName: "Byron" }

/** A cart with a lamp in it. */
export const cartOf = async (ask: Ask, lamp: string, as?: string) => {
  const { body } = await ask("POST /vc/{}/cart", 201, { body: {}, ...(as === undefined ? {} : { as }) })
  const filled = await ask("POST /vc/{}/cart/{}/items", 200, {
    ids: [body.id],
    body: { productId: lamp, quantity: 1 },
    ...(as === undefined ? {} : { as })
  })
  return { id: body.id as string, session: body.sessionToken as string, item: filled.body.items[0].id as string }
}

/** A checkout that lacks nothing but its completion. */
export const checkoutOf = async (ask: Ask, cartId: string, as?: string): Promise<string> => {
  const more = as === undefined ? {} : { as }
  const made = await ask("POST /vc/{}/checkout", 201, { body: { cartId }, ...more })
  const ids = [made.body.id]
  await ask("PATCH /vc/{}/checkout/{}/customer", 200, { ids, body: buyer, ...more })
  const shipped = await ask("PATCH /vc/{}/checkout/{}/shipping", 200, { ids, body: { shippingAddress }, ...more })
  const body = { shippingRateId: shipped.body.availableShippingRates[0].id }
  await ask("PATCH /vc/{}/checkout/{}/shipping-method", 200, { ids, body, ...more })
  return made.body.id
}

const carts = async (ask: Ask, lamp: string) => {
  const { id, session, item } = await cartOf(ask, lamp)
  expect((await ask("GET /vc/{}/cart/session/{}", 200, { ids: [session] })).body.id).toBe(id)
  const changed = await ask("PATCH /vc/{}/cart/{}/items/{}", 200, { ids: [id, item], body: { quantity: 2 } })
  expect(changed.body).toMatchObject({ itemCount: 2, subtotal: "20.00" })
  await ask("PATCH /vc/{}/cart/{}", 200, { ids: [id], body: { notes: "Please" } })
  await ask("POST /vc/{}/cart/{}/refresh-snapshots", 200, { ids: [id] })
  expect((await ask("GET /vc/{}/cart/{}", 200, { ids: [id] })).body.notes).toBe("Please")
  expect((await ask("GET /vc/{}/cart/{}/explain", 200, { ids: [id] })).body.subject.type).toBe("cart")
  expect((await ask("DELETE /vc/{}/cart/{}/items/{}", 200, { ids: [id, item] })).body.itemCount).toBe(0)
  expect((await ask("DELETE /vc/{}/cart/{}", 200, { ids: [id] })).body.items).toEqual([])
  const { body: own } = await ask("POST /v1/cart", 201, { body: {} })
  const ids = [own.id]
  const filled = await ask("POST /v1/cart/{}/items", 200, { ids, body: { productId: lamp, quantity: 60 } })
  const line = [own.id, filled.body.items[0].id]
  await ask("PATCH /v1/cart/{}/items/{}", 200, { ids: line, body: { quantity: 3 } })
  await ask("PATCH /v1/cart/{}", 200, { ids, body: { notes: "By phone" } })
  expect((await ask("GET /v1/cart/{}", 200, { ids })).body.subtotal).toBe("30.00")
  expect((await ask("GET /v1/cart/{}/explain", 200, { ids })).body.totals.subtotal).toBe("30.00")
  await ask("DELETE /v1/cart/{}/items/{}", 200, { ids: line })
  await ask("DELETE /v1/cart/{}", 200, { ids })
}

const held = async (ask: Ask, lamp: string) => {
  await ask("PATCH /v1/store", 200, { body: { reservation: { strategy: "ON_CART", minutes: 30 } } })
  const { id } = await cartOf(ask, lamp)
  const extended = await ask("POST /vc/{}/reservation/extend", 200, { body: { cartId: id } })
  expect(extended.body).toMatchObject({ success: true, reservation: { hasReservation: true, strategy: "ON_CART" } })
  expect((await ask("POST /vc/{}/reservation/release", 200, { body: { cartId: id } })).body.success).toBe(true)
  await ask("PATCH /v1/store", 200, { body: { reservation: { strategy: "ON_PAYMENT", minutes: 30 } } })
}

/** Resolves with two conflicts. */
const coupons = async (ask: Ask): Promise<ReadonlyArray<string>> => {
  const coupon = await careOf(ask, "/v1/coupons", {
    create: { code: "TENTH", type: "PERCENTAGE", value: 10, combinesWithOther: true },
    another: { code: "SPARE" },
    change: { title: "A tenth" }
  })
  await ask("POST /v1/coupons/{}/sync", 200, { ids: [coupon], body: {} })
  await ask("POST /v1/coupons/{}/publish", 200, { ids: [coupon], body: { platforms: ["shopify"] } })
  await ask("GET /v1/coupons/platform-capabilities", 200)
  const conflictOf = async (sourceExternalId: string) => {
    const body = { code: "TENTH", type: "PERCENTAGE", value: 5, source: "shopify", sourceExternalId }
    return (await ask("POST /v1/coupons", 409, { body })).body.details.conflictId as string
  }
  return [await conflictOf("gid-1"), await conflictOf("gid-2")]
}

const discounts = async (ask: Ask, { lamp }: Catalogue) => {
  await careOf(ask, "/v1/promotions", {
    create: { name: "Five off", type: "AMOUNT_OFF", value: "5.00", minimumOrderAmount: "100.00" },
    another: { name: "Spare" },
    change: { name: "Five" }
  })
  const { id } = await cartOf(ask, lamp)
  const ids = [id]
  const entered = await ask("POST /vc/{}/cart/{}/coupon", 200, { ids, body: { code: "tenth" } })
  expect(entered.body).toMatchObject({ couponCode: "TENTH", discountAmount: "1.00" })
  expect((await ask("DELETE /vc/{}/cart/{}/coupon", 200, { ids })).body.couponCode).toBeNull()
  const { body: own } = await ask("POST /v1/cart", 201, { body: {} })
  await ask("POST /v1/cart/{}/items", 200, { ids: [own.id], body: { productId: lamp, quantity: 1 } })
  await ask("POST /v1/cart/{}/coupon", 200, { ids: [own.id], body: { code: "TENTH" } })
  await ask("DELETE /v1/cart/{}/coupon", 200, { ids: [own.id] })
  const checkout = [await checkoutOf(ask, id)]
  const less = await ask("POST /vc/{}/checkout/{}/coupon", 200, { ids: checkout, body: { code: "TENTH" } })
  expect(less.body).toMatchObject({ couponCode: "TENTH", discountAmount: "1.00" })
  await ask("DELETE /vc/{}/checkout/{}/coupon", 200, { ids: checkout })
}

const offers = async (ask: Ask, lamp: string) => {
  const product = async (name: string, basePrice: string) =>
    (await ask("POST /v1/products", 201, { body: { name, basePrice, status: "active", inventory: { total: 9 } } })).body
      .id as string
  const [shade, bulb, large] = [
    await product("Shade", "4.00"),
    await product("Bulb", "2.00"),
    await product("Large", "15.00")
  ]
  const common = { triggerProductId: lamp, discountType: "PERCENTAGE", discountValue: 50 }
  const bundle = await careOf(ask, "/v1/bundle-offers", {
    create: { ...common, name: "With a shade", productIds: [shade] },
    another: { name: "Spare" },
    change: { description: "Half the price" }
  })
  const offer = async (name: string, kind: string, productIds: ReadonlyArray<string>) =>
    (await ask("POST /v1/bundle-offers", 201, { body: { ...common, name, kind, productIds } })).body.id as string
  const bump = await offer("Bulb too", "ORDER_BUMP", [bulb])
  const upgrade = await offer("Larger", "UPGRADE", [large])
  const { id } = await cartOf(ask, lamp)
  const ids = [id]
  expect((await ask("GET /vc/{}/cart/{}/bundles", 200, { ids })).text).toContain(bundle)
  const taken = await ask("POST /vc/{}/cart/{}/bundle", 200, { ids, body: { bundleOfferId: bundle } })
  expect(taken.body.subtotal).toBe("12.00")
  const bundleItem = taken.body.items.find((one: { bundleItemId?: string | null }) => one.bundleItemId)
  await ask("DELETE /vc/{}/cart/{}/bundle/{}", 200, { ids: [id, bundleItem.bundleItemId] })
  const bumped = await ask("POST /vc/{}/cart/{}/order-bump", 200, { ids, body: { offerId: bump } })
  expect(bumped.body.subtotal).toBe("11.00")
  await ask("POST /vc/{}/cart/{}/upgrade", 200, { ids, body: { offerId: upgrade } })
}

const giftCards = async (ask: Ask, lamp: string) => {
  const { body: card } = await ask("POST /v1/gift-cards", 201, { body: { initialBalance: "5.00" } })
  const ids = [card.id]
  expect((await ask("GET /v1/gift-cards", 200)).text).toContain(card.id)
  await ask("PATCH /v1/gift-cards/{}", 200, { ids, body: { note: "Gift" } })
  await ask("POST /v1/gift-cards/{}/adjust", 200, { ids, body: { delta: "1.00", reason: "Sorry" } })
  expect((await ask("POST /v1/gift-cards/{}/disable", 200, { ids })).body.status).toBe("DISABLED")
  expect((await ask("POST /v1/gift-cards/{}/enable", 200, { ids })).body.status).toBe("ACTIVE")
  expect((await ask("GET /v1/gift-cards/{}", 200, { ids })).body.balance).toBe("6.00")
  expect((await ask("GET /v1/gift-cards/{}/transactions", 200, { ids })).body.data).toHaveLength(2)
  const balance = await ask("POST /vc/{}/gift-cards/balance", 200, { body: { code: card.code } })
  expect(balance.body).toMatchObject({ balance: "6.00", usable: true })
  const checkout = await checkoutOf(ask, (await cartOf(ask, lamp)).id)
  const entered = await ask("POST /vc/{}/checkout/{}/gift-card", 200, { ids: [checkout], body: { code: card.code } })
  expect(entered.body.tenders).toMatchObject([{ amountApplied: "6.00" }])
  const tender = entered.body.tenders[0].tenderId
  const left = await ask("DELETE /vc/{}/checkout/{}/gift-card/{}", 200, { ids: [checkout, tender] })
  expect(left.body.tenders).toEqual([])
}

const checkouts = async (ask: Ask, { lamp, pickup }: Catalogue) => {
  const field = await careOf(ask, "/v1/checkout-fields", {
    create: { key: "gift", name: "Gift wrap", type: "checkbox", surcharge: { type: "FIXED", amount: "2.00" } },
    another: { key: "spare" },
    change: { name: "Wrapped" }
  })
  const id = await checkoutOf(ask, (await cartOf(ask, lamp)).id)
  const ids = [id]
  const wrapped = await ask("PATCH /vc/{}/checkout/{}/custom-fields", 200, { ids, body: { values: { gift: true } } })
  expect(wrapped.body.surchargeAmount).toBe("2.00")
  expect((await ask("GET /vc/{}/checkout/{}/shipping-rates", 200, { ids })).body.rates).toHaveLength(1)
  expect((await ask("GET /vc/{}/checkout/{}", 200, { ids })).body).toMatchObject({ id, shippingAmount: "5.00" })
  expect((await ask("GET /vc/{}/checkout/{}/explain", 200, { ids })).body.subject).toEqual({ type: "checkout", id })
  expect((await ask("GET /v1/checkout/{}/explain", 200, { ids })).body.subject.id).toBe(id)
  const fetched = { deliveryType: "pickup", pickupLocationId: pickup }
  expect((await ask("PATCH /vc/{}/checkout/{}/delivery", 200, { ids, body: fetched })).body.deliveryType).toBe("pickup")
  const begun = await ask("POST /vc/{}/checkout/{}/payment", 200, { ids, body: { providerId: "test" } })
  expect(begun.body).toMatchObject({ providerType: "test", currency: "USD" })
  expect((await ask("GET /vc/{}/checkout/{}/payment-status", 200, { ids })).body.status).toEqual(expect.any(String))
  const other = await checkoutOf(ask, (await cartOf(ask, lamp)).id)
  expect((await ask("DELETE /vc/{}/checkout/{}", 200, { ids: [other] })).body).toEqual({ success: true })
  await ask("GET /vc/{}/checkout/address-suggestions", 200, { query: "?q=Main" })
  const place = await ask("GET /vc/{}/checkout/address-details", 200, { query: "?placeId=market" })
  expect(place.body).toMatchObject({ address: { country: "US" }, inZone: true })
  await ask("DELETE /v1/checkout-fields/{}", 200, { ids: [field] })
}

/** Both surfaces complete, and a storefront orders in one call. */
const buying = async (ask: Ask, lamp: string) => {
  const completed = async (operation: string) => {
    const ids = [await checkoutOf(ask, (await cartOf(ask, lamp)).id)]
    const { body } = await ask(operation, 200, { ids, body: { paymentMethod: "manual" } })
    expect(body).toMatchObject({ orderId: expect.any(String), total: "16.50" })
  }
  await completed("POST /vc/{}/checkout/{}/complete")
  await completed("POST /v1/checkout/{}/complete")
  const items = [{ productId: lamp, quantity: 1, price: "10.00" }]
  const placed = await ask("POST /vc/{}/orders", 200, {
    body: { items, customer: { email: "ada@example.com" }, shippingAddress }
  })
  const { orderId, orderNumber } = placed.body
  const query = "?email=ada@example.com"
  const known = await ask("GET /vc/{}/orders/{}/status", 200, { ids: [orderId], query })
  expect(known.body.orderNumber).toBe(orderNumber)
}

/** The routes of coupons that people of the dashboard call. */
const desk = async (ask: Ask, storeId: string, conflicts: ReadonlyArray<string>, as: string) => {
  const query = `?storeId=${storeId}`
  const made = await ask("POST /coupons", 201, {
    query,
    as,
    body: { code: "DESK", type: "FIXED_AMOUNT", value: "1.00" }
  })
  for (const operation of ["GET /coupons", "GET /coupons/available"])
    expect((await ask(operation, 200, { query, as })).text).toContain(made.body.id)
  expect((await ask("GET /coupons/conflicts", 200, { query, as })).text).toContain(conflicts[0])
  const [first = "", second = ""] = conflicts
  await ask("POST /coupons/conflicts/{}/resolve", 200, {
    query,
    as,
    ids: [first],
    body: { resolution: "keep_existing" }
  })
  await ask("POST /coupons/conflicts/{}/ignore", 200, { query, as, ids: [second] })
}

export const walkSelling = async (
  ask: Ask,
  catalogue: Catalogue,
  { storeId, session }: { readonly storeId: string; readonly session: string }
): Promise<void> => {
  const { lamp } = catalogue
  await carts(ask, lamp)
  await held(ask, lamp)
  await desk(ask, storeId, await coupons(ask), session)
  await discounts(ask, catalogue)
  await offers(ask, lamp)
  await giftCards(ask, lamp)
  await checkouts(ask, catalogue)
  await buying(ask, lamp)
}
