import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf, rowsOf } from "../customer/SignedIn.ts"
import { renewMemory, shopperOf } from "../Shopper.ts"
import { asDocumented } from "../system/documentedAnswers.ts"

/** Modifiers on the lines of carts and checkouts. */
const statements = makeStatementCounter()
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = asDocumented(await openTestCommerce({ statementLog: statements, role: "api" }))
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

interface Modifier {
  readonly id: string
  readonly name: string
}
const group = async (rules: object, ...modifiers: ReadonlyArray<object>) => {
  const { status, body } = await shop.call("POST", "/v1/modifier-groups", {
    body: { name: "Toppings", selectionType: "MULTIPLE", ...rules, modifiers }
  })
  expect(status).toBe(201)
  const choose = (name: string, quantity?: number) => ({
    modifierGroupId: body.id as string,
    modifierId: (body.modifiers as ReadonlyArray<Modifier>).find((it) => it.name === name)?.id ?? name,
    ...(quantity === undefined ? {} : { quantity })
  })
  const change = (name: string, fields: object) =>
    shop.call("PATCH", `/v1/modifier-groups/${body.id}`, {
      body: { modifiers: [{ id: choose(name).modifierId, ...fields }] }
    })
  return { id: body.id as string, choose, change }
}
const pizzaWith = async (...attached: ReadonlyArray<object>) => {
  const { status, body } = await shop.call("POST", "/v1/products", {
    body: {
      name: "Pizza",
      status: "active",
      basePrice: "10.00",
      inventory: { total: 1_000 },
      modifierGroups: attached
    }
  })
  expect(status).toBe(201)
  return body.id as string
}
const toppings = () =>
  group(
    { maxSelections: 3, freeQuantity: 1, freeAllocationPolicy: "EXPENSIVE_FREE" },
    { name: "Olives", priceDelta: "1.00", sku: "OLV" },
    { name: "Truffle", priceDelta: "4.50" },
    { name: "No cheese", priceDelta: "-0.50" },
    { name: "Ham", available: false },
    { name: "Secret", status: "draft" }
  )
const cartPath = async () => `${shopper.at}/cart/${await shopper.cart()}`
const add = (path: string, productId: string, body: object = {}) =>
  shop.call("POST", `${path}/items`, { body: { productId, quantity: 1, ...body } })
const codesOf = ({ status, body }: Awaited<ReturnType<typeof add>>) => [
  status,
  body.code,
  body.details.errors.map((error: { code: string }) => error.code)
]
const refused = (...codes: ReadonlyArray<string>) => [400, "MODIFIER_VALIDATION_FAILED", codes]

describe("modifiers of a line", () => {
  it("are part of the unit price, but for the free ones, and are shown with their prices", async () => {
    const top = await toppings()
    const pizza = await pizzaWith({ groupId: top.id })
    const path = await cartPath()
    const modifiers = [top.choose("Truffle"), top.choose("Olives", 2)]
    const { status, body } = await add(path, pizza, { quantity: 3, modifiers })
    const shared = { modifierGroupId: top.id, groupName: "Toppings" }
    const shown = [
      {
        ...shared,
        modifierId: top.choose("Olives").modifierId,
        quantity: 2,
        name: "Olives",
        sku: "OLV",
        priceDelta: "1.00",
        freeQuantity: 0,
        amount: "2.00"
      },
      {
        ...shared,
        modifierId: top.choose("Truffle").modifierId,
        quantity: 1,
        name: "Truffle",
        sku: null,
        priceDelta: "4.50",
        freeQuantity: 1,
        amount: "0.00"
      }
    ]
    expect([status, body.items[0].unitPrice, body.items[0].totalPrice, body.subtotal]).toEqual([
      200,
      "12.00",
      "36.00",
      "36.00"
    ])
    expect(body.items[0].modifiers).toEqual(shown)
    expect((await shop.call("GET", path)).body).toEqual(body)
    expect(body).toMatchObject({ hasPriceChanges: false, hasUnavailableItems: false })
    const { body: checkout } = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId: body.id } })
    expect(checkout.lineItems).toMatchObject([{ unitPrice: "12.00", totalPrice: "36.00", modifiers: shown }])
    expect(checkout.subtotal).toBe("36.00")
    const less = await add(await cartPath(), pizza, { modifiers: [top.choose("No cheese")] })
    expect(less.body.items[0].unitPrice).toBe("9.50")
  })

  it.each<
    readonly [string, (top: Awaited<ReturnType<typeof toppings>>) => ReadonlyArray<object>, ReadonlyArray<string>]
  >([
    [
      "an unknown group",
      () => [{ modifierGroupId: "x", modifierId: "y" }],
      ["MODIFIER_GROUP_UNKNOWN", "MODIFIER_REQUIRED"]
    ],
    ["an unknown modifier", (top) => [top.choose("nobody")], ["MODIFIER_UNKNOWN"]],
    ["a hidden modifier", (top) => [top.choose("Secret")], ["MODIFIER_UNKNOWN"]],
    ["one that is not there now", (top) => [top.choose("Ham")], ["MODIFIER_UNAVAILABLE"]],
    ["nothing", () => [], ["MODIFIER_REQUIRED"]],
    ["too many", (top) => [top.choose("Olives", 3), top.choose("Truffle")], ["MODIFIER_MAX_SELECTIONS"]],
    ["one twice", (top) => [top.choose("Olives"), top.choose("Olives")], ["MODIFIER_DUPLICATE"]],
    ["none of one", (top) => [top.choose("Olives", 0)], ["MODIFIER_QUANTITY_INVALID"]],
    ["half of one", (top) => [top.choose("Olives", 1.5)], ["MODIFIER_QUANTITY_INVALID"]],
    ["more than any", (top) => [top.choose("Olives", 1e300)], ["MODIFIER_QUANTITY_INVALID"]],
    ["too few", (top) => [top.choose("Olives", 1)], ["MODIFIER_MIN_SELECTIONS"]]
  ])("are refused with all that is wrong: %s", async (name, chosen, codes) => {
    const top = await toppings()
    const pizza = await pizzaWith({
      groupId: top.id,
      requiredOverride: true,
      ...(name === "too few" ? { minOverride: 2 } : {})
    })
    for (const path of [await cartPath(), `/v1/cart/${await shopper.cart()}`]) {
      expect(codesOf(await add(path, pizza, { modifiers: chosen(top) }))).toEqual(refused(...codes))
      expect((await shop.call("GET", path)).body.items).toEqual([])
      const { body } = await add(path, pizza, { modifiers: [top.choose("Olives", 2)] })
      const item = `${path}/items/${body.items[0].id}`
      expect(codesOf(await shop.call("PATCH", item, { body: { modifiers: chosen(top) } }))).toEqual(refused(...codes))
      expect((await shop.call("GET", path)).body.items).toEqual(body.items)
    }
  })

  it("are what the groups choose by default where nothing is said, and nothing where an empty list is", async () => {
    const top = await group(
      { maxSelections: 2 },
      { name: "Olives", priceDelta: "1.00", isDefault: true },
      { name: "Ham", priceDelta: "2.00" },
      { name: "Basil", priceDelta: "3.00", isDefault: true, available: false }
    )
    const pizza = await pizzaWith({ groupId: top.id })
    const path = await cartPath()
    await add(path, pizza)
    await add(path, pizza, { modifiers: [] })
    const { body } = await add(path, pizza, { modifiers: [top.choose("Olives", 1)] })
    expect(body.items.map((item: { quantity: number; unitPrice: string }) => [item.quantity, item.unitPrice])).toEqual([
      [2, "11.00"],
      [1, "10.00"]
    ])
    const other = await pizzaWith({ groupId: top.id, defaultModifierIds: [top.choose("Ham").modifierId] })
    expect((await add(await cartPath(), other)).body.items[0].unitPrice).toBe("12.00")
    const asking = await pizzaWith({ groupId: top.id, requiredOverride: true, defaultModifierIds: [] })
    await top.change("Olives", { isDefault: false })
    expect(codesOf(await add(await cartPath(), asking))).toEqual(refused("MODIFIER_REQUIRED"))
  })

  it("make a line of their own, in any order, and the same ones the same line", async () => {
    const top = await toppings()
    const pizza = await pizzaWith({ groupId: top.id })
    const path = await cartPath()
    await add(path, pizza, { modifiers: [top.choose("Olives"), top.choose("Truffle")] })
    await add(path, pizza, { modifiers: [top.choose("Truffle", 1), top.choose("Olives", 1)], quantity: 2 })
    const { body } = await add(path, pizza, { modifiers: [top.choose("Olives", 2)] })
    expect(body.items.map((item: { quantity: number; unitPrice: string }) => [item.quantity, item.unitPrice])).toEqual([
      [3, "11.00"],
      [1, "11.00"]
    ])
    const [first, second] = body.items
    const same = { modifiers: [top.choose("Truffle"), top.choose("Olives")] }
    const { body: one } = await shop.call("PATCH", `${path}/items/${second.id}`, { body: same })
    expect(one.items).toMatchObject([{ id: first.id, quantity: 4 }])
  })

  it("are changed with the line, at today's price; a line that stays as it was keeps the price it has shown", async () => {
    const top = await toppings()
    const pizza = await pizzaWith({ groupId: top.id })
    const path = await cartPath()
    const modifiers = [top.choose("Olives"), top.choose("Truffle")]
    const { body } = await add(path, pizza, { modifiers })
    const item = `${path}/items/${body.items[0].id}`
    await shop.call("PATCH", `/v1/products/${pizza}`, { body: { basePrice: "20.00" } })
    const kept = await shop.call("PATCH", item, { body: { modifiers: modifiers.toReversed(), quantity: 2 } })
    expect(kept.body).toMatchObject({ hasPriceChanges: true, items: [{ unitPrice: "11.00", quantity: 2 }] })
    const other = await shop.call("PATCH", item, { body: { modifiers: [top.choose("Olives", 3)] } })
    expect(other.body).toMatchObject({ hasPriceChanges: false, items: [{ unitPrice: "22.00", quantity: 2 }] })
    expect((await shop.call("GET", path)).body).toEqual(other.body)
    const notes = await shop.call("PATCH", item, { body: { notes: "hot" } })
    expect(notes.body.items[0].modifiers).toEqual(other.body.items[0].modifiers)
    const none = await shop.call("PATCH", item, { body: { modifiers: [] } })
    expect(none.body.items).toMatchObject([{ unitPrice: "20.00", modifiers: [] }])
  })

  it("of one variant are judged by the group as it stands there", async () => {
    const top = await toppings()
    const { body: made } = await shop.call("POST", "/v1/products", {
      body: {
        name: "Pizza",
        status: "active",
        variants: ["S", "L"].map((Size) => ({ attributes: { Size }, price: "8.00", inventory: { total: 9 } }))
      }
    })
    const [small, large] = made.variants
    const groups = [
      { groupId: top.id, maxOverride: 1 },
      { groupId: top.id, variantId: large.id, freeQuantityOverride: 0 }
    ]
    await shop.call("PATCH", `/v1/products/${made.id}`, { body: { modifierGroups: groups } })
    const two = { modifiers: [top.choose("Olives", 2)] }
    const path = await cartPath()
    expect(codesOf(await add(path, made.id, { variantId: small.id, ...two }))).toEqual(
      refused("MODIFIER_MAX_SELECTIONS")
    )
    const { body } = await add(path, made.id, { variantId: large.id, ...two })
    expect(body.items).toMatchObject([{ variantId: large.id, unitPrice: "10.00" }])
  })

  it("go with their lines into a customer's cart", async () => {
    const top = await toppings()
    const pizza = await pizzaWith({ groupId: top.id })
    const { signUp, me } = customersOf(shop)
    const { token } = await signUp()
    const mine = (await me(token, "GET", "/cart")).body
    const own = `${shopper.at}/cart/${mine.id}`
    const headers = { authorization: `Bearer ${token}` }
    const items = (modifiers: ReadonlyArray<object>) => ({
      headers,
      body: { productId: pizza, quantity: 1, modifiers }
    })
    await shop.call("POST", `${own}/items`, items([top.choose("Olives"), top.choose("Truffle")]))
    const { body: guest } = await shop.call("POST", `${shopper.at}/cart`)
    const path = `${shopper.at}/cart/${guest.id}`
    await add(path, pizza, { modifiers: [top.choose("Truffle"), top.choose("Olives")], quantity: 2 })
    await add(path, pizza, { modifiers: [top.choose("No cheese")] })
    const { body } = await shop.call("POST", `${shopper.at}/cart/merge`, {
      headers,
      body: { sessionToken: guest.sessionToken }
    })
    expect(body.items.map((item: { quantity: number; unitPrice: string }) => [item.quantity, item.unitPrice])).toEqual([
      [3, "11.00"],
      [1, "9.50"]
    ])
  })

  it("and their groups weigh in what all lines may carry together", async () => {
    const top = await group({}, ...Array.from({ length: 50 }, (_, i) => ({ name: `M${i}` })))
    const pizza = await pizzaWith({ groupId: top.id })
    const path = await cartPath()
    const all = (quantity: number) => Array.from({ length: 50 }, (_, i) => top.choose(`M${i}`, quantity))
    const bytes = JSON.stringify(all(10)).length
    const fit = Math.floor(65_536 / bytes)
    for (let i = 0; i < fit; i++) expect((await add(path, pizza, { modifiers: all(10 + i) })).status).toBe(200)
    const { status, body } = await add(path, pizza, { modifiers: all(10 + fit) })
    expect([status, Object.keys(body.details.errors)]).toEqual([400, ["modifiers"]])
  })
})

describe("a modifier that changes", () => {
  const line = async () => {
    const top = await toppings()
    const pizza = await pizzaWith({ groupId: top.id, freeQuantityOverride: 0 })
    const path = await cartPath()
    const { body } = await add(path, pizza, { modifiers: [top.choose("Olives")], quantity: 2 })
    const checkout = await shopper.checkout(body.id)
    return { top, pizza, path, checkout, item: body.items[0].id as string }
  }
  let keys = 0
  const complete = (checkout: string) => shopper.complete(checkout, `modifiers-${keys++}`)
  const sold = async (pizza: string) =>
    (await rowsOf(shop, "SELECT count(*)::int AS n FROM order_item WHERE product_id = $1", [pizza]))[0]

  it("in its price is PRICE_DRIFT, as a product's, until the snapshots are refreshed", async () => {
    const { top, pizza, path, checkout } = await line()
    await top.change("Olives", { priceDelta: "1.75" })
    expect((await shop.call("GET", path)).body).toMatchObject({ hasPriceChanges: true, hasUnavailableItems: false })
    const drifted = await complete(checkout)
    expect([drifted.status, drifted.body.code, drifted.body.details.items]).toEqual([
      400,
      "PRICE_DRIFT",
      [
        {
          itemId: expect.any(String),
          oldUnitPrice: "11.00",
          newUnitPrice: "11.75",
          delta: "0.75",
          direction: "up"
        }
      ]
    ])
    expect(await sold(pizza)).toEqual({ n: 0 })
    const { body } = await shop.call("POST", `${path}/refresh-snapshots`, { body: {} })
    expect(body).toMatchObject({ hasPriceChanges: false, items: [{ unitPrice: "11.75" }] })
    expect((await complete(checkout)).status).toBe(200)
    expect(await sold(pizza)).toEqual({ n: 1 })
  })

  it.each<readonly [string, object, string]>([
    ["sold out", { available: false }, "MODIFIER_UNAVAILABLE"],
    ["hidden", { status: "draft" }, "MODIFIER_UNKNOWN"],
    ["deleted", { _delete: true }, "MODIFIER_UNKNOWN"]
  ])(
    "to %s makes the line unavailable, and is what completing and beginning a checkout say",
    async (_name, fields, code) => {
      const { top, pizza, path, checkout, item } = await line()
      await top.change("Olives", fields)
      const { body: cart } = await shop.call("GET", path)
      expect([cart.hasUnavailableItems, cart.unavailableItemIds]).toEqual([true, [item]])
      const { modifierId } = top.choose("Olives")
      const done = await complete(checkout)
      expect(codesOf(done)).toEqual(refused(code))
      expect(done.body.details.errors).toEqual([
        {
          code,
          message: expect.any(String),
          modifierGroupId: top.id,
          modifierId,
          itemId: expect.stringMatching(/^line_/)
        }
      ])
      const begun = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId: cart.id } })
      expect(codesOf(begun)).toEqual(refused(code))
      expect(begun.body.details.errors[0].itemId).toBe(item)
      expect(await sold(pizza)).toEqual({ n: 0 })
      const { body: other } = await shop.call("PATCH", `${path}/items/${item}`, {
        body: { modifiers: [top.choose("Truffle")] }
      })
      expect([other.hasUnavailableItems, other.items[0].unitPrice]).toEqual([false, "14.50"])
    }
  )

  it("in the cart does not change what a checkout made before buys, nor give it the other's price", async () => {
    const { top, path, checkout, item } = await line()
    await shop.call("PATCH", `${path}/items/${item}`, { body: { modifiers: [top.choose("Truffle")] } })
    await shop.call("POST", `${path}/refresh-snapshots`, { body: {} })
    const done = await complete(checkout)
    expect(done.status).toBe(200)
    const { body: order } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect(order.items).toMatchObject([{ unitPrice: "11.00", modifiers: [{ name: "Olives" }] }])
  })

  it("with its group taken off the product refuses the line by the group", async () => {
    const { pizza, checkout } = await line()
    await shop.call("PATCH", `/v1/products/${pizza}`, { body: { modifierGroups: [] } })
    expect(codesOf(await complete(checkout))).toEqual(refused("MODIFIER_GROUP_UNKNOWN"))
  })

  it("while a checkout completes is refused before or sold as it was: never something between", async () => {
    for (let i = 0; i < 8; i++) {
      const { top, pizza, checkout } = await line()
      const [done] = await Promise.all([
        complete(checkout),
        top.change("Olives", { available: false, priceDelta: "9.00" })
      ])
      if (done.status === 200) {
        const { body: order } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
        expect(order.items).toMatchObject([{ unitPrice: "11.00", modifiers: [{ priceDelta: "1.00", amount: "1.00" }] }])
      } else {
        expect(codesOf(done)).toEqual(refused("MODIFIER_UNAVAILABLE"))
        expect(await sold(pizza)).toEqual({ n: 0 })
      }
    }
  })
})

describe("fifty lines with modifiers", () => {
  it("cost no statement more than lines without, to read, to add to, to change and to complete", async () => {
    const top = await toppings()
    const pizzas = await Promise.all(Array.from({ length: 50 }, () => pizzaWith({ groupId: top.id })))
    const counted = async (work: () => Promise<{ readonly status: number }>) => {
      await renewMemory(shop)
      statements.reset()
      expect((await work()).status).toBe(200)
      return statements.statements().filter((text) => !/ idempotency /.test(text)).length
    }
    const modifiers = [top.choose("Olives"), top.choose("Truffle")]
    const path = await cartPath()
    const adding: Array<number> = []
    for (const pizza of pizzas) adding.push(await counted(() => add(path, pizza, { modifiers })))
    expect([...new Set(adding)]).toEqual([4])
    expect(await counted(() => shop.call("GET", path))).toBe(1)
    const { body } = await shop.call("GET", path)
    const item = `${path}/items/${body.items[0].id}`
    expect(await counted(() => shop.call("PATCH", item, { body: { quantity: 2 } }))).toBe(3)
    expect(await counted(() => shop.call("PATCH", item, { body: { modifiers: [top.choose("Olives")] } }))).toBe(4)
    const checkout = await shopper.checkout(body.id)
    expect(await counted(() => shop.call("GET", `${shopper.at}/checkout/${checkout}`))).toBe(1)
    expect(await counted(() => shopper.complete(checkout, "fifty-modifiers"))).toBe(7)
  }, 60_000)
})
