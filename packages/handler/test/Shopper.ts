/** One shopper's way through a shop, as a storefront would call it. */
import { type ProductSeed, seedProduct } from "@effect-commerce/core/testing/Factories"
import { Effect } from "effect"
import type { TestCommerce } from "../src/testing/TestCommerce.ts"

export const addressIn = (region: string, postalCode: string) => ({
  firstName: "Ada",
  lastName: "Byron",
  line1: "1 Main St",
  city: "Town",
  region,
  postalCode,
  country: "US"
})

/**
 * Has the process look its channel and store up anew, which it does again after four seconds: between two calls of a
 * test on a busy machine that may be any call, and its statements would be counted as that call's.
 */
export const renewMemory = async (shop: TestCommerce): Promise<void> => {
  await shop.call("POST", "/test/clock", { body: { advanceMs: 4_000 } })
  const { status } = await shop.call("GET", `/vc/${shop.channelId}/cart/unknown`)
  if (status !== 404) throw new Error(`no cart: ${status}`)
}

export const shopperOf = (shop: TestCommerce, channelId = shop.channelId) => {
  const at = `/vc/${channelId}`
  const product = (seed: ProductSeed = {}): Promise<string> =>
    shop.run(Effect.orDie(seedProduct(shop.storeId, seed)) as unknown as Effect.Effect<string>)
  const cart = async (...lines: ReadonlyArray<readonly [productId: string, quantity: number]>) => {
    const { body } = await shop.call("POST", `${at}/cart`)
    for (const [productId, quantity] of lines) {
      const added = await shop.call("POST", `${at}/cart/${body.id}/items`, { body: { productId, quantity } })
      if (added.status !== 200) throw new Error(`add: ${added.text}`)
    }
    return body.id as string
  }
  /** A checkout with e-mail, a Californian address and the first method offered, where there is one. */
  const checkout = async (cartId: string, regionId?: string) => {
    const made = await shop.call("POST", `${at}/checkout`, { body: { cartId, regionId } })
    if (made.status !== 201) throw new Error(`checkout: ${made.text}`)
    const id = made.body.id as string
    await shop.call("PATCH", `${at}/checkout/${id}/customer`, {
      body: { email: "ada@example.com", firstName: "Ada", lastName: "Byron" }
    })
    const shipped = await shop.call("PATCH", `${at}/checkout/${id}/shipping`, {
      body: { shippingAddress: addressIn("CA", "94105") }
    })
    const rate = shipped.body.availableShippingRates[0]
    if (rate !== undefined)
      await shop.call("PATCH", `${at}/checkout/${id}/shipping-method`, { body: { shippingRateId: rate.id } })
    return id
  }
  const complete = (checkoutId: string, key: string, body: object = {}) =>
    shop.call("POST", `${at}/checkout/${checkoutId}/complete`, { body, headers: { "idempotency-key": key } })
  return { at, product, cart, checkout, complete }
}
