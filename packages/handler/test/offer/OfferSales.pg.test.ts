import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

/** Offers of variants, kits and products with modifiers, their stock, their merges, and what is sold in the end. */
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const admin = async (method: string, path: string, body?: object) => {
  const answer = await shop.call(method, `/v1${path}`, body === undefined ? {} : { body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer.body
}
const cartCall = (method: string, cartId: string, path = "", body?: object) =>
  shop.call(method, `${shopper.at}/cart/${cartId}${path}`, body === undefined ? {} : { body })
const taken = async (cart: string, path: string, body: object = {}) => {
  const answer = await cartCall("POST", cart, path, body)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const offerOf = async (triggerProductId: string, productIds: ReadonlyArray<string>, more: object = {}) =>
  (
    await admin("POST", "/bundle-offers", {
      name: "Set",
      triggerProductId,
      productIds,
      discountType: "PERCENTAGE",
      discountValue: 10,
      ...more
    })
  ).id as string

interface Line {
  readonly id: string
  readonly productId: string
  readonly unitPrice: string
  readonly quantity: number
}
const prices = (lines: ReadonlyArray<Line>) => lines.map(({ productId, unitPrice }) => [productId, unitPrice])
const idOf = (lines: ReadonlyArray<Line>, productId: string) =>
  lines.find((line) => line.productId === productId)?.id ?? "none"

/** A lamp that brings up a bundle of a bulb (14.95) and a cord (10.00), and a cart with the lamp and the bundle. */
const desk = async (more: object = {}) => {
  const [lamp, bulb, cord] = [
    await shopper.product({ price: 4_000n }),
    await shopper.product({ price: 1_495n }),
    await shopper.product({ price: 1_000n })
  ]
  const offer = await offerOf(lamp, [bulb, cord], more)
  const cart = await shopper.cart([lamp, 1])
  const { items } = await taken(cart, "/bundle", { bundleOfferId: offer })
  return { lamp, bulb, cord, offer, cart, items: items as ReadonlyArray<Line> }
}

/** A product with the sizes S (8.00) and L (12.00), five of each. */
const shirt = async () => {
  const { id: attributeId, options } = await admin("POST", "/attributes", {
    name: `Size ${Math.random()}`,
    options: ["S", "L"].map((name) => ({ name, value: name }))
  })
  const optionIds = options.map(({ id }: { readonly id: string }) => id)
  const made = await admin("POST", "/products", {
    name: "Shirt",
    type: "VARIABLE",
    status: "active",
    basePrice: 8,
    attributes: [{ attributeId, optionIds }]
  })
  const [small, large] = made.variants
  await admin("PATCH", `/products/${made.id}/variants/${large.id}`, { price: 12 })
  for (const { id } of [small, large]) await admin("PUT", `/products/${made.id}/inventory`, { variantId: id, total: 5 })
  return { id: made.id as string, small: small.id as string, large: large.id as string }
}

describe("products with variants", () => {
  it("are added in the chosen variant, and refused without one", async () => {
    const { id, small, large } = await shirt()
    const lamp = await shopper.product()
    const offer = await offerOf(lamp, [id])
    const cart = await shopper.cart([lamp, 1])
    const refused = await cartCall("POST", cart, "/bundle", { bundleOfferId: offer })
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      [`variants.${id}`]
    ])
    const added = await taken(cart, "/bundle", { bundleOfferId: offer, variants: { [id]: large } })
    expect(added.items[1]).toMatchObject({ productId: id, variantId: large, unitPrice: "10.80" })
    await admin("PATCH", `/bundle-offers/${offer}`, { pinnedVariants: { [id]: small } })
    const other = await cartCall("POST", cart, "/bundle", { bundleOfferId: offer, variants: { [id]: large } })
    expect([other.status, Object.keys(other.body.details.errors)]).toEqual([400, [`variants.${id}`]])
    expect((await taken(cart, "/bundle", { bundleOfferId: offer })).items[2]).toMatchObject({
      variantId: small,
      unitPrice: "7.20"
    })
  })

  it("are chosen by variantId for an upgrade, and shown while one of them can be bought", async () => {
    const { id, small, large } = await shirt()
    const plain = await shopper.product({ price: 500n })
    const upgrade = await offerOf(plain, [id], { kind: "UPGRADE" })
    const cart = await shopper.cart([plain, 2])
    for (const body of [{ offerId: upgrade }, { offerId: upgrade, variantId: "var_none" }]) {
      const refused = await cartCall("POST", cart, "/upgrade", body)
      expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, ["variantId"]])
    }
    await admin("PUT", `/products/${id}/inventory`, { variantId: small, total: 0 })
    const { upgrades } = (await cartCall("GET", cart, "?include=upgrades")).body
    expect(upgrades[0].offeredProducts[0].variants.map((v: { readonly id: string }) => v.id)).toEqual([large])
    const upgraded = await taken(cart, "/upgrade", { offerId: upgrade, variantId: large })
    expect(upgraded.items).toMatchObject([{ productId: id, variantId: large, quantity: 2, unitPrice: "10.80" }])
    const again = await shopper.cart([plain, 1])
    await admin("PUT", `/products/${id}/inventory`, { variantId: large, total: 2 })
    expect((await cartCall("GET", again, "?include=upgrades")).body.upgrades).toHaveLength(1)
    await admin("PUT", `/products/${id}/inventory`, { variantId: large, total: 0 })
    expect((await cartCall("GET", again, "?include=upgrades")).body.upgrades).toEqual([])
  })
})

describe("kits and modifiers", () => {
  it("cost what the offer leaves of their price today, and take their components out of stock", async () => {
    const [lamp, cup] = [await shopper.product(), await shopper.product({ price: 300n, stock: 5 })]
    const kit = await admin("POST", "/products", {
      name: "Cups",
      type: "KIT",
      status: "active",
      kitPricingMode: "COMPONENTS",
      kitComponents: [{ productId: cup, quantity: 2 }]
    })
    const offer = await offerOf(lamp, [kit.id])
    const cart = await shopper.cart([lamp, 1])
    const added = await taken(cart, "/bundle", { bundleOfferId: offer, quantity: 2 })
    expect(added.items[1]).toMatchObject({ productId: kit.id, quantity: 2, unitPrice: "5.40" })
    const more = await cartCall("POST", cart, "/bundle", { bundleOfferId: offer, quantity: 1 })
    expect([more.status, more.body.code]).toEqual([400, "INSUFFICIENT_STOCK"])
  })

  it("begin with the modifiers that are chosen by default; another choice keeps the offer of a bump", async () => {
    const group = await admin("POST", "/modifier-groups", {
      name: "Finish",
      selectionType: "SINGLE",
      minSelections: 0,
      maxSelections: 1,
      required: false,
      freeQuantity: 0,
      modifiers: [
        { name: "Matt", priceDelta: 1, isDefault: true },
        { name: "Gold", priceDelta: 6 }
      ]
    })
    const vase = await admin("POST", "/products", {
      name: "Vase",
      basePrice: 9,
      status: "active",
      inventory: { total: 9 },
      modifierGroups: [{ groupId: group.id, position: 0 }]
    })
    const lamp = await shopper.product()
    const bump = await offerOf(lamp, [vase.id], { kind: "ORDER_BUMP" })
    const cart = await shopper.cart([lamp, 1])
    expect((await cartCall("GET", cart, "?include=orderBumps")).body.orderBumps[0]).toMatchObject({
      totalOriginalPrice: "10.00",
      totalDiscountedPrice: "9.00"
    })
    const added = await taken(cart, "/order-bump", { offerId: bump })
    expect(added.items[1]).toMatchObject({ unitPrice: "9.00", modifiers: [{ name: "Matt" }] })
    const gold = [{ modifierGroupId: group.id, modifierId: group.modifiers[1].id }]
    const changed = await cartCall("PATCH", cart, `/items/${added.items[1].id}`, { modifiers: gold })
    expect(changed.body.items[1]).toMatchObject({ unitPrice: "13.50", offerId: bump, modifiers: [{ name: "Gold" }] })
    expect(changed.body.hasPriceChanges).toBe(false)
  })
})

describe("stock that carts hold", () => {
  it("is held for a bundle, and freed with it", async () => {
    await admin("PATCH", "/store", { reservation: { strategy: "ON_CART", minutes: 15 } })
    try {
      const lamp = await shopper.product()
      const bulb = await shopper.product({ stock: 3 })
      const offer = await offerOf(lamp, [bulb])
      const cart = await shopper.cart([lamp, 1])
      const reserved = async () => (await admin("GET", `/products/${bulb}/inventory`)).reserved
      const added = await taken(cart, "/bundle", { bundleOfferId: offer, quantity: 2 })
      expect([added.reservation.hasReservation, await reserved()]).toEqual([true, 2])
      const short = await cartCall("POST", cart, "/bundle", { bundleOfferId: offer, quantity: 2 })
      expect([short.status, short.body.code]).toEqual([400, "INSUFFICIENT_STOCK"])
      expect([await reserved(), (await cartCall("GET", cart)).body.items.length]).toEqual([2, 2])
      await cartCall("DELETE", cart, `/bundle/${added.items[1].bundleItemId}`)
      expect(await reserved()).toBe(0)
    } finally {
      await admin("PATCH", "/store", { reservation: { strategy: "ON_PAYMENT", minutes: 15 } })
    }
  })
})

describe("a merge of carts", () => {
  it("keeps a bundle of the guest's cart as one bundle at its price, beside one of the customer's", async () => {
    const { lamp, bulb, cord, offer, cart } = await desk()
    const { sessionToken } = (await cartCall("GET", cart)).body
    const registered = await shop.call("POST", `${shopper.at}/customers/register`, {
      body: { email: `m${Math.random()}@example.com`, password: "Secret-pass1" }
    })
    const headers = { authorization: `Bearer ${registered.body.token}` }
    const own = (await shop.call("GET", `${shopper.at}/customers/me/cart`, { headers })).body.id
    const call = (path: string, body: object) =>
      shop.call("POST", `${shopper.at}/cart/${own}${path}`, { body, headers })
    await call("/items", { productId: lamp, quantity: 1 })
    await call("/bundle", { bundleOfferId: offer })
    const merged = await shop.call("POST", `${shopper.at}/cart/merge`, { body: { sessionToken }, headers })
    expect(prices(merged.body.items)).toEqual([
      [lamp, "40.00"],
      [bulb, "13.45"],
      [cord, "9.00"],
      [bulb, "13.45"],
      [cord, "9.00"]
    ])
    const bundles = merged.body.items.map(({ bundleItemId }: { readonly bundleItemId: string | null }) => bundleItemId)
    expect([bundles[1] === bundles[2], bundles[3] === bundles[4], bundles[1] === bundles[3]]).toEqual([
      true,
      true,
      false
    ])
    expect([merged.body.items[0].quantity, merged.body.hasPriceChanges]).toEqual([2, false])
  })
})

describe("what is sold", () => {
  it("costs the price of the offer, in the checkout and in the order", async () => {
    const { lamp, bulb, cord, cart } = await desk()
    const checkout = await shopper.checkout(cart)
    const shown = (await shop.call("GET", `${shopper.at}/checkout/${checkout}`)).body
    expect([prices(shown.lineItems), shown.subtotal]).toEqual([
      [
        [lamp, "40.00"],
        [bulb, "13.45"],
        [cord, "9.00"]
      ],
      "62.45"
    ])
    const done = await shopper.complete(checkout, `sold-${checkout}`)
    expect([done.status, done.body.total]).toEqual([200, "62.45"])
    const order = await admin("GET", `/orders/${done.body.orderId}`)
    expect(prices(order.items)).toEqual(prices(shown.lineItems))
  })

  it("drifts with the offer: completion is refused until the prices are refreshed", async () => {
    const { bulb, cord, offer, cart, lamp } = await desk()
    const checkout = await shopper.checkout(cart)
    await admin("PATCH", `/bundle-offers/${offer}`, { discountValue: 20 })
    const drift = await shopper.complete(checkout, `drift-${checkout}`)
    const lines = (await shop.call("GET", `${shopper.at}/checkout/${checkout}`)).body.lineItems
    expect([drift.status, drift.body.code, drift.body.details.items]).toEqual([
      400,
      "PRICE_DRIFT",
      [
        {
          itemId: idOf(lines, bulb),
          oldUnitPrice: "13.45",
          newUnitPrice: "11.96",
          delta: "-1.49",
          direction: "down"
        },
        { itemId: idOf(lines, cord), oldUnitPrice: "9.00", newUnitPrice: "8.00", delta: "-1.00", direction: "down" }
      ]
    ])
    await taken(cart, "/refresh-snapshots")
    const refreshed = (await shop.call("GET", `${shopper.at}/checkout/${checkout}`)).body
    expect(prices(refreshed.lineItems)).toEqual([
      [lamp, "40.00"],
      [bulb, "11.96"],
      [cord, "8.00"]
    ])
    await admin("DELETE", `/bundle-offers/${offer}`)
    expect((await shopper.complete(checkout, `deleted-${checkout}`)).body.code).toBe("PRICE_DRIFT")
    await taken(cart, "/refresh-snapshots")
    const done = await shopper.complete(checkout, `sold-${checkout}`)
    expect([done.status, done.body.total]).toEqual([200, "64.95"])
  })

  it("is a whole bundle with its product: a part of it is sold at ordinary prices, also after a refresh", async () => {
    const { bulb, cord, lamp, cart, items } = await desk()
    const [lampLine, bulbLine, cordLine] = items.map(({ id }) => id)
    const part = async (...selectedItemIds: ReadonlyArray<string | undefined>) => {
      const made = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId: cart, selectedItemIds } })
      return made.body
    }
    expect(prices((await part(lampLine, bulbLine)).lineItems)).toEqual([
      [lamp, "40.00"],
      [bulb, "14.95"]
    ])
    const alone = await part(bulbLine, cordLine)
    const ordinary = [
      [bulb, "14.95"],
      [cord, "10.00"]
    ]
    expect(prices(alone.lineItems)).toEqual(ordinary)
    await taken(cart, "/refresh-snapshots")
    const read = async () => (await shop.call("GET", `${shopper.at}/checkout/${alone.id}`)).body.lineItems
    expect(prices(await read())).toEqual(ordinary)
    await admin("PATCH", `/products/${bulb}`, { basePrice: 20 })
    await taken(cart, "/refresh-snapshots")
    expect(prices(await read())).toEqual([
      [bulb, "20.00"],
      [cord, "10.00"]
    ])
    expect(prices((await cartCall("GET", cart)).body.items)).toEqual([
      [lamp, "40.00"],
      [bulb, "18.00"],
      [cord, "9.00"]
    ])
  })

  it("leaves the rest of a cart at a new price once the product that brought it up was bought alone", async () => {
    const { bulb, cord, cart, items } = await desk()
    const made = await shop.call("POST", `${shopper.at}/checkout`, {
      body: { cartId: cart, selectedItemIds: [items[0]?.id] }
    })
    const at = `${shopper.at}/checkout/${made.body.id}`
    await shop.call("PATCH", `${at}/customer`, { body: { email: "ada@example.com", firstName: "Ada", lastName: "B" } })
    const shippingAddress = { line1: "1 Main St", city: "Town", region: "CA", postalCode: "94105", country: "US" }
    await shop.call("PATCH", `${at}/shipping`, { body: { shippingAddress } })
    expect((await shopper.complete(made.body.id, `alone-${made.body.id}`)).status).toBe(200)
    expect((await cartCall("GET", cart)).body.hasPriceChanges).toBe(true)
    expect(prices((await taken(cart, "/refresh-snapshots")).items)).toEqual([
      [bulb, "14.95"],
      [cord, "10.00"]
    ])
  })
})
