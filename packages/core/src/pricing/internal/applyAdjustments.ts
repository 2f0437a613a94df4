/**
 * Steps `rules`, `coupon` and `surcharges`: what the sources of the step's part propose is applied. A discount takes
 * no more than its line, or the shipping, has left.
 */
import type { TraceEntry } from "../../kernel/Trace.ts"
import type { AdjustmentEvaluator, LineSoFar, PricingSoFar, ProposedAdjustment } from "../AdjustmentSource.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import { adjust, amountDue, exactEntry, type Ledger, type LedgerLine } from "./ledger.ts"

const evaluatorsOf = (snapshot: PricingSnapshot, part: AdjustmentEvaluator["part"]) =>
  snapshot.evaluators === undefined || snapshot.evaluators.length === 0
    ? []
    : snapshot.evaluators.filter((evaluator) => evaluator.part === part)

const soFar = (snapshot: PricingSnapshot, ledger: Ledger, due: bigint): PricingSoFar => ({
  due,
  lines: ledger.lines.map(
    (line, i): LineSoFar => ({
      id: line.id,
      quantity: snapshot.lines[i]?.quantity ?? 0,
      subtotal: line.subtotal,
      due: amountDue(line)
    })
  )
})

/** Asks a source, and checks what it proposes. */
const proposalsOf = (
  evaluator: AdjustmentEvaluator,
  soFarNow: PricingSoFar,
  ledger: Ledger
): ReadonlyArray<ProposedAdjustment> => {
  const { proposed, notApplied } = evaluator.evaluate(soFarNow)
  if (notApplied !== undefined) ledger.notApplied.push(...notApplied)
  for (const { sourceId, amount } of proposed)
    if (amount < 0n) throw new RangeError(`${evaluator.kind} ${sourceId} must not be negative`)
  return proposed
}

const stepOf = { rule_discount: "rules", discount: "coupon", surcharge: "surcharges", tender: "tenders" } as const

const discountEntry = (
  step: string,
  target: string,
  { sourceId, amount: wanted }: ProposedAdjustment,
  amount: bigint
): TraceEntry => ({
  step,
  target,
  sources: [sourceId],
  formula: `share of the discount, at most what is left of the ${target === "shipping" ? "shipping" : "line"}`,
  numerator: wanted,
  denominator: 1n,
  roundingPoint: amount === wanted ? "none" : "cap",
  roundingMode: null,
  amount
})

const takeOff = (
  ledger: Ledger,
  { kind, part }: { readonly kind: string; readonly part: "rule_discount" | "discount" },
  line: LedgerLine,
  proposed: ProposedAdjustment
): void => {
  const due = amountDue(line)
  const amount = proposed.amount > due ? due : proposed.amount
  if (part === "rule_discount") line.ruleDiscount += amount
  else line.couponDiscount += amount
  const { sourceId, target, lineId, reason } = proposed
  adjust(ledger, { kind, sourceId, part, target, lineId, amount, reason })
  ledger.trace.push(discountEntry(stepOf[part], line.id, proposed, amount))
}

const applyDiscounts =
  (part: "rule_discount" | "discount") =>
  (snapshot: PricingSnapshot, ledger: Ledger): void => {
    const evaluators = evaluatorsOf(snapshot, part)
    if (evaluators.length === 0) return
    const lines = new Map(ledger.lines.map((line): [string, LedgerLine] => [line.id, line]))
    for (const evaluator of evaluators) {
      for (const proposed of proposalsOf(evaluator, soFar(snapshot, ledger, 0n), ledger)) {
        if (proposed.target === "shipping") {
          ledger.shippingDiscounts.push({ evaluator, proposed })
          continue
        }
        const line = lines.get(proposed.lineId ?? "")
        if (line === undefined)
          throw new RangeError(`${evaluator.kind} ${proposed.sourceId} names the unknown line ${proposed.lineId}`)
        takeOff(ledger, { kind: evaluator.kind, part }, line, proposed)
      }
    }
  }

export const applyRules = applyDiscounts("rule_discount")
export const applyCoupon = applyDiscounts("discount")

/** What rules and coupons take off the shipping, once it is charged. */
export const discountShipping = (ledger: Ledger): void => {
  const { shipping } = ledger
  if (shipping === null) return
  for (const { evaluator, proposed } of ledger.shippingDiscounts)
    if (evaluator.part === "rule_discount" || evaluator.part === "discount")
      takeOff(ledger, { kind: evaluator.kind, part: evaluator.part }, shipping, proposed)
}

/** Surcharges are on the order, and not taxed. */
export const applySurcharges = (snapshot: PricingSnapshot, ledger: Ledger): void => {
  for (const evaluator of evaluatorsOf(snapshot, "surcharge")) {
    for (const { sourceId, amount, reason } of proposalsOf(evaluator, soFar(snapshot, ledger, 0n), ledger)) {
      ledger.surcharge += amount
      adjust(ledger, {
        kind: evaluator.kind,
        sourceId,
        part: "surcharge",
        target: "order",
        lineId: null,
        amount,
        reason
      })
      ledger.trace.push({ ...exactEntry("surcharges", "order", "surcharge", amount), sources: [sourceId] })
    }
  }
}

/** Tenders pay for what is due, the earlier ones first, and never for more. Returns what is left to pay. */
export const applyTenders = (snapshot: PricingSnapshot, ledger: Ledger, total: bigint): bigint => {
  let due = total
  for (const evaluator of evaluatorsOf(snapshot, "tender")) {
    for (const { sourceId, amount: wanted, reason } of proposalsOf(evaluator, soFar(snapshot, ledger, due), ledger)) {
      const amount = wanted > due ? due : wanted
      if (amount > 0n) ledger.tenders.push({ kind: evaluator.kind, sourceId, amount, reason })
      due -= amount
    }
  }
  return due
}
