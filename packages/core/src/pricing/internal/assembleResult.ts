/** Sums the ledger into the result; every figure here is a sum of figures that the steps wrote. */
import type { PricedLine, PricingResult, TaxShare } from "../PricingResult.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import { applyTenders } from "./applySurcharges.ts"
import { amountDue, exactEntry, type Ledger, type LedgerLine } from "./ledger.ts"

/** The total is known here, so tenders are applied here. */
export const assembleResult = (snapshot: PricingSnapshot, ledger: Ledger): PricingResult => {
  const sums = { subtotal: 0n, discount: 0n, ruleDiscount: 0n, inclusive: 0n, exclusive: 0n }
  const rows = new Map<string, TaxShare>()
  const lines: Array<PricedLine> = []
  let pricesIncludeTax = false
  const addTaxes = (taxes: Taxes): void => {
    for (const share of taxes.shares) {
      const row = rows.get(share.rateId)
      rows.set(share.rateId, row === undefined ? share : { ...row, amount: row.amount + share.amount })
    }
    pricesIncludeTax ||= taxes.hasInclusive
    sums.inclusive += taxes.inclusive
    sums.exclusive += taxes.exclusive
  }
  // Most lines of a cart have neither discount nor tax, so zeros are not added.
  const add = (line: LedgerLine): Taxes => {
    const taxes = taxesOf(line)
    if (taxes !== NO_TAXES) addTaxes(taxes)
    if (line.couponDiscount !== 0n) sums.discount += line.couponDiscount
    if (line.ruleDiscount !== 0n) sums.ruleDiscount += line.ruleDiscount
    return taxes
  }
  for (const line of ledger.lines) {
    const taxes = add(line)
    const due = amountDue(line)
    const isTaxed = taxes !== NO_TAXES
    sums.subtotal += line.subtotal
    lines.push({
      id: line.id,
      subtotal: line.subtotal,
      discount: due === line.subtotal ? 0n : line.subtotal - due,
      tax: isTaxed ? taxes.inclusive + taxes.exclusive : 0n,
      total: isTaxed ? due + taxes.exclusive : due,
      taxes: taxes.shares
    })
  }
  const netOfLines = sums.subtotal - sums.discount - sums.ruleDiscount - sums.inclusive
  const shipping = ledger.shipping === null ? NO_TAXES : add(ledger.shipping)
  const shippingAmount = ledger.shipping?.subtotal ?? 0n
  const { surcharge: surchargeAmount, statedTax } = ledger
  if (statedTax !== null) {
    sums.exclusive += statedTax
    if (statedTax > 0n) rows.set(STATED_RATE, { rateId: STATED_RATE, name: "Tax", rate: "0", amount: statedTax })
  }
  const taxAmount = sums.inclusive + sums.exclusive
  const total = sums.subtotal - sums.discount - sums.ruleDiscount + shippingAmount + surchargeAmount + sums.exclusive
  ledger.trace.push(exactEntry("total", "order", "subtotal - discounts + shipping + surcharges + exclusive tax", total))
  const amountToPay = applyTenders(snapshot, ledger, total)
  return {
    subtotal: sums.subtotal,
    discountAmount: sums.discount,
    ruleDiscountAmount: sums.ruleDiscount,
    shippingAmount,
    surchargeAmount,
    taxAmount,
    total,
    pricesIncludeTax,
    lines,
    shippingTax: shipping.inclusive + shipping.exclusive,
    taxBreakdown: {
      subtotal: netOfLines,
      shippingNet: shippingAmount - shipping.inclusive,
      totalTax: taxAmount,
      total,
      breakdown: [...rows.values()]
    },
    alternatives: [],
    adjustments: ledger.adjustments,
    notApplied: ledger.notApplied,
    tenders: ledger.tenders,
    amountDue: amountToPay,
    trace: ledger.trace
  }
}

/** In place of a rate, for a tax that the caller stated. */
const STATED_RATE = "given"

interface Taxes {
  readonly shares: ReadonlyArray<TaxShare>
  readonly inclusive: bigint
  readonly exclusive: bigint
  readonly hasInclusive: boolean
}

const NO_TAXES: Taxes = { shares: [], inclusive: 0n, exclusive: 0n, hasInclusive: false }

const taxesOf = (line: LedgerLine): Taxes => {
  if (line.rates === null || line.rates.length === 0) return NO_TAXES
  let inclusive = 0n
  let exclusive = 0n
  let hasInclusive = false
  const shares = line.rates.map((rate, index): TaxShare => {
    const amount = line.taxes[index] ?? 0n
    hasInclusive ||= rate.isInclusive
    if (rate.isInclusive) inclusive += amount
    else exclusive += amount
    return { rateId: rate.id, name: rate.name, rate: rate.text, amount }
  })
  return { shares, inclusive, exclusive, hasInclusive }
}
