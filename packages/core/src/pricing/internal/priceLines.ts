/** Step `prices`: quantity times unit price. */
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import { exactEntry, type Ledger, ledgerLine } from "./ledger.ts"

export const priceLines = (snapshot: PricingSnapshot, ledger: Ledger): void => {
  for (const line of snapshot.lines) {
    if (!Number.isSafeInteger(line.quantity) || line.quantity < 1) {
      throw new RangeError(`line ${line.id}: the quantity must be a positive integer`)
    }
    if (line.unitPrice < 0n) throw new RangeError(`line ${line.id}: the price must not be negative`)
    const subtotal = BigInt(line.quantity) * line.unitPrice
    ledger.lines.push(ledgerLine(line.id, subtotal))
    ledger.trace.push(exactEntry("prices", line.id, "quantity x unit price", subtotal))
  }
}
