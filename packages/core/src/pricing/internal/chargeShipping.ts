/** Step `shipping`: the price of the chosen rate, or the charge that the caller states, becomes one more line. */
import { manualKinds } from "../Adjustment.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import { adjust, exactEntry, notOnALine, type Ledger, ledgerLine } from "./ledger.ts"

export const chargeShipping = (snapshot: PricingSnapshot, ledger: Ledger): void => {
  if (snapshot.shipping === null) return
  const { amount, isStated, rateId, rateName = "" } = snapshot.shipping
  if (amount < 0n) throw new RangeError("the shipping charge must not be negative")
  ledger.shipping = ledgerLine("shipping", amount)
  const formula = isStated === true ? "stated by the caller" : "price of the chosen rate"
  const entry = exactEntry("shipping", "shipping", formula, amount)
  const source = { type: "shipping_rate", id: rateId ?? "", name: rateName }
  ledger.trace.push(rateId === undefined || rateId === null ? entry : { ...entry, sources: [rateId], source })
  if (isStated === true) {
    const { shipping: kind } = manualKinds
    const stated = { kind, sourceId: "shippingAmount", part: "shipping", target: "shipping" } as const
    adjust(ledger, { ...notOnALine, ...stated, amount, reason: null })
  }
}
