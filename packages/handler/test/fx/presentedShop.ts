/** A shop in euro that ships to Germany, Japan and Kuwait, with a region and a currency for each. */
import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import { expect } from "vitest"
import { openTestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"

export const addressIn = (country: string) => ({
  firstName: "Ada",
  lastName: "Byron",
  line1: "1 Main St",
  city: "Town",
  postalCode: "10115",
  country
})

const regions = [
  { name: "Europe", currency: "EUR", countries: ["DE"], isDefault: true },
  { name: "Japan", currency: "JPY", countries: ["JP"] },
  { name: "Kuwait", currency: "KWD", countries: ["KW"] },
  { name: "Britain", currency: "GBP", countries: ["GB"] }
]

export const openPresentedShop = async () => {
  const shop = await openTestCommerce({ role: "api" })
  const shopper = shopperOf(shop)
  const admin = async (method: string, path: string, body?: object) => {
    const called = await shop.call(method, path, body === undefined ? {} : { body })
    if (called.status >= 300) throw new Error(`${method} ${path}: ${called.text}`)
    return called.body
  }
  await admin("PATCH", "/v1/store", { currency: "EUR" })
  const ids: Record<string, string> = {}
  for (const region of regions) ids[region.name] = (await admin("POST", "/v1/regions", region)).id
  await admin("PUT", "/v1/fx-rates", { base: "EUR", quote: "JPY", rate: "161.5", bufferPercent: 3 })
  await admin("PUT", "/v1/fx-rates", { quote: "KWD", rate: 0.334 })
  const zone = await admin("POST", "/v1/shipping/zones", { name: "World", countries: ["DE", "JP", "KW", "GB"] })
  await admin("POST", `/v1/shipping/zones/${zone.id}/rates`, {
    name: "Post",
    type: "FLAT",
    rateConfig: { amount: "5.00" }
  })
  await admin("POST", "/v1/tax/rates", { name: "Consumption", country: "JP", rate: 10 })
  await admin("POST", "/v1/tax/rates", { name: "VAT", country: "KW", rate: 5, isInclusive: true })

  const send = async (checkoutId: string, country: string) => {
    await shop.call("PATCH", `${shopper.at}/checkout/${checkoutId}/customer`, { body: { email: "ada@example.com" } })
    const { body } = await shop.call("PATCH", `${shopper.at}/checkout/${checkoutId}/shipping`, {
      body: { shippingAddress: addressIn(country) }
    })
    const shippingRateId = body.availableShippingRates[0].id
    return (
      await shop.call("PATCH", `${shopper.at}/checkout/${checkoutId}/shipping-method`, { body: { shippingRateId } })
    ).body
  }
  const begin = async (price: bigint, quantity: number) => {
    const lamp = await shopper.product({ name: "Lamp", price, stock: 50 })
    const cartId = await shopper.cart([lamp, quantity])
    const made = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId } })
    return { lamp, cartId, checkout: made.body, id: made.body.id as string }
  }
  /** Two lamps for 19.99, 5.00 of shipping and 4.50 of tax to Japan: 49.48. */
  const inJapan = async () => {
    const { id, lamp } = await begin(1_999n, 2)
    return { id, lamp, checkout: await send(id, "JP") }
  }
  let keys = 0
  const pay = (id: string, paymentReference: string) =>
    shopper.complete(id, `fx-${keys++}`, { paymentMethod: "test", paymentReference })
  const tell = (body: object) => shop.call("POST", "/test/provider-events", { body })
  const orderOf = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body
  const read = async (id: string) => (await shop.call("GET", `${shopper.at}/checkout/${id}`)).body
  /** `attention`: what the audit says of payments that a person has to look at. */
  const expectCleanBooks = async (attention: ReadonlyArray<string> = []) => {
    const broken: Array<string> = []
    const looked: Array<string | null> = []
    for (const law of laws) {
      const found = findingsOf(law, shop.storeId, await rowsOf(shop, questionOf(law), [shop.storeId]))
      if (law.law === "operation.attention") looked.push(...found.map(({ found }) => found))
      else broken.push(...found.map((finding) => JSON.stringify(finding)))
    }
    expect([broken, looked]).toEqual([[], attention])
  }
  const chargesOf = (id: string) =>
    rowsOf(
      shop,
      `SELECT state, amount::int, currency, captured::int, refunded::int FROM provider_operation
        WHERE subject_id = $1 AND kind = 'authorize' ORDER BY created_at, id`,
      [id]
    )
  return { shop, shopper, admin, ids, send, begin, inJapan, pay, tell, orderOf, read, expectCleanBooks, chargesOf }
}
