import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { customersOf, goodPassword, otherPassword, rowsOf } from "../customer/SignedIn.ts"

/** Carts, checkouts, customers and stock: who read before somebody else wrote is told, and overwrites nothing. */
const statements = makeStatementCounter()
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let at: ReturnType<typeof customersOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  shopper = shopperOf(shop)
  at = customersOf(shop)
  lamp = await shopper.product({ stock: 1_000 })
})
afterAll(() => shop.close())

const past = '"2001-01-01T00:00:00.000Z"'
interface Action {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly token?: string
  readonly key?: string
}
let keys = 0
const ask = ({ method, path, body, token }: Action, headers: Record<string, string>) =>
  shop.call(method, path, {
    ...(body === undefined ? {} : { body }),
    headers: {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(path.endsWith("/complete") ? { "idempotency-key": `version-${keys++}` } : {})
    }
  })

/** Stale versions are refused and change nothing; malformed ones are 400; the one that was read goes through. */
const holds = async (action: Action, read: () => Promise<{ readonly updatedAt: string }>) => {
  const before = await read()
  const name = `${action.method} ${action.path}`
  for (const headers of [{ "if-match": past }, { "if-unmodified-since": "2001-01-01T00:00:00.000Z" }] as ReadonlyArray<
    Record<string, string>
  >) {
    const stale = await ask(action, headers)
    expect([name, stale.status, stale.body.code, stale.body.details]).toEqual([
      name,
      409,
      "CONFLICT",
      { updatedAt: before.updatedAt }
    ])
  }
  const malformed = await ask(action, { "if-match": "yesterday" })
  expect([name, malformed.status, malformed.body.code]).toEqual([name, 400, "VALIDATION_FAILED"])
  expect(await read()).toEqual(before)
  const passed = await ask(action, { "if-match": `"${before.updatedAt}"` })
  // Codes and offers that nobody has are judged after the version.
  expect([
    name,
    passed.status < 300 ||
      passed.status === 404 ||
      (passed.status === 400 && passed.body.details?.updatedAt === undefined)
  ]).toEqual([name, true])
  return passed
}

describe("a cart's version", () => {
  it("is asked by every write to it, on both surfaces", async () => {
    const cartId = await shopper.cart([lamp, 1])
    const read = async () => (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    const storefront = `${shopper.at}/cart/${cartId}`
    for (const path of [storefront, `/v1/cart/${cartId}`]) {
      const item = async () => `${path}/items/${(await read()).items[0].id}`
      await holds({ method: "PATCH", path, body: { notes: path } }, read)
      await holds(
        { method: "POST", path: `${path}/items`, body: { productId: lamp, quantity: 1, metadata: { path } } },
        read
      )
      await holds({ method: "PATCH", path: await item(), body: { quantity: 7 } }, read)
      await holds({ method: "POST", path: `${path}/coupon`, body: { code: "TEN" } }, read)
      await holds({ method: "DELETE", path: `${path}/coupon` }, read)
      await holds({ method: "DELETE", path: await item() }, read)
      if (path === storefront) {
        await holds({ method: "POST", path: `${path}/refresh-snapshots` }, read)
        await holds({ method: "POST", path: `${path}/bundle`, body: { bundleOfferId: "offer" } }, read)
        await holds({ method: "DELETE", path: `${path}/bundle/none` }, read)
        await holds({ method: "POST", path: `${path}/upgrade`, body: { offerId: "offer" } }, read)
        await holds({ method: "POST", path: `${path}/order-bump`, body: { offerId: "offer" } }, read)
      }
      await holds({ method: "DELETE", path }, read)
      await shop.call("POST", `${storefront}/items`, { body: { productId: lamp, quantity: 1 } })
    }
  })

  it("lets exactly one of twenty through that read the same, also within a millisecond", async () => {
    const cartId = await shopper.cart()
    const path = `${shopper.at}/cart/${cartId}`
    const { updatedAt } = (await shop.call("GET", path)).body
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        shop.call("PATCH", path, { body: { notes: `editor ${i}` }, headers: { "if-match": `"${updatedAt}"` } })
      )
    )
    const won = answers.filter(({ status }) => status === 200)
    expect([won.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 19])
    expect((await shop.call("GET", path)).body.notes).toBe(won[0]?.body.notes)
    // The clock stands still: a version is still another.
    await rowsOf(shop, "UPDATE cart SET updated_at = now() + interval '1 day' WHERE id = $1", [cartId])
    const { body: read } = await shop.call("GET", path)
    const first = await shop.call("PATCH", path, {
      body: { notes: "first" },
      headers: { "if-match": `"${read.updatedAt}"` }
    })
    expect([first.status, first.body.updatedAt > read.updatedAt]).toEqual([200, true])
    expect(
      (await shop.call("PATCH", path, { body: { notes: "second" }, headers: { "if-match": `"${read.updatedAt}"` } }))
        .status
    ).toBe(409)
  })

  it("is told to nobody who may not see the cart, and costs no statement", async () => {
    const owner = await at.known()
    const { body: cart } = await at.me(owner.token, "GET", "/cart")
    const path = `${shopper.at}/cart/${cart.id}`
    const stranger = await ask({ method: "PATCH", path, body: { notes: "mine" } }, { "if-match": past })
    expect([stranger.status, stranger.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    const counted = async (headers: Record<string, string>) => {
      statements.reset()
      expect((await ask({ method: "PATCH", path, body: { notes: "ours" }, token: owner.token }, headers)).status).toBe(
        200
      )
      return statements.statements().length
    }
    await counted({})
    expect(await counted({ "if-match": "*" })).toBe(await counted({}))
  })
})

describe("a checkout's version", () => {
  it("is asked by every step, by its cancelling and by its completion on both surfaces", async () => {
    const [first, second, third] = [0, 1, 2].map(async () => shopper.checkout(await shopper.cart([lamp, 1])))
    const of = async (id: Promise<string> | undefined) => {
      const checkoutId = (await id) ?? ""
      const path = `${shopper.at}/checkout/${checkoutId}`
      return { checkoutId, path, read: async () => (await shop.call("GET", path)).body }
    }
    const { path, read } = await of(first)
    await holds({ method: "PATCH", path: `${path}/customer`, body: { email: "bob@example.com" } }, read)
    await holds(
      { method: "PATCH", path: `${path}/shipping`, body: { shippingAddress: addressIn("NY", "10001") } },
      read
    )
    await holds({ method: "PATCH", path: `${path}/shipping-method`, body: { shippingRateId: "none" } }, read)
    await holds({ method: "PATCH", path: `${path}/delivery`, body: { deliveryType: "shipping" } }, read)
    await holds({ method: "PATCH", path: `${path}/custom-fields`, body: { values: {} } }, read)
    await holds({ method: "POST", path: `${path}/coupon`, body: { code: "TEN" } }, read)
    await holds({ method: "DELETE", path: `${path}/coupon` }, read)
    await holds({ method: "POST", path: `${path}/gift-card`, body: { code: "TEN" } }, read)
    await holds({ method: "DELETE", path: `${path}/gift-card/none` }, read)
    expect((await holds({ method: "POST", path: `${path}/complete`, body: {} }, read)).status).toBe(200)
    const admin = await of(second)
    expect(
      (await holds({ method: "POST", path: `/v1/checkout/${admin.checkoutId}/complete`, body: {} }, admin.read)).status
    ).toBe(200)
    const gone = await of(third)
    expect((await holds({ method: "DELETE", path: gone.path }, gone.read)).status).toBe(200)
  })
})

describe("the version of a cart and of a checkout, also where another process's clock is ahead,", () => {
  const ahead = (table: string, id: string) =>
    rowsOf(shop, `UPDATE ${table} SET updated_at = now() + interval '1 day' WHERE id = $1`, [id])
  const versionOf = async (table: string, id: string) =>
    Number(
      (
        await rowsOf(shop, `SELECT (extract(epoch FROM updated_at) * 1000)::float8 AS at FROM ${table} WHERE id = $1`, [
          id
        ])
      )[0]?.["at"]
    )
  /** The versions of these before and after. */
  const rises = async (
    rows: ReadonlyArray<readonly [table: "cart" | "checkout", id: string]>,
    change: () => Promise<unknown>
  ) => {
    for (const [table, id] of rows) await ahead(table, id)
    const before = await Promise.all(rows.map(([table, id]) => versionOf(table, id)))
    await change()
    const after = await Promise.all(rows.map(([table, id]) => versionOf(table, id)))
    expect(rows.map(([table, id], i) => [table, id, (after[i] ?? 0) > (before[i] ?? 0)])).toEqual(
      rows.map(([table, id]) => [table, id, true])
    )
  }

  it("is another after prices were refreshed, after a completion, and after money was asked for and not given", async () => {
    const cartId = await shopper.cart([lamp, 1], [await shopper.product({ stock: 5 }), 1])
    const items = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.items as ReadonlyArray<{
      readonly id: string
    }>
    const { body: part } = await shop.call("POST", `${shopper.at}/checkout`, {
      body: { cartId, selectedItemIds: [items[0]?.id] }
    })
    const path = `${shopper.at}/checkout/${part.id}`
    await rises([["checkout", part.id]], () => shop.call("POST", `${shopper.at}/cart/${cartId}/refresh-snapshots`))
    await shop.call("PATCH", `${path}/customer`, { body: { email: "ada@example.com" } })
    await shop.call("PATCH", `${path}/shipping`, { body: { shippingAddress: addressIn("CA", "94105") } })
    const card = { paymentMethod: "provider", providerId: "test", paymentReference: "decline" }
    await rises([["checkout", part.id]], async () =>
      expect((await shopper.complete(part.id, `version-${keys++}`, card)).status).toBe(422)
    )
    await rises(
      [
        ["checkout", part.id],
        ["cart", cartId]
      ],
      async () => expect((await shopper.complete(part.id, `version-${keys++}`)).status).toBe(200)
    )
  })

  it("is another after carts were merged", async () => {
    const customer = await at.known()
    const { body: own } = await at.me(customer.token, "GET", "/cart")
    const { body: source } = await shop.call("POST", `${shopper.at}/cart`)
    await shop.call("POST", `${shopper.at}/cart/${source.id}/items`, { body: { productId: lamp, quantity: 1 } })
    const open = await shopper.checkout(source.id)
    await rises(
      [
        ["cart", own.id],
        ["cart", source.id],
        ["checkout", open]
      ],
      async () => {
        const merged = await at.as(customer.token, "POST", `${shopper.at}/cart/merge`, {
          sessionToken: source.sessionToken
        })
        expect([merged.status, merged.body]).toEqual([200, (await at.me(customer.token, "GET", "/cart")).body])
      }
    )
  })
})

describe("a customer's version", () => {
  it("is asked by changes of the profile, of the password and of the addresses", async () => {
    const { id, token } = await at.signUp()
    const me = `${at.at}/me`
    const read = async () => (await at.admin("GET", `/customers/${id}`)).body
    await holds({ method: "PATCH", path: me, body: { firstName: "Bob" }, token }, read)
    const { body: address } = await holds(
      { method: "POST", path: `${me}/addresses`, body: addressIn("CA", "94105"), token },
      read
    )
    await holds({ method: "POST", path: `/v1/customers/${id}/addresses`, body: addressIn("NY", "10001") }, read)
    await at.me(token, "POST", "/addresses", addressIn("NY", "10001"))
    const addressNow = async () =>
      (await at.me(token, "GET", "/addresses")).body.find((one: { readonly id: string }) => one.id === address.id)
    await holds(
      { method: "PATCH", path: `${me}/addresses/${address.id}`, body: { line1: "2 Main St" }, token },
      addressNow
    )
    await holds({ method: "POST", path: `${me}/addresses/${address.id}/default`, token }, addressNow)
    await holds({ method: "DELETE", path: `${me}/addresses/${address.id}`, token }, addressNow)
    const change = { currentPassword: goodPassword, newPassword: otherPassword }
    expect((await holds({ method: "POST", path: `${at.at}/change-password`, body: change, token }, read)).status).toBe(
      200
    )
    const { body: signedIn } = await at.login((await read()).email, otherPassword)
    const gone = await holds(
      { method: "DELETE", path: me, body: { password: otherPassword }, token: signedIn.token },
      read
    )
    expect(gone.status).toBe(200)
  })

  it("of somebody else's address is as unknown as ever", async () => {
    const [one, other] = [await at.known(), await at.known()]
    const { body: address } = await at.me(one.token, "POST", "/addresses", addressIn("CA", "94105"))
    const refused = await ask(
      { method: "PATCH", path: `${at.at}/me/addresses/${address.id}`, body: { line1: "x" }, token: other.token },
      { "if-match": past }
    )
    expect(refused.status).toBe(404)
  })
})

describe("the version of what merchants count, owe and set", () => {
  it("is asked when stock is set or adjusted, of a product and of a variant", async () => {
    const simple = await shopper.product({ stock: 5 })
    const read =
      (query = "", productId = simple) =>
      async () =>
        (await shop.call("GET", `/v1/products/${productId}/inventory${query}`)).body
    await holds({ method: "PUT", path: `/v1/products/${simple}/inventory`, body: { total: 9 } }, read())
    await holds(
      { method: "POST", path: `/v1/products/${simple}/inventory/adjust`, body: { delta: 1, reason: "received" } },
      read()
    )
    expect(await read()()).toMatchObject({ total: 10 })
    const variants = [{ attributes: { Size: "S" }, price: 1, inventory: { total: 3 } }]
    const { body: shirt } = await shop.call("POST", "/v1/products", {
      body: { name: "Shirt", type: "VARIABLE", variants }
    })
    const variantId = shirt.variants[0].id
    const path = `/v1/products/${shirt.id}/inventory`
    await holds({ method: "PUT", path, body: { total: 4, variantId } }, read(`?variantId=${variantId}`, shirt.id))
    const { updatedAt } = await read(`?variantId=${variantId}`, shirt.id)()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        shop.call("PUT", path, { body: { total: 10 + i, variantId }, headers: { "if-match": `"${updatedAt}"` } })
      )
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
  })

  it("is asked when money of an order is recorded", async () => {
    const { body: order } = await shop.call("POST", "/v1/orders", {
      body: { items: [{ name: "Work", price: "10.00", quantity: 1 }] }
    })
    const read = async () => (await shop.call("GET", `/v1/orders/${order.id}`)).body
    const paid = await holds(
      { method: "POST", path: `/v1/orders/${order.id}/payments`, body: { amount: "10.00", method: "cash" } },
      read
    )
    expect(paid.body.financialStatus).toBe("paid")
  })

  it("of settings that were never written is the store's creation", async () => {
    const store = await shop.openStore()
    const read = async () => (await shop.call("GET", "/v1/email/settings", { key: store.apiKey })).body
    const put = (updatedAt: string) =>
      shop.call("PUT", "/v1/email/settings", {
        key: store.apiKey,
        body: { hourlyRateLimit: 50 },
        headers: { "if-match": `"${updatedAt}"` }
      })
    const { updatedAt } = await read()
    const [row] = await rowsOf(
      shop,
      "SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') AS created_at FROM store WHERE id = $1",
      [store.storeId]
    )
    expect(updatedAt).toBe(row?.["created_at"])
    await shop.call("POST", "/test/clock", { body: { advanceMs: 1_500 } })
    await shop.call("PATCH", "/v1/store", { key: store.apiKey, body: { name: "Renamed" } })
    expect((await read()).updatedAt).toBe(updatedAt)
    expect((await put("2001-01-01T00:00:00.000Z")).status).toBe(409)
    const written = await put(updatedAt)
    expect([written.status, written.body.updatedAt > updatedAt]).toEqual([200, true])
    expect((await put(updatedAt)).status).toBe(409)
  })
})
