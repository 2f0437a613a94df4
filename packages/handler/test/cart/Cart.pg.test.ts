import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { renewMemory, shopperOf } from "../Shopper.ts"
import { asDocumented } from "../system/documentedAnswers.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = asDocumented(await openTestCommerce({ statementLog: statements, role: "api" }))
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const add = (cartId: string, body: object) => shop.call("POST", `${shopper.at}/cart/${cartId}/items`, { body })
const answer = async (promise: ReturnType<TestCommerce["call"]>) => {
  const { status, body } = await promise
  return [status, body?.code]
}

describe("a cart", () => {
  it("begins empty, with a session token that finds it again, and a date on which it ends", async () => {
    const made = await shop.call("POST", `${shopper.at}/cart`)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      status: "ACTIVE",
      currency: "USD",
      subtotal: "0.00",
      items: [],
      itemCount: 0,
      reservation: { hasReservation: false }
    })
    expect(Date.parse(made.body.expiresAt) - Date.parse(made.body.createdAt)).toBe(30 * 86_400_000)
    const found = await shop.call("GET", `${shopper.at}/cart/session/${made.body.sessionToken}`)
    expect(found.body.id).toBe(made.body.id)
    expect(await answer(shop.call("GET", `${shopper.at}/cart/session/cs_wrong`))).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("adds equal lines up, keeps lines with other metadata apart, and counts their stock together", async () => {
    const lamp = await shopper.product({ price: 1_250n, stock: 5 })
    const cartId = await shopper.cart([lamp, 1], [lamp, 2])
    const engraved = await add(cartId, { productId: lamp, quantity: 1, metadata: { engraving: "Ada" } })
    expect(engraved.body.items.map((item: { quantity: number }) => item.quantity)).toEqual([3, 1])
    expect([engraved.body.subtotal, engraved.body.itemCount]).toEqual(["50.00", 4])
    const over = await add(cartId, { productId: lamp, quantity: 2 })
    expect([over.status, over.body.code, over.body.details]).toEqual([
      400,
      "INSUFFICIENT_STOCK",
      { available: 5, requested: 6 }
    ])
    expect((await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.itemCount).toBe(4)
  })

  it("changes, removes and clears its lines; what is gone is 404", async () => {
    const cartId = await shopper.cart([await shopper.product(), 1], [await shopper.product(), 1])
    const items = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.items
    const line = `${shopper.at}/cart/${cartId}/items/${items[0].id}`
    expect((await shop.call("PATCH", line, { body: { quantity: 4, notes: "gift" } })).body.items[0]).toMatchObject({
      quantity: 4,
      notes: "gift"
    })
    expect((await shop.call("PATCH", line, { body: { quantity: 0 } })).body.items.length).toBe(1)
    expect(await answer(shop.call("PATCH", line, { body: { quantity: 1 } }))).toEqual([404, "RESOURCE_NOT_FOUND"])
    const second = `${shopper.at}/cart/${cartId}/items/${items[1].id}`
    expect((await shop.call("DELETE", second)).body.items).toEqual([])
    expect(await answer(shop.call("DELETE", second))).toEqual([404, "RESOURCE_NOT_FOUND"])
    await add(cartId, { productId: await shopper.product(), quantity: 2 })
    expect((await shop.call("DELETE", `${shopper.at}/cart/${cartId}`)).body).toMatchObject({
      items: [],
      subtotal: "0.00",
      status: "ACTIVE"
    })
  })

  it("belongs to no region of a store that has none", async () => {
    const cartId = await shopper.cart()
    const refused = await shop.call("PATCH", `${shopper.at}/cart/${cartId}`, { body: { regionId: "reg_none" } })
    expect([refused.status, refused.body.details.errors]).toEqual([400, { regionId: "is not a region of this store" }])
    expect(
      (await shop.call("PATCH", `${shopper.at}/cart/${cartId}`, { body: { regionId: null, notes: "n" } })).body.notes
    ).toBe("n")
  })

  it("is opened by an admin key with no body, or for a customer of the store", async () => {
    const { body: customer } = await shop.call("POST", "/v1/customers", { body: { email: "cart@example.com" } })
    const guest = await shop.call("POST", "/v1/cart")
    const owned = await shop.call("POST", "/v1/cart", { body: { customerId: customer.id } })
    expect([guest.status, guest.body.customerId, owned.status, owned.body.customerId]).toEqual([
      201,
      null,
      201,
      customer.id
    ])
    expect(await answer(shop.call("POST", "/v1/cart", { body: { customerId: "cust_none" } }))).toEqual([
      404,
      "CUSTOMER_NOT_FOUND"
    ])
  })

  it.each([
    ["no product", { quantity: 1 }],
    ["no quantity", { productId: "prod_x" }],
    ["nothing", { productId: "prod_x", quantity: 0 }],
    ["less than nothing", { productId: "prod_x", quantity: -1 }],
    ["a fraction", { productId: "prod_x", quantity: 1.5 }],
    ["a number as text", { productId: "prod_x", quantity: "2" }],
    ["a huge number", { productId: "prod_x", quantity: 1e300 }],
    ["a product that is a number", { productId: 5, quantity: 1 }],
    ["customizations of another shape", { productId: "prod_x", quantity: 1, customizations: ["red"] }]
  ])("refuses %s with 400", async (_what, body) => {
    expect(await answer(add(await shopper.cart(), body))).toEqual([400, "VALIDATION_FAILED"])
  })

  it("refuses what cannot be bought: unknown, draft, disabled, sold out; takes backorders to their limit", async () => {
    const cartId = await shopper.cart()
    for (const productId of ["prod_unknown", await shopper.product({ status: "draft" })]) {
      const refused = await add(cartId, { productId, quantity: 1 })
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        400,
        "PRODUCT_UNAVAILABLE",
        { items: [{ productId, variantId: null }] }
      ])
    }
    for (const seed of [{ stock: 0 }, { stock: null }, { trackingMode: "DISABLED" as const }]) {
      expect(await answer(add(cartId, { productId: await shopper.product(seed), quantity: 1 }))).toEqual([
        400,
        "INSUFFICIENT_STOCK"
      ])
    }
    const limited = await shopper.product({ stock: 1, backorderMode: "LIMITED", backorderLimit: 2 })
    expect((await add(cartId, { productId: limited, quantity: 3 })).status).toBe(200)
    expect(await answer(add(cartId, { productId: limited, quantity: 1 }))).toEqual([400, "INSUFFICIENT_STOCK"])
    expect(
      (await add(cartId, { productId: await shopper.product({ stock: 0, backorderMode: "ALLOW" }), quantity: 900 }))
        .status
    ).toBe(200)
    expect(
      (await add(cartId, { productId: await shopper.product({ stock: 0, trackingMode: "UNTRACKED" }), quantity: 900 }))
        .status
    ).toBe(200)
  })

  it("refuses modifiers of a product without groups", async () => {
    const refused = await add(await shopper.cart(), {
      productId: await shopper.product(),
      quantity: 1,
      modifiers: [{ modifierGroupId: "g", modifierId: "m" }]
    })
    expect([refused.status, refused.body.code]).toEqual([400, "MODIFIER_VALIDATION_FAILED"])
    expect(refused.body.details.errors).toMatchObject([
      { code: "MODIFIER_GROUP_UNKNOWN", modifierGroupId: "g", modifierId: "m" }
    ])
  })

  it("holds fifty lines for a storefront, any number for an admin key, and costs the same for one and for fifty", async () => {
    const products = await Promise.all(Array.from({ length: 51 }, () => shopper.product()))
    const cartId = await shopper.cart()
    const counts: Array<number> = []
    for (const productId of products.slice(0, 50)) {
      await renewMemory(shop)
      statements.reset()
      await add(cartId, { productId, quantity: 1 })
      counts.push(statements.statements().length)
    }
    expect(new Set(counts.slice(1)).size).toBe(1)
    expect(counts[1]).toBeLessThanOrEqual(4)
    const refused = await add(cartId, { productId: products[50], quantity: 1 })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      400,
      "CART_LINE_LIMIT_REACHED",
      { maxLines: 50 }
    ])
    expect((await add(cartId, { productId: products[0], quantity: 1 })).status).toBe(200)
    expect(
      (await shop.call("POST", `/v1/cart/${cartId}/items`, { body: { productId: products[50], quantity: 1 } })).body
        .items.length
    ).toBe(51)
    statements.reset()
    await shop.call("GET", `${shopper.at}/cart/${cartId}`)
    expect(statements.statements().length).toBe(1)
  })

  it("has passed once its time is over: it reads as EXPIRED and takes nothing more", async () => {
    const lamp = await shopper.product()
    const cartId = await shopper.cart([lamp, 1])
    await shop.call("POST", "/test/clock", { body: { advanceMs: 30 * 86_400_000 } })
    expect((await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.status).toBe("EXPIRED")
    expect(await answer(add(cartId, { productId: lamp, quantity: 1 }))).toEqual([409, "CONFLICT"])
  })
})

describe("a store that holds stock for carts", () => {
  it("reserves when a line is added, gives back when it goes, and lets nobody else have it meanwhile", async () => {
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_CART", minutes: 15 } } })
    const lamp = await shopper.product({ stock: 3 })
    const first = await shopper.cart([lamp, 2])
    const held = (await shop.call("GET", `${shopper.at}/cart/${first}`)).body
    expect(held.reservation).toMatchObject({ hasReservation: true, strategy: "ON_CART" })
    expect(held.unavailableItemIds).toEqual([])
    const second = await shopper.cart()
    const refused = await add(second, { productId: lamp, quantity: 2 })
    expect([refused.body.code, refused.body.details]).toEqual(["INSUFFICIENT_STOCK", { available: 1, requested: 2 }])
    await shop.call("DELETE", `${shopper.at}/cart/${first}`)
    expect((await add(second, { productId: lamp, quantity: 3 })).status).toBe(200)
    const id = await shopper.checkout(second)
    const done = await shopper.complete(id, "held")
    expect(done.status).toBe(200)
    const { body } = await shop.call("GET", `/v1/products/${lamp}`)
    expect(body.inventory).toMatchObject({ total: 0, reserved: 0, available: 0, canPurchase: false })
  })
})

describe("what holding for carts costs, and whom", () => {
  it("is two statements more for a line added, changed or taken out, the same for one line and for thirty", async () => {
    const counts: Array<ReadonlyArray<number>> = []
    const counted = async (work: () => Promise<unknown>) => {
      await renewMemory(shop)
      statements.reset()
      await work()
      return statements.statements().length
    }
    for (const lines of [1, 30]) {
      const cartId = await shopper.cart(
        ...(await Promise.all(Array.from({ length: lines }, () => shopper.product()))).map((id) => [id, 1] as const)
      )
      const productId = await shopper.product()
      const added = await counted(() => add(cartId, { productId, quantity: 1 }))
      const { items } = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
      const item = `${shopper.at}/cart/${cartId}/items/${items.at(-1).id}`
      const changed = await counted(() => shop.call("PATCH", item, { body: { quantity: 2 } }))
      const removed = await counted(() => shop.call("DELETE", item))
      counts.push([added, changed, removed])
    }
    expect(counts).toEqual([
      [6, 5, 5],
      [6, 5, 5]
    ])
  })

  it("is nobody, once the time of who held it has passed: whoever comes next has it, before any worker has given it back", async () => {
    const lamp = await shopper.product({ stock: 3 })
    const first = await shopper.cart([lamp, 3])
    const second = await shopper.cart()
    expect((await add(second, { productId: lamp, quantity: 1 })).body.details).toEqual({ available: 0, requested: 1 })
    await shop.call("POST", "/test/clock", { body: { advanceMs: 16 * 60_000 } })
    expect((await add(second, { productId: lamp, quantity: 3 })).status).toBe(200)
    expect((await shop.call("GET", `${shopper.at}/cart/${first}`)).body.hasUnavailableItems).toBe(true)
    expect((await shopper.complete(await shopper.checkout(second), "lapsed")).status).toBe(200)
  })
})

describe("units held past their time", () => {
  it("are there for everybody at once, in carts and checkouts as on the shelf, before any worker has given them back", async () => {
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_CART" } } })
    const lamp = await shopper.product({ stock: 3 })
    const second = await shopper.cart([lamp, 1])
    await shop.call("POST", `${shopper.at}/reservation/release`, { body: { cartId: second } })
    const first = await shopper.cart([lamp, 3])
    const seen = async () => (await shop.call("GET", `${shopper.at}/cart/${second}`)).body.hasUnavailableItems
    const begin = () => answer(shop.call("POST", `${shopper.at}/checkout`, { body: { cartId: second } }))
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_PAYMENT" } } })
    expect([await seen(), await begin(), await answer(add(second, { productId: lamp, quantity: 1 }))]).toEqual([
      true,
      [400, "INSUFFICIENT_STOCK"],
      [400, "INSUFFICIENT_STOCK"]
    ])
    await shop.call("POST", "/test/clock", { body: { advanceMs: 16 * 60_000 } })
    expect([await seen(), await begin(), await answer(add(second, { productId: lamp, quantity: 1 }))]).toEqual([
      false,
      [201, undefined],
      [200, undefined]
    ])
    const over = await add(second, { productId: lamp, quantity: 2 })
    expect(over.body.details).toEqual({ available: 3, requested: 4 })
    expect((await shop.call("GET", `${shopper.at}/cart/${first}`)).body.hasUnavailableItems).toBe(false)
  })
})

describe("statement budgets", () => {
  it("add a line in two round trips, and complete a checkout in six beside its key", async () => {
    const product = await shopper.product()
    const id = await shopper.cart([await shopper.product(), 1])
    const tripsOf = async (work: () => Promise<{ readonly status: number }>) => {
      await renewMemory(shop)
      statements.reset()
      expect((await work()).status).toBe(200)
      return statements.roundTrips()
    }
    const add = () => shop.call("POST", `${shopper.at}/cart/${id}/items`, { body: { productId: product, quantity: 1 } })
    expect([await tripsOf(add), await tripsOf(add)]).toEqual([2, 2])
    const checkout = await shopper.checkout(id)
    // The claim of the key, and keeping the answer under it, are transactions of their own.
    expect(await tripsOf(() => shopper.complete(checkout, "round-trips"))).toBe(6 + 2)
  })

  it("read a product, a page of twenty and a checkout in two at most, and complete a checkout in eleven at most", async () => {
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_PAYMENT" } } })
    const counted = async (work: () => Promise<unknown>) => {
      await work()
      statements.reset()
      await work()
      return statements.statements().length
    }
    const lamp = await shopper.product()
    expect(await counted(() => shop.call("GET", `${shopper.at}/products/slug/${lamp.replaceAll("_", "-")}`))).toBe(1)
    expect(await counted(() => shop.call("GET", `${shopper.at}/products?limit=20`))).toBe(1)
    const completing = async (lines: number, body: object = {}) => {
      const products = await Promise.all(Array.from({ length: lines }, () => shopper.product()))
      const id = await shopper.checkout(await shopper.cart(...products.map((product) => [product, 1] as const)))
      expect(await counted(() => shop.call("GET", `${shopper.at}/checkout/${id}`))).toBe(1)
      statements.reset()
      expect((await shopper.complete(id, `budget-${id}`, body)).status).toBe(200)
      return statements.statements().filter((text) => !/ idempotency | test_charge /.test(text)).length
    }
    expect([await completing(1), await completing(50)]).toEqual([7, 7])
    // In two transactions, beside what the provider does on its side.
    const byTest = { paymentMethod: "test", paymentReference: "approve" }
    expect([await completing(1, byTest), await completing(50, byTest)]).toEqual([11, 11])
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_CART" } } })
    expect([await completing(1), await completing(1, byTest)]).toEqual([7, 11])
  })
})
