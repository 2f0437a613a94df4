/**
 * A coupon and a rule whose uses are counted, and gift cards that pay a part: what an order claims besides goods. Each
 * purchase gets a card of its own, for less than the order costs.
 */
import { type Answer, send } from "./Client.ts"
import { admin, Cut, type Where } from "./Purchase.ts"
import type { Shop } from "./Shops.ts"

const code = "PROOF10"
/** More than any proof uses: what is proved is that each use is counted once. */
const usageLimit = 1_000_000

const made = (step: string, status: number) => (answer: Answer) => {
  if (answer.status !== status) throw new Cut(step, answer)
  return answer
}

export const furnishDiscounts = async (shop: Shop, port: number): Promise<void> => {
  const coupon = { code, type: "PERCENTAGE", value: 10, usageLimit, combinesWithOther: true }
  const rule = { name: "A twentieth off", type: "PERCENTAGE_OFF", value: 5, usageLimit, combinesWithOther: true }
  await admin(shop, port, "POST", "/coupons", coupon).then(made("coupon", 201))
  await admin(shop, port, "POST", "/promotions", rule).then(made("promotion", 201))
}

/** Enters the coupon and a new gift card. Rejects with Cut or NoAnswer. */
export const enterDiscounts = async (shop: Shop, where: Where, checkoutId: string): Promise<void> => {
  const at = `/vc/${shop.channelId}/checkout/${checkoutId}`
  const card = await admin(shop, where(), "POST", "/gift-cards", { initialBalance: "1.50" }).then(made("card", 201))
  await send(where(), "POST", `${at}/coupon`, { body: { code } }).then(made("enter coupon", 200))
  await send(where(), "POST", `${at}/gift-card`, { body: { code: card.body.code } }).then(made("enter card", 200))
}
