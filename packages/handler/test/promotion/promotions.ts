/** A shop whose promotions a test makes and takes away again. */
import { expect } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

export const promotionsPath = "/v1/promotions"

/** Products and how many units of each. */
export type Lines = ReadonlyArray<readonly [productId: string, quantity: number]>

export const openPromotions = async (options: Parameters<typeof openTestCommerce>[0] = {}) => {
  const shop: TestCommerce = await openTestCommerce(options)
  const shopper = shopperOf(shop)
  const create = (body: object) =>
    shop.call("POST", promotionsPath, { body: { name: "Rule", type: "PERCENTAGE_OFF", value: 10, ...body } })
  const offer = async (body: object) => {
    const { status, body: made, text } = await create(body)
    if (status !== 201) throw new Error(text)
    return made
  }
  const clear = async () => {
    const { data } = (await shop.call("GET", `${promotionsPath}?limit=100`)).body
    for (const { id } of data) expect((await shop.call("DELETE", `${promotionsPath}/${id}`)).status).toBe(200)
  }
  const product = async (body: object): Promise<string> => {
    const made = await shop.call("POST", "/v1/products", {
      body: { name: "Lamp", basePrice: "10.00", status: "active", inventory: { trackingMode: "UNTRACKED" }, ...body }
    })
    if (made.status !== 201) throw new Error(made.text)
    return made.body.id
  }
  const cartOf = async (...lines: Lines) => {
    const id = await shopper.cart(...lines)
    return (await shop.call("GET", `${shopper.at}/cart/${id}`)).body
  }
  const now = async (): Promise<number> =>
    Date.parse((await shop.call("POST", "/test/clock", { body: { advanceMs: 0 } })).body.now)
  const moveTo = (at: number) => shop.call("POST", "/test/clock", { body: { now: new Date(at).toISOString() } })
  return { shop, shopper, create, offer, clear, product, cartOf, now, moveTo }
}

/** The sums of a cart or a checkout that rules change. */
export const sumsOf = ({ subtotal, ruleDiscountAmount, discountAmount }: Readonly<Record<string, unknown>>) => ({
  subtotal,
  ruleDiscountAmount,
  discountAmount
})
