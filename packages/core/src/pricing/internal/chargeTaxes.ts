/**
 * Step `tax`: each line after its discounts, and taxable shipping as one more line of the Standard class. A tax that the
 * caller states is taken as it is.
 */
import { computeTaxes } from "../../tax/TaxArithmetic.ts"
import type { TaxMatch } from "../../tax/TaxMatch.ts"
import type { TaxItem } from "../../tax/TaxPolicy.ts"
import { manualKinds } from "../Adjustment.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import { adjust, amountDue, exactEntry, type Ledger, type LedgerLine } from "./ledger.ts"

export const chargeTaxes = (snapshot: PricingSnapshot, ledger: Ledger): void => {
  const { address, taxes: matcher, statedTax } = snapshot
  if (statedTax !== undefined) return takeStatedTax(statedTax, ledger)
  if (address === null || matcher === null) {
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
    const match = matches.get(taxClassId) ?? matcher.match(address, taxClassId)
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

const takeStatedTax = (amount: bigint, ledger: Ledger): void => {
  ledger.statedTax = amount
  ledger.trace.push(exactEntry("tax", "order", "stated by the caller", amount))
  const { tax: kind } = manualKinds
  const stated = { kind, sourceId: "taxAmount", part: "tax", target: "order" } as const
  adjust(ledger, { ...stated, lineId: null, amount, reason: null })
}
