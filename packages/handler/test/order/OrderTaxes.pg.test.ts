import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf } from "../customer/SignedIn.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let thing: string
let download: string
/** Pickup places by what their address says. */
const places: Record<string, string> = {}
const california = addressIn("CA", "94105")
const newYork = addressIn("NY", "10001")

beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  for (const [region, rate] of [
    ["CA", 10],
    ["NY", 20],
    ["NV", 5]
  ] as const)
    await shop.call("POST", "/v1/tax/rates", { body: { name: region, country: "US", region, rate } })
  await shop.call("POST", "/v1/tax/rates", { body: { name: "VAT", country: "DE", rate: 19 } })
  const zone = await shop.call("POST", "/v1/shipping/zones", { body: { name: "Everywhere", countries: [] } })
  const rates = `/v1/shipping/zones/${zone.body.id}/rates`
  await shop.call("POST", rates, { body: { name: "Free", type: "FREE", rateConfig: {} } })
  const addresses = {
    "no country": { line1: "1 Desk St", region: "NV" },
    "another country": { line1: "Tor 1", country: "DE" },
    nothing: undefined
  }
  for (const [name, address] of Object.entries(addresses)) {
    const location = { name, ...(address === undefined ? {} : { address }) }
    places[name] = (
      await shop.call("POST", rates, { body: { name, type: "PICKUP", rateConfig: { amount: "0.00", location } } })
    ).body.id
  }
  thing = await shopper.product({ name: "Lamp", price: 10_000n })
  download = await shopper.product({ name: "Song", price: 10_000n, isDownloadable: true })
})
afterAll(() => shop.close())

/** As the owner of the tables. */
const change = async (sql: string) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

const order = (products: ReadonlyArray<string>, addresses: object, more: object = {}) =>
  shop.call("POST", "/v1/orders", {
    body: { items: products.map((productId) => ({ productId, quantity: 1 })), ...addresses, ...more }
  })

describe("an order made by the merchant", () => {
  it.each([
    ["where it is billed to when that is all that is given", () => [thing], { billingAddress: california }, "10.00"],
    [
      "where the goods go when both are given",
      () => [thing],
      { shippingAddress: newYork, billingAddress: california },
      "20.00"
    ],
    [
      "where it is billed to when nothing is sent",
      () => [download],
      { shippingAddress: newYork, billingAddress: california },
      "10.00"
    ],
    [
      "where it is sent to when nothing is sent and no other address is given",
      () => [download],
      { shippingAddress: newYork },
      "20.00"
    ],
    [
      "where the goods go, downloads along with them",
      () => [thing, download],
      { shippingAddress: newYork, billingAddress: california },
      "40.00"
    ],
    ["nowhere without an address", () => [thing], {}, "0.00"]
  ])("is taxed %s", async (_where, products, addresses, tax) => {
    const { status, body } = await order(products(), addresses)
    expect([status, body.taxAmount]).toEqual([201, tax])
  })

  it("is taxed where an item without a product is billed to, and by the amount that is given where one is", async () => {
    const items = [{ name: "Repair", price: "100.00", quantity: 1 }]
    expect(
      (await shop.call("POST", "/v1/orders", { body: { items, billingAddress: california } })).body.taxAmount
    ).toBe("10.00")
    expect((await order([thing], { billingAddress: california }, { taxAmount: "1.00" })).body.taxAmount).toBe("1.00")
  })
})

describe("an order made in a storefront", () => {
  it.each([
    [
      "downloads where they are billed to",
      () => [download],
      { shippingAddress: newYork, billingAddress: california },
      "110.00"
    ],
    ["goods where they go", () => [thing], { shippingAddress: newYork, billingAddress: california }, "120.00"],
    [
      "downloads along with the goods they go with",
      () => [thing, download],
      { shippingAddress: newYork, billingAddress: california },
      "240.00"
    ]
  ])("taxes %s, and is answered 200", async (_what, products, addresses, total) => {
    const items = products().map((productId) => ({ productId, quantity: 1, price: "100.00" }))
    const placed = await shop.call("POST", `${shopper.at}/orders`, {
      body: { items, customer: { email: "ada@example.com" }, ...addresses }
    })
    expect([placed.status, placed.body.total]).toEqual([200, total])
  })
})

describe("a checkout", () => {
  const begun = async (...products: ReadonlyArray<string>) => {
    const cartId = await shopper.cart(...products.map((id) => [id, 1] as const))
    return (await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId } })).body.id as string
  }
  const patch = async (id: string, path: string, body: object) =>
    (await shop.call("PATCH", `${shopper.at}/checkout/${id}${path}`, { body })).body

  it.each([
    ["downloads alone where they are billed to", () => [download], "10.00"],
    ["goods where they go", () => [thing], "20.00"],
    ["downloads along with the goods they go with", () => [thing, download], "40.00"]
  ])("taxes %s", async (_what, products, tax) => {
    const { taxAmount } = await patch(await begun(...products()), "/shipping", {
      shippingAddress: newYork,
      billingAddress: california
    })
    expect(taxAmount).toBe(tax)
  })

  it.each([
    ["no country", "5.00"],
    ["another country", "19.00"],
    ["nothing", "0.00"]
  ])(
    "taxes what is picked up at a place whose address says %s, in the store's country where none is named",
    async (name, tax) => {
      const id = await begun(thing)
      const picked = await patch(id, "/delivery", { deliveryType: "pickup", pickupLocationId: places[name] })
      expect([picked.taxAmount, picked.pickupLocation.name]).toEqual([tax, name])
      await patch(id, "/customer", { email: "ada@example.com", firstName: "Ada" })
      const done = await shopper.complete(id, `picked-${name}`)
      expect((await shop.call("GET", `/v1/orders/${done.body.orderId}`)).body.taxAmount).toBe(tax)
    }
  )
})

describe("the taxes of an order", () => {
  it("are numbers, its sums and its rows, as on a checkout", async () => {
    const made = await order([thing], { billingAddress: california })
    const row = { name: "CA", rate: 10, amount: 10 }
    const breakdown = {
      subtotal: 100,
      shippingNet: 0,
      totalTax: 10,
      total: 110,
      pricesIncludeTax: false,
      breakdown: [row],
      currency: "USD"
    }
    expect(made.body.taxBreakdown).toEqual(breakdown)
    expect((await shop.call("GET", `/v1/orders/${made.body.id}`)).body.taxBreakdown).toEqual(breakdown)
    const checkout = await shop.call("POST", `${shopper.at}/checkout`, {
      body: { cartId: await shopper.cart([thing, 1]) }
    })
    const { body } = await shop.call("PATCH", `${shopper.at}/checkout/${checkout.body.id}/shipping`, {
      body: { shippingAddress: california }
    })
    expect(body.taxBreakdown).toEqual({
      subtotal: 100,
      shippingNet: 0,
      totalTax: 10,
      total: 110,
      breakdown: [row],
      currency: "USD"
    })
  })
})

describe("an order's lines", () => {
  it("show what the shopper wrote and chose, to shopper and merchant and in events, and are complete where nothing was written", async () => {
    const { signUp, me } = customersOf(shop)
    const { id: customerId, token } = await signUp()
    const metadata = { gift: true }
    const customizations = { engraving: "Ada" }
    const { body: group } = await shop.call("POST", "/v1/modifier-groups", {
      body: { name: "Shade", selectionType: "SINGLE", modifiers: [{ name: "Paper", sku: "PAP", priceDelta: "1.50" }] }
    })
    await shop.call("PATCH", `/v1/products/${thing}`, { body: { modifierGroups: [{ groupId: group.id }] } })
    const choice = { modifierGroupId: group.id, modifierId: group.modifiers[0].id, quantity: 1 }
    const named = { groupName: "Shade", name: "Paper", sku: "PAP" }
    const modifiers = [{ ...choice, ...named, priceDelta: "1.50", freeQuantity: 0, amount: "1.50" }]
    const cartId = await shopper.cart([download, 1])
    await shop.call("POST", `${shopper.at}/cart/${cartId}/items`, {
      body: { productId: thing, quantity: 2, metadata, modifiers: [choice] }
    })
    const checkoutId = await shopper.checkout(cartId)
    // What no product has yet is chosen by no request.
    await change(`UPDATE checkout SET customer_id = '${customerId}' WHERE id = '${checkoutId}';
      UPDATE checkout_line SET customizations = '${JSON.stringify(customizations)}'
      WHERE checkout_id = '${checkoutId}' AND product_id = '${thing}'`)
    const done = await shop.call("POST", `/v1/checkout/${checkoutId}/complete`, {
      body: {},
      headers: { "idempotency-key": "written" }
    })
    const written = [
      { name: "Song", metadata: {}, customizations: {}, modifiers: [] },
      { name: "Lamp", metadata, customizations, modifiers }
    ]
    expect((await me(token, "GET", `/orders/${done.body.orderId}`)).body.items).toMatchObject(written)
    expect((await me(token, "GET", "/orders")).body.data[0].items).toMatchObject(written)
    const { body: one } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect(one.items).toMatchObject(written)
    const { body: list } = await shop.call("GET", "/v1/orders")
    expect(list.data.find(({ id }: { id: string }) => id === one.id).items).toEqual(one.items)
    const { body: events } = await shop.call("GET", "/v1/events?types=order.created,checkout.completed&limit=100")
    const told = events.data.filter(({ data }: { data: { orderId: string } }) => data.orderId === one.id)
    expect(
      told.map(({ type, data }: { type: string; data: { order: { items: unknown } } }) => [type, data.order.items])
    ).toEqual([
      ["order.created", one.items],
      ["checkout.completed", one.items]
    ])
    const { body: bare } = await shop.call("POST", "/v1/orders", {
      body: { items: [{ name: "Repair", price: "1.00", quantity: 1 }] }
    })
    expect(bare.items).toMatchObject([{ name: "Repair", metadata: {}, customizations: {}, modifiers: [] }])
  })
})
