/** Steps `rules` and `coupon`: evaluated discounts are taken off their lines, never more than a line has left. */
import type { LineDiscount, PricingSnapshot } from "../PricingSnapshot.ts"
import { amountDue, type Ledger, type LedgerLine } from "./ledger.ts"

export const applyRules = (snapshot: PricingSnapshot, ledger: Ledger): void =>
  applyKind("rule", "rules", snapshot, ledger)

export const applyCoupon = (snapshot: PricingSnapshot, ledger: Ledger): void =>
  applyKind("coupon", "coupon", snapshot, ledger)

const applyKind = (kind: LineDiscount["kind"], step: string, snapshot: PricingSnapshot, ledger: Ledger): void => {
  const discounts = snapshot.lineDiscounts?.filter((discount) => discount.kind === kind) ?? []
  if (discounts.length === 0) return
  const lines = new Map(ledger.lines.map((line): [string, LedgerLine] => [line.id, line]))
  for (const discount of discounts) {
    const line = lines.get(discount.lineId)
    if (line === undefined)
      throw new RangeError(`discount ${discount.sourceId} names the unknown line ${discount.lineId}`)
    if (discount.amount < 0n) throw new RangeError(`discount ${discount.sourceId} must not be negative`)
    const due = amountDue(line)
    const amount = discount.amount > due ? due : discount.amount
    if (kind === "rule") line.ruleDiscount += amount
    else line.couponDiscount += amount
    ledger.trace.push({
      step,
      target: line.id,
      sources: [discount.sourceId],
      formula: "share of the discount, at most what is left of the line",
      numerator: discount.amount,
      denominator: 1n,
      roundingPoint: amount === discount.amount ? "none" : "cap",
      roundingMode: null,
      amount
    })
  }
}
