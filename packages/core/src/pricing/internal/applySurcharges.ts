/** Step `surcharges`, which are on the order and not taxed; and the tenders, which pay for the finished total. */
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import { adjust, amountDue, exactEntry, type Ledger, notOnALine } from "./ledger.ts"

export const applySurcharges = (snapshot: PricingSnapshot, ledger: Ledger): void => {
  const { surcharges = [] } = snapshot
  if (surcharges.length === 0) return
  const due = ledger.lines.reduce((sum, line) => sum + amountDue(line), 0n)
  for (const { kind, sourceId, name, type, value, evaluate } of surcharges) {
    const { amount, formula } = evaluate(due)
    if (amount < 0n) throw new RangeError(`${kind} ${sourceId} must not be negative`)
    ledger.surcharge += amount
    const place = { part: "surcharge", target: "order" } as const
    adjust(ledger, { ...notOnALine, kind, sourceId, type, value, ...place, amount, reason: name })
    const source = { type: kind, id: sourceId, name }
    ledger.trace.push({ ...exactEntry("surcharges", "order", formula, amount), sources: [sourceId], source })
  }
}

/** Tenders pay for what is due, the earlier ones first, and never for more. Returns what is left to pay. */
export const applyTenders = ({ tenders = [] }: PricingSnapshot, ledger: Ledger, total: bigint): bigint => {
  let due = total
  for (const { pay, ...tender } of tenders) {
    const wanted = pay(due)
    if (wanted < 0n) throw new RangeError(`${tender.kind} ${tender.sourceId} must not be negative`)
    const amount = wanted > due ? due : wanted
    ledger.tenders.push({ ...tender, amount })
    const { kind: type, sourceId: id, reason: name } = tender
    const formula = amount === due ? "pays all that is due" : "pays a part of what is due"
    const entry = exactEntry("tenders", "order", formula, amount)
    ledger.trace.push({ ...entry, sources: [id], source: { type, id, name: name ?? type } })
    due -= amount
  }
  return due
}
