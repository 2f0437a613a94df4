import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { renewMemory, shopperOf } from "../Shopper.ts"

const statementLog = makeStatementCounter()
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", statementLog })
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const admin = (method: string, path: string, body?: object) =>
  shop.call(method, `/v1${path}`, body === undefined ? {} : { body })
const cartCall = (method: string, cartId: string, path = "", body?: object) =>
  shop.call(method, `${shopper.at}/cart/${cartId}${path}`, body === undefined ? {} : { body })

/** An offer of 10 percent, unless the body says otherwise. */
const offerOf = async (triggerProductId: string, productIds: ReadonlyArray<string>, more: object = {}) => {
  const body = { name: "Set", triggerProductId, productIds, discountType: "PERCENTAGE", discountValue: 10, ...more }
  const made = await admin("POST", "/bundle-offers", body)
  if (made.status !== 201) throw new Error(made.text)
  return made.body.id as string
}

/** A lamp that brings up a bundle of a bulb (14.95) and a cord (10.00), and a cart with the lamp. */
const desk = async (more: object = {}, stock = 100) => {
  const [lamp, bulb, cord] = [
    await shopper.product({ price: 4_000n }),
    await shopper.product({ price: 1_495n, stock }),
    await shopper.product({ price: 1_000n })
  ]
  const offer = await offerOf(lamp, [bulb, cord], more)
  return { lamp, bulb, cord, offer, cart: await shopper.cart([lamp, 1]) }
}

interface Line {
  readonly id: string
  readonly productId: string
  readonly quantity: number
  readonly unitPrice: string
  readonly bundleItemId: string | null
  readonly offerId: string | null
}
const rows = ({ items }: { readonly items: ReadonlyArray<Line> }) =>
  items.map(({ productId, quantity, unitPrice, bundleItemId }) => [
    productId,
    quantity,
    unitPrice,
    bundleItemId === null ? null : "bundle"
  ])
const lineOf = (cart: { readonly items: ReadonlyArray<Line> }, productId: string) => {
  const line = cart.items.find((item) => item.productId === productId)
  if (line === undefined) throw new Error(`no line of ${productId}`)
  return line
}
const taken = async (cart: string, path: string, body: object) => {
  const answer = await cartCall("POST", cart, path, body)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const problem = async (answer: ReturnType<typeof cartCall>) => {
  const { status, body } = await answer
  return [status, body.code, Object.keys(body.details?.errors ?? {})]
}
const rejected = (...fields: ReadonlyArray<string>) => [400, "VALIDATION_FAILED", fields]

describe("a bundle in a cart", () => {
  it("adds the offered products, not the trigger, at the price of the offer", async () => {
    const { lamp, bulb, cord, offer, cart } = await desk()
    const body = await taken(cart, "/bundle", { bundleOfferId: offer, quantity: 2 })
    expect(rows(body)).toEqual([
      [lamp, 1, "40.00", null],
      [bulb, 2, "13.45", "bundle"],
      [cord, 2, "9.00", "bundle"]
    ])
    const [, first, second] = body.items
    expect(first.bundleItemId).toBe(second.bundleItemId)
    expect([first.offerId, body.items[0].offerId]).toEqual([offer, null])
    expect([body.subtotal, body.itemCount, body.hasPriceChanges]).toEqual(["84.90", 5, false])
    expect((await cartCall("GET", cart)).body).toEqual(body)
    // A second bundle of the same offer is another bundle, and an ordinary line is a line of its own.
    const again = await taken(cart, "/bundle", { bundleOfferId: offer })
    expect(again.items).toHaveLength(5)
    const ordinary = await taken(cart, "/items", { productId: bulb, quantity: 1 })
    expect(rows(ordinary).at(-1)).toEqual([bulb, 1, "14.95", null])
  })

  it("splits a fixed amount over its products in proportion to their prices, never below zero", async () => {
    const { bulb, cord, offer, cart } = await desk({ discountType: "FIXED_AMOUNT", discountValue: "10.01" })
    const body = await taken(cart, "/bundle", { bundleOfferId: offer, quantity: 3 })
    // 10.01 over 14.95 and 10.00: 5.998 and 4.012.
    expect(rows(body).slice(1)).toEqual([
      [bulb, 3, "8.95", "bundle"],
      [cord, 3, "5.99", "bundle"]
    ])
    await admin("PATCH", `/bundle-offers/${offer}`, { discountValue: "24.96" })
    const refreshed = await taken(cart, "/refresh-snapshots", {})
    expect(rows(refreshed).slice(1)).toEqual([
      [bulb, 3, "0.00", "bundle"],
      [cord, 3, "0.00", "bundle"]
    ])
  })

  it("goes as a whole, by its id, and once", async () => {
    const { lamp, offer, cart } = await desk()
    const added = await taken(cart, "/bundle", { bundleOfferId: offer })
    const { bundleItemId } = added.items[1]
    const gone = await cartCall("DELETE", cart, `/bundle/${bundleItemId}`)
    expect([gone.status, rows(gone.body)]).toEqual([200, [[lamp, 1, "40.00", null]]])
    const again = await cartCall("DELETE", cart, `/bundle/${bundleItemId}`)
    expect([again.status, again.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("loses its price on the rest once one line is changed or removed", async () => {
    const changes: ReadonlyArray<readonly [string, object | undefined]> = [
      ["DELETE", undefined],
      ["PATCH", { quantity: 0 }],
      ["PATCH", { quantity: 2 }],
      ["PATCH", { metadata: { engraved: true } }]
    ]
    for (const [method, body] of changes) {
      const { bulb, cord, offer, cart } = await desk()
      const added = await taken(cart, "/bundle", { bundleOfferId: offer })
      const changed = await cartCall(method, cart, `/items/${lineOf(added, bulb).id}`, body)
      expect(changed.status).toBe(200)
      const rest = lineOf(changed.body, cord)
      expect([rest.unitPrice, rest.bundleItemId, rest.offerId]).toEqual(["10.00", null, null])
      expect(changed.body.items.every((item: Line) => item.bundleItemId === null)).toBe(true)
      expect(changed.body.hasPriceChanges).toBe(false)
      expect((await cartCall("GET", cart)).body).toEqual(changed.body)
    }
  })

  it("keeps its price where a line only gets a note, or an unchanged quantity", async () => {
    const { bulb, offer, cart } = await desk()
    const added = await taken(cart, "/bundle", { bundleOfferId: offer })
    const noted = await cartCall("PATCH", cart, `/items/${lineOf(added, bulb).id}`, { notes: "Gift", quantity: 1 })
    expect(rows(noted.body)).toEqual(rows(added))
  })

  it("becomes part of the ordinary line of the same product, which keeps its id", async () => {
    const { lamp, bulb, cord, offer, cart } = await desk()
    const before = await taken(cart, "/items", { productId: cord, quantity: 2 })
    const added = await taken(cart, "/bundle", { bundleOfferId: offer })
    const removed = await cartCall("DELETE", cart, `/items/${lineOf(added, bulb).id}`)
    expect(rows(removed.body)).toEqual([
      [lamp, 1, "40.00", null],
      [cord, 3, "10.00", null]
    ])
    expect(removed.body.items[1].id).toBe(lineOf(before, cord).id)
    expect((await cartCall("GET", cart)).body.items).toEqual(removed.body.items)
  })

  it("needs the product that brought it up: without it the lines are ordinary ones", async () => {
    const { lamp, bulb, cord, offer, cart } = await desk()
    const added = await taken(cart, "/bundle", { bundleOfferId: offer })
    const removed = await cartCall("DELETE", cart, `/items/${lineOf(added, lamp).id}`)
    expect(rows(removed.body)).toEqual([
      [bulb, 1, "14.95", null],
      [cord, 1, "10.00", null]
    ])
    const cleared = await cartCall("DELETE", cart)
    expect([cleared.status, cleared.body.items]).toEqual([200, []])
    const refused = cartCall("POST", cart, "/bundle", { bundleOfferId: offer })
    expect(await problem(refused)).toEqual(rejected("bundleOfferId"))
  })

  it("follows the offer as it is now: a change is a price change until the cart is refreshed", async () => {
    const { bulb, cord, offer, cart } = await desk()
    await taken(cart, "/bundle", { bundleOfferId: offer })
    const read = async () => (await cartCall("GET", cart)).body
    const refreshed = async () => rows(await taken(cart, "/refresh-snapshots", {})).slice(1)
    await admin("PATCH", `/bundle-offers/${offer}`, { discountValue: 50 })
    expect([(await read()).hasPriceChanges, rows(await read())[1]]).toEqual([true, [bulb, 1, "13.45", "bundle"]])
    expect(await refreshed()).toEqual([
      // 50 % of 14.95 is 7.475: 7.48 off.
      [bulb, 1, "7.47", "bundle"],
      [cord, 1, "5.00", "bundle"]
    ])
    expect((await read()).hasPriceChanges).toBe(false)
    await admin("PATCH", `/bundle-offers/${offer}`, { isActive: false })
    expect((await read()).hasPriceChanges).toBe(true)
    expect((await refreshed()).map(([, , price]) => price)).toEqual(["14.95", "10.00"])
    await admin("PATCH", `/bundle-offers/${offer}`, { isActive: true, productIds: [bulb] })
    // The bundle in the cart is not the one that is offered now.
    expect((await read()).hasPriceChanges).toBe(false)
    await admin("PATCH", `/bundle-offers/${offer}`, { productIds: [cord, bulb] })
    expect((await refreshed()).map(([, , price]) => price)).toEqual(["7.47", "5.00"])
    await admin("DELETE", `/bundle-offers/${offer}`)
    expect((await read()).hasPriceChanges).toBe(true)
    expect((await refreshed()).map(([, , price]) => price)).toEqual(["14.95", "10.00"])
  })

  it("is refused where the offer, its kind, its trigger or a variant does not fit", async () => {
    const { lamp, offer, cart, bulb } = await desk()
    const bump = await offerOf(lamp, [bulb], { kind: "ORDER_BUMP" })
    const asleep = await offerOf(lamp, [bulb], { isActive: false })
    for (const bundleOfferId of ["offer_none", bump, asleep])
      expect(await problem(cartCall("POST", cart, "/bundle", { bundleOfferId }))).toEqual(rejected("bundleOfferId"))
    for (const path of ["/upgrade", "/order-bump"])
      expect(await problem(cartCall("POST", cart, path, { offerId: offer }))).toEqual(rejected("offerId"))
    const odd = { bundleOfferId: offer, variants: { [bulb]: "var_none", [lamp]: "var_x" } }
    expect(await problem(cartCall("POST", cart, "/bundle", odd))).toEqual(
      rejected(`variants.${lamp}`, `variants.${bulb}`)
    )
    expect(await problem(cartCall("POST", cart, "/bundle", { bundleOfferId: offer, quantity: 0 }))).toEqual(
      rejected("quantity")
    )
    const missing = await cartCall("POST", "cart_none", "/bundle", { bundleOfferId: offer })
    expect([missing.status, missing.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect((await cartCall("GET", cart)).body.items).toHaveLength(1)
  })

  it("is refused as a whole where one product lacks stock or is not sold", async () => {
    const { offer, cart, bulb } = await desk({}, 3)
    const short = await cartCall("POST", cart, "/bundle", { bundleOfferId: offer, quantity: 4 })
    expect([short.status, short.body.code, short.body.details]).toEqual([
      400,
      "INSUFFICIENT_STOCK",
      { available: 3, requested: 4 }
    ])
    await taken(cart, "/bundle", { bundleOfferId: offer, quantity: 2 })
    const more = await cartCall("POST", cart, "/bundle", { bundleOfferId: offer, quantity: 2 })
    // Lines of one stock are judged together.
    expect([more.status, more.body.details]).toEqual([400, { available: 3, requested: 4 }])
    await admin("PATCH", `/products/${bulb}`, { status: "draft" })
    const hidden = await cartCall("POST", cart, "/bundle", { bundleOfferId: offer })
    expect([hidden.status, hidden.body.code, hidden.body.details.items]).toEqual([
      400,
      "PRODUCT_UNAVAILABLE",
      [{ productId: bulb, variantId: null }]
    ])
    expect((await cartCall("GET", cart)).body.items).toHaveLength(3)
  })

  it("counts each of its lines against the 50 of a storefront's cart", async () => {
    const { lamp, offer } = await desk()
    const others = await Promise.all(Array.from({ length: 48 }, () => shopper.product()))
    const cart = await shopper.cart([lamp, 1], ...others.map((id) => [id, 1] as const))
    const refused = await cartCall("POST", cart, "/bundle", { bundleOfferId: offer })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      400,
      "CART_LINE_LIMIT_REACHED",
      { maxLines: 50 }
    ])
    const full = await cartCall("GET", cart)
    expect(full.body.items).toHaveLength(49)
    await cartCall("DELETE", cart, `/items/${full.body.items[48].id}`)
    expect((await taken(cart, "/bundle", { bundleOfferId: offer })).items).toHaveLength(50)
  })

  it("is one write: a cart with it costs as many statements as any other", async () => {
    const { offer, cart, bulb } = await desk()
    const counted = async (act: () => Promise<unknown>) => {
      await renewMemory(shop)
      statementLog.reset()
      await act()
      return statementLog.statements().length
    }
    expect(await counted(() => taken(cart, "/bundle", { bundleOfferId: offer }))).toBe(4)
    expect(await counted(() => cartCall("GET", cart))).toBe(1)
    expect(await counted(() => taken(cart, "/items", { productId: bulb, quantity: 1 }))).toBe(4)
    expect(await counted(() => cartCall("GET", cart, "/bundles"))).toBe(2)
  })
})

describe("an order bump and an upgrade", () => {
  it("adds one unit at the price of the offer, and another one the next time", async () => {
    const [lamp, bulb] = [await shopper.product({ price: 4_000n }), await shopper.product({ price: 999n })]
    const bump = await offerOf(lamp, [bulb], { kind: "ORDER_BUMP", discountType: "FIXED_AMOUNT", discountValue: 2 })
    const cart = await shopper.cart([lamp, 2])
    expect(rows(await taken(cart, "/order-bump", { offerId: bump }))).toEqual([
      [lamp, 2, "40.00", null],
      [bulb, 1, "7.99", null]
    ])
    await taken(cart, "/items", { productId: bulb, quantity: 1 })
    const twice = await taken(cart, "/order-bump", { offerId: bump })
    expect(rows(twice).slice(1)).toEqual([
      [bulb, 2, "7.99", null],
      [bulb, 1, "9.99", null]
    ])
    const alone = await cartCall("DELETE", cart, `/items/${lineOf(twice, lamp).id}`)
    expect(rows(alone.body)).toEqual([[bulb, 3, "9.99", null]])
    expect(await problem(cartCall("POST", cart, "/order-bump", { offerId: bump }))).toEqual(rejected("offerId"))
  })

  it("replaces the line of the product and keeps its quantity, note and metadata", async () => {
    const [basic, better] = [await shopper.product({ price: 1_000n }), await shopper.product({ price: 2_005n })]
    const upgrade = await offerOf(basic, [better], { kind: "UPGRADE" })
    const cart = await shopper.cart()
    const body = { productId: basic, quantity: 3, notes: "Blue", metadata: { gift: true } }
    const before = await taken(cart, "/items", body)
    const upgraded = await taken(cart, "/upgrade", { offerId: upgrade })
    // 10 % of 20.05 is 2.005: 2.01 off.
    expect(rows(upgraded)).toEqual([[better, 3, "18.04", null]])
    expect(upgraded.items[0]).toMatchObject({ notes: "Blue", metadata: { gift: true }, offerId: upgrade })
    expect(upgraded.items[0].id).not.toBe(before.items[0].id)
    expect((await cartCall("GET", cart)).body.items).toEqual(upgraded.items)
    // The product is replaced: it is not missed afterwards.
    const more = await cartCall("PATCH", cart, `/items/${upgraded.items[0].id}`, { quantity: 4 })
    expect([rows(more.body), more.body.hasPriceChanges]).toEqual([[[better, 4, "18.04", null]], false])
    expect(await problem(cartCall("POST", cart, "/upgrade", { offerId: upgrade }))).toEqual(rejected("offerId"))
    const offers = await taken(cart, "/items", {
      productId: basic,
      quantity: 1,
      notes: "Blue",
      metadata: { gift: true }
    })
    expect(offers.items).toHaveLength(2)
    expect(rows(await taken(cart, "/upgrade", { offerId: upgrade }))).toEqual([[better, 5, "18.04", null]])
  })
})

describe("offers beside a cart", () => {
  it("are those of its products whose own products can be bought, the best first", async () => {
    const { lamp, bulb, cord, offer, cart } = await desk()
    const best = await offerOf(lamp, [cord], { discountValue: 50 })
    const draft = await shopper.product({ status: "draft" })
    await offerOf(lamp, [bulb, draft])
    await offerOf(lamp, [await shopper.product({ stock: 0 })])
    await offerOf(lamp, [bulb], { isActive: false })
    await offerOf(await shopper.product(), [bulb])
    const upgrade = await offerOf(lamp, [await shopper.product()], { kind: "UPGRADE" })
    const bump = await offerOf(lamp, [bulb], { kind: "ORDER_BUMP" })
    const { bundles } = (await cartCall("GET", cart, "/bundles")).body
    expect(bundles.map(({ id }: { readonly id: string }) => id)).toEqual([best, offer])
    expect(bundles[1]).toEqual({
      id: offer,
      name: "Set",
      description: null,
      kind: "BUNDLE",
      triggerProductId: lamp,
      productIds: [bulb, cord],
      offeredProducts: [expect.objectContaining({ id: bulb }), expect.objectContaining({ id: cord })],
      discountType: "PERCENTAGE",
      discountValue: "10",
      totalOriginalPrice: "24.95",
      totalDiscountedPrice: "22.45"
    })
    const ids = async (include: string) => {
      const { body } = await cartCall("GET", cart, `?include=${include}`)
      return [body.bundles, body.upgrades, body.orderBumps].map((offers) =>
        offers.map(({ id }: { readonly id: string }) => id)
      )
    }
    expect(await ids("bundles,upgrades,orderBumps")).toEqual([[best, offer], [upgrade], [bump]])
    expect(await ids("upgrades")).toEqual([[], [upgrade], []])
    expect(await ids("")).toEqual([[], [], []])
    const unknown = await cartCall("GET", cart, "?include=bundles,gifts")
    expect([unknown.status, unknown.body.code]).toEqual([400, "VALIDATION_FAILED"])
    expect((await cartCall("GET", await shopper.cart(), "/bundles")).body).toEqual({ bundles: [] })
    expect((await cartCall("GET", "cart_none", "/bundles")).status).toBe(404)
    statementLog.reset()
    await cartCall("GET", cart, "?include=bundles,upgrades,orderBumps")
    expect(statementLog.statements()).toHaveLength(2)
  })
})
