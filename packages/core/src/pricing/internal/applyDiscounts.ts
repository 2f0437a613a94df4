/**
 * Steps `rules` and `coupon`: each discount of the step is evaluated on what the ones before it have left. It takes no
 * more than a line, or the shipping, has left.
 */
import { least } from "../../kernel/Money.ts"
import { allocate } from "../../kernel/Allocation.ts"
import type { RoundingPoint, TraceEntry } from "../../kernel/Trace.ts"
import { manualKinds } from "../Adjustment.ts"
import type { Discount, Fraction, LineShare, LineSoFar, PricingSoFar } from "../AdjustmentSource.ts"
import type { PricingSnapshot } from "../PricingSnapshot.ts"
import type { AloneTaking } from "./combinations.ts"
import { adjust, amountDue, type Ledger, type LedgerLine, notOnALine } from "./ledger.ts"
import { exactShares } from "./exactShares.ts"

/** The lines and the shipping as the discounts of a step see them: brought up to date after each discount. */
interface Standing extends PricingSoFar {
  readonly lines: Array<LineSoFar>
  readonly at: ReadonlyMap<string, number>
  shipping: PricingSoFar["shipping"]
}

const standingOf = (snapshot: PricingSnapshot, ledger: Ledger): Standing => ({
  lines: ledger.lines.map((line, i): LineSoFar => {
    const { productId = null, groups = null, quantity = 0, unitPrice = 0n } = snapshot.lines[i] ?? {}
    return { id: line.id, productId, groups, quantity, unitPrice, subtotal: line.subtotal, due: amountDue(line) }
  }),
  at: new Map(ledger.lines.map(({ id }, i) => [id, i])),
  shipping:
    ledger.shipping === null
      ? null
      : {
          due: ledger.shipping.subtotal,
          rateId: snapshot.shipping?.rateId ?? null,
          zoneId: snapshot.shipping?.zoneId ?? null
        }
})

const stepOf = { rule_discount: "rules", discount: "coupon" } as const

interface Share {
  readonly target: string
  readonly wanted: bigint
  readonly amount: bigint
  readonly formula: string
  readonly exact?: Fraction | undefined
}

const pointOf = ({ wanted, amount, exact }: Share): RoundingPoint => {
  if (amount !== wanted) return "cap"
  return exact === undefined || exact.numerator === amount * exact.denominator ? "none" : "allocation"
}

const discountEntry = ({ part, kind, sourceId, name }: TakingOff, share: Share): TraceEntry => ({
  step: stepOf[part],
  target: share.target,
  sources: [sourceId],
  source: { type: kind, id: sourceId, name },
  formula: share.formula,
  numerator: share.exact?.numerator ?? share.wanted,
  denominator: share.exact?.denominator ?? 1n,
  roundingPoint: pointOf(share),
  roundingMode: null,
  amount: share.amount
})

type TakingOff = Pick<Discount, "kind" | "part" | "sourceId" | "value" | "name"> & { readonly type: string | null }

const takeOff = (
  ledger: Ledger,
  { name, ...discount }: TakingOff,
  line: LedgerLine,
  share: Omit<LineShare, "lineId"> & { readonly formula: string }
): void => {
  if (share.amount < 0n) throw new RangeError(`${discount.kind} ${discount.sourceId} must not be negative`)
  const amount = least(share.amount, amountDue(line))
  const { kind, part, sourceId, type, value } = discount
  if (part === "rule_discount") line.ruleDiscount += amount
  else line.couponDiscount += amount
  const reason = kind === manualKinds.discount ? null : name
  const { id: lineId } = line
  adjust(ledger, { kind, sourceId, type, value, part, target: "line", lineId, units: share.units, amount, reason })
  const { formula, exact, amount: wanted } = share
  ledger.trace.push(discountEntry({ ...discount, name }, { target: lineId, wanted, amount, formula, exact }))
}

const takeOffShipping = (ledger: Ledger, discount: Discount, wanted: bigint, formula: string): void => {
  const { shipping } = ledger
  if (shipping === null || wanted === 0n) return
  if (wanted < 0n) throw new RangeError(`${discount.kind} ${discount.sourceId} must not be negative`)
  const amount = least(wanted, shipping.subtotal)
  ledger.shipping = { ...shipping, subtotal: shipping.subtotal - amount }
  const { kind, sourceId, type, value, name: reason } = discount
  const place = { part: "shipping_discount", target: "shipping" } as const
  adjust(ledger, { ...notOnALine, kind, sourceId, type, value, ...place, amount, reason })
  ledger.trace.push(discountEntry(discount, { target: "shipping", wanted, amount, formula }))
}

const apply = (standing: Standing, ledger: Ledger, discount: Discount): void => {
  const evaluation = discount.evaluate(standing)
  const { lines, shipping, formula, miss } = evaluation
  if (lines.length === 0 && shipping === undefined) {
    const { kind, sourceId, name, code } = discount
    if (miss !== undefined) ledger.notApplied.push({ kind, sourceId, name, code, ...miss, lostTo: [] })
    return
  }
  const found = lines.length === 0 ? lines : exactShares(discount, lines, ledger)
  for (const { lineId, ...share } of found) {
    const at = standing.at.get(lineId) ?? -1
    const [line, known] = [ledger.lines[at], standing.lines[at]]
    if (line === undefined || known === undefined)
      throw new RangeError(`${discount.kind} ${discount.sourceId} names the unknown line ${lineId}`)
    takeOff(ledger, discount, line, { ...share, formula })
    standing.lines[at] = { ...known, due: amountDue(line) }
  }
  if (shipping === undefined || ledger.shipping === null || standing.shipping === null) return
  takeOffShipping(ledger, discount, shipping, formula)
  standing.shipping = { ...standing.shipping, due: ledger.shipping.subtotal }
}

/** What a discount would take off alone, before any other. */
export const takingAlone = (snapshot: PricingSnapshot, ledger: Ledger): ((discount: Discount) => AloneTaking) => {
  const standing = standingOf(snapshot, ledger)
  return ({ evaluate }) => {
    const { lines, shipping = 0n, miss } = evaluate(standing)
    let amount = least(shipping, standing.shipping?.due ?? 0n)
    for (const share of lines)
      amount += least(share.amount, standing.lines[standing.at.get(share.lineId) ?? -1]?.due ?? 0n)
    return { amount, miss }
  }
}

const applyPart =
  (part: Discount["part"]) =>
  (snapshot: PricingSnapshot, ledger: Ledger, discounts: ReadonlyArray<Discount>): void => {
    const ofPart = discounts.filter((discount) => discount.part === part)
    if (ofPart.length === 0) return
    const standing = standingOf(snapshot, ledger)
    for (const discount of ofPart) apply(standing, ledger, discount)
  }

export const applyRules = applyPart("rule_discount")

const applyCoupons = applyPart("discount")

/** Coupons, and after them a discount that the caller states, which is split over the lines in proportion. */
export const applyCoupon = (snapshot: PricingSnapshot, ledger: Ledger, discounts: ReadonlyArray<Discount>): void => {
  applyCoupons(snapshot, ledger, discounts)
  const { statedDiscount = 0n } = snapshot
  if (statedDiscount === 0n) return
  const due = ledger.lines.map(amountDue)
  const all = due.reduce((sum, each) => sum + each, 0n)
  const shares = allocate(statedDiscount, due, due)
  const { discount: kind } = manualKinds
  const stated = { kind, sourceId: "discountAmount", part: "discount", type: null, value: null, name: "" } as const
  for (const [i, line] of ledger.lines.entries()) {
    const amount = shares[i] ?? 0n
    const units = snapshot.lines[i]?.quantity ?? 0
    if (amount === 0n) continue
    const exact = { numerator: statedDiscount * (due[i] ?? 0n), denominator: all }
    takeOff(ledger, stated, line, { amount, units, formula: "share of the discount that was stated", exact })
  }
}
