/** Bodies of completions: by hand, and by the `test` provider, which a test-mode channel has once payments are part of the product. */
import type { Product, Shop } from "./Installation.ts"
import { complete, prepare } from "./Purchase.ts"

export const byHand = {}
export const byCard = { paymentMethod: "test", paymentReference: "approve" }

/** The ways that this product has: one purchase finds out. */
export const waysToPay = async (shop: Shop, port: number, products: ReadonlyArray<Product>): Promise<ReadonlyArray<object>> => {
  const [product] = products
  if (product === undefined) return [byHand]
  const ready = await prepare(shop, () => port, [{ productId: product.id, quantity: 1 }])
  const { status } = await complete(shop, port, ready.checkoutId, `ways-to-pay-${ready.checkoutId}`, byCard)
  return status === 200 ? [byHand, byCard] : [byHand]
}
