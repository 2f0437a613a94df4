/** A store with one of everything, so that operations called at random find something to answer with. */
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

/** `round` makes names that are taken once. Every answer is handed to `learn`. */
export const furnish = async (
  shop: TestCommerce,
  { round, learn }: { readonly round: number; readonly learn: (answer: unknown) => void }
): Promise<void> => {
  const shopper = shopperOf(shop)
  const make = async (path: string, body: object, method = "POST") => {
    const answer = await shop.call(method, path, { body, headers: { origin: "https://shop.example" } })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    learn(answer.body)
    return answer.body
  }
  const translations = { de: { name: `Deutsch ${round}` } }
  const category = await make("/v1/categories", { name: `Category ${round}`, translations })
  const brand = await make("/v1/brands", { name: `Brand ${round}`, translations })
  const options = [
    { name: "Red", value: "red", translations: { de: { name: "Rot" } } },
    { name: "Blue", value: "blue", swatchColor: "#0000cc" }
  ]
  const attribute = await make("/v1/attributes", { name: `Colour ${round}`, translations, options })
  const modifiers = [{ name: "Gift wrap", priceDelta: "2.50", translations }]
  const group = await make("/v1/modifier-groups", { name: `Extras ${round}`, selectionType: "MULTIPLE", modifiers })
  const choices = [{ value: "oak", label: "Oak" }]
  await make("/v1/metafield-definitions", {
    name: `Material ${round}`,
    key: `material_${round}`,
    type: "SELECT",
    filterable: true,
    enumValues: choices,
    appliesToAllProducts: true
  })
  await make("/v1/metafield-definitions", {
    name: `Engraving ${round}`,
    key: `engraving_${round}`,
    type: "TEXT",
    isCustomerInput: true,
    appliesToAllProducts: true
  })
  await make("/v1/regions", {
    name: `Region ${round}`,
    currency: "USD",
    countries: [["US", "DE", "FR", "IT", "ES", "AT"][round % 6]]
  })
  await make("/v1/tax/classes", { name: `Class ${round}` })
  await make("/v1/shipping/classes", { name: `Bulky ${round}` })
  const variable = await make("/v1/products", {
    name: `Table ${round}`,
    status: "active",
    basePrice: "100.00",
    type: "VARIABLE",
    translations,
    categories: [category.id],
    brands: [brand.id],
    images: [{ url: "https://images.example/table.png" }],
    attributes: [
      { attributeId: attribute.id, optionIds: attribute.options.map((one: { readonly id: string }) => one.id) }
    ],
    modifierGroups: [{ groupId: group.id, position: 0 }],
    metafields: { [`material_${round}`]: "oak" }
  })
  await make(`/v1/products/${variable.id}/metafields`, { values: { [`material_${round}`]: "oak" } }, "PUT")
  const mug = await shopper.product({ name: `Mug ${round}`, price: 1_250n, stock: 50 })
  await make(`/v1/products/${mug}`, { translations, categories: [category.id] }, "PATCH")
  await make("/v1/products", {
    name: `Set ${round}`,
    status: "active",
    basePrice: "20.00",
    type: "KIT",
    kitComponents: [{ productId: mug, quantity: 2 }],
    related: [mug]
  })
  await make("/v1/webhook-subscriptions", { url: `https://hooks.example/${round}`, events: ["order.created"] })
  const eventType = ["ORDER_NOTE", "ORDER_CONFIRMATION"][round]
  const htmlContent = "<p>{{orderNumber}}</p>"
  await make("/v1/email/templates", { eventType, language: "en", name: `Mail ${round}`, subject: "Yours", htmlContent })
  await make("/v1/orders", { items: [{ productId: mug, quantity: 1 }], customer: { email: "ada@example.com" } })
  for (const paymentMethod of ["manual", "test"]) {
    const checkout = await shopper.checkout(await shopper.cart([mug, 2]))
    const answer = await shopper.complete(checkout, `${round} ${paymentMethod}`, {
      paymentMethod,
      paymentReference: "approve"
    })
    if (answer.status >= 300) throw new Error(answer.text)
    learn(answer.body)
  }
  const cart = await shopper.cart([mug, 1])
  learn((await shop.call("GET", `${shopper.at}/cart/${cart}`)).body)
  learn({ id: await shopper.checkout(await shopper.cart([mug, 1])) })
}
