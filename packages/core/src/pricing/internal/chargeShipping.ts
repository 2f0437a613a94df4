/** Step `shipping`: the price of the chosen rate becomes one more line. */
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import { exactEntry, type Ledger, ledgerLine } from "./ledger.ts"

export const chargeShipping = (snapshot: PricingSnapshot, ledger: Ledger): void => {
  if (snapshot.shipping === null) return
  const { amount } = snapshot.shipping
  if (amount < 0n) throw new RangeError("the shipping charge must not be negative")
  ledger.shipping = ledgerLine("shipping", amount)
  ledger.trace.push(exactEntry("shipping", "shipping", "price of the chosen rate", amount))
}
