/** Kits through carts, checkouts and orders: they are sold and held through their components. */
import { laws } from "@effect-commerce/core/audit/Laws"
import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, renewMemory, shopperOf } from "../Shopper.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  shopper = shopperOf(shop)
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const strategy = (name: "ON_CART" | "ON_PAYMENT") =>
  shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: name } } })
const kit = async (parts: ReadonlyArray<readonly [string, number]>, body: object = {}): Promise<string> => {
  const made = await shop.call("POST", "/v1/products", {
    body: {
      name: "Kit",
      type: "KIT",
      status: "active",
      basePrice: "30.00",
      kitComponents: parts.map(([productId, quantity]) => ({ productId, quantity })),
      ...body
    }
  })
  if (made.status !== 201) throw new Error(made.text)
  return made.body.id
}
const level = async (id: string) => {
  const { rows } = await client.query("SELECT total, reserved FROM stock WHERE key = $1", [id])
  return [rows[0]?.total, rows[0]?.reserved]
}
const movements = async (reference: string) =>
  (await client.query("SELECT key, delta FROM stock_movement WHERE reference = $1 ORDER BY key", [reference])).rows.map(
    ({ key, delta }) => [key, delta]
  )
const add = (cartId: string, productId: string, quantity: number) =>
  shop.call("POST", `${shopper.at}/cart/${cartId}/items`, { body: { productId, quantity } })
const broken = async () => {
  const found: Array<unknown> = []
  for (const law of laws)
    found.push(...findingsOf(law, shop.storeId, (await client.query(questionOf(law), [shop.storeId])).rows))
  return found
}

describe("a kit that is bought", () => {
  it("takes its components out of stock, is one line of the order, and the order says what it was made of", async () => {
    await strategy("ON_PAYMENT")
    const [a, b] = [await shopper.product({ stock: 10 }), await shopper.product({ stock: 10 })]
    const set = await kit([
      [a, 2],
      [b, 1]
    ])
    const checkout = await shopper.checkout(await shopper.cart([set, 3], [b, 2]))
    const done = await shopper.complete(checkout, "kit-1")
    expect(done.status).toBe(200)
    const order = (await shop.call("GET", `/v1/orders/${done.body.orderId}`)).body
    expect(order.items).toMatchObject([
      {
        productId: set,
        quantity: 3,
        unitPrice: "30.00",
        kitComponents: [
          { productId: a, variantId: null, quantity: 2 },
          { productId: b, variantId: null, quantity: 1 }
        ]
      },
      { productId: b, quantity: 2, kitComponents: [] }
    ])
    expect([await level(a), await level(b)]).toEqual([
      [4, 0],
      [5, 0]
    ])
    expect(await movements(order.id)).toEqual([
      [a, -6],
      [b, -5]
    ])
    // What it is made of later changes nothing of what was sold.
    await shop.call("PATCH", `/v1/products/${set}`, { body: { kitComponents: [{ productId: b, quantity: 1 }] } })
    expect((await shop.call("GET", `/v1/orders/${order.id}`)).body.items[0].kitComponents.length).toBe(2)
    expect(await broken()).toEqual([])
  })

  it("tells of its components' stock, and not of stock of its own", async () => {
    const a = await shopper.product({ stock: 5 })
    const set = await kit([[a, 2]])
    const done = await shopper.complete(await shopper.checkout(await shopper.cart([set, 1])), "kit-events")
    expect(done.status).toBe(200)
    const { rows } = await client.query(
      "SELECT data ->> 'productId' AS id, data -> 'inventory' ->> 'total' AS total FROM event WHERE type = 'inventory.updated' AND data ->> 'productId' = ANY($1)",
      [[a, set]]
    )
    expect(rows).toEqual([{ id: a, total: "3" }])
  })

  it("is refused as the line that cannot be served, where the others take what it needs", async () => {
    const [a, b] = [await shopper.product({ stock: 5 }), await shopper.product({ stock: 50 })]
    const set = await kit([
      [a, 2],
      [b, 1]
    ])
    const cartId = await shopper.cart([a, 2])
    const over = await add(cartId, set, 2)
    expect([over.status, over.body.code, over.body.details]).toEqual([
      400,
      "INSUFFICIENT_STOCK",
      { available: 1, requested: 2 }
    ])
    expect((await add(cartId, set, 1)).status).toBe(200)
    const checkout = await shopper.checkout(cartId)
    await shop.call("PUT", `/v1/products/${a}/inventory`, { body: { total: 3 } })
    const short = await shopper.complete(checkout, "kit-short")
    expect([short.status, short.body.code, short.body.details]).toEqual([
      400,
      "INSUFFICIENT_STOCK",
      { items: [{ productId: set, variantId: null, available: 0, requested: 1 }] }
    ])
    expect([await level(a), await level(b)]).toEqual([
      [3, 0],
      [50, 0]
    ])
    const begun = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId } })
    expect([begun.status, begun.body.details?.items]).toEqual([
      400,
      [{ productId: set, variantId: null, available: 0, requested: 1 }]
    ])
  })

  it("cannot be bought once a component is a draft or deleted, and a cart that has it says so", async () => {
    const [a, b] = [await shopper.product(), await shopper.product()]
    const set = await kit([
      [a, 1],
      [b, 1]
    ])
    const cartId = await shopper.cart([set, 1])
    const checkout = await shopper.checkout(cartId)
    await shop.call("PATCH", `/v1/products/${b}`, { body: { status: "draft" } })
    const cart = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    expect(cart.unavailableItemIds).toEqual([cart.items[0].id])
    const gone = [400, "PRODUCT_UNAVAILABLE", { items: [{ productId: set, variantId: null }] }]
    const refused = await shopper.complete(checkout, "kit-draft")
    expect([refused.status, refused.body.code, refused.body.details]).toEqual(gone)
    const added = await add(await shopper.cart(), set, 1)
    expect([added.status, added.body.code, added.body.details]).toEqual(gone)
    await shop.call("PATCH", `/v1/products/${b}`, { body: { status: "active" } })
    expect((await shopper.complete(checkout, "kit-active")).status).toBe(200)
    await shop.call("DELETE", `/v1/products/${b}`)
    expect((await add(await shopper.cart(), set, 1)).body.code).toBe("PRODUCT_UNAVAILABLE")
  })

  it("drifts in price where its components do, and takes today's when it is refreshed", async () => {
    const a = await shopper.product({ price: 1_000n })
    const set = await kit([[a, 2]], { basePrice: undefined, kitPricingMode: "COMPONENTS", kitDiscountValue: 10 })
    const cartId = await shopper.cart([set, 2])
    const checkout = await shopper.checkout(cartId)
    await shop.call("PATCH", `/v1/products/${a}`, { body: { basePrice: "12.00" } })
    const drifted = await shopper.complete(checkout, "kit-drift")
    expect([drifted.body.code, drifted.body.details.items]).toMatchObject([
      "PRICE_DRIFT",
      [{ oldUnitPrice: "18.00", newUnitPrice: "21.60", delta: "3.60", direction: "up" }]
    ])
    await shop.call("POST", `${shopper.at}/cart/${cartId}/refresh-snapshots`)
    const done = await shopper.complete(checkout, "kit-refreshed")
    expect([done.status, done.body.total]).toEqual([200, "43.20"])
  })

  it("is ordered by an admin key and by a storefront in one call, out of the same stock", async () => {
    const a = await shopper.product({ stock: 5 })
    const set = await kit([[a, 2]])
    const order = await shop.call("POST", "/v1/orders", {
      body: { items: [{ productId: set, quantity: 1 }], currency: "USD" }
    })
    expect(order.status).toBe(201)
    const body = {
      items: [{ productId: set, quantity: 1, price: "30.00" }],
      customer: { email: "ada@example.com" },
      shippingAddress: addressIn("CA", "94105")
    }
    const placed = await shop.call("POST", `${shopper.at}/orders`, { body })
    expect(placed.status).toBe(200)
    expect(await level(a)).toEqual([1, 0])
    const out = await shop.call("POST", `${shopper.at}/orders`, { body })
    expect([out.status, out.body.code, out.body.details.items]).toEqual([
      409,
      "OUT_OF_STOCK",
      [{ productId: set, variantId: null, available: 0, requested: 1 }]
    ])
    await shop.call("DELETE", `/v1/products/${a}`)
    const gone = await shop.call("POST", "/v1/orders", {
      body: { items: [{ productId: set, quantity: 1 }], currency: "USD" }
    })
    expect([gone.status, gone.body.details.errors]).toEqual([
      400,
      { "items.0.productId": "a component of this kit is not there any more" }
    ])
    expect(await broken()).toEqual([])
  })
})

describe("a kit in a store that reserves in the cart", () => {
  it("holds its components, together with what the cart holds of them otherwise", async () => {
    await strategy("ON_CART")
    const [a, b] = [await shopper.product({ stock: 5 }), await shopper.product({ stock: 5 })]
    const set = await kit([
      [a, 2],
      [b, 1]
    ])
    const cartId = await shopper.cart([set, 1], [a, 1])
    expect([await level(a), await level(b)]).toEqual([
      [5, 3],
      [5, 1]
    ])
    const over = await add(cartId, set, 2)
    expect([over.body.code, over.body.details]).toEqual(["INSUFFICIENT_STOCK", { available: 2, requested: 3 }])
    const cart = (await add(cartId, set, 1)).body
    expect(cart.hasUnavailableItems).toBe(false)
    expect([await level(a), await level(b)]).toEqual([
      [5, 5],
      [5, 2]
    ])
    const other = await add(await shopper.cart(), set, 1)
    expect([other.body.code, other.body.details]).toEqual(["INSUFFICIENT_STOCK", { available: 0, requested: 1 }])
    expect((await shop.call("GET", `${shopper.at}/products/${set}`)).body.inventory.available).toBe(0)
    const line = `${shopper.at}/cart/${cartId}/items/${cart.items[0].id}`
    await shop.call("PATCH", line, { body: { quantity: 1 } })
    expect([await level(a), await level(b)]).toEqual([
      [5, 3],
      [5, 1]
    ])
    const done = await shopper.complete(await shopper.checkout(cartId), "kit-held")
    expect(done.status).toBe(200)
    expect([await level(a), await level(b)]).toEqual([
      [2, 0],
      [4, 0]
    ])
    expect(await broken()).toEqual([])
  })

  it("gives its components back where it is paid by a provider that declines, and sells them where it does not", async () => {
    const [a, b] = [await shopper.product({ stock: 4 }), await shopper.product({ stock: 4 })]
    const set = await kit([
      [a, 2],
      [b, 1]
    ])
    const cartId = await shopper.cart([set, 2])
    const checkout = await shopper.checkout(cartId)
    const test = { paymentMethod: "test" }
    const declined = await shopper.complete(checkout, "kit-no", { ...test, paymentReference: "decline" })
    expect([declined.status, declined.body.code]).toEqual([422, "CARD_DECLINED"])
    expect([await level(a), await level(b)]).toEqual([
      [4, 4],
      [4, 2]
    ])
    const paid = await shopper.complete(checkout, "kit-yes", { ...test, paymentReference: "approve" })
    expect([paid.status, paid.body.status]).toEqual([200, "PAID"])
    expect([await level(a), await level(b)]).toEqual([
      [0, 0],
      [2, 0]
    ])
    expect(await movements(paid.body.orderId)).toEqual([
      [a, -4],
      [b, -2]
    ])
    expect(await broken()).toEqual([])
  })

  it("gives back no more of a cart that is bought in part than its remaining lines need", async () => {
    const a = await shopper.product({ stock: 9 })
    const set = await kit([[a, 2]])
    const cartId = await shopper.cart([set, 2], [a, 3])
    expect(await level(a)).toEqual([9, 7])
    const items = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.items
    const made = await shop.call("POST", `${shopper.at}/checkout`, {
      body: { cartId, selectedItemIds: [items[0].id] }
    })
    await shop.call("PATCH", `${shopper.at}/checkout/${made.body.id}/customer`, { body: { email: "ada@example.com" } })
    await shop.call("PATCH", `${shopper.at}/checkout/${made.body.id}/shipping`, {
      body: { shippingAddress: addressIn("CA", "94105") }
    })
    expect((await shopper.complete(made.body.id, "kit-part")).status).toBe(200)
    expect(await level(a)).toEqual([5, 3])
    expect(await broken()).toEqual([])
  })
})

describe("fifty kits of many components", () => {
  it("cost a cart and a purchase as many statements as one product", async () => {
    await strategy("ON_PAYMENT")
    const parts = await Promise.all(Array.from({ length: 10 }, () => shopper.product({ stock: 10_000 })))
    const kits = await Promise.all(
      Array.from({ length: 50 }, (_, i) => kit(parts.map((id, j) => [id, 1 + ((i + j) % 3)] as const)))
    )
    const count = async (use: () => Promise<unknown>) => {
      await renewMemory(shop)
      statements.reset()
      await use()
      return statements.statements().length
    }
    const run = async (ids: ReadonlyArray<string>, key: string) => {
      const cartId = await shopper.cart(...ids.slice(1).map((id) => [id, 1] as const))
      const adding = await count(() => add(cartId, ids[0] ?? "", 1))
      const reading = await count(() => shop.call("GET", `${shopper.at}/cart/${cartId}`))
      const checkout = await shopper.checkout(cartId)
      const completing = await count(() => shopper.complete(checkout, key))
      return [adding, reading, completing]
    }
    const warm = await run([await shopper.product()], "warm")
    expect(warm.length).toBe(3)
    const plain = await run([await shopper.product()], "one")
    expect(await run(kits, "fifty")).toEqual(plain)
    expect(await broken()).toEqual([])
  })
})

describe("what a cart held for a kit that is made of other things by now", () => {
  const recast = (set: string, parts: ReadonlyArray<readonly [string, number, string?]>) =>
    shop.call("PATCH", `/v1/products/${set}`, {
      body: {
        kitComponents: parts.map(([productId, quantity, variantId]) => ({
          productId,
          quantity,
          ...(variantId === undefined ? {} : { variantId })
        }))
      }
    })

  it("is free again with the order: of parts that went, of more or fewer units, of another variant", async () => {
    await strategy("ON_CART")
    const [a, b, c] = [
      await shopper.product({ stock: 20 }),
      await shopper.product({ stock: 20 }),
      await shopper.product({ stock: 20 })
    ]
    const tee = (
      await shop.call("POST", "/v1/products", {
        body: {
          name: "Tee",
          type: "VARIABLE",
          status: "active",
          basePrice: "5.00",
          variants: [
            { attributes: { Size: "S" }, inventory: { total: 20 } },
            { attributes: { Size: "L" }, inventory: { total: 20 } }
          ]
        }
      })
    ).body
    const [small, large] = tee.variants as ReadonlyArray<{ readonly id: string }>
    const changes: ReadonlyArray<ReadonlyArray<readonly [string, number, string?]>> = [
      [[a, 1]],
      [[b, 1]],
      [
        [a, 4],
        [b, 1]
      ],
      [[tee.id as string, 1, large?.id ?? ""]]
    ]
    let sold = 0
    for (const parts of changes) {
      const set = await kit([[a, 2]])
      await recast(set, [
        [a, 2],
        [c, 1],
        [tee.id as string, 1, small?.id ?? ""]
      ])
      const cart = await shopper.cart([set, 1], [c, 1])
      const checkout = await shopper.checkout(cart)
      expect((await level(a))[1]).toBe(2)
      expect((await recast(set, parts)).status).toBe(200)
      const done = await shopper.complete(checkout, `recast-${(sold += 1)}`)
      expect([done.status, done.body.code]).toEqual([200, undefined])
      const reserved = await Promise.all(
        [a, b, c, small?.id ?? "", large?.id ?? ""].map(async (id) => (await level(id))[1])
      )
      expect(reserved).toEqual([0, 0, 0, 0, 0])
    }
    expect(await broken()).toEqual([])
    await strategy("ON_PAYMENT")
  })
})
