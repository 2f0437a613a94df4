/**
 * The shop of crashes: carts hold units, orders claim discounts and gift cards, two servers run, and every way to pay is
 * known.
 */
import { furnishDiscounts } from "./discounts.ts"
import type { Installation } from "./Installation.ts"
import { furnish } from "./Purchase.ts"
import { waysToPay } from "./waysToPay.ts"

export const openBusyShop = async (installation: Installation) => {
  const shop = await installation.openShop({ strategy: "ON_CART" })
  // Some goods run out, so that errors are checked too.
  const products = [...(await installation.stock(shop, 12, 1_000_000)), ...(await installation.stock(shop, 4, 40))]
  const slots = await installation.openSlots(2)
  await Promise.all(slots.map((slot) => installation.start(slot)))
  await furnish(shop, slots[0]?.port ?? 0)
  await furnishDiscounts(shop, slots[0]?.port ?? 0)
  const [first] = products
  if (first === undefined) throw new Error("no product was made")
  const payments = await waysToPay(shop, slots[0]?.port ?? 0, first)
  return { shop, products, slots, payments }
}
