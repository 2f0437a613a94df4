import { waitedFor } from "@effect-commerce/core/testing/LockWaits"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { customersOf, rowsOf, type Shopper } from "../customer/SignedIn.ts"
import { charges, keyIn, noticeOf, scriptedPayments, stands, tell } from "../payment/ScriptedProvider.ts"

/** A guest has begun to buy and then signs in: what the two carts hold is bought once, whoever comes first. */
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let at: ReturnType<typeof customersOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", ...scriptedPayments })
  shopper = shopperOf(shop)
  at = customersOf(shop)
})
afterAll(() => shop.close())

let keys = 0
const ways = {
  manual: {},
  card: { paymentMethod: "provider", providerId: "scripted", paymentReference: "approve" },
  decline: { paymentMethod: "provider", providerId: "scripted", paymentReference: "decline" },
  silence: { paymentMethod: "provider", providerId: "scripted", paymentReference: "silence" }
}
const buy = (checkoutId: string, way: keyof typeof ways = "manual", token?: string) => {
  const headers = {
    "idempotency-key": `merged-${keys++}`,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
  }
  return shop.call("POST", `${at.vc}/checkout/${checkoutId}/complete`, { body: ways[way], headers })
}
const merge = ({ token }: Shopper, sessionToken: string) =>
  at.as(token, "POST", `${at.vc}/cart/merge`, { sessionToken })
const guest = async (...lines: ReadonlyArray<readonly [productId: string, quantity: number, metadata?: object]>) => {
  const { body } = await shop.call("POST", `${at.vc}/cart`)
  for (const [productId, quantity, metadata = {}] of lines) {
    await shop.call("POST", `${at.vc}/cart/${body.id}/items`, { body: { productId, quantity, metadata } })
  }
  return body as { readonly id: string; readonly sessionToken: string }
}
const ready = async (checkoutId: string, token?: string) => {
  const path = `${at.vc}/checkout/${checkoutId}`
  await at.as(token, "PATCH", `${path}/customer`, { email: "ada@example.com" })
  await at.as(token, "PATCH", `${path}/shipping`, {
    shippingAddress: { line1: "1 Main St", city: "Town", country: "US" }
  })
  return checkoutId
}
const checkoutOf = async (cartId: string, token?: string, body: object = {}) => {
  const made = await at.as(token, "POST", `${at.vc}/checkout`, { cartId, ...body })
  if (made.status !== 201) throw new Error(made.text)
  return ready(made.body.id, token)
}
const statusOf = async (checkoutId: string) =>
  (await rowsOf(shop, "SELECT status FROM checkout WHERE id = $1", [checkoutId]))[0]?.["status"]
const soldOf = async (productId: string) =>
  (
    await rowsOf(shop, "SELECT coalesce(sum(quantity), 0)::int AS n FROM order_item WHERE product_id = $1", [productId])
  )[0]?.["n"]
const linesOf = async (customer: Shopper) => {
  const { body } = await at.me(customer.token, "GET", "/cart")
  return body.items.map((item: { readonly productId: string; readonly quantity: number }) => [
    item.productId,
    item.quantity
  ])
}
const reservedOf = async (productId: string) =>
  (await at.admin("GET", `/products/${productId}/inventory`)).body.reserved
const strategy = (name: string) => at.admin("PATCH", "/store", { reservation: { strategy: name, minutes: 15 } })

/** Both at once, in this order: each waits for the cart's row behind who came before. */
const inOrder = async <A, B>(
  cartId: string,
  first: () => Promise<A>,
  second: () => Promise<B>
): Promise<readonly [A, B]> => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  try {
    await client.query("BEGIN")
    await client.query("SELECT 1 FROM cart WHERE id = $1 FOR UPDATE", [cartId])
    const one = first()
    await waitedFor(client)
    const two = second()
    await waitedFor(client, 2)
    await client.query("COMMIT")
    return await Promise.all([one, two])
  } finally {
    await client.end()
  }
}

describe.each(["ON_PAYMENT", "ON_CART"])("under %s, a cart that is merged while its checkout is open", (name) => {
  beforeAll(() => strategy(name))
  afterAll(() => strategy("ON_PAYMENT"))
  const held = (units: number) => (name === "ON_CART" ? units : 0)

  it("is bought in the customer's cart only: its checkout is cancelled", async () => {
    const lamp = await shopper.product({ stock: 9 })
    const customer = await at.known()
    const source = await guest([lamp, 2])
    const checkoutId = await checkoutOf(source.id)
    const merged = await merge(customer, source.sessionToken)
    expect([merged.status, await statusOf(checkoutId)]).toEqual([200, "CANCELLED"])
    const late = await buy(checkoutId)
    expect([late.status, late.body.code, late.body.details]).toEqual([409, "CONFLICT", { status: "CANCELLED" }])
    expect([await soldOf(lamp), await reservedOf(lamp)]).toEqual([0, held(2)])
    const own = await checkoutOf(merged.body.id, customer.token)
    expect((await buy(own, "manual", customer.token)).status).toBe(200)
    expect([await soldOf(lamp), await reservedOf(lamp), await linesOf(customer)]).toEqual([2, 0, []])
  })

  it.each(["manual", "card"] as const)(
    "and paid by %s at the same moment is bought once: the merge came first",
    async (way) => {
      const lamp = await shopper.product({ stock: 9 })
      const customer = await at.known()
      const source = await guest([lamp, 2])
      const checkoutId = await checkoutOf(source.id)
      const [merged, bought] = await inOrder(
        source.id,
        () => merge(customer, source.sessionToken),
        () => buy(checkoutId, way)
      )
      expect([merged.status, bought.status, bought.body.code]).toEqual([200, 409, "CONFLICT"])
      expect([await soldOf(lamp), await linesOf(customer), await reservedOf(lamp)]).toEqual([0, [[lamp, 2]], held(2)])
      expect(charges.has(`complete:${checkoutId}:1`)).toBe(false)
    }
  )

  it.each(["manual", "card"] as const)(
    "and paid by %s at the same moment is bought once: the payment came first",
    async (way) => {
      const lamp = await shopper.product({ stock: 9 })
      const customer = await at.known()
      const source = await guest([lamp, 2])
      const checkoutId = await checkoutOf(source.id)
      const [bought, merged] = await inOrder(
        source.id,
        () => buy(checkoutId, way),
        () => merge(customer, source.sessionToken)
      )
      expect([bought.status, merged.status, merged.body.code]).toEqual([200, 409, "CONFLICT"])
      expect([await soldOf(lamp), await linesOf(customer), await reservedOf(lamp)]).toEqual([2, [], 0])
    }
  )

  it("and merged twice at once is one merge", async () => {
    const lamp = await shopper.product({ stock: 9 })
    const customer = await at.known()
    const source = await guest([lamp, 2])
    const checkoutId = await checkoutOf(source.id)
    const answers = await Promise.all([0, 1, 2, 3].map(() => merge(customer, source.sessionToken)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect([await linesOf(customer), await statusOf(checkoutId), await reservedOf(lamp)]).toEqual([
      [[lamp, 2]],
      "CANCELLED",
      held(2)
    ])
  })

  it("keeps what was left of it by a checkout of a part: that part is not bought again", async () => {
    const [lamp, chair] = [await shopper.product({ stock: 9 }), await shopper.product({ stock: 9 })]
    const customer = await at.known()
    const source = await guest([lamp, 2], [chair, 1])
    const { body: seen } = await shop.call("GET", `${at.vc}/cart/${source.id}`)
    const part = await checkoutOf(source.id, undefined, { selectedItemIds: [seen.items[0].id] })
    const rest = await checkoutOf(source.id, undefined, { selectedItemIds: [seen.items[1].id] })
    expect((await buy(part)).status).toBe(200)
    expect((await merge(customer, source.sessionToken)).status).toBe(200)
    expect([await linesOf(customer), await statusOf(part), await statusOf(rest)]).toEqual([
      [[chair, 1]],
      "COMPLETED",
      "CANCELLED"
    ])
    expect([await reservedOf(lamp), await reservedOf(chair)]).toEqual([0, held(1)])
  })

  it("cannot be merged while a provider is asked for its money", async () => {
    const lamp = await shopper.product({ stock: 9 })
    const customer = await at.known()
    const source = await guest([lamp, 2])
    const checkoutId = await checkoutOf(source.id)
    expect((await buy(checkoutId, "silence")).status).toBe(500)
    const refused = await merge(customer, source.sessionToken)
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "payment_pending" }
    ])
    expect(refused.headers.get("retry-after")).toBe("1")
    expect([await statusOf(checkoutId), await linesOf(customer)]).toEqual(["PROCESSING", []])
    const { body: left } = await shop.call("GET", `${at.vc}/cart/${source.id}`)
    expect([left.status, left.items.length]).toEqual(["ACTIVE", 1])
  })

  it("of a customer's own older cart closes that cart's checkouts too, and so on along a chain", async () => {
    const lamp = await shopper.product({ stock: 9 })
    const customer = await at.known()
    const source = await guest([lamp, 1])
    const guests = await checkoutOf(source.id)
    const { body: first } = await merge(customer, source.sessionToken)
    const older = await checkoutOf(first.id, customer.token)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 5 } })
    const { body: newer } = await at.as(customer.token, "POST", `${at.vc}/cart`)
    const merged = await merge(customer, first.sessionToken)
    expect([merged.status, merged.body.id]).toEqual([200, newer.id])
    const own = await checkoutOf(newer.id, customer.token)
    for (const id of [guests, older]) expect((await buy(id, "card", customer.token)).status).toBe(409)
    expect((await buy(own, "card", customer.token)).status).toBe(200)
    expect([await soldOf(lamp), await linesOf(customer), await reservedOf(lamp)]).toEqual([1, [], 0])
  })
})

describe("money that comes for the checkout of a cart which was merged since", () => {
  const take = async (key: string, captured: bigint) => {
    stands(key, { captured })
    expect(await tell(shop, noticeOf(key))).toBe(true)
  }
  /** A guest's card is declined at first, the cart is merged, and the company takes the money after all. */
  const begin = async (name: string) => {
    await strategy(name)
    const [lamp, chair] = [
      await shopper.product({ stock: 9, price: 1_000n }),
      await shopper.product({ stock: 9, price: 500n })
    ]
    const customer = await at.known()
    const source = await guest([lamp, 2], [chair, 1, { engraving: "A" }])
    const checkoutId = await checkoutOf(source.id)
    expect(
      (
        await shop.call("POST", `${at.vc}/checkout/${checkoutId}/complete`, {
          body: { ...ways.card, paymentReference: "decline" },
          headers: { "idempotency-key": `merged-${keys++}` }
        })
      ).status
    ).toBe(422)
    return { lamp, chair, customer, source, paid: keyIn(shop.storeId, checkoutId) }
  }
  beforeEach(() => strategy("ON_PAYMENT"))
  afterAll(() => strategy("ON_PAYMENT"))

  it.each(["ON_PAYMENT", "ON_CART"])(
    "under %s takes what it paid for out of the cart that it went into",
    async (name) => {
      const { lamp, chair, customer, source, paid } = await begin(name)
      const { body: own } = await at.me(customer.token, "GET", "/cart")
      await at.as(customer.token, "POST", `${at.vc}/cart/${own.id}/items`, { productId: lamp, quantity: 3 })
      await merge(customer, source.sessionToken)
      const open = await checkoutOf(own.id, customer.token)
      expect(await linesOf(customer)).toEqual([
        [lamp, 5],
        [chair, 1]
      ])
      await take(paid, 2_500n)
      expect([await soldOf(lamp), await soldOf(chair), await linesOf(customer)]).toEqual([2, 1, [[lamp, 3]]])
      const held = name === "ON_CART" ? 3 : 0
      expect([await reservedOf(lamp), await reservedOf(chair), await statusOf(open)]).toEqual([held, 0, "CANCELLED"])
      expect((await rowsOf(shop, "SELECT status FROM cart WHERE id = $1", [source.id]))[0]).toEqual({
        status: "MERGED"
      })
      await take(paid, 2_500n)
      expect([await soldOf(lamp), await linesOf(customer)]).toEqual([2, [[lamp, 3]]])
    }
  )

  it("sells the units that the cart it went into held for them", async () => {
    await strategy("ON_CART")
    const lamp = await shopper.product({ stock: 2, price: 1_000n })
    const customer = await at.known()
    const source = await guest([lamp, 2])
    const checkoutId = await checkoutOf(source.id)
    expect((await buy(checkoutId, "decline")).status).toBe(422)
    await merge(customer, source.sessionToken)
    expect(await reservedOf(lamp)).toBe(2)
    await take(keyIn(shop.storeId, checkoutId), 2_000n)
    const [order] = await rowsOf(shop, "SELECT status, sync_warning FROM orders WHERE checkout_id = $1", [checkoutId])
    expect(order).toEqual({ status: "PAID", sync_warning: null })
    expect((await at.admin("GET", `/products/${lamp}/inventory`)).body).toMatchObject({ total: 0, reserved: 0 })
    expect(await linesOf(customer)).toEqual([])
  })

  it("follows a chain of merges to the cart that is open", async () => {
    const { lamp, chair, customer, source, paid } = await begin("ON_PAYMENT")
    const { body: first } = await merge(customer, source.sessionToken)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 5 } })
    await at.as(customer.token, "POST", `${at.vc}/cart`)
    await merge(customer, first.sessionToken)
    expect((await linesOf(customer)).length).toBe(2)
    await take(paid, 2_500n)
    expect([await soldOf(lamp), await soldOf(chair), await linesOf(customer)]).toEqual([2, 1, []])
  })

  it("leaves a cart alone that was bought itself, and goes back: nothing is sold twice", async () => {
    const { lamp, customer, source, paid } = await begin("ON_PAYMENT")
    const { body: own } = await merge(customer, source.sessionToken)
    expect((await buy(await checkoutOf(own.id, customer.token), "manual", customer.token)).status).toBe(200)
    await take(paid, 2_500n)
    expect(await soldOf(lamp)).toBe(2)
    const ofCharge = "SELECT state, captured FROM provider_operation WHERE charge_key = $1"
    expect(await rowsOf(shop, ofCharge, [paid])).toEqual([{ state: "refund_due", captured: "2500" }])
    expect((await rowsOf(shop, "SELECT status FROM cart WHERE id = $1", [own.id]))[0]).toEqual({ status: "CONVERTED" })
  })
})
