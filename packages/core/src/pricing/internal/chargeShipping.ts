/** Step `shipping`: the price of the chosen rate, or the charge that the caller states, becomes one more line. */
import { manualKinds } from "../Adjustment.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import { discountShipping } from "./applyAdjustments.ts"
import { adjust, exactEntry, type Ledger, ledgerLine } from "./ledger.ts"

export const chargeShipping = (snapshot: PricingSnapshot, ledger: Ledger): void => {
  if (snapshot.shipping === null) return
  const { amount, isStated } = snapshot.shipping
  if (amount < 0n) throw new RangeError("the shipping charge must not be negative")
  ledger.shipping = ledgerLine("shipping", amount)
  ledger.trace.push(
    exactEntry("shipping", "shipping", isStated === true ? "stated by the caller" : "price of the chosen rate", amount)
  )
  if (isStated === true) {
    const { shipping: kind } = manualKinds
    const stated = { kind, sourceId: "shippingAmount", part: "shipping", target: "shipping" } as const
    adjust(ledger, { ...stated, lineId: null, amount, reason: null })
  }
  discountShipping(ledger)
}
