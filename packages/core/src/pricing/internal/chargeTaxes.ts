/**
 * Step `tax`: each line after its discounts, and taxable shipping as one more line of the Standard class. A tax that
 * the caller states is taken as it is.
 */
import { askCalculator, builtInTaxes, type TaxableItem } from "../../tax/TaxCalculator.ts"
import { manualKinds } from "../Adjustment.ts"
import { unknownBuyer } from "../Quote.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import { adjust, amountDue, exactEntry, type Ledger, type LedgerLine, notOnALine } from "./ledger.ts"

export const chargeTaxes = (snapshot: PricingSnapshot, ledger: Ledger): void => {
  const { address, taxes: rates, statedTax, currency, policy } = snapshot
  if (statedTax !== undefined) return takeStatedTax(statedTax, ledger)
  if (address === null || rates === null) {
    ledger.trace.push(exactEntry("tax", "order", "no tax before an address is known", 0n))
    return
  }
  const taxed: Array<LedgerLine> = []
  const items: Array<TaxableItem> = []
  const add = (line: LedgerLine, taxable: boolean, item: Omit<TaxableItem, "id" | "amount">): void => {
    if (!taxable) {
      ledger.trace.push(exactEntry("tax", line.id, "not taxable", 0n))
      return
    }
    taxed.push(line)
    items.push({ ...item, id: line.id, amount: amountDue(line) })
  }
  for (const [index, { productId = null, taxClassId, taxable, quantity }] of snapshot.lines.entries()) {
    const entry = ledger.lines[index]
    if (entry !== undefined) add(entry, taxable, { kind: "line", productId, taxClassId, quantity })
  }
  if (ledger.shipping !== null) add(ledger.shipping, snapshot.shipping?.taxable === true, shippingItem)
  const { calculator, storeId, buyer } = snapshot.taxedBy ?? byDefault
  const sale = { storeId, currency, address, buyer, items, rates, policy }
  const ask = calculator === builtInTaxes ? calculator.calculate : askCalculator(calculator)
  const found = ask(sale, ledger.trace)
  for (const [index, { rates: charged, amounts }] of found.entries()) {
    const line = taxed[index]
    if (line === undefined) continue
    line.rates = charged
    line.taxes = amounts
  }
}

const byDefault = { calculator: builtInTaxes, storeId: "", buyer: unknownBuyer }

const shippingItem = { kind: "shipping", productId: null, taxClassId: null, quantity: 1 } as const

const takeStatedTax = (amount: bigint, ledger: Ledger): void => {
  ledger.statedTax = amount
  ledger.trace.push(exactEntry("tax", "order", "stated by the caller", amount))
  const { tax: kind } = manualKinds
  const stated = { kind, sourceId: "taxAmount", part: "tax", target: "order" } as const
  adjust(ledger, { ...notOnALine, ...stated, amount, reason: null })
}
