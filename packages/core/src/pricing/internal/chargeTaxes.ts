/** Step `tax`: each line after its discounts, and taxable shipping as one more line of the Standard class. */
import { computeTaxes } from "../../tax/TaxArithmetic.ts"
import type { TaxMatch } from "../../tax/TaxMatch.ts"
import type { TaxItem } from "../../tax/TaxPolicy.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import { amountDue, exactEntry, type Ledger, type LedgerLine } from "./ledger.ts"

export const chargeTaxes = (snapshot: PricingSnapshot, ledger: Ledger): void => {
  const { address } = snapshot
  if (address === null) {
    ledger.trace.push(exactEntry("tax", "order", "no tax before an address is known", 0n))
    return
  }
  const matches = new Map<string | null, TaxMatch>()
  const taxed: Array<LedgerLine> = []
  const items: Array<TaxItem> = []
  const charge = (line: LedgerLine, taxable: boolean, taxClassId: string | null, quantity: number): void => {
    if (!taxable) {
      ledger.trace.push(exactEntry("tax", line.id, "not taxable", 0n))
      return
    }
    const match = matches.get(taxClassId) ?? snapshot.taxes.match(address, taxClassId)
    matches.set(taxClassId, match)
    line.match = match
    taxed.push(line)
    items.push({ id: line.id, amount: amountDue(line), quantity: BigInt(quantity), match })
  }
  for (const [index, line] of snapshot.lines.entries()) {
    const entry = ledger.lines[index]
    if (entry !== undefined) charge(entry, line.taxable, line.taxClassId, line.quantity)
  }
  if (ledger.shipping !== null) charge(ledger.shipping, snapshot.shipping?.taxable === true, null, 1)
  for (const [index, taxes] of computeTaxes(items, snapshot.policy, ledger.trace).entries()) {
    const line = taxed[index]
    if (line !== undefined) line.taxes = taxes
  }
}
