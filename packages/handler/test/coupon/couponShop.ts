/** A shop with coupons: how shoppers and admin keys use their codes. */
import { type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

export const openCouponShop = async () => {
  const shop = await openTestCommerce()
  return { shop, ...couponsOf(shop) }
}

let people = 0

export const couponsOf = (shop: TestCommerce) => {
  const shopper = shopperOf(shop)
  const { at } = shopper
  /** A coupon of 10 %, but for what `body` says. */
  const coupon = async (code: string, body: object = {}) => {
    const made = await shop.call("POST", "/v1/coupons", { body: { code, type: "PERCENTAGE", value: 10, ...body } })
    if (made.status !== 201) throw new Error(made.text)
    return made.body
  }
  const usesOf = async (id: string): Promise<number> => (await shop.call("GET", `/v1/coupons/${id}`)).body.usageCount
  const enter = (cartId: string, code: string, headers = {}) =>
    shop.call("POST", `${at}/cart/${cartId}/coupon`, { body: { code }, headers })
  const enterAtCheckout = (checkoutId: string, code: string, headers = {}) =>
    shop.call("POST", `${at}/checkout/${checkoutId}/coupon`, { body: { code }, headers })
  const person = async () => {
    const email = `buyer-${people++}@example.com`
    const made = await shop.call("POST", `${at}/customers/register`, { body: { email, password: "Corr3ct-Horse" } })
    const headers = { authorization: `Bearer ${made.body.token}` }
    return { id: made.body.customer.id as string, email, headers }
  }
  /** An order in one call of a storefront. */
  const quickOrder = (productId: string, price: string, couponCode: string, headers = {}): Promise<Called> =>
    shop.call("POST", `${at}/orders`, {
      headers,
      body: {
        items: [{ productId, quantity: 1, price }],
        customer: { email: "quick@example.com", name: "Quick" },
        shippingAddress: addressIn("CA", "94105"),
        couponCode
      }
    })
  /** An order of an admin key. */
  const adminOrder = (productId: string, couponCode: string, body: object = {}): Promise<Called> =>
    shop.call("POST", "/v1/orders", {
      body: { items: [{ productId, quantity: 1 }], shippingAddress: addressIn("CA", "94105"), couponCode, ...body }
    })
  return { shopper, coupon, usesOf, enter, enterAtCheckout, person, quickOrder, adminOrder }
}

/** Status, code and reason of a refusal. */
export const refusalOf = ({ status, body }: Called): ReadonlyArray<unknown> => [
  status,
  body.code,
  body.details?.reason ?? null
]
