import { translationIn, textOr } from "@effect-commerce/core/kernel/Locale"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf, rowsOf } from "../customer/SignedIn.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

/**
 * A cart keeps the language that it begins in: its lines are named in it, and so are the checkouts and orders made of
 * it, their events and their mails.
 */
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
const made = { lamp: "", navy: "", bulb: "", choice: {} }
const create = async (path: string, body: object) => {
  const answer = await shop.call("POST", path, { body })
  if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`)
  return answer.body
}
const german = (name: string) => ({ translations: { de: { name } } })
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  await shop.call("PATCH", "/v1/store", { body: { languages: ["en", "de"] } })
  const colour = await create("/v1/attributes", {
    name: "Colour",
    ...german("Farbe"),
    options: [{ name: "Navy", value: "navy", ...german("Marineblau") }]
  })
  const group = await create("/v1/modifier-groups", {
    name: "Wrapping",
    selectionType: "SINGLE",
    ...german("Verpackung"),
    modifiers: [{ name: "Box", priceDelta: "1.00", ...german("Schachtel") }]
  })
  const lamp = await create("/v1/products", {
    name: "Lamp",
    type: "VARIABLE",
    basePrice: 10,
    status: "active",
    attributes: [{ attributeId: colour.id, optionIds: [colour.options[0].id] }],
    variants: [{ price: 10, attributes: { Colour: "Navy" }, inventory: { total: 100 } }],
    modifierGroups: [{ groupId: group.id }],
    ...german("Leuchte")
  })
  const bulb = await create("/v1/products", {
    name: "Bulb",
    basePrice: 2,
    status: "active",
    inventory: { total: 100 },
    ...german("Birne")
  })
  made.lamp = lamp.id
  made.navy = lamp.variants[0].id
  made.bulb = bulb.id
  made.choice = { modifiers: [{ modifierGroupId: group.id, modifierId: group.modifiers[0].id }] }
})
afterAll(() => shop.close())

const begin = async (query = "", headers: Record<string, string> = {}) =>
  (await shop.call("POST", `${shopper.at}/cart${query}`, { headers })).body
const lampLine = () => ({ productId: made.lamp, variantId: made.navy, quantity: 1, ...made.choice })
const fill = (cart: { readonly id: string }) =>
  shop.call("POST", `${shopper.at}/cart/${cart.id}/items`, { body: lampLine() })
const inGerman = ["Leuchte - Marineblau", { Farbe: "Marineblau" }, "Verpackung", "Schachtel"]
const inEnglish = ["Lamp - Navy", { Colour: "Navy" }, "Wrapping", "Box"]
interface Line {
  readonly name: string
  readonly attributes: object
  readonly modifiers: ReadonlyArray<{ readonly groupName: string; readonly name: string }>
}
const named = ({ name, attributes, modifiers: [modifier] }: Line) => [
  name,
  attributes,
  modifier?.groupName,
  modifier?.name
]

describe("a cart", () => {
  it.each([
    ["its `locale`", "?locale=de", {}, "de", inGerman],
    ["its `locale` before Accept-Language", "?locale=de", { "accept-language": "en" }, "de", inGerman],
    ["Accept-Language", "", { "accept-language": "de-AT,de;q=0.9,en;q=0.5" }, "de", inGerman],
    ["a language of the store before others", "", { "accept-language": "fr,de;q=0.9" }, "de", inGerman],
    ["one that nothing is translated into", "?locale=fr", {}, "fr", inEnglish],
    ["the store's own", "", {}, null, inEnglish],
    ["what is no language", "?locale=no%20language", { "accept-language": "*" }, null, inEnglish]
  ])("begins in %s, and keeps it whatever language it is asked in", async (_which, query, headers, locale, names) => {
    const cart = await begin(query, headers)
    expect([cart.locale, (await fill(cart)).body.items.map(named)]).toEqual([locale, [names]])
    const other = { headers: { "accept-language": names === inGerman ? "en" : "de" } }
    const path = `${shopper.at}/cart/${cart.id}`
    const session = await shop.call("GET", `${shopper.at}/cart/session/${cart.sessionToken}`, other)
    const cheaper = { ...other, body: { quantity: 2 } }
    const [line] = session.body.items
    for (const { body } of [
      await shop.call("GET", path, other),
      session,
      await shop.call("PATCH", `${path}/items/${line.id}`, cheaper),
      await shop.call("PATCH", `${path}/items/${line.id}`, { ...other, body: { ...made.choice, notes: "x" } }),
      await shop.call("POST", `${path}/refresh-snapshots`, other),
      await shop.call("GET", `/v1/cart/${cart.id}`)
    ])
      expect([body.locale, body.items.map(named)]).toEqual([locale, [names]])
  })

  it("changes its language at once, and back to the store's own", async () => {
    const cart = await begin("?locale=de")
    await fill(cart)
    const path = `${shopper.at}/cart/${cart.id}`
    const set = async (locale: unknown) => {
      const { status, body } = await shop.call("PATCH", path, { body: { locale } })
      return [status, body.locale, body.items?.map(named)]
    }
    expect(await set("en")).toEqual([200, "en", [inEnglish]])
    expect(await set("de")).toEqual([200, "de", [inGerman]])
    expect(await set(null)).toEqual([200, null, [inEnglish]])
    expect((await set("no language"))[0]).toBe(400)
    expect((await shop.call("PATCH", path, { body: { notes: "x" } })).body.locale).toBeNull()
  })

  it("of an admin key and of a customer has one too; a merge leaves the customer's its own", async () => {
    const admin = await create("/v1/cart", { locale: "de" })
    expect((await shop.call("POST", `/v1/cart/${admin.id}/items`, { body: lampLine() })).body.items.map(named)).toEqual(
      [inGerman]
    )
    const { vc, as, known } = customersOf(shop)
    const ada = await known()
    const own = await as(ada.token, "GET", `${vc}/customers/me/cart?locale=de`)
    expect(own.body.locale).toBe("de")
    const guest = await begin("?locale=en")
    await fill(guest)
    const body = { sessionToken: guest.sessionToken }
    const merged = await as(ada.token, "POST", `${vc}/cart/merge`, body)
    expect([merged.body.id, merged.body.locale, merged.body.items.map(named)]).toEqual([own.body.id, "de", [inGerman]])
    expect((await as(ada.token, "GET", `${vc}/customers/me/cart`)).body.items.map(named)).toEqual([inGerman])
    const bob = await known()
    const moved = await begin("?locale=de")
    const first = await as(bob.token, "POST", `${vc}/cart/merge`, { sessionToken: moved.sessionToken })
    expect(first.body.locale).toBe("de")
  })

  it("recommends in its language", async () => {
    const cart = await begin("?locale=de")
    await fill(cart)
    const set = (crossSells: ReadonlyArray<string>) =>
      shop.call("PATCH", `/v1/products/${made.lamp}`, { body: { crossSells } })
    await set([made.bulb])
    const { body, headers } = await shop.call("GET", `${shopper.at}/cart/${cart.id}?include=recommendations`)
    expect([body.recommendations.map(({ name }: Line) => name), headers.get("content-language")]).toEqual([
      ["Birne"],
      "de"
    ])
    await set([])
  })
})

describe("what is made of a cart", () => {
  const checkoutOf = async (query: string) => {
    const cart = await begin(query)
    await fill(cart)
    return shopper.checkout(cart.id)
  }
  const orderOf = async (orderId: string) => (await shop.call("GET", `/v1/orders/${orderId}`)).body
  const names = ({ items }: { readonly items: ReadonlyArray<Line> }) =>
    items.map(({ name, modifiers: [modifier] }) => [name, modifier?.groupName, modifier?.name])
  const germanItems = [["Leuchte - Marineblau", "Verpackung", "Schachtel"]]

  it("is in its language: checkout, order and their events, whatever the catalogue says later", async () => {
    const checkout = await checkoutOf("?locale=de")
    const shown = (await shop.call("GET", `${shopper.at}/checkout/${checkout}`)).body
    const [line] = shown.lineItems
    expect([shown.locale, line.product.name, line.variant.name, line.variant.attributes]).toEqual([
      "de",
      "Leuchte",
      "Marineblau",
      { Farbe: "Marineblau" }
    ])
    expect(named({ ...line, name: "", attributes: {} })).toEqual(["", {}, "Verpackung", "Schachtel"])
    const placed = await shopper.complete(checkout, "german")
    const order = await orderOf(placed.body.orderId)
    expect([order.locale, names(order)]).toEqual(["de", germanItems])
    await shop.call("PATCH", `/v1/products/${made.lamp}`, { body: german("Lampe") })
    expect((await orderOf(order.id)).items).toEqual(order.items)
    await shop.call("PATCH", `/v1/products/${made.lamp}`, { body: german("Leuchte") })
    const events = (await shop.call("GET", "/v1/events?types=order.created,checkout.completed&limit=100")).body.data
    const own = events.filter(({ data }: { data: { orderId: string } }) => data.orderId === order.id)
    expect(own.map(({ data }: { data: { order: typeof order } }) => [data.order.locale, names(data.order)])).toEqual([
      ["de", germanItems],
      ["de", germanItems]
    ])
  })

  it("is in its language where a provider is asked for the money, and has none where the cart has none", async () => {
    const pay = { paymentMethod: "test", paymentReference: "approve" }
    const paid = await shopper.complete(await checkoutOf("?locale=de"), "paid", pay)
    expect(paid.status).toBe(200)
    const order = await orderOf(paid.body.orderId)
    expect([order.status, order.locale, names(order)]).toEqual(["PAID", "de", germanItems])
    const plain = await shopper.complete(await checkoutOf(""), "plain")
    expect((await orderOf(plain.body.orderId)).locale).toBeNull()
  })

  it("is in the language of the request where there is no cart; an admin's in the store's own", async () => {
    const body = {
      items: [{ ...lampLine(), price: "11.00" }],
      customer: { email: "ada@example.com" },
      shippingAddress: addressIn("CA", "94105")
    }
    const placed = await shop.call("POST", `${shopper.at}/orders?locale=de`, { body })
    expect(placed.status).toBe(200)
    const order = await orderOf(placed.body.orderId)
    expect([order.locale, names(order)]).toEqual(["de", germanItems])
    const own = await create("/v1/orders", { items: [lampLine()] })
    expect([own.locale, names(own)]).toEqual([null, [["Lamp - Navy", "Wrapping", "Box"]]])
  })

  it("has its mail by the template of that language, else by the store's", async () => {
    const template = (language: string, subject: string) =>
      create("/v1/email/templates", {
        name: subject,
        eventType: "ORDER_CONFIRMATION",
        language,
        subject: `${subject} {{orderNumber}}`,
        htmlContent: "{{orderDate}}: {{#items}}{{name}} {{modifiers}}{{/items}}"
      })
    await template("de", "Bestellung")
    await template("en", "Order")
    const day = (language: string, now: string) =>
      new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(now))
    const mailOf = async (query: string, key: string) => {
      const placed = await shopper.complete(await checkoutOf(query), key)
      const { createdAt, orderNumber } = await orderOf(placed.body.orderId)
      const found = async () => {
        const { data } = (await shop.call("GET", "/v1/email/messages?limit=100")).body
        return data
          .filter(({ subject }: { subject: string }) => subject.endsWith(` ${orderNumber}`))
          .map(({ subject, html }: { subject: string; html: string }) => [subject, html])
      }
      return { found, createdAt, orderNumber }
    }
    for (const [query, subject, language, item] of [
      ["?locale=de", "Bestellung", "de", "Leuchte - Marineblau Schachtel"],
      ["?locale=fr", "Order", "en", "Lamp - Navy Box"],
      ["", "Order", "en", "Lamp - Navy Box"]
    ] as const) {
      const { found, createdAt, orderNumber } = await mailOf(query, `mail${query}`)
      await expect
        .poll(found, { interval: 50, timeout: 10_000 })
        .toEqual([[`${subject} ${orderNumber}`, `${day(language, createdAt)}: ${item}`]])
    }
  })
})

it("a text is chosen by the statement as the catalogue chooses it", async () => {
  const translations = [
    {},
    { de: { name: "Leuchte" } },
    { DE: { name: "Leuchte" }, "de-AT": { name: "Lampe" } },
    { "de-AT": { description: "x" }, de: { name: "Leuchte" } },
    { de: { name: "" } },
    { de: { name: null } },
    { de: "Leuchte", "de-at": null },
    { de: { name: 3 } },
    { en: { name: "Light" } }
  ]
  for (const texts of translations)
    for (const locale of ["de", "de-AT", "DE-at", "en", "fr"]) {
      const [row] = await rowsOf(shop, "SELECT text_in($1::jsonb, $2, 'name', 'Lamp') AS text", [
        JSON.stringify(texts),
        locale
      ])
      const chosen = textOr(translationIn(texts, [locale], "en"), "name", "Lamp")
      expect([texts, locale, row?.["text"]]).toEqual([texts, locale, chosen])
    }
})
