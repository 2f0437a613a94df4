/**
 * Bodies of completions: by hand, and by the `test` provider, which a test-mode channel has once payments are part of
 * the product.
 */
import type { Product, Shop } from "./Shops.ts"
import { complete, prepare } from "./Purchase.ts"

export const byHand = {}
export const byCard = { paymentMethod: "test", paymentReference: "approve" }

/** Agrees to a wrong total: always rejected, so that errors are among the requests during crashes. */
const mistaken = { expectedTotal: "0.01" }

/** Whether the product has the `test` provider: one purchase finds out. */
export const takesCards = async (shop: Shop, port: number, product: Product): Promise<boolean> => {
  const { checkoutId } = await prepare(shop, () => port, [{ productId: product.id, quantity: 1 }])
  const { status } = await complete(shop, port, checkoutId, `takes-cards-${checkoutId}`, byCard)
  return status === 200
}

/** Bodies that shoppers complete with, by turns. */
export const waysToPay = async (shop: Shop, port: number, product: Product): Promise<ReadonlyArray<object>> =>
  (await takesCards(shop, port, product))
    ? [byHand, byCard, byHand, byCard, mistaken]
    : [byHand, byHand, byHand, byHand, mistaken]
