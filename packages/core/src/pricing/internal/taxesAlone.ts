/** The taxes of amounts without a sale: by the steps that price checkouts, from the amounts on. Pure. */
import type { PricingResult } from "../PricingResult.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import type { TaxQuoteRequest } from "../TaxQuote.ts"
import { assembleResult } from "./assembleResult.ts"
import { chargeTaxes } from "./chargeTaxes.ts"
import { ledgerLine, openLedger } from "./ledger.ts"

export const taxesAlone = (
  { currency, lines, shippingAmount, address }: TaxQuoteRequest,
  rules: Pick<PricingSnapshot, "policy" | "taxes" | "taxedBy">
): PricingResult => {
  const snapshot: PricingSnapshot = {
    ...rules,
    currency,
    address,
    lines: lines.map(({ amount: unitPrice, ...line }) => ({ ...line, unitPrice })),
    shipping: shippingAmount === null ? null : { amount: shippingAmount, taxable: true }
  }
  const ledger = openLedger()
  for (const { id, amount } of lines) ledger.lines.push(ledgerLine(id, amount))
  if (shippingAmount !== null) ledger.shipping = ledgerLine("shipping", shippingAmount)
  chargeTaxes(snapshot, ledger)
  return assembleResult(snapshot, ledger)
}
